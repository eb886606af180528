"""What the attributes of a scorecard are worth beside what was seen of them: share, event rate, WoE and points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable.model import Scorecard
from scrutable.plots.effects import Effect, Step, main_effects
from scrutable.plots.figures import drawable
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    HEADING,
    LINE,
    MARGIN,
    PALETTE,
    SMALL,
    fit,
    header,
    page,
    place,
    styled,
    text_width,
    write,
)
from scrutable.plots.titles import short_titles
from scrutable.writing.decimals import decimal, decimals_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS, _BARS, _GAP = 2.2, 1.5, 0.15
_HEADER, _HEADS, _TITLE, _ROW, _FOOT = 0.75, 0.25, 0.28, 0.2, 0.22


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A figure of the attributes: its name, its value, how it reads, and the colour of its bars."""

    name: str
    of: Callable[[Step], float | None]
    told: Callable[[Sequence[float]], list[str]]
    colour: str


def _percent(values: Iterable[float]) -> list[str]:
    return [f"{100 * value:.1f} %" for value in values]


def _woe(values: Iterable[float]) -> list[str]:
    return [f"{value:+.2f}" for value in values]


def _points(values: Iterable[float]) -> list[str]:
    listed = list(values)
    places = decimals_apart(listed)
    return [decimal(value, places, sign=True) for value in listed]


_COLUMNS = (
    _Column(name="share", of=lambda step: step.share, told=_percent, colour=LINE),
    _Column(name="event rate", of=lambda step: step.event_rate, told=_percent, colour=PALETTE[1]),
    _Column(name="WoE", of=lambda step: step.woe, told=_woe, colour=FAINT),
    _Column(name="points", of=lambda step: step.points, told=_points, colour=ACCENT),
)


@styled()
def plot_attributes(model: Scorecard, features: Iterable[str] | None = None) -> Figure:
    """Draw for each characteristic the points of its attributes beside their share, event rate and weight of evidence.

    One panel a characteristic, a row an attribute, one scale of a figure for all panels. Where points do not follow the
    event rate, characteristics say in part the same, or a constraint binds them. Attributes that no training applicant
    had have points alone.

    Parameters
    ----------
    features : names of the characteristics to draw; all of them if None, in the model's order.

    Raises
    ------
    InputError : no scorecard, an unknown characteristic, none or more than 300 of them, a model that does not say how
        many applicants its attributes had, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(500, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X[["late_payments"]], data.y)
    >>> [axes.get_label() for axes in plot_attributes(learner.model_).axes]
    ['late_payments: share', 'late_payments: event rate', 'late_payments: WoE', 'late_payments: points']
    """
    effects = _measured(main_effects(model, features).values())
    limits = [_limits(effects, column) for column in _COLUMNS]
    panels = [_TITLE + _ROW * len(effect.steps) + _FOOT for effect in effects]
    figure = page(2 * MARGIN + _LABELS + len(_COLUMNS) * (_BARS + _GAP), _HEADER + _HEADS + sum(panels))
    facts = f"{model.outcome.target}: the favourable outcome is {model.outcome.favourable!r}, the event the other one"
    header(figure, 0.0, "Attributes: what was seen, and what it is worth", [facts])
    for turn, column in enumerate(_COLUMNS):
        write(figure, _left(turn), _HEADER, column.name, BODY, color=FAINT)
    top = _HEADER + _HEADS
    for effect, height in zip(effects, panels, strict=True):
        _draw(figure, effect, top, limits)
        top += height
    return figure


def _measured(effects: Iterable[Effect]) -> list[Effect]:
    listed = drawable(effects)
    for effect in listed:
        if all(step.event_rate is None for step in effect.steps):
            raise InputError(
                "the model does not say what was seen of its attributes in training",
                where=f"characteristic {effect.feature.name!r}",
                allowed="attributes with statistics",
                fix="use the model as a learner of Scrutable made it, or draw its effects",
            )
    return listed


def _draw(figure: Figure, effect: Effect, top: float, limits: Sequence[tuple[float, float]]) -> None:
    steps = effect.steps
    title = fit(effect.feature.title, _LABELS + 3 * _BARS, HEADING, bold=True)
    write(figure, MARGIN, top, title, HEADING, weight="bold")
    titles = short_titles([step.condition for step in steps], [step.title for step in steps])
    for row, told in enumerate(titles):
        middle = top + _TITLE + _ROW * (row + 0.5)
        write(figure, MARGIN, middle, fit(told, _LABELS - 0.15, SMALL), SMALL, va="center")
    for turn, (column, limit) in enumerate(zip(_COLUMNS, limits, strict=True)):
        axes = place(figure, _left(turn), top + _TITLE, _BARS, _ROW * len(steps))
        axes.set_label(f"{effect.feature.name}: {column.name}")
        _draw_bars(axes, steps, column, limit)


def _draw_bars(axes: Axes, steps: Sequence[Step], column: _Column, limits: tuple[float, float]) -> None:
    """Bars from 0, each with its figure at its end."""
    rows = [(row, value) for row, step in enumerate(steps) if (value := column.of(step)) is not None]
    at, values = [row for row, _ in rows], [value for _, value in rows]
    axes.axvline(0, color=LINE, linewidth=0.8)
    axes.barh(at, values, height=0.6, color=column.colour)
    for row, value, text in zip(at, values, column.told(values), strict=True):
        side = -1 if value < 0 else 1
        beside = "left" if side > 0 else "right"
        axes.annotate(
            text, (value, row), (3 * side, 0), textcoords="offset points", ha=beside, va="center", fontsize=SMALL
        )
    axes.set_xlim(limits)
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.set_axis_off()


def _limits(effects: Sequence[Effect], column: _Column) -> tuple[float, float]:
    """One scale for a figure of all panels, with room for the texts at the ends of bars."""
    every = [value for effect in effects for step in effect.steps if (value := column.of(step)) is not None]
    low, high = min(0.0, *every), max(0.0, *every)
    room = max(text_width(text, SMALL) for text in column.told(every)) + 0.08
    sides = room * ((low < 0) + (high > 0 or low == 0))
    scale = ((high - low) or 1.0) / (_BARS - sides)
    return low - (room * scale if low < 0 else 0.0), high + (room * scale if high > 0 or low == 0 else 0.0)


def _left(turn: int) -> float:
    return MARGIN + _LABELS + turn * (_BARS + _GAP)
