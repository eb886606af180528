"""Whole pictures of a scorecard: the importance of its characteristics, and a panel for the main effect of each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable.model import PointIntervals, Scorecard
from scrutable.plots.effects import Effect, main_effects
from scrutable.plots.panels import Limits, draw_panel, drawn, panel_height
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    HEADING,
    MARGIN,
    SMALL,
    amount,
    fit,
    header,
    page,
    place,
    styled,
    write,
)
from scrutable.plots.tables import draw_tables, drawn_tables, heat_maps, size_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The most panels in one picture: PNG holds no more pixels.
MOST = 300

#: How far beyond all points intervals are drawn, by the range of the points.
_BEYOND = 0.5
_GAP = 0.35
_HEADER, _NOTE = 0.95, 0.15
_ROW = 0.25
_PANEL_TITLE, _PANEL_TICKS = 0.3, 0.5


@styled()
def plot_main_effects(
    model: Scorecard, features: Iterable[str] | None = None, *, intervals: PointIntervals | None = None
) -> Figure:
    """Draw the points of each characteristic over its values, the most important first, on one scale of points.

    Numbers give a step function over a true axis, with a tick at each cut, on a logarithmic axis if steps could not be
    seen otherwise; missing values and special codes are diamonds beside it. Categories are bars. Grey shows the share
    of the training applicants, where the model says it: the whole of a panel would be 100 %. Bands and whiskers are
    intervals of the points; what lies far outside of all points is cut off. Below them interactions are heat maps, with
    the points in their cells.

    Parameters
    ----------
    model : a scorecard.
    features : names of the characteristics to draw, and the interactions of these features; all of them if None.
    intervals : of the points, where they are known; see `PointIntervals.of`.

    Raises
    ------
    InputError : no scorecard, an unknown characteristic, none or more than 300 of them, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> from scrutable.plots import render
    >>> data = make_credit(500, seed=1)
    >>> inputs = data.X[["late_payments", "bureau_score"]]
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(inputs, data.y)
    >>> figure = plot_main_effects(learner.model_)
    >>> [axes.get_label() for axes in figure.axes]
    ['bureau_score', 'late_payments']
    >>> render(figure, "png")[:4]
    b'\\x89PNG'
    """
    grid = _Grid(model, features, intervals)
    figure = page(grid.width, grid.height)
    grid.draw(figure, 0.0)
    return figure


@styled()
def plot_importance(model: Scorecard) -> Figure:
    """Draw how much each characteristic moves the score: the variance of its points over the training applicants.

    Raises
    ------
    InputError : as `importance`; more than 300 characteristics, or matplotlib is not installed.
    """
    effects = _sorted(main_effects(model).values())
    figure = page(7.0, _importance_height(effects))
    _draw_importance(figure, effects, model)
    return figure


@styled()
def plot_model(
    model: Scorecard, features: Iterable[str] | None = None, *, intervals: PointIntervals | None = None
) -> Figure:
    """Draw the importance of all characteristics, and below it the main effects of these.

    Parameters are those of `plot_main_effects`.

    Raises
    ------
    InputError : as `plot_importance` and `plot_main_effects`.
    """
    effects = _sorted(main_effects(model).values())
    grid, top = _Grid(model, features, intervals), _importance_height(effects)
    figure = page(grid.width, top + grid.height)
    _draw_importance(figure, effects, model)
    grid.draw(figure, top)
    return figure


class _Grid:
    """Small multiples in rows, each row as high as its highest panel."""

    def __init__(self, model: Scorecard, features: Iterable[str] | None, intervals: PointIntervals | None) -> None:
        self.effects = _sorted(main_effects(model, features, intervals=intervals).values())
        self.confidence = None if intervals is None else intervals.confidence
        self.total = _total(main_effects(model).values())
        self.limits = _limits(self.effects)
        self.facts = f"{model.outcome.target}: the favourable outcome is {model.outcome.favourable!r}"
        named = None if features is None else [effect.feature.name for effect in self.effects]
        self.maps = heat_maps(drawn_tables(model, named), {feature.name: feature for feature in model.features})
        count = len(self.effects)
        self.columns = 1 if count == 1 else 2 if count <= 4 else 3
        self.cell = 5.4 if count == 1 else 3.6
        width, self.below = size_of(self.maps)
        self.width = max(2 * MARGIN + self.columns * self.cell + (self.columns - 1) * _GAP, width)
        self.header = _HEADER + _NOTE * len(self._bands())
        self.height = self.header + sum(height for _, height in self._rows()) + self.below + 0.1

    def draw(self, figure: Figure, top: float) -> None:
        shares = "grey: share of the training applicants, the whole panel being 100 %"
        points = "Points of each attribute" + (f"; {shares}" if self.effects[0].has_shares else "")
        header(figure, top, "Main effects", [self.facts, points, *self._bands()])
        top += self.header
        for effects, height in self._rows():
            for column, effect in enumerate(effects):
                self._draw_cell(figure, effect, MARGIN + column * (self.cell + _GAP), top)
            top += height
        draw_tables(figure, self.maps, top)

    def _bands(self) -> list[str]:
        """What bands and whiskers are, where there are some."""
        if self.confidence is None or not any(effect.has_intervals for effect in self.effects):
            return []
        return [
            f"Bands and whiskers: intervals of the points at {100 * self.confidence:g} %, the attributes being given"
        ]

    def _draw_cell(self, figure: Figure, effect: Effect, left: float, top: float) -> None:
        part = "" if self.total is None else _percent(effect.importance, self.total)
        write(figure, left, top, fit(effect.feature.title, self.cell - 0.6, HEADING, bold=True), HEADING, weight="bold")
        write(figure, left + self.cell, top + 0.02, part, SMALL, ha="right", color=FAINT)
        axes = draw_panel(figure, effect, left, top + _PANEL_TITLE, self.cell, self.limits)
        axes.set_label(effect.feature.name)

    def _rows(self) -> Iterator[tuple[Sequence[Effect], float]]:
        for start in range(0, len(self.effects), self.columns):
            effects = self.effects[start : start + self.columns]
            yield effects, max(map(panel_height, effects)) + _PANEL_TITLE + _PANEL_TICKS


def _unmeasured(model: Scorecard) -> list[str]:
    """What of the score has no importance: nobody counted the cells of interactions."""
    names = ", ".join(each.name for each in model.interactions)
    return [f"Not measured: the interactions {names}"] if names else []


def _draw_importance(figure: Figure, effects: Sequence[Effect], model: Scorecard) -> None:
    width = float(figure.get_size_inches()[0])
    measured = "Variance of the points over the training applicants, and its share of the sum of all characteristics"
    header(figure, 0.0, "Importance", [measured, *_unmeasured(model)])
    room, total = 2.2, _total(effects) or 0.0
    axes = place(figure, MARGIN + room, _HEADER - 0.2, width - 2 * MARGIN - room, _ROW * len(effects))
    axes.set_label("importance")
    variances = [effect.importance for effect in effects]
    axes.barh(range(len(effects)), variances, height=0.62, color=ACCENT)
    for position, variance in enumerate(variances):
        text = f"{amount(float(f'{variance:.3g}'))}  ({_percent(variance, total)})"
        axes.annotate(text, (variance, position), (4, 0), textcoords="offset points", va="center", fontsize=SMALL)
    titles = [fit(effect.feature.title, room - 0.1, BODY) for effect in effects]
    axes.set_yticks(range(len(effects)), titles, fontsize=BODY)
    axes.set_ylim(len(effects) - 0.5, -0.5)
    axes.set_xlim(0, 1.25 * max(variances) or 1.0)
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0, labelcolor="black")
    axes.spines["bottom"].set_visible(False)


def _importance_height(effects: Sequence[Effect]) -> float:
    return _HEADER + _ROW * len(effects) + 0.1


def drawable(effects: Iterable[Effect]) -> list[Effect]:
    """Effects that one picture can hold.

    Raises
    ------
    InputError : none, or more than 300.
    """
    listed = list(effects)
    if not 0 < len(listed) <= MOST:
        allowed, fix = f"1 to {MOST} characteristics", "name those to draw"
        raise InputError("not a picture's worth", where="features", got=len(listed), allowed=allowed, fix=fix)
    return listed


def _sorted(effects: Iterable[Effect]) -> list[Effect]:
    """Most important first; by the range of points where the model does not say the shares."""
    listed = drawable(effects)
    if _total(listed) is not None:
        return sorted(listed, key=lambda effect: -effect.importance)
    return sorted(listed, key=lambda effect: effect.points_range[0] - effect.points_range[1])


def _total(effects: Iterable[Effect]) -> float | None:
    """Sum of the importances; None where the model does not say the shares."""
    listed = list(effects)
    return math.fsum(effect.importance for effect in listed) if all(effect.has_shares for effect in listed) else None


def _percent(variance: float, total: float) -> str:
    return f"{variance / total:.1%}".replace("%", " %") if total else "0 %"


def _limits(effects: Sequence[Effect]) -> Limits:
    steps = [step for effect in effects for step in (*effect.intervals, *drawn(effect))]
    points = [step.points for step in steps]
    low, high = min(0.0, *points), max(0.0, *points)
    room, ends = _BEYOND * (high - low), [end for step in steps for end in step.interval or ()]
    low, high = max(min([low, *ends]), low - room), min(max([high, *ends]), high + room)
    margin = 0.08 * (high - low) or 1.0
    return low - margin, high + margin
