"""How well a score separates: ROC, CAP, gains by tenths, and KS, of several samples beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from scrutable.plots.style import (
    BODY,
    FAINT,
    INK,
    LINE,
    PALETTE,
    SMALL,
    header,
    label_amounts,
    page,
    place,
    styled,
)
from scrutable.writing import in_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable.measures import SeparationCurve, Tenth

    Curves = Mapping[str, SeparationCurve]

SeparationKind = Literal["roc", "cap", "gains", "ks"]

_LEFT, _TOP, _FOOT, _RIGHT = 0.85, 1.0, 0.65, 0.4
_SQUARE, _WIDE, _HIGH, _GAP = 4.2, 6.0, 2.1, 0.35
_DASHED = (0, (4, 3))
_WIDEST = "the largest distance"


def plot_separation(kind: SeparationKind, curves: Curves) -> Figure:
    """Draw how well a score separates, each sample in a colour of its own, with its figure in the legend.

    Parameters
    ----------
    kind : "roc", the bad over the good payers below each cutoff; "cap", the bad payers over all below it; "gains", the
        bad payers that each tenth of all holds, the riskiest first, and its lift; "ks", the shares of the good and of
        the bad below each score, with the largest distance marked.
    curves : by name of the sample.

    Raises
    ------
    PluginError : matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.data import Cohort
    >>> from scrutable.measures import separation_curve
    >>> curve = separation_curve(np.arange(100.0), Cohort.read(100, np.arange(100) % 7 > 0))
    >>> [axes.get_ylabel() for axes in plot_separation("gains", {"later": curve}).axes]
    ['bad payers held', 'lift']
    """
    with styled():
        return _DRAWN[kind](curves)


def _roc(curves: Curves) -> Figure:
    figure, axes = _square("ROC", "Of the good and of the bad payers, the shares that each cutoff declines", curves)
    axes.plot([0, 1], [0, 1], color=LINE, linewidth=1.0)
    for (name, curve), colour in zip(curves.items(), PALETTE, strict=False):
        shown = curve.shown
        label = f"{name}: AUC {curve.auc:.3f}"
        axes.plot(curve.goods[shown], curve.bads[shown], color=colour, linewidth=1.5, label=label)
    return _finished(figure, axes, "good payers below the cutoff", "bad payers below the cutoff")


def _cap(curves: Curves) -> Figure:
    what = "The bad payers among the riskiest of all, beside a perfect score (dashed) and none (grey)"
    figure, axes = _square("Cumulative accuracy profile (CAP)", what, curves)
    axes.plot([0, 1], [0, 1], color=LINE, linewidth=1.0)
    for (name, curve), colour in zip(curves.items(), PALETTE, strict=False):
        shown = curve.shown
        perfect = [0, curve.bad_rate, 1]
        axes.plot(perfect, [0, 1, 1], color=colour, linewidth=0.8, linestyle=_DASHED)
        label = f"{name}: accuracy ratio (Gini) {curve.accuracy_ratio:.3f}"
        axes.plot(curve.everybody[shown], curve.bads[shown], color=colour, linewidth=1.5, label=label)
    return _finished(figure, axes, "all payers below the cutoff", "bad payers below the cutoff")


def _gains(curves: Curves) -> Figure:
    figure = page(_LEFT + _WIDE + _RIGHT, _TOP + 2 * _HIGH + _GAP + _FOOT)
    what = "Tenths of the payers, those with the lowest scores first; equal scores are never put apart"
    header(figure, 0.1, "Gains and lift by tenths", [what, _sizes(curves)])
    upper, lower = (place(figure, _LEFT, _TOP + down * (_HIGH + _GAP), _WIDE, _HIGH) for down in (0, 1))
    upper.plot([0, 1], [0, 1], color=LINE, linewidth=1.0)
    lower.axhline(1, color=LINE, linewidth=1.0)
    for turn, ((name, curve), colour) in enumerate(zip(curves.items(), PALETTE, strict=False)):
        tenths = curve.tenths
        across = [0.0, *(each.share for each in tenths)]
        held = [0.0, *(each.bads for each in tenths)]
        upper.plot(across, held, color=colour, linewidth=1.4, marker="o", markersize=3.5, label=name)
        _bars(lower, tenths, turn, len(curves), colour)
    upper.legend(loc="lower right", frameon=False, labelcolor=FAINT, fontsize=SMALL)
    for axes, what in ((upper, "bad payers held"), (lower, "lift")):
        axes.set_xlim(0, 1)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.set_ylabel(what, fontsize=BODY)
        axes.xaxis.set_major_formatter(_percent)
        axes.set_xticks(np.arange(0, 11) / 10)
    upper.yaxis.set_major_formatter(_percent)
    lower.set_xlabel("payers, the riskiest first", fontsize=BODY)
    return figure


def _bars(axes: Axes, tenths: tuple[Tenth, ...], turn: int, samples: int, colour: str) -> None:
    """The lift of each tenth over its place; bars of samples beside each other."""
    ends = np.array([0.0, *(each.share for each in tenths)])
    widths = np.diff(ends) * 0.9 / samples
    starts = ends[:-1] + 0.05 * np.diff(ends) + turn * widths
    axes.bar(starts, [each.lift for each in tenths], width=widths, align="edge", color=colour)


def _ks(curves: Curves) -> Figure:
    figure = page(_LEFT + _WIDE + _RIGHT, _TOP + _SQUARE + _FOOT)
    what = "Of the bad (lines) and of the good payers (dashed), the shares that score below each score"
    header(figure, 0.1, "Kolmogorov-Smirnov distance (KS)", [what, _sizes(curves)])
    axes = place(figure, _LEFT, _TOP, _WIDE, _SQUARE)
    for (name, curve), colour in zip(curves.items(), PALETTE, strict=False):
        shown = curve.shown[:-1]  # nothing is at infinity
        for shares, style in ((curve.bads, "-"), (curve.goods, _DASHED)):
            axes.plot(curve.cutoff[shown], shares[shown], color=colour, linewidth=1.4, linestyle=style)
        label = f"{name}: KS {curve.ks:.1%} at {in_digits(curve.ks_at)}"
        axes.plot([], [], color=colour, linewidth=1.4, label=label)
        if (widest := curve.widest_shown) is not None:
            ends = [curve.goods[widest], curve.bads[widest]]
            axes.plot([curve.ks_at] * 2, ends, color=INK, linewidth=1.2, marker="_", label=None, gid=_WIDEST)
    label_amounts(axes.xaxis)
    axes.set_ylim(0, 1)
    axes.grid(axis="y")
    axes.yaxis.set_major_formatter(_percent)
    axes.set_xlabel("score", fontsize=BODY)
    axes.set_ylabel("payers below the score", fontsize=BODY)
    axes.legend(loc="upper left", frameon=False, labelcolor=FAINT, fontsize=SMALL)
    return figure


def _square(title: str, what: str, curves: Curves) -> tuple[Figure, Axes]:
    figure = page(_LEFT + _SQUARE + 1.4, _TOP + _SQUARE + _FOOT)
    header(figure, 0.1, title, [what, _sizes(curves)])
    return figure, place(figure, _LEFT, _TOP, _SQUARE, _SQUARE)


def _finished(figure: Figure, axes: Axes, across: str, up: str) -> Figure:
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.grid()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_percent)
    axes.set_xlabel(across, fontsize=BODY)
    axes.set_ylabel(up, fontsize=BODY)
    axes.legend(loc="lower right", frameon=False, labelcolor=FAINT, fontsize=SMALL)
    return figure


def _sizes(curves: Curves) -> str:
    return "; ".join(f"{name}: {curve.rows:,} rows, bad rate {curve.bad_rate:.1%}" for name, curve in curves.items())


def _percent(value: float, _: float) -> str:
    return f"{100 * value:.3g} %"


_DRAWN: dict[SeparationKind, Callable[[Curves], Figure]] = {"roc": _roc, "cap": _cap, "gains": _gains, "ks": _ks}
