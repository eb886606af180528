"""The binning table of a feature, drawn: share, bad rate, WoE, and the bad rates of groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.errors import InputError
from scrutable.plots.style import (
    ACCENT,
    BODY,
    FAINT,
    LINE,
    MARGIN,
    PALETTE,
    SHADE,
    SMALL,
    TITLE,
    fit,
    header,
    page,
    place,
    styled,
    wrap,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable_review.table import ReviewRow, ReviewTable

_HEADER, _FOOT, _HEIGHT, _GAP, _LEFT, _LEGEND = 0.95, 0.55, 1.15, 0.2, 0.75, 1.7
#: Room of an attribute, and the least and the most of all of them.
_ROOM, _LEAST, _MOST = 0.75, 3.2, 11.0
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lines:
    """Bad rates over the attributes, NaN where there is none."""

    label: str
    colour: str
    marker: str
    heights: list[float]


@styled()
def plot_binning(table: ReviewTable) -> Figure:
    """Draw one feature: bars for the share of applicants, lines for the bad rate of all and of each group, and the WoE.

    Attributes that nobody is in are left out. Intervals are joined by a line; special codes, missing values and
    categories have no order and stand apart. Where a policy sets another WoE than that of the rows, a ring shows the
    one that learners use.

    Parameters
    ----------
    table : `Review.table(feature)`.

    Raises
    ------
    InputError : nobody is in any attribute, or matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable_review import Review
    >>> german = load_german_credit()
    >>> review = Review(german.X, german.y, binner="quantile", sensitive_features=german.sensitive_features)
    >>> [axes.get_label() for axes in plot_binning(review.table("housing")).axes]
    ['share', 'bad rate', 'WoE']
    """
    rows = [row for row in table.rows if row.count > 0]
    if not rows:
        raise InputError("there is nothing to draw", where=f"column {table.feature!r}", fix="give rows with a weight")
    width = min(max(_ROOM * len(rows), _LEAST), _MOST)
    figure = page(_LEFT + width + _LEGEND + MARGIN, _HEADER + 3 * _HEIGHT + 2 * _GAP + _FOOT)
    title = fit(table.feature, float(figure.get_size_inches()[0]) - 2 * MARGIN, TITLE, bold=True)
    header(figure, 0.0, title, _notes(table))
    panels = [place(figure, _LEFT, _HEADER + at * (_HEIGHT + _GAP), width, _HEIGHT) for at in range(3)]
    for axes, label in zip(panels, ("share", "bad rate", "WoE"), strict=True):
        axes.set_label(label)
        axes.set_ylabel(label, fontsize=BODY)
        axes.set_xlim(-0.5, len(rows) - 0.5)
        axes.grid(axis="y")
        axes.tick_params(length=0, labelbottom=label == "WoE")
        axes.set_xticks(range(len(rows)))
    _draw_shares(panels[0], rows)
    _draw_rates(panels[1], rows)
    _draw_woe(panels[2], rows)
    labels = ["\n".join(wrap(row.condition, width / len(rows) - 0.06, SMALL, most=3)) for row in rows]
    panels[2].set_xticks(range(len(rows)), labels)
    figure.align_ylabels(panels)
    return figure


def _notes(table: ReviewTable) -> list[str]:
    trend = f"trend {table.observed_trend}" + (f", {table.trend} asked for" if table.trend else "")
    fiv = ", ".join(f"{name} {'no bound' if np.isinf(value) else f'{value:.4f}'}" for name, value in table.fiv.items())
    return [f"IV {table.iv_used:.4f} ({table.strength}), {trend}", f"FIV {fiv}" if fiv else ""]


def _draw_shares(axes: Axes, rows: Sequence[ReviewRow]) -> None:
    axes.bar(range(len(rows)), [row.share for row in rows], width=0.7, color=SHADE, edgecolor=LINE, linewidth=0.6)
    axes.set_ylim(0, None)
    _percent(axes)


def _draw_rates(axes: Axes, rows: Sequence[ReviewRow]) -> None:
    rates = list(_rates(rows))
    for each in rates:
        _draw_line(axes, rows, each)
    axes.set_ylim(0, None)
    _percent(axes)
    if len(rates) > 1:
        labels = [fit(each.label, _LEGEND - 0.45, SMALL) for each in rates]
        handles = [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
        axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.05), frameon=False, fontsize=SMALL)


def _rates(rows: Sequence[ReviewRow]) -> Iterator[_Lines]:
    def of(values: list[float | None]) -> list[float]:
        return [np.nan if value is None else value for value in values]

    yield _Lines(label="all", colour=FAINT, marker="o", heights=of([row.bad_rate for row in rows]))
    pairs = [(attribute, label) for attribute, labels in rows[0].groups.items() for label in labels]
    for at, (attribute, label) in enumerate(pairs):
        yield _Lines(
            label=f"{attribute}: {label}",
            colour=PALETTE[at % len(PALETTE)],
            marker=_MARKERS[at % len(_MARKERS)],
            heights=of([row.groups[attribute][label].bad_rate for row in rows]),
        )


def _draw_line(axes: Axes, rows: Sequence[ReviewRow], line: _Lines) -> None:
    joined = [at for at, row in enumerate(rows) if row.kind == "interval"]
    looks: dict[str, Any] = {"color": line.colour, "linewidth": 1.2}
    axes.plot(joined, [line.heights[at] for at in joined], label="_joined", **looks)
    axes.plot(
        range(len(rows)), line.heights, linestyle="none", marker=line.marker, markersize=3.5, label=line.label, **looks
    )


def _draw_woe(axes: Axes, rows: Sequence[ReviewRow]) -> None:
    axes.axhline(0, color=LINE, linewidth=0.8, zorder=1.5)
    _draw_line(axes, rows, _Lines(label="WoE", colour=ACCENT, marker="o", heights=[row.woe for row in rows]))
    changed = [at for at, row in enumerate(rows) if row.woe_used != row.woe]
    axes.plot(
        changed,
        [rows[at].woe_used for at in changed],
        linestyle="none",
        marker="o",
        markersize=6,
        markerfacecolor="none",
        color=PALETTE[1],
        label="WoE used",
    )


def _percent(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
