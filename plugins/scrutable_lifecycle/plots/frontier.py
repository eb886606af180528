"""The frontier of a search for less discriminatory alternatives: accuracy against a ratio of approval rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError
from scrutable.plots import find_places
from scrutable.plots.style import BODY, FAINT, INK, LINE, PALETTE, TITLE, fit, page, place, styled, text_width, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Range = tuple[float, float]

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LEFT, _WIDTH, _LEGEND = 0.9, 6.0, 2.4
_HEADER, _HEIGHT, _SECOND_HEIGHT, _GAP, _FOOT = 0.75, 4.0, 1.5, 0.25, 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint:
    """One candidate model of a search.

    Parameters
    ----------
    name : what people call it.
    method : what made it; the points of a method look alike.
    ratio : of approval rates, 1 being parity.
    auc : area under the ROC curve, 0 to 1.
    ratio_interval, auc_interval : low and high end of a confidence interval.
    bad_rate : share of bad payers among the approved, 0 to 1.
    on_frontier : no other candidate has both a higher ratio and a higher AUC.
    comparable : it approves about as many as the others; one that does not is drawn hollow.
    picked : it was chosen.
    baseline : what the others are compared with.

    Raises
    ------
    InputError : a value that is no number, or an interval whose ends are the wrong way round.
    """

    name: str
    method: str
    ratio: float
    auc: float
    ratio_interval: Range | None = None
    auc_interval: Range | None = None
    bad_rate: float | None = None
    on_frontier: bool = False
    comparable: bool = True
    picked: bool = False
    baseline: bool = False

    def __post_init__(self) -> None:
        for key in ("ratio", "auc", "bad_rate"):
            value = getattr(self, key)
            if value is not None and not math.isfinite(value):
                raise InputError("expected a finite number", where=f"point {self.name!r}: {key}", got=value)
        for key in ("ratio_interval", "auc_interval"):
            ends = getattr(self, key)
            if ends is not None and not -math.inf < ends[0] <= ends[1] < math.inf:
                raise InputError("expected a low and a high end", where=f"point {self.name!r}: {key}", got=ends)


@styled()
def plot_frontier(
    points: Sequence[FrontierPoint],
    *,
    required_ratio: float | None = None,
    title: str = "Accuracy and ratio of approval rates",
    subtitle: str = "",
    ratio_label: str = "ratio of approval rates",
) -> Figure:
    """Draw AUC against the ratio of approval rates of every candidate, and if all have one, the bad rate below.

    Colour and marker say the method, light lines the intervals, the stepped line joins the frontier: the best AUC at
    each ratio or a higher one. Picked and baseline points are ringed and named.

    Raises
    ------
    InputError : no points, a required ratio that is no number, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.plots import render
    >>> plain = FrontierPoint(name="plain", method="none", ratio=0.62, auc=0.801, on_frontier=True, baseline=True)
    >>> bound = FrontierPoint(name="0.1", method="bound", ratio=0.84, auc=0.792, on_frontier=True, picked=True)
    >>> figure = plot_frontier([plain, bound], required_ratio=0.8)
    >>> figure.axes[0].get_ylabel()
    'AUC'
    >>> render(figure, "svg").startswith(b"<?xml")
    True
    """
    from matplotlib.ticker import MaxNLocator

    if not points:
        raise InputError("there is nothing to draw", where="points", fix="give at least one")
    if required_ratio is not None and not math.isfinite(required_ratio):
        raise InputError("expected a finite number", where="required_ratio", got=required_ratio)
    second = all(point.bad_rate is not None for point in points)
    height = _HEADER + _HEIGHT + (_GAP + _SECOND_HEIGHT if second else 0) + _FOOT
    figure = page(_LEFT + _WIDTH + _LEGEND, height)
    write(figure, 0.3, 0.2, fit(title, _LEFT + _WIDTH + _LEGEND - 0.6, TITLE, bold=True), TITLE, weight="bold")
    write(figure, 0.3, 0.45, fit(subtitle, _LEFT + _WIDTH + _LEGEND - 0.6), color=FAINT)
    looks = _looks(points)
    upper = place(figure, _LEFT, _HEADER, _WIDTH, _HEIGHT)
    _draw(upper, points, lambda point: point.auc, looks, required_ratio)
    _draw_intervals(upper, points, looks)
    _set_limits(upper, points, required_ratio)
    _name(upper, points)
    upper.set_ylabel("AUC", fontsize=BODY)
    _legend(upper, points, looks, required_ratio)
    lowest = upper
    if second:
        lowest = place(figure, _LEFT, _HEADER + _HEIGHT + _GAP, _WIDTH, _SECOND_HEIGHT)
        _draw(lowest, points, _bad_rate, looks, required_ratio)
        lowest.set_xlim(upper.get_xlim())
        lowest.set_ylim(*_widened([_bad_rate(point) for point in points], 0.01))
        lowest.set_ylabel("bad rate among\nthe approved", fontsize=BODY)
        lowest.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
        lowest.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        upper.tick_params(axis="x", labelbottom=False)
    figure.align_ylabels()
    lowest.set_xlabel(fit(ratio_label, _WIDTH), fontsize=BODY)
    return figure


def _draw(
    axes: Axes,
    points: Sequence[FrontierPoint],
    height: Callable[[FrontierPoint], float],
    looks: dict[str, tuple[str, str]],
    required_ratio: float | None,
) -> None:
    """Points, the frontier among them, and the required ratio."""
    axes.grid()
    axes.tick_params(length=0)
    if required_ratio is not None:
        axes.axvline(required_ratio, color=INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1.5)
    frontier = sorted((point for point in points if point.on_frontier), key=lambda point: point.ratio)
    if frontier:
        ratios, heights = [point.ratio for point in frontier], [height(point) for point in frontier]
        axes.plot(ratios, heights, drawstyle="steps-pre", color=FAINT, linewidth=1.2, zorder=2, label="frontier")
    for method, (colour, marker) in looks.items():
        own = [point for point in points if point.method == method]
        solid, hollow = {"color": colour, "linewidth": 0}, {"facecolor": "none", "edgecolor": colour, "alpha": 0.7}
        common = {"marker": marker, "label": method}
        _scatter(axes, [p for p in own if p.on_frontier], height, s=34, **common, **solid)
        behind = [p for p in own if p.comparable and not p.on_frontier]
        _scatter(axes, behind, height, s=22, alpha=0.45, **common, **solid)
        _scatter(axes, [p for p in own if not p.comparable], height, s=18, **common, **hollow)
    for point in points:
        if point.picked or point.baseline:
            ring = INK if point.picked else FAINT
            size = 150 if point.picked else 100
            axes.scatter(
                [point.ratio], [height(point)], s=size, facecolor="none", edgecolor=ring, linewidth=1.4, zorder=4
            )


def _scatter(
    axes: Axes, points: Sequence[FrontierPoint], height: Callable[[FrontierPoint], float], **looks: Any
) -> None:
    if points:
        axes.scatter([point.ratio for point in points], [height(point) for point in points], zorder=3, **looks)


def _draw_intervals(axes: Axes, points: Sequence[FrontierPoint], looks: dict[str, tuple[str, str]]) -> None:
    for point in points:
        colour, _ = looks[point.method]
        strength = 0.45 if point.on_frontier or point.picked or point.baseline else 0.15
        if point.ratio_interval:
            axes.plot(point.ratio_interval, [point.auc] * 2, color=colour, alpha=strength, linewidth=1.0, zorder=1.8)
        if point.auc_interval:
            axes.plot([point.ratio] * 2, point.auc_interval, color=colour, alpha=strength, linewidth=1.0, zorder=1.8)


def _set_limits(axes: Axes, points: Sequence[FrontierPoint], required_ratio: float | None) -> None:
    ratios = [value for point in points for value in (point.ratio, *(point.ratio_interval or ()))]
    if required_ratio is not None:
        ratios.append(required_ratio)
    axes.set_xlim(*_widened(ratios, 0.02))
    axes.set_ylim(*_widened([v for point in points for v in (point.auc, *(point.auc_interval or ()))], 0.005))


def _widened(values: Sequence[float], least: float) -> Range:
    margin = max(0.07 * (max(values) - min(values)), least)
    return min(values) - margin, max(values) + margin


def _name(axes: Axes, points: Sequence[FrontierPoint]) -> None:
    """Names of picked and baseline points, where they cover the fewest others."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()

    def spot(ratio: float, auc: float) -> tuple[float, float]:
        return (ratio - left) / (right - left) * _WIDTH, (auc - low) / (high - low) * _HEIGHT

    named = sorted((p for p in points if p.picked or p.baseline), key=lambda p: (not p.picked, -p.auc, p.name))
    texts = [fit(_title(point), 2.6, BODY, bold=point.picked) for point in named]
    widths = [text_width(text, BODY, bold=p.picked) for text, p in zip(texts, named, strict=True)]
    obstacles = [spot(p.ratio, auc) for p in points for auc in (p.auc, *(p.auc_interval or ()))]
    anchors = [spot(p.ratio, p.auc) for p in named]
    places = find_places(anchors, widths, obstacles, (_WIDTH, _HEIGHT))
    for point, text, (start, middle) in zip(named, texts, places, strict=True):
        side = 0.0 if start > spot(point.ratio, point.auc)[0] else 1.0
        axes.annotate(
            text,
            (point.ratio, point.auc),
            xytext=(start / _WIDTH, middle / _HEIGHT),
            textcoords="axes fraction",
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.7, "relpos": (side, 0.5), "shrinkB": 6},
            va="center",
            weight="bold" if point.picked else "normal",
            bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "alpha": 0.8, "linewidth": 0},
            zorder=5,
        )


def _legend(
    axes: Axes, points: Sequence[FrontierPoint], looks: dict[str, tuple[str, str]], required_ratio: float | None
) -> None:
    from matplotlib.lines import Line2D

    def entry(label: str, **line: Any) -> Line2D:
        return Line2D([], [], label=fit(label, _LEGEND - 0.75, BODY), **{"linestyle": "none", **line})

    entries = [entry(name, color=colour, marker=marker, markersize=6) for name, (colour, marker) in looks.items()]
    if not all(point.comparable for point in points):
        entries.append(entry("not compared", color=FAINT, marker="o", markersize=4, markerfacecolor="none"))
    if any(point.on_frontier for point in points):
        entries.append(entry("frontier", color=FAINT, linewidth=1.2, linestyle="-"))
    if required_ratio is not None:
        entries.append(entry(f"required: {required_ratio:g}", color=INK, linewidth=1.0, linestyle=(0, (4, 3))))
    if any(point.ratio_interval or point.auc_interval for point in points):
        entries.append(entry("interval", color=LINE, linewidth=1.2, linestyle="-"))
    axes.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, borderaxespad=0)


def _looks(points: Sequence[FrontierPoint]) -> dict[str, tuple[str, str]]:
    """Colour and marker of each method, in order of appearance; 49 differ in one of the two."""
    methods = dict.fromkeys(point.method for point in points)
    return {method: (PALETTE[place % 7], _MARKERS[(place + place // 7) % 7]) for place, method in enumerate(methods)}


def _title(point: FrontierPoint) -> str:
    role = "picked" if point.picked else "baseline"
    return role if point.name == role else f"{role}: {point.name}"


def _bad_rate(point: FrontierPoint) -> float:
    assert point.bad_rate is not None
    return point.bad_rate
