"""How far the score and each characteristic drifted from the baseline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scrutable.plots.style import ACCENT, BODY, FAINT, PALETTE, SMALL, fit, header, page, place, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable_lifecycle.monitoring.checks import Check

_NAMES, _WIDTH, _FIGURE = 2.6, 4.4, 0.7
_TOP, _BAR, _FOOT = 1.0, 0.22, 0.55
_COLOURS = {"ok": ACCENT, "note": ACCENT, "warn": PALETTE[4], "alert": PALETTE[1]}


@styled()
def plot_drift(checks: Iterable[Check], note: str, *, title: str = "Drift by characteristic") -> Figure:
    """Draw the stability index of the score and of each characteristic or rule, coloured where beyond a threshold.

    Parameters
    ----------
    checks : those of indices are drawn, in their order.
    note : what is compared, in a line.

    Raises
    ------
    PluginError : matplotlib is not installed.
    """
    drawn = [each for each in checks if each.figure in ("psi", "csi") and each.period == "new"]
    height = _BAR * max(len(drawn), 1)
    figure = page(_NAMES + _WIDTH + _FIGURE, _TOP + height + _FOOT)
    header(figure, 0.1, title, [note, "Orange: a warning or an alert"])
    _draw(place(figure, _NAMES, _TOP, _WIDTH, height), drawn)
    return figure


def _draw(axes: Axes, checks: list[Check]) -> None:
    at = range(len(checks))
    axes.barh(at, [each.value for each in checks], height=0.65, color=[_COLOURS[each.status] for each in checks])
    for row, each in zip(at, checks, strict=True):
        axes.annotate(
            f"{each.value:.3f}", (each.value, row), (4, 0), textcoords="offset points", va="center", fontsize=SMALL
        )
    axes.set_yticks(at, [fit(each.subject, _NAMES - 0.4, BODY) for each in checks], fontsize=BODY)
    axes.set_ylim(len(checks) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.grid(axis="x")
    axes.set_xlabel("population stability index", fontsize=BODY, color=FAINT)
