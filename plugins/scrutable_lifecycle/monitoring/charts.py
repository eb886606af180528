"""The pictures of a monitoring: bars of shares, bars of indices, a distribution, and lines over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrutable.measures import Stability
from scrutable.writing import amount, in_digits
from scrutable_lifecycle.monitoring.histograms import Histogram
from scrutable_lifecycle.monitoring.svg import Dot, Label, Picture, Polyline, Rectangle, fitted

WIDTH = 760.0
#: Series that colours tell apart; further ones have the colours of the first again.
SERIES = 7

_NAMES, _END, _TOP = 250.0, 90.0, 34.0
_LEFT, _RIGHT, _HEIGHT = 56.0, 16.0, 190.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A figure of each period; NaN where it is undefined. `intervals` are drawn as whiskers."""

    name: str
    values: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...] = ()


def share_bars(stability: Stability, caption: str) -> Picture:
    """Two bars for each band, of its share before and now, and at the end what it adds to the index."""
    scale = (WIDTH - _NAMES - _END) / (max(max(band.baseline, band.new) for band in stability.bands) or 1.0)
    labels, bars = _legend(("baseline", "new"), _NAMES)
    labels.append(Label(x=WIDTH, y=14, text="adds to the index", anchor="end", look="faint"))
    for place, band in enumerate(stability.bands):
        y = _TOP + 26 * place
        for share, look, below in ((band.baseline, "before", 0.0), (band.new, "s0", 10.0)):
            told = f"{band.name}: {share:.1%}"
            bars.append(
                Rectangle(x=_NAMES, y=y + below, width=max(share * scale, 0.5), height=9, look=look, title=told)
            )
        labels += [
            Label(x=_NAMES - 8, y=y + 14, text=fitted(band.name, _NAMES - 8), anchor="end"),
            Label(x=WIDTH, y=y + 14, text=f"{band.contribution:.3f}", anchor="end"),
        ]
    height = _TOP + 26 * len(stability.bands) + 4
    return Picture(caption=caption, width=WIDTH, height=height, rectangles=tuple(bars), labels=tuple(labels))


def index_bars(indices: Sequence[Stability], warn: float, alert: float, caption: str) -> Picture:
    """A bar for each index, and a line at each threshold."""
    most = max([alert, *(each.index for each in indices)]) * 1.05 or 1.0
    scale = (WIDTH - _NAMES - _END) / most
    height = _TOP + 20 * len(indices)
    bars, labels, lines = [], [], []
    for threshold, look in ((warn, "warn-line"), (alert, "alert-line")):
        x = _NAMES + threshold * scale
        lines.append(Polyline(points=((x, _TOP - 8), (x, height)), look=look))
        labels.append(Label(x=x, y=16, text=f"{threshold:.2f}", anchor="middle", look="faint"))
    for place, each in enumerate(indices):
        y = _TOP + 20 * place
        look = "alert" if each.index >= alert else "warn" if each.index >= warn else "s0"
        bars.append(Rectangle(x=_NAMES, y=y, width=max(each.index * scale, 0.5), height=13, look=look, title=each.name))
        labels += [
            Label(x=_NAMES - 8, y=y + 11, text=fitted(each.name, _NAMES - 8), anchor="end"),
            Label(x=_NAMES + each.index * scale + 6, y=y + 11, text=f"{each.index:.3f}"),
        ]
    return Picture(
        caption=caption,
        width=WIDTH,
        height=height + 4,
        rectangles=tuple(bars),
        lines=tuple(lines),
        labels=tuple(labels),
    )


def distribution(histogram: Histogram, cutoff: float | None, caption: str) -> Picture:
    """The baseline as a grey area, the new applicants as a line, and the cutoff."""
    low, high = histogram.edges[0], histogram.edges[-1]
    top = max(*histogram.baseline, *histogram.new) or 1.0
    across, down = (WIDTH - _LEFT - _RIGHT) / (high - low), _HEIGHT / top
    floor = _TOP + _HEIGHT
    bars, steps = [], [(_LEFT, floor)]
    for i, (before, now) in enumerate(zip(histogram.baseline, histogram.new, strict=True)):
        left, right = (_LEFT + (histogram.edges[i + side] - low) * across for side in (0, 1))
        start, end = map(in_digits, histogram.edges[i : i + 2])
        told = f"{start} to {end}: {before:.1%} before, {now:.1%} now"
        bars.append(
            Rectangle(
                x=left, y=floor - before * down, width=right - left, height=before * down, look="before", title=told
            )
        )
        steps += [(left, floor - now * down), (right, floor - now * down)]
    labels, swatches = _legend(("baseline", "new"), _LEFT)
    lines = [Polyline(points=(*steps, (WIDTH - _RIGHT, floor)), look="s0"), _axis(floor)]
    for part in range(5):
        value = low + (high - low) * part / 4
        labels.append(Label(x=_LEFT + (value - low) * across, y=floor + 16, text=amount(value, 4), anchor="middle"))
    if cutoff is not None and low <= cutoff <= high:
        x = _LEFT + (cutoff - low) * across
        lines.append(Polyline(points=((x, _TOP), (x, floor)), look="limit-line"))
        labels.append(Label(x=x + 4, y=_TOP + 10, text=f"cutoff {in_digits(cutoff)}", look="faint"))
    return Picture(
        caption=caption,
        width=WIDTH,
        height=floor + 24,
        rectangles=(*bars, *swatches),
        lines=tuple(lines),
        labels=tuple(labels),
    )


def over_time(
    periods: Sequence[str],
    series: Sequence[Series],
    caption: str,
    *,
    limits: Sequence[tuple[str, float]] = (),
    percent: bool = False,
) -> Picture:
    """A line for each series over the periods, with whiskers for intervals, and a level line for each limit."""
    ticks, places = _ticks(*_range(series, limits))
    low, high = ticks[0], ticks[-1]
    floor, steps = _TOP + _HEIGHT, max(len(periods) - 1, 1)
    inset = 30.0
    across = (WIDTH - _LEFT - _RIGHT - 2 * inset) / steps

    def down(value: float) -> float:
        return floor - (value - low) / (high - low) * _HEIGHT

    labels, swatches = _legend([each.name for each in series], _LEFT)
    lines, dots = [_axis(floor)], []
    for value in ticks:
        text = f"{100 * value:.{max(places - 2, 0)}f}%" if percent else f"{value:.{places}f}"
        lines.append(Polyline(points=((_LEFT, down(value)), (WIDTH - _RIGHT, down(value))), look="grid"))
        labels.append(Label(x=_LEFT - 6, y=down(value) + 4, text=text, anchor="end"))
    for name, value in limits:
        lines.append(Polyline(points=((_LEFT, down(value)), (WIDTH - _RIGHT, down(value))), look="limit-line"))
        labels.append(Label(x=WIDTH - _RIGHT, y=down(value) - 4, text=name, anchor="end", look="faint"))
    for number, each in enumerate(series):
        look = f"s{number % SERIES}"
        nudge = 4.0 * (number - (len(series) - 1) / 2) if each.intervals else 0.0
        xs = [_LEFT + inset + place * across + nudge for place in range(len(periods))]
        lines += [Polyline(points=run, look=look) for run in _runs(xs, each.values, down)]
        for place, value in enumerate(each.values):
            if math.isnan(value):
                continue
            told = f"{each.name}, {periods[place]}: " + (f"{value:.1%}" if percent else f"{value:.3f}")
            dots.append(Dot(x=xs[place], y=down(value), look=look, title=told))
            ends = each.intervals[place] if each.intervals else (math.nan, math.nan)
            if not any(map(math.isnan, ends)):
                lines.append(Polyline(points=tuple((xs[place], down(end)) for end in ends), look=f"{look} thin"))
    every = max(1, math.ceil(len(periods) / 10))
    for place in range(0, len(periods), every):
        text = fitted(periods[place], 70.0)
        labels.append(Label(x=_LEFT + inset + place * across, y=floor + 16, text=text, anchor="middle"))
    return Picture(
        caption=caption,
        width=WIDTH,
        height=floor + 24,
        rectangles=tuple(swatches),
        lines=tuple(lines),
        dots=tuple(dots),
        labels=tuple(labels),
    )


def _legend(names: Sequence[str], left: float) -> tuple[list[Label], list[Rectangle]]:
    """A swatch and a name for each series; of two called baseline and new, the first is grey."""
    labels, swatches = [], []
    room = (WIDTH - left) / max(len(names), 4)
    for number, name in enumerate(names):
        x = left + room * number
        look = "before" if name == "baseline" else "s0" if name == "new" else f"s{number % SERIES}"
        swatches.append(Rectangle(x=x, y=5, width=10, height=10, look=look))
        labels.append(Label(x=x + 15, y=14, text=fitted(name, room - 20)))
    return labels, swatches


def _axis(floor: float) -> Polyline:
    return Polyline(points=((_LEFT, floor), (WIDTH - _RIGHT, floor)), look="axis")


def _range(series: Sequence[Series], limits: Sequence[tuple[str, float]]) -> tuple[float, float]:
    """Ends of the axis: all values, intervals and limits, with a little room."""
    every = [value for each in series for value in (*each.values, *(end for pair in each.intervals for end in pair))]
    finite = [value for value in (*every, *(value for _, value in limits)) if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.08 * (high - low) or 0.05 * (abs(high) or 1.0)
    return (max(0.0, low - room) if low >= 0 else low - room), high + room


def _ticks(low: float, high: float) -> tuple[list[float], int]:
    """Round numbers from below `low` to above `high`, and the decimals that they need."""
    rough = (high - low) / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * number for number in range(first, last + 1)], max(0, -math.floor(math.log10(step) + 1e-9))


def _runs(
    xs: Sequence[float], values: Sequence[float], down: Callable[[float], float]
) -> list[tuple[tuple[float, float], ...]]:
    """The points between which a line is drawn: neighbours that are both defined."""
    runs: list[list[tuple[float, float]]] = [[]]
    for x, value in zip(xs, values, strict=True):
        if math.isnan(value):
            runs.append([])
        else:
            runs[-1].append((x, down(value)))
    return [tuple(run) for run in runs if len(run) > 1]
