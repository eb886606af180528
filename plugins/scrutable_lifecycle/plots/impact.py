"""Ratios of approval rates between groups with their intervals, one below the other: a forest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from scrutable.fairness import FourFifths, GroupMetrics
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    INK,
    MARGIN,
    PALETTE,
    SMALL,
    fit,
    header,
    page,
    place,
    styled,
    wrap,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable.measures import Interval

_LEFT, _WIDE, _RIGHT = 2.6, 4.2, 1.9
_TOP, _ROW, _FOOT = 1.2, 0.24, 0.65
_PAGE = _LEFT + _WIDE + _RIGHT
_FOUR_FIFTHS = 0.8
#: What is drawn at least, and at most; a ratio beyond is an arrow.
_NARROW, _WIDEST = (0.75, 1.05), (0.0, 2.5)
_UNKNOWN = (float("nan"), float("nan"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line of the forest: the title of an attribute, or a ratio."""

    name: str
    words: str
    ratio: float | None = None
    interval: Interval = _UNKNOWN
    of_all: bool = False


@styled()
def plot_impact(
    groups: Sequence[GroupMetrics],
    four_fifths: Sequence[FourFifths] = (),
    *,
    confidence: float = 0.95,
    title: str = "Approval rates of groups by their reference's",
) -> Figure:
    """Draw the adverse impact ratio of each group with its interval, beside 1 and the four-fifths line.

    Parameters
    ----------
    groups : of one or several attributes; the reference of each is in its title.
    four_fifths : the lowest by the highest rate of an attribute, a diamond below its groups.
    confidence : of the intervals.

    Raises
    ------
    PluginError : matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.fairness import Groups, fairness_report
    >>> groups = Groups.from_frame({"sex": ["a", "b"] * 40})
    >>> point = fairness_report([True, False] * 40, list(range(80)), 40, groups, n_boot=20).at_cutoff
    >>> [tick.get_text() for tick in plot_impact(point.groups).axes[0].get_yticklabels()]
    ['sex (reference: a)', 'b (40)']
    """
    lines = [*_lines(groups, four_fifths)]
    figure = page(_PAGE, _TOP + _ROW * len(lines) + _FOOT)
    room = _PAGE - 2 * MARGIN
    note = (
        f"Bars: {confidence:.0%} intervals from resampling, the decisions held fixed. Dashed: four fifths, a guideline "
        "of employment law. Hollow: few rows. Diamonds: the lowest rate by the highest."
    )
    header(figure, 0.1, fit(title, room), wrap(note, room, BODY, 2))
    axes = place(figure, _LEFT, _TOP, _WIDE, _ROW * len(lines))
    _frame(axes, lines)
    for place_of, line in enumerate(lines):
        if line.ratio is not None:
            _draw(axes, place_of, line)
    write(figure, _LEFT + _WIDE + 0.15, _TOP - 0.17, "ratio and interval", SMALL, color=FAINT)
    return figure


def _lines(groups: Sequence[GroupMetrics], four_fifths: Sequence[FourFifths]) -> Iterator[_Line]:
    for attribute in dict.fromkeys(each.attribute for each in groups):
        own = [each for each in groups if each.attribute == attribute]
        by_few = ", few rows" if any(each.is_reference and each.small for each in own) else ""
        yield _Line(name=attribute, words=f"{attribute} (reference: {own[0].reference}{by_few})")
        for each in own:
            if not each.is_reference:
                few = ", few rows" if each.small else ""
                yield _Line(
                    name=f"{attribute}: {each.group}",
                    words=f"{each.group} ({each.size:,.0f}{few})",
                    ratio=each.adverse_impact_ratio,
                    interval=each.intervals.get("adverse_impact_ratio", _UNKNOWN),
                )
        for ratio in four_fifths:
            if ratio.attribute == attribute and ratio.lowest:
                yield _Line(
                    name=f"{attribute}, lowest by highest",
                    words=f"lowest / highest: {ratio.lowest} / {ratio.highest}",
                    ratio=ratio.ratio,
                    interval=ratio.interval,
                    of_all=True,
                )


def _frame(axes: Axes, lines: Sequence[_Line]) -> None:
    ends = [end for line in lines for end in (line.ratio, *line.interval) if end is not None and isfinite(end)]
    low, high = min([_NARROW[0], *ends]), max([_NARROW[1], *ends])
    beyond = 0.04 * (high - low)
    axes.set_xlim(max(low - beyond, _WIDEST[0]), min(high + beyond, _WIDEST[1]))
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.axvline(1.0, color=FAINT, linewidth=1.0)
    axes.axvline(_FOUR_FIFTHS, color=PALETTE[1], linewidth=1.0, linestyle=(0, (4, 3)))
    labels = [fit(line.words, _LEFT - MARGIN - 0.1, SMALL, bold=line.ratio is None) for line in lines]
    axes.set_yticks(range(len(lines)), labels)
    for label, line in zip(axes.get_yticklabels(), lines, strict=True):
        label.set_color(INK)
        label.set_fontweight("bold" if line.ratio is None else "normal")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("ratio of approval rates", fontsize=BODY)


def _draw(axes: Axes, row: int, line: _Line) -> None:
    assert line.ratio is not None
    whole = all(map(isfinite, line.interval))
    colour = INK if line.of_all else ACCENT
    if whole:
        axes.plot(line.interval, [row, row], color=colour, linewidth=1.3, gid=f"interval {line.name}")
    if isfinite(line.ratio):
        face = colour if whole else "white"
        at = min(line.ratio, _WIDEST[1])
        mark = ">" if at < line.ratio else "D" if line.of_all else "o"
        [drawn] = axes.plot([at], [row], mark, color=colour, markerfacecolor=face, markersize=4.5, gid=line.name)
        drawn.set_clip_on(False)  # at the end of the scale it is whole
    told = f"{line.ratio:.3f}" if isfinite(line.ratio) else "undefined"
    if whole:
        told += f" [{line.interval[0]:.3f}, {line.interval[1]:.3f}]"
    right = 1 + 0.15 / _WIDE
    axes.text(right, row, told, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL, clip_on=False)
