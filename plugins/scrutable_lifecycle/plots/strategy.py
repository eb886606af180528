"""Strategies: score bands, what each cutoff would mean, and the swap set of a challenger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from scrutable.plots.group_panels import (
    EVERYBODY,
    Line,
    attribute_drawn,
    coloured,
    draw_lines,
    in_percent,
    legend_beside,
    legend_name,
    panel,
    panels_page,
)
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    HEADING,
    INK,
    MARGIN,
    SHADE,
    SMALL,
    TITLE,
    fit,
    header,
    label_amounts,
    page,
    place,
    styled,
    write,
)
from scrutable.writing import in_digits, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable_lifecycle.strategy.bands import ScoreBands
    from scrutable_lifecycle.strategy.counts import CountedPart
    from scrutable_lifecycle.strategy.curve import CutoffCurve
    from scrutable_lifecycle.strategy.decided import Decided, GroupChange

_TILE, _TILE_GAP = (2.6, 1.25), 0.1


class Swapped(Protocol):
    """What is drawn of a swap set, which draws itself."""

    @property
    def rows(self) -> int: ...
    @property
    def weighted(self) -> bool: ...
    @property
    def equal(self) -> object: ...
    @property
    def parts(self) -> Mapping[str, CountedPart]: ...
    @property
    def champion(self) -> Decided: ...
    @property
    def challenger(self) -> Decided: ...
    @property
    def changes(self) -> Sequence[GroupChange]: ...


@styled()
def plot_score_bands(scored: ScoreBands, *, attribute: str | None = None, title: str = "Score bands") -> Figure:
    """Draw the share of applicants in each band, and below it the bad rate; lines are groups of one attribute.

    Parameters
    ----------
    attribute : whose groups are drawn; the first one by default.

    Raises
    ------
    InputError : an attribute that was not measured, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable_lifecycle.strategy import score_bands
    >>> figure = plot_score_bands(score_bands([480, 495, 500, 512], [False, True, True, True], edges=[500]))
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['share of applicants', 'bad rate']
    """
    bands = scored.bands
    named = attribute_drawn([each.attribute for each in scored.everybody.groups], attribute)
    groups = [each.group for each in scored.everybody.groups if each.attribute == named]
    by_group = [[each for each in band.part.groups if each.attribute == named] for band in bands]
    shares = [(name, [counted[i].counts.share for counted in by_group]) for i, name in enumerate(groups)]
    rates = [(name, [counted[i].counts.bad_rate for counted in by_group]) for i, name in enumerate(groups)]
    out = scored.knocked_out.counts
    notes = [
        f"{in_digits(scored.everybody.counts.applicants)} applicants, {out.share:.1%} of them knocked out",
        _by(named),
    ]
    figure = panels_page(title, notes, panels=2)
    upper, lower = panel(figure, 0), panel(figure, 1)
    at = np.arange(len(bands))
    upper.bar(at, [band.part.counts.share for band in bands], width=0.8, color=SHADE, label=EVERYBODY)
    draw_lines(upper, at, coloured(shares))
    draw_lines(lower, at, [(EVERYBODY, INK, [band.part.counts.bad_rate for band in bands]), *coloured(rates)])
    for axes, name in ((upper, "share of applicants"), (lower, "bad rate")):
        axes.set_xlim(-0.6, len(bands) - 0.4)
        in_percent(axes, name)
    shown = at[:: max(1, -(-len(bands) // 20))]
    turned = 30 if len(bands) > 6 else 0
    titles = [bands[i].in_words(_rounded) for i in shown]
    upper.set_xticks(shown, [""] * len(shown))
    lower.set_xticks(shown, titles, rotation=turned, ha="right" if turned else "center", fontsize=SMALL)
    legend_beside(upper)
    return figure


@styled()
def plot_cutoffs(
    curve: CutoffCurve,
    *,
    cutoff: float | None = None,
    attribute: str | None = None,
    title: str = "What each cutoff would mean",
) -> Figure:
    """Draw approval and bad rate by cutoff, overall and by group, and the profit where there is one.

    Parameters
    ----------
    cutoff : marked by a line.
    attribute : whose groups are drawn; the first one by default.

    Raises
    ------
    InputError : an attribute that was not measured, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable_lifecycle.strategy import Profit, choose_cutoff
    >>> profit = Profit(approved_good=10, approved_bad=-10)
    >>> choice = choose_cutoff([1, 2, 3, 4], [False, True, False, True], profit=profit)
    >>> [axes.get_ylabel() for axes in plot_cutoffs(choice.curve, cutoff=choice.cutoff).axes]
    ['approval rate', 'bad rate among\\nthe approved', 'profit']
    """
    named = attribute_drawn([each.attribute for each in curve.groups], attribute)
    groups = [each for each in curve.groups if each.attribute == named]
    marked = [] if cutoff is None else [f"the line marks {number(cutoff)}"]
    notes = ["; ".join([f"{curve.cutoff.size:,} cutoffs, the last approves nobody", *marked]), _by(named)]
    figure = panels_page(title, notes, panels=2 if curve.profit is None else 3)
    approval = coloured([(each.group, each.approval_rate.tolist()) for each in groups])
    bad = coloured([(each.group, each.bad_rate.tolist()) for each in groups])
    panels = [panel(figure, i) for i in range(2 if curve.profit is None else 3)]
    _steps(panels[0], curve.cutoff, [(EVERYBODY, INK, curve.approval_rate.tolist()), *approval])
    _steps(panels[1], curve.cutoff, [(EVERYBODY, INK, curve.bad_rate.tolist()), *bad])
    in_percent(panels[0], "approval rate")
    in_percent(panels[1], "bad rate among\nthe approved")
    if curve.profit is not None:
        _steps(panels[2], curve.cutoff, [("profit", ACCENT, curve.profit.tolist())])
        panels[2].axhline(0, color=FAINT, linewidth=0.8)
        label_amounts(panels[2].yaxis)
        panels[2].set_ylabel("profit", fontsize=BODY)
    for axes in panels:
        axes.set_xlim(panels[0].get_xlim())
        if cutoff is not None:
            axes.axvline(cutoff, color=INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1.5)
        if axes is not panels[-1]:
            axes.tick_params(axis="x", labelbottom=False)
    panels[-1].set_xlabel("cutoff", fontsize=BODY)
    label_amounts(panels[-1].xaxis)
    legend_beside(panels[0])
    return figure


@styled()
def plot_swap_set(swapped: Swapped, *, title: str = "Swap set") -> Figure:
    """Draw the decisions of champion and challenger as four tiles, darker where more applicants are.

    Raises
    ------
    InputError : matplotlib is not installed.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> from scrutable_lifecycle.strategy import swap_set
    >>> data = make_credit(300, seed=1)
    >>> model = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y).model_
    >>> figure = plot_swap_set(swap_set(model, model, data.X, data.y == 0))
    >>> len(figure.axes[0].patches)
    4
    """
    wide, high = _TILE
    left, top = 1.2, 1.3
    lines = [
        f"{change.attribute} {change.group}: {_percent(change.champion_rate)} to {_percent(change.challenger_rate)} "
        f"approved, AIR {_ratio(change.champion_ratio)} to {_ratio(change.challenger_ratio)}"
        for change in swapped.changes
    ]
    lines += [
        f"four-fifths ratio of {old.attribute}: {_ratio(old.ratio)} to {_ratio(new.ratio)}"
        for old, new in zip(swapped.champion.four_fifths, swapped.challenger.four_fifths, strict=True)
        if len(old.groups) > 1
    ]
    height = top + 2 * high + _TILE_GAP + 0.4 + 0.18 * len(lines)
    figure = page(left + 2 * wide + _TILE_GAP + MARGIN, height)
    before, after = swapped.champion.approval_rate, swapped.challenger.approval_rate
    at = "at their own cutoffs" if swapped.equal is None else "the attainable rate closest to it"
    notes = [f"The champion approves {before:.1%}, the challenger {after:.1%}, {at}"]
    if swapped.weighted:
        notes.append(f"Applicants and rates are weighted; {swapped.rows:,} rows")
    header(figure, 0.0, fit(title, 6.0, TITLE, bold=True), notes)
    axes = place(figure, left, top, 2 * wide + _TILE_GAP, 2 * high + _TILE_GAP)
    axes.set_label("swap set")
    axes.set_xlim(0, 2 * wide + _TILE_GAP)
    axes.set_ylim(2 * high + _TILE_GAP, 0)
    axes.set_axis_off()
    tiles = {"both_approve": (0, 0), "swapped_out": (1, 0), "swapped_in": (0, 1), "both_decline": (1, 1)}
    for name, (column, row) in tiles.items():
        left_end, top_end = column * (wide + _TILE_GAP), row * (high + _TILE_GAP)
        _tile(axes, name.replace("_", " "), swapped.parts[name], left_end, top_end)
    for i, word in enumerate(("approves", "declines")):
        middle = i * (wide + _TILE_GAP) + wide / 2
        write(figure, left + middle, top - 0.3, f"challenger {word}", BODY, ha="center", color=FAINT)
        middle = top + i * (high + _TILE_GAP) + high / 2
        write(figure, left - 0.1, middle, f"champion\n{word}", BODY, ha="right", va="center", color=FAINT)
    for i, line in enumerate(lines):
        below = top + 2 * high + _TILE_GAP + 0.2 + 0.18 * i
        write(figure, MARGIN, below, fit(line, left + 2 * wide - MARGIN), BODY, color=FAINT)
    return figure


def _tile(axes: Axes, name: str, part: CountedPart, left: float, top: float) -> None:
    from matplotlib.patches import Rectangle

    counts, (wide, high) = part.counts, _TILE
    strength = 0.08 + 0.42 * counts.share
    axes.add_patch(Rectangle((left, top), wide, high, facecolor=ACCENT, alpha=strength, linewidth=0))
    words = [f"{in_digits(counts.applicants)} applicants, {_percent(counts.share)}"]
    words.append(f"bad rate {_percent(counts.bad_rate)}" if counts.good + counts.bad else "no outcome known")
    if counts.unknown and counts.good + counts.bad:
        words.append(f"outcome of {in_digits(counts.unknown)} unknown")
    axes.text(left + 0.15, top + 0.18, name, fontsize=HEADING, weight="bold", va="top")
    for i, text in enumerate(words):
        axes.text(left + 0.15, top + 0.48 + 0.2 * i, fit(text, wide - 0.3, BODY), fontsize=BODY, va="top")


def _steps(axes: Axes, cutoffs: NDArray[np.float64], lines: Iterable[Line]) -> None:
    """What holds at a cutoff holds from the one below it on."""
    for name, colour, heights in lines:
        axes.plot(cutoffs, heights, drawstyle="steps-pre", color=colour, linewidth=1.4, label=legend_name(name))


def _by(attribute: str | None) -> str:
    return "" if attribute is None else f"Groups of {attribute}"


def _rounded(end: float) -> str:
    """Six digits, as much as there is room for beside an axis."""
    return number(float(f"{end:.6g}"))


def _percent(share: float) -> str:
    return "-" if share != share else f"{share:.1%}"


def _ratio(value: float) -> str:
    return "-" if value != value else f"{value:.2f}"
