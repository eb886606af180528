"""How pictures look, and how they become bytes: the same figure, the same bytes, whatever matplotlib's settings are.

Sizes are inches from the top left corner of the page, font sizes are points, colours tell apart for the colour-blind.
"""

from __future__ import annotations

import functools
import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from scrutable.errors import InputError
from scrutable.plugins.libraries import library
from scrutable.writing.decimals import amount, amounts
from scrutable.writing.visible_text import visible

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = [
    "ACCENT",
    "BODY",
    "FAINT",
    "HEADING",
    "INK",
    "LINE",
    "MARGIN",
    "PALETTE",
    "SHADE",
    "SMALL",
    "TITLE",
    "amount",
    "fit",
    "header",
    "label_amounts",
    "page",
    "place",
    "readable_on",
    "shades",
    "styled",
    "text_width",
    "wrap",
    "write",
]

Format = Literal["svg", "png"]
#: Red, green, blue and opacity, from 0 to 1.
Colour = tuple[float, float, float, float]

INK, FAINT, LINE, SHADE = "#22272e", "#6b7280", "#c5cad1", "#e7eaee"
#: Okabe and Ito's colours, without black and the yellow that is too light for a line.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F5AA2")
ACCENT = PALETTE[0]
TITLE, HEADING, BODY, SMALL = 13.0, 9.5, 8.0, 7.0
#: Room at the sides of a page.
MARGIN = 0.3

_SETTINGS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": LINE,
    "axes.labelcolor": FAINT,
    "axes.labelsize": SMALL,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": BODY,
    "grid.color": SHADE,
    "grid.linewidth": 0.7,
    "savefig.dpi": 144,
    "svg.hashsalt": "scrutable",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": LINE,
    "xtick.labelcolor": FAINT,
    "xtick.labelsize": SMALL,
    "ytick.color": LINE,
    "ytick.labelcolor": FAINT,
    "ytick.labelsize": SMALL,
}
_WITHOUT_TRACES: dict[Format, dict[str, None]] = {"svg": {"Creator": None, "Date": None}, "png": {"Software": None}}
_SCRIPTS = r"Glyph \d+|Matplotlib currently does not support"


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib with these settings and no others, for as long as a figure is drawn or rendered.

    Raises
    ------
    PluginError : matplotlib is not installed.
    """
    matplotlib = library("matplotlib", "scrutable[plots]", "pictures")
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_SCRIPTS)
        matplotlib.rcdefaults()
        for key, value in _SETTINGS.items():
            matplotlib.rcParams[key] = value
        yield


def render(figure: Figure, form: Format) -> bytes:
    """The figure as a file's content, without the time or the program's version in it.

    Letters are outlines in SVG, so that it looks the same everywhere. If matplotlib's own font lacks one, letters stay
    text, for the viewer's fonts to draw; in PNG such a letter is an empty box.

    Raises
    ------
    InputError : another format.
    """
    if form not in _WITHOUT_TRACES:
        raise InputError("unknown format of a picture", got=form, allowed="'svg' or 'png'", fix="give one of them")
    with styled():
        import matplotlib

        matplotlib.rcParams["svg.fonttype"] = "none" if _lacks_letters(figure) else "path"
        content = io.BytesIO()
        figure.savefig(content, format=form, metadata=_WITHOUT_TRACES[form])
    return content.getvalue()


def page(width: float, height: float) -> Figure:
    """An empty white figure."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor="white")


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Axes whose frame has this place and size."""
    across, down = (float(side) for side in figure.get_size_inches())
    return figure.add_axes((left / across, 1 - (top + height) / down, width / across, height / down))


def write(figure: Figure, left: float, top: float, text: str, size: float = BODY, **looks: Any) -> None:
    """A text whose top left corner is here; it must fit already."""
    across, down = (float(side) for side in figure.get_size_inches())
    figure.text(left / across, 1 - top / down, text, fontsize=size, va=looks.pop("va", "top"), **looks)


def header(figure: Figure, top: float, title: str, notes: Iterable[str]) -> None:
    """A title with notes below it, over the width of the page."""
    width = float(figure.get_size_inches()[0]) - 2 * MARGIN
    write(figure, MARGIN, top + 0.22, title, TITLE, weight="bold")
    for line, note in enumerate(notes):
        write(figure, MARGIN, top + 0.47 + 0.15 * line, fit(note, width, BODY), BODY, color=FAINT)


def fit(text: str, width: float, size: float = BODY, *, bold: bool = False) -> str:
    """The text on one line of this width, control characters escaped.

    What is too long loses its middle, since long names often differ at the end.
    """
    short = text if len(text) <= 400 else f"{text[:200]}…{text[-200:]}"
    shown = visible(short)
    if text_width(shown, size, bold=bold) <= width:
        return shown
    low, high = 0, len(shown) - 1
    while low < high:  # the most letters that have room
        middle = (low + high + 1) // 2
        fits = text_width(_without_middle(shown, middle), size, bold=bold) <= width
        low, high = (middle, high) if fits else (low, middle - 1)
    return _without_middle(shown, low)


def wrap(text: str, width: float, size: float = BODY, most: int = 2) -> list[str]:
    """The text on up to `most` lines of this width, broken between words; the last one loses its middle if need be."""
    lines, words = [""], text.split(" ")
    for place, word in enumerate(words):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *words[place:]])
            break
    return [fit(line, width, size) for line in lines]


def text_width(text: str, size: float = BODY, *, bold: bool = False) -> float:
    """Inches that a line of text takes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    if not text:
        return 0.0
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    width, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def shades(parts: NDArray[np.float64], colours: Sequence[str]) -> list[Colour]:
    """Red, green, blue and opacity at n places, 0 to 1, on the way over all colours from first to last."""
    from matplotlib.colors import LinearSegmentedColormap

    shaded = LinearSegmentedColormap.from_list("shades", colours)(parts)
    return [(red, green, blue, opacity) for red, green, blue, opacity in shaded.tolist()]


def readable_on(colour: Colour) -> str:
    """Black or white, whichever stands out more from a colour: by the contrast ratio of WCAG 2.

    >>> readable_on((1.0, 1.0, 1.0, 1.0)), readable_on((0.0, 0.45, 0.7, 1.0))
    ('#22272e', 'white')
    """
    dark = _luminance([int(INK[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    own = _luminance(colour[:3])
    return INK if (own + 0.05) / (dark + 0.05) >= 1.05 / (own + 0.05) else "white"


def _luminance(colour: Sequence[float]) -> float:
    """Relative luminance of red, green and blue from 0 to 1."""
    linear = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def label_amounts(axis: Axis) -> None:
    """Label the ticks of an axis with readable numbers, in as few digits as tell them apart."""
    from matplotlib.ticker import Formatter

    class Amounts(Formatter):
        def __call__(self, value: float, pos: int | None = None) -> str:
            return amount(value)

        def format_ticks(self, values: Iterable[float]) -> list[str]:
            return amounts(values)

    axis.set_major_formatter(Amounts())


def _without_middle(text: str, kept: int) -> str:
    tail = kept // 3
    return f"{text[: kept - tail].rstrip()}…{text[len(text) - tail :].lstrip()}"


def _lacks_letters(figure: Figure) -> bool:
    from matplotlib.text import Text

    letters = {letter for text in figure.findobj(Text) for letter in text.get_text()}
    return any(ord(letter) not in _letters() for letter in letters)


@functools.cache
def _letters() -> frozenset[int]:
    """Code points of the font that matplotlib brings along."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
