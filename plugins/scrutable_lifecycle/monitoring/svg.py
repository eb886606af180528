"""Pictures made of a few shapes, which the page's template writes down as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: Width of a letter of the pictures' font, about; texts are cut to the room that they have.
LETTER = 6.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """A bar; `look` is a class of the page's style sheet."""

    x: float
    y: float
    width: float
    height: float
    look: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Polyline:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    look: str

    @property
    def path(self) -> str:
        """The points as SVG writes them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A point of a line, with what it says when it is pointed at."""

    x: float
    y: float
    look: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A text; `anchor` is the part of it that is at x."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    look: str = "label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Shapes in a frame; the caption says what they show."""

    caption: str
    width: float
    height: float
    rectangles: tuple[Rectangle, ...] = ()
    lines: tuple[Polyline, ...] = ()
    dots: tuple[Dot, ...] = ()
    labels: tuple[Label, ...] = ()


def fitted(text: str, room: float) -> str:
    """The text, or its beginning and its end if there is no room for all of it.

    >>> fitted("months since the last inquiry", 100)
    'months sin…uiry'
    """
    most = max(3, int(room / LETTER))
    if len(text) <= most:
        return text
    tail = (most - 1) // 3
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"
