"""Pictures of the document as SVG, drawn from numbers only; words stand in captions and on axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from scrutable.writing import amounts

INK, FAINT, LINE = "#22272e", "#6b7280", "#c5cad1"
#: Okabe and Ito's blue and vermilion, which the colour-blind tell apart.
GOOD, BAD = "#0072B2", "#D55E00"

#: Where the points of a line are, and how high.
Line = tuple[Sequence[float], Sequence[float]]

#: The narrowest bar, of a hundred.
_SEEN = 1.5

_WIDTH, _HEIGHT = 640.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 16.0, 30.0, 44.0


def bar(value: float, low: float, high: float, interval: tuple[float, float] | None = None) -> Markup:
    """A bar from 0 to a value on a scale from `low` to `high`, wide enough to be seen, for a cell of a table.

    Parameters
    ----------
    interval : drawn as a whisker, as far as the scale goes.
    """
    spread = high - low or 1.0
    zero, end = (100 * (at - low) / spread for at in (0.0, value))
    width = max(abs(end - zero), _SEEN if value else 0.0)
    left = zero - width if value < 0 else zero
    colour = BAD if value < 0 else GOOD
    whisker = ""
    if interval is not None:
        start, stop = (min(max(100 * (end - low) / spread, 0.0), 100.0) for end in interval)
        whisker = f'<rect x="{start:.2f}" y="4.4" width="{stop - start:.2f}" height="1.2" fill="{INK}"/>'
    return Markup(
        '<svg class="bar" viewBox="0 0 100 10" width="100" height="10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect x="{left:.2f}" y="1" width="{width:.2f}" height="8" fill="{colour}"/>'
        f'<rect x="{zero:.2f}" y="0" width="0.6" height="10" fill="{FAINT}"/>{whisker}</svg>'
    )


def ratio(value: float, interval: tuple[float, float] | None, low: float, high: float) -> Markup:
    """A ratio as a dot on a scale from `low` to `high`, with lines at 1 and four fifths, for a cell of a table.

    Parameters
    ----------
    value : no picture where it is not finite.
    interval : drawn as a line; what lies off the scale stands at its end.
    """
    if not math.isfinite(value):
        return Markup("")

    def across(at: float) -> float:
        return min(max(100 * (at - low) / (high - low), 0.0), 100.0)

    lines = [
        f'<path d="M{across(at):.2f} 0V10" stroke="{colour}" stroke-width="0.6"/>'
        for at, colour in ((0.8, BAD), (1.0, FAINT))
    ]
    if interval is not None and all(map(math.isfinite, interval)):
        start, stop = map(across, interval)
        lines.append(f'<rect x="{start:.2f}" y="4.4" width="{stop - start:.2f}" height="1.2" fill="{GOOD}"/>')
    return Markup(
        '<svg class="bar" viewBox="0 0 100 10" width="100" height="10" preserveAspectRatio="none" aria-hidden="true">'
        f'{"".join(lines)}<circle cx="{across(value):.2f}" cy="5" r="2.4" fill="{GOOD}"/></svg>'
    )


def calibration_plot(predicted: Sequence[float], observed: Sequence[float], sizes: Sequence[float]) -> Markup:
    """Observed over predicted shares of the favourable outcome, a dot a bin, its area by the bin's size."""
    frame = _Frame((0.0, 1.0), (0.0, 1.0))
    most = max(sizes)
    dots = [
        f'<circle cx="{frame.x(p):.1f}" cy="{frame.y(o):.1f}" r="{3 + 5 * math.sqrt(n / most):.1f}" fill="{GOOD}" '
        f'fill-opacity="0.8"/>'
        for p, o, n in zip(predicted, observed, sizes, strict=True)
    ]
    line = f'<path d="M{frame.x(0):.1f} {frame.y(0):.1f}L{frame.x(1):.1f} {frame.y(1):.1f}" stroke="{FAINT}" '
    return frame.drawn([f'{line}stroke-dasharray="5 4" fill="none"/>', *dots], "predicted", "observed")


def distribution_plot(
    edges: Sequence[float], good: Sequence[float], bad: Sequence[float], cutoff: float | None
) -> Markup:
    """Shares of the good and of the bad by score, as two outlines with bars below, and the cutoff."""
    most = max((*good, *bad, 1e-9))
    ends = (edges[0], edges[-1]) if cutoff is None else (min(edges[0], cutoff), max(edges[-1], cutoff))
    frame = _Frame(ends, (0.0, 1.12 * most))  # so that the cutoff's name has room above the bars
    parts = [_steps(frame, edges, shares, colour) for shares, colour in ((good, GOOD), (bad, BAD))]
    if cutoff is not None:
        x = frame.x(cutoff)
        parts.append(
            f'<path d="M{x:.1f} {frame.y(0):.1f}V{_TOP}" stroke="{INK}" stroke-width="1.5" stroke-dasharray="4 3"/>'
        )
        anchor = "start" if x < _WIDTH / 2 else "end"
        beside = x + 5 if anchor == "start" else x - 5
        parts.append(_text(beside, _TOP + 10, "cutoff", anchor, INK))
    return frame.drawn([*parts, *_legend()], "score", "share of the class")


def path_plot(steps: Sequence[float], heights: Sequence[float], chosen: int, up: str) -> Markup:
    """A figure of cards over their steps, a dot a card, with a ring around the chosen one.

    Parameters
    ----------
    up : the name of the figure; a word of ours.
    """
    room = 0.06 * (max(heights) - min(heights))
    frame = _Frame((0.0, 1.02 * max(steps)), (min(heights) - room, max(heights) + room))
    points = [(frame.x(step), frame.y(height)) for step, height in zip(steps, heights, strict=True)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{GOOD}"/>' for x, y in points]
    x, y = points[chosen]
    anchor, beside = ("start", x + 10) if x < _WIDTH / 2 else ("end", x - 10)
    mark = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="none" stroke="{INK}" stroke-width="1.5"/>',
        f'<path d="M{x:.1f} {frame.y(frame.up[0]):.1f}V{_TOP}" stroke="{FAINT}" stroke-dasharray="4 3"/>',
        _text(beside, _TOP - 8, "the model", anchor, INK),
    ]
    return frame.drawn([f'<path d="M{line}" stroke="{GOOD}" fill="none"/>', *dots, *mark], "steps", up)


def shares_plot(lines: Sequence[Line], names: Sequence[str], across: str, up: str) -> Markup:
    """Shares over shares, a line a sample, the second dashed, and the diagonal of no separation.

    Parameters
    ----------
    lines : of each sample, where they are and how high, from 0 to 1.
    names, across, up : of the samples and the axes; words of ours.
    """
    frame = _Frame((0.0, 1.0), (0.0, 1.0))
    none = _line(frame, ((0.0, 1.0), (0.0, 1.0)), LINE, dashed=False)
    drawn = [_line(frame, line, GOOD, dashed=turn > 0) for turn, line in enumerate(lines)]
    return frame.drawn([none, *drawn, *_names(names)], across, up)


def distance_plot(
    samples: Sequence[tuple[Line, Line]], names: Sequence[str], marks: Sequence[tuple[float, float, float]]
) -> Markup:
    """Shares of the good and of the bad below each score, a pair of lines a sample, and where they lie farthest apart.

    Parameters
    ----------
    samples : of each, the lines of the good and of the bad: scores, and shares from 0 to 1.
    names : of the samples; words of ours.
    marks : a score, and the two ends of the distance there.
    """
    ends = [end for good, _ in samples for end in (good[0][0], good[0][-1])]
    frame = _Frame((min(ends), max(ends)), (0.0, 1.0))
    drawn = [
        _line(frame, line, colour, dashed=turn > 0)
        for turn, pair in enumerate(samples)
        for line, colour in zip(pair, (GOOD, BAD), strict=True)
    ]
    drawn += [_line(frame, ((at, at), (low, high)), INK, dashed=False) for at, low, high in marks]
    return frame.drawn([*drawn, *_legend(), *_names(names, left=_LEFT + 330)], "score", "share below the score")


def lift_plot(samples: Sequence[tuple[Sequence[float], Sequence[float]]], names: Sequence[str]) -> Markup:
    """Lifts of parts of the applicants as bars beside each other, a colour a sample; the line is the lift of 1.

    Parameters
    ----------
    samples : of each, where its parts end, as shares of the applicants, and their lifts.
    names : of the samples; words of ours.
    """
    most = max(max(lifts) for _, lifts in samples)
    frame, bars = _Frame((0.0, 1.0), (0.0, 1.1 * max(most, 1.0))), []
    for turn, ((ends, lifts), colour) in enumerate(zip(samples, (GOOD, BAD), strict=False)):
        for start, end, lift in zip((0.0, *ends), ends, lifts, strict=False):
            wide = 0.9 * (end - start) / len(samples)
            left, right = (frame.x(start + 0.05 * (end - start) + wide * (turn + side)) for side in (0, 1))
            top = frame.y(lift)
            bars.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{frame.y(0) - top:.1f}" '
                f'fill="{colour}"/>'
            )
    one = _line(frame, ((0.0, 1.0), (1.0, 1.0)), INK, dashed=False)
    shown = _blocks(zip((GOOD, BAD), names, strict=False)) if len(names) > 1 else []
    return frame.drawn([*bars, one, *shown], "applicants, the riskiest first", "lift")


def _line(frame: _Frame, line: Line, colour: str, *, dashed: bool) -> str:
    points = "L".join(f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in zip(*line, strict=True))
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<path d="M{points}" stroke="{colour}" stroke-width="1.5" fill="none"{dashes}/>'


def _names(names: Sequence[str], left: float = _LEFT) -> list[str]:
    """Above the frame: which sample has which kind of line, where there are two."""
    parts = []
    for turn, name in enumerate(names if len(names) > 1 else ()):
        start, dashes = left + 130 * turn, ' stroke-dasharray="5 4"' if turn else ""
        parts.append(f'<path d="M{start:.0f} 10h20" stroke="{INK}" stroke-width="1.5"{dashes}/>')
        parts.append(_text(start + 26, 14, name, "start", INK))
    return parts


class _Frame:
    """Axes with ticks."""

    def __init__(self, across: tuple[float, float], up: tuple[float, float]) -> None:
        self.across, self.up = (ends if ends[1] > ends[0] else (ends[0] - 1, ends[0] + 1) for ends in (across, up))

    def x(self, value: float) -> float:
        low, high = self.across
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (value - low) / (high - low)

    def y(self, value: float) -> float:
        low, high = self.up
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low)

    def drawn(self, parts: Sequence[str], across: str, up: str) -> Markup:
        """The whole picture."""
        grid = []
        for tick, text in _ticks(*self.across):
            grid.append(_text(self.x(tick), _HEIGHT - _BOTTOM + 16, text, "middle", FAINT))
        for tick, text in _ticks(*self.up):
            y = self.y(tick)
            grid.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="{LINE}" stroke-width="0.7"/>')
            grid.append(_text(_LEFT - 6, y + 4, text, "end", FAINT))
        grid.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, across, "middle", INK))
        grid.append(
            f'<text x="14" y="{_HEIGHT / 2 - 10:.0f}" text-anchor="middle" font-size="12" fill="{INK}" '
            f'transform="rotate(-90 14 {_HEIGHT / 2 - 10:.0f})">{up}</text>'
        )
        body = "".join([*grid, *parts])
        return Markup(
            f'<svg viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" '
            f'font-family="sans-serif" aria-hidden="true">{body}</svg>'
        )


def _steps(frame: _Frame, edges: Sequence[float], shares: Sequence[float], colour: str) -> str:
    path = f"M{frame.x(edges[0]):.1f} {frame.y(0):.1f}"
    for share, right in zip(shares, edges[1:], strict=True):
        path += f"V{frame.y(share):.1f}H{frame.x(right):.1f}"
    path += f"V{frame.y(0):.1f}Z"
    return f'<path d="{path}" fill="{colour}" fill-opacity="0.25" stroke="{colour}" stroke-width="1.5"/>'


def _legend() -> list[str]:
    return _blocks(((GOOD, "favourable outcome"), (BAD, "unfavourable outcome")))


def _blocks(named: Iterable[tuple[str, str]]) -> list[str]:
    """What each colour means: above the frame, where no bar can be."""
    parts = []
    for turn, (colour, text) in enumerate(named):
        left = _LEFT + 160 * turn
        parts.append(f'<rect x="{left:.0f}" y="6" width="12" height="9" fill="{colour}"/>')
        parts.append(_text(left + 18, 14, text, "start", INK))
    return parts


def _text(x: float, y: float, text: str, anchor: str, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" fill="{colour}">{text}</text>'


def _ticks(low: float, high: float) -> Iterable[tuple[float, str]]:
    """About five round numbers, and how they read."""
    rough = (high - low) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step)
    ticks = [float(f"{step * at:.12g}") for at in range(first, math.floor(high / step + 1e-9) + 1)]
    return zip(ticks, amounts(ticks), strict=True)
