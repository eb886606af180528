"""Predicted default rates beside those observed: of everybody, and of the groups of each protected attribute."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrutable.measures import Reliability, ReliabilityBin, ReliabilityCurve
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    HEADING,
    LINE,
    PALETTE,
    SHADE,
    SMALL,
    fit,
    header,
    page,
    place,
    styled,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ACROSS = 2  # panels beside one another
_SIDE, _SHARES = 3.6, 0.5  # of the square of a panel, and height of the shares below it, in inches
_STEP_X, _STEP_Y = 4.9, 5.3
_LEFT, _TOP = 0.75, 1.15
#: More groups than this have no colours of their own.
_MOST_GROUPS = len(PALETTE)


def plot_reliability(reliability: Reliability, title: str = "Reliability of the probability of default") -> Figure:
    """Draw the observed over the predicted default rate, by bin, with intervals, and the shares of the bins below.

    On the diagonal PDs are right; above it there were more defaults than expected. The first panel is of everybody, the
    others compare the groups of an attribute: the first seven of them, and the heading says so where there are more.

    Raises
    ------
    InputError : matplotlib is not installed.
    """
    attributes = list(dict.fromkeys(each.attribute for each in reliability.groups))
    panels: list[tuple[str, list[tuple[str, ReliabilityCurve]]]] = [("everybody", [("", reliability.overall)])]
    for name in attributes:
        curves = [(each.group, each.curve) for each in reliability.groups if each.attribute == name]
        heading = name if len(curves) <= _MOST_GROUPS else f"{name}: the first {_MOST_GROUPS} of {len(curves)} groups"
        panels.append((heading, curves[:_MOST_GROUPS]))
    across, down = min(_ACROSS, len(panels)), math.ceil(len(panels) / _ACROSS)
    limit = _limit([curve for _, curves in panels for _, curve in curves])
    with styled():
        figure = page(_LEFT + _STEP_X * across, _TOP + _STEP_Y * down)
        header(
            figure, 0.1, title, [_note(reliability.overall), f"Bars: {reliability.confidence:.0%} intervals (Wilson)"]
        )
        for number, (heading, curves) in enumerate(panels):
            left, top = _LEFT + _STEP_X * (number % _ACROSS), _TOP + _STEP_Y * (number // _ACROSS)
            write(figure, left, top - 0.1, fit(heading, _SIDE, HEADING, bold=True), HEADING, weight="bold")
            _draw(place(figure, left, top + 0.15, _SIDE, _SIDE), curves, limit)
            _draw_shares(place(figure, left, top + 0.15 + _SIDE + 0.1, _SIDE, _SHARES), curves, limit)
    return figure


def _note(curve: ReliabilityCurve) -> str:
    ratio = "undefined" if math.isnan(curve.expected_over_observed) else f"{curve.expected_over_observed:.3f}"
    return (
        f"mean PD {curve.mean_pd:.2%}, observed {curve.bad_rate:.2%}, expected / observed {ratio}, "
        f"Brier score {curve.brier.score:.4f}"
    )


def _limit(curves: Sequence[ReliabilityCurve]) -> float:
    """The end of both axes: a little beyond every mark, intervals of small groups cut off."""
    marks = [value for curve in curves for each in _filled(curve) for value in (each.mean_pd, each.bad_rate)]
    whole = [each.interval[1] for each in _filled(curves[0])]
    return min(1.0, 1.08 * max([*marks, *whole, 0.01]))


def _filled(curve: ReliabilityCurve) -> list[ReliabilityBin]:
    return [each for each in curve.bins if each.size]


def _draw(axes: Axes, curves: Sequence[tuple[str, ReliabilityCurve]], limit: float) -> None:
    axes.plot([0, limit], [0, limit], color=LINE, linewidth=1.0, zorder=1)
    for number, (name, curve) in enumerate(curves):
        colour = PALETTE[number] if len(curves) > 1 else ACCENT
        bins = _filled(curve)
        x, y = [each.mean_pd for each in bins], [each.bad_rate for each in bins]
        below = [max(0.0, each.bad_rate - each.interval[0]) for each in bins]
        above = [max(0.0, each.interval[1] - each.bad_rate) for each in bins]
        label = _legend_text(name, curve) if name else None
        axes.errorbar(
            x,
            y,
            yerr=[below, above],
            color=colour,
            linewidth=1.2,
            elinewidth=0.8,
            marker="o",
            markersize=3.5,
            label=label,
        )
    axes.set_xlim(0, limit)
    axes.set_ylim(0, limit)
    _percent(axes, "y", limit)
    axes.set_xticks([])
    axes.grid(axis="y")
    axes.set_ylabel("observed default rate", fontsize=BODY)
    if len(curves) > 1:
        axes.legend(loc="upper left", frameon=False, labelcolor=FAINT, fontsize=SMALL)


def _legend_text(name: str, curve: ReliabilityCurve) -> str:
    text = fit(f"{name} (n = {curve.size:,.0f})", 2.2, SMALL)
    return f" {text}" if text.startswith("_") else text  # matplotlib leaves labels with an underscore first out


def _draw_shares(axes: Axes, curves: Sequence[tuple[str, ReliabilityCurve]], limit: float) -> None:
    """The share of applicants in each bin, of everybody or of each group beside the others."""
    width = limit / 90
    for number, (_, curve) in enumerate(curves):
        colour = PALETTE[number] if len(curves) > 1 else ACCENT
        bins = _filled(curve)
        moved = (number - (len(curves) - 1) / 2) * width
        x, heights = [each.mean_pd + moved for each in bins], [each.size / curve.size for each in bins]
        axes.bar(x, heights, width=width, color=colour)
    axes.set_xlim(0, limit)
    _percent(axes, "x", limit)
    axes.set_yticks([])
    axes.set_facecolor(SHADE)
    axes.set_xlabel("predicted default rate, and the shares of applicants", fontsize=BODY)


def _percent(axes: Axes, which: str, limit: float) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10]))
    places = 0 if limit > 0.1 else 1
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.{places}%}"))
