"""Accuracy against compression: what is possible with each selection of thresholds, and what models reach."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from scrutable.plots import Spot, find_places
from scrutable.plots.style import BODY, LINE, SMALL, fit, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from scrutable_fcca.discretising.compression import CompressionPath

Against = Literal["compression", "thresholds"]

#: Of the frame, and the room to its right.
WIDTH, HEIGHT, LEGEND = 4.2, 4.3, 1.9

_SPACING, _LETTERS = 0.05, 0.15
#: Named where no accuracy says which.
_QUANTILES = (0.0, 0.5, 0.7, 0.9)
_AXES = {"compression": "compression", "thresholds": "number of thresholds"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """A path and its looks."""

    name: str
    path: CompressionPath
    colour: str

    def corners(self, against: Against) -> list[Spot]:
        """Where the selections lie on the trade-off."""
        across = self.path.compression if against == "compression" else self.path.n_thresholds
        return list(zip(across.tolist(), (1 - self.path.inconsistency).tolist(), strict=True))

    def at(self, quantile: float) -> int:
        """Position of the selection that a Q makes."""
        return min(int(np.searchsorted(self.path.quantile, quantile - 1e-12)), len(self.path.quantile) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Accuracies by Q of a model, and its looks."""

    name: str
    line: Curve
    colour: str
    marker: str
    accuracy: Mapping[float, float]

    def spots(self, against: Against) -> list[Spot]:
        """Where they lie on the trade-off."""
        corners = self.line.corners(against)
        return [(corners[self.line.at(quantile)][0], value) for quantile, value in self.accuracy.items()]


def draw_trade_off(axes: Axes, lines: list[Curve], models: list[Models], against: Against) -> None:
    """Draw the most accurate that models on each path can be, stepped, and those that there are; with a legend."""
    entries = []
    for line in lines:
        across, reached = zip(*line.corners(against), strict=True)
        [drawn] = axes.plot(across, reached, color=line.colour, linewidth=1.4, drawstyle="steps-pre")
        entries.append((drawn, line.name or "upper bound"))
    for each in models:
        across, right = zip(*each.spots(against), strict=True)
        [drawn] = axes.plot(across, right, color=each.colour, marker=each.marker, markersize=5)
        drawn.set(linewidth=0.8, linestyle=(0, (2, 2)))
        if each.name != each.line.name:
            entries.append((drawn, each.name))
    axes.margins(0.06)
    axes.set_xlim(axes.get_xlim())
    axes.set_ylim(axes.get_ylim())
    _name_quantiles(axes, lines, models, against)
    _describe_axes(axes, against)
    names = [fit(name, LEGEND - 0.55, BODY) for _, name in entries]
    handles = [drawn for drawn, _ in entries]
    axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, borderaxespad=0)


def _name_quantiles(axes: Axes, lines: list[Curve], models: list[Models], against: Against) -> None:
    """Q beside the selections that it makes, on the stepped lines, as far as there is room."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    inches = np.array([WIDTH / (right - left), HEIGHT / (high - low)])

    def spot(corner: Spot) -> Spot:
        x, y = (np.array(corner) - (left, low)) * inches
        return float(x), float(y)

    named = []
    for line in lines:
        corners = line.corners(against)
        asked = sorted({q for each in models if each.line is line for q in each.accuracy}) or _QUANTILES
        named += [(f"Q = {q:g}", spot(corners[at]), line.colour) for at, q in {line.at(q): q for q in asked}.items()]
    obstacles = [spot(each) for group in models for each in group.spots(against)]
    obstacles += [each for line in lines for each in _along([spot(corner) for corner in line.corners(against)])]
    widths = [text_width(text, SMALL) for text, _, _ in named]
    places = find_places([anchor for _, anchor, _ in named], widths, obstacles, (WIDTH, HEIGHT), _LETTERS)
    taken: list[tuple[float, float, float]] = []
    for (text, anchor, colour), (start, middle), width in zip(named, places, widths, strict=True):
        if any(start < end and begin < start + width and abs(middle - y) < _LETTERS for begin, end, y in taken):
            continue
        taken.append((start, start + width, middle))
        near = start - 0.03 if start > anchor[0] else start + width + 0.03
        ends = (left, low) + np.array([anchor, (near, middle), (start, middle)]) / inches
        axes.plot(*ends[:2].T, color=LINE, linewidth=0.6, zorder=1.5)
        axes.plot(*ends[:1].T, color=colour, marker="o", markersize=3)
        axes.text(ends[2, 0], ends[2, 1], text, va="center", fontsize=SMALL, color=colour)


def _along(corners: Sequence[Spot]) -> list[Spot]:
    """Spots all along the stepped line through these, in inches."""
    spots = list(corners)
    for (x, y), (next_x, next_y) in itertools.pairwise(corners):
        spots += [(along, next_y) for along in np.arange(min(x, next_x), max(x, next_x), _SPACING).tolist()]
        spots += [(x, along) for along in np.arange(min(y, next_y), max(y, next_y), _SPACING).tolist()]
    return spots


def _describe_axes(axes: Axes, against: Against) -> None:
    axes.grid()
    axes.tick_params(length=0)
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))
    if against == "compression":
        axes.xaxis.set_major_formatter(lambda value, _: percent(value))
    axes.set_ylabel("accuracy", fontsize=BODY)
    axes.set_xlabel(_AXES[against], fontsize=BODY)


def percent(share: float) -> str:
    """A share for an axis."""
    return f"{100 * share:.4g} %"
