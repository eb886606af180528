"""The main effect of one characteristic, drawn: a step function over numbers, or a bar for each category."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scrutable.model import Categories, Special
from scrutable.plots.effects import Effect, Step
from scrutable.plots.style import ACCENT, INK, LINE, SHADE, SMALL, amount, fit, label_amounts, place, text_width
from scrutable.writing.decimals import amounts, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Limits = tuple[float, float]
#: Height of a panel of steps, and of one bar.
STEPS_HEIGHT, BAR_HEIGHT = 1.5, 0.2
#: Room to the left of the frame for the labels of the points, and the most for those of categories.
POINTS_ROOM, CATEGORIES_ROOM = 0.55, 1.8

#: Share of the axis that an open end gets, and the shortest steps that are still to be seen.
_END, _NARROW, _INVISIBLE = 0.18, 0.02, 0.002
#: How much of the colour of the points a band has.
_BAND = 0.22
#: Beyond this, and below its inverse, axes and sums of doubles overflow.
_HUGE = 1e60


def panel_height(effect: Effect) -> float:
    """Height of the frame."""
    return STEPS_HEIGHT if effect.intervals else max(STEPS_HEIGHT, BAR_HEIGHT * len(drawn(effect)))


def draw_panel(figure: Figure, effect: Effect, left: float, top: float, width: float, limits: Limits) -> Axes:
    """Draw an effect with its labels within this width; `limits` are those of the points, the same in every panel."""
    bars = _bars(effect)
    labels = [] if effect.intervals else [fit(_category(step), CATEGORIES_ROOM - 0.1, SMALL) for step in bars]
    room = max([POINTS_ROOM, *(text_width(label, SMALL) + 0.1 for label in labels)])
    axes = place(figure, left + room, top, width - room, panel_height(effect))
    if effect.intervals:
        _draw_steps(axes, effect, width - room, limits)
    else:
        _draw_bars(axes, bars, labels, width - room, limits)
    return axes


def drawn(effect: Effect) -> list[Step]:
    """What is shown besides intervals: attributes that an applicant had, or that give or cost points."""
    rest = [step for step in effect.steps if step not in effect.intervals]
    seen = [step for step in rest if step.share != 0 or step.points != 0]
    return seen or ([] if effect.intervals else rest)


@dataclass(frozen=True, slots=True)
class Scale:
    """Where numbers lie on the axis: `cuts` in its coordinates, between the ends `low` and `high`."""

    kind: Literal["linear", "log", "even"]
    cuts: tuple[float, ...]
    low: float
    high: float

    @classmethod
    def of(cls, cuts: Sequence[float]) -> Scale:
        """Linear if every step can be seen; else logarithmic, if that helps; else steps of the same width.

        >>> [Scale.of(cuts).kind for cuts in ([10, 20, 40], [1, 10, 1000, 1e5], [-1e300, 0, 1e-9, 1e300])]
        ['linear', 'log', 'even']
        """
        moderate = all(abs(cut) < _HUGE for cut in cuts)
        linear = _narrowest(cuts) if moderate else 0.0
        wide = moderate and len(cuts) > 1 and cuts[0] > 1 / _HUGE and cuts[-1] > 10 * cuts[0]
        log = _narrowest([math.log(cut) for cut in cuts]) if wide else 0.0
        if log > linear and linear < _NARROW and log >= _INVISIBLE:
            margin = (cuts[-1] / cuts[0]) ** _END
            return cls("log", tuple(cuts), cuts[0] / margin, cuts[-1] * margin)
        if linear >= _INVISIBLE:
            margin = _END * (cuts[-1] - cuts[0]) or max(1.0, abs(cuts[0]) / 2)
            return cls("linear", tuple(cuts), cuts[0] - margin, cuts[-1] + margin)
        return cls("even", tuple(float(place) for place in range(1, len(cuts) + 1)), 0.0, len(cuts) + 1.0)

    def at(self, part: float) -> float:
        """The coordinate at this part of the way from the low to the high end; above 1 it lies beyond."""
        if self.kind == "log":
            return self.low * math.exp(part * math.log(self.high / self.low))
        return self.low + (self.high - self.low) * part

    def part(self, coordinate: float) -> float:
        """The contrary of `at`."""
        if self.kind == "log":
            return math.log(coordinate / self.low) / math.log(self.high / self.low)
        return (coordinate - self.low) / (self.high - self.low)


def _narrowest(cuts: Sequence[float]) -> float:
    """Shortest step between two cuts, as a share of all of them; 0 where doubles are too coarse to draw it."""
    if len(cuts) < 2:
        return float(len(cuts))
    span = cuts[-1] - cuts[0]
    coarse = span < 1e-9 * max(map(abs, cuts)) or span < 1 / _HUGE
    return 0.0 if coarse else min(high - low for low, high in itertools.pairwise(cuts)) / span


def _draw_steps(axes: Axes, effect: Effect, width: float, limits: Limits) -> None:
    steps, rest = effect.intervals, drawn(effect)
    cuts = [step.condition.lower for step in steps[1:]]  # type: ignore[union-attr]  # intervals
    scale = Scale.of(cuts)
    labels = [_code(step) for step in rest]
    rooms = [max(0.32, min(text_width(label, SMALL), 0.8) + 0.12) for label in labels]
    shrink = min(1.0, 0.5 * width / sum(rooms)) if rooms else 1.0
    rooms = [room * shrink for room in rooms]
    inches = width - sum(rooms)  # of the numbers
    if scale.kind == "log":
        axes.set_xscale("log")
    edges = (scale.low, *scale.cuts, scale.high)
    for step, (start, end) in zip(steps, itertools.pairwise(edges), strict=True):
        axes.axvspan(start, end, ymax=step.share or 0.0, facecolor=SHADE, edgecolor="white", linewidth=0.8)
        if step.interval is not None:
            low, high = step.interval
            axes.fill_between([start, end], low, high, color=ACCENT, alpha=_BAND, linewidth=0, zorder=2)
    axes.axhline(0, color=LINE, linewidth=0.8, zorder=1.5)
    axes.stairs([step.points for step in steps], edges, baseline=None, color=ACCENT, linewidth=1.8, zorder=3)

    ticks = [*zip(scale.cuts, _cut_labels(cuts, scale, inches), strict=True)]
    start = inches
    for step, label, room in zip(rest, labels, rooms, strict=True):
        sides = [scale.at((start + room * part) / inches) for part in (0.25, 0.5, 0.75)]
        axes.axvspan(sides[0], sides[2], ymax=step.share or 0.0, facecolor=SHADE, linewidth=0)
        if step.interval is not None:
            axes.vlines(sides[1], *step.interval, color=ACCENT, linewidth=1.0, zorder=2)
        axes.plot([sides[1]], [step.points], marker="D", markersize=4.5, color=ACCENT, linestyle="none", label=label)
        ticks.append((sides[1], fit(label, max(room - 0.06, 0.1), SMALL)))
        start += room
    if rest:
        axes.axvline(scale.high, color=LINE, linewidth=0.8, linestyle=(0, (2, 2)))
    axes.set_xlim(scale.low, scale.at(width / inches))
    axes.set_xticks([tick for tick, _ in ticks], [label for _, label in ticks])
    axes.set_xticks([], minor=True)
    _number_axis(axes, "y", limits, 6)
    axes.set_xlabel(
        {"linear": "", "log": "logarithmic", "even": "not to scale" if cuts else ""}[scale.kind], labelpad=1
    )


def _draw_bars(axes: Axes, steps: Sequence[Step], labels: Sequence[str], width: float, limits: Limits) -> None:
    for position, step in enumerate(steps):
        axes.axhspan(position - 0.46, position + 0.46, xmax=step.share or 0.0, facecolor=SHADE, linewidth=0)
    axes.axvline(0, color=LINE, linewidth=0.8, zorder=1.5)
    axes.barh(range(len(steps)), [step.points for step in steps], height=0.5, color=ACCENT, zorder=3)
    for position, step in enumerate(steps):
        if step.interval is not None:
            axes.hlines(position, *step.interval, color=INK, linewidth=1.0, zorder=4)
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.set_yticks(range(len(steps)), labels)
    axes.tick_params(axis="y", length=0)
    widest = max(text_width(amount(float(f"{limit:.1g}")), SMALL) for limit in limits)
    _number_axis(axes, "x", limits, max(1, min(5, int(width / (widest + 0.15)))))


def _number_axis(axes: Axes, which: Literal["x", "y"], limits: Limits, most: int) -> None:
    """The axis of the points, with at most so many steps between its ticks."""
    from matplotlib.ticker import MaxNLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 5, 10]))
    label_amounts(axis)
    axes.grid(axis=which)
    axes.tick_params(axis=which, length=0)
    axes.spines["left" if which == "y" else "bottom"].set_visible(False)
    if which == "x":
        axes.set_xlim(limits)
    else:
        axes.set_ylim(limits)


def _cut_labels(cuts: Sequence[float], scale: Scale, inches: float) -> list[str]:
    """A text for each cut that has room for one; the others get a tick alone."""
    texts = amounts(cuts)
    labels, free = [], -math.inf
    for text, cut in zip(texts, scale.cuts, strict=True):
        centre, half = scale.part(cut) * inches, text_width(text, SMALL) / 2 + 0.03
        if centre - half < free:
            labels.append("")
            continue
        labels.append(text)
        free = centre + half
    return labels


def _bars(effect: Effect) -> list[Step]:
    """Categories, those with the most points first, then the rest."""
    named = [step for step in drawn(effect) if isinstance(step.condition, Categories)]
    rest = [step for step in drawn(effect) if not isinstance(step.condition, Categories)]
    return sorted(named, key=lambda step: -step.points) + rest


def _code(step: Step) -> str:
    """What stands under a step that is no interval."""
    if isinstance(step.condition, Special) and step.title == step.condition.describe():
        return ", ".join(map(_value, step.condition.codes))
    return step.title


def _category(step: Step) -> str:
    if isinstance(step.condition, Categories) and step.title == step.condition.describe():
        return ", ".join(map(_value, step.condition.values))
    return step.title


def _value(value: float | str) -> str:
    """A value as it stands in the data; an empty or blank text in quotes, to be seen."""
    if isinstance(value, str):
        return value if value.strip() else repr(value)
    return number(value)
