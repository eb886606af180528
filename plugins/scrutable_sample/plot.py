"""Vintage curves as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.plots.style import BODY, FAINT, INK, MARGIN, SMALL, fit, header, page, place, shades, styled, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable_sample.vintages import Vintages

_LEFT, _WIDTH, _LEGEND = 0.9, 6.0, 1.7
_TOP, _HEIGHT, _FOOT = 1.05, 3.4, 0.6
_PAGE = _LEFT + _WIDTH + _LEGEND
#: From the earliest cohort to the latest.
_COLOURS = ("#9ecae1", "#2b8cbe", "#084081")
#: Cohorts that the legend names; of more, every second or third.
_NAMED = 14


@styled()
def plot_vintages(vintages: Vintages, *, title: str = "Vintages: cumulative bad rate") -> Figure:
    """Draw the cumulative bad rate by months on book: a line for each cohort, darker the later, and one for all.

    Raises
    ------
    PluginError : matplotlib is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from scrutable_sample.vintages import vintages
    >>> table = vintages(np.array([24228] * 4), np.array([24231, 24230, -1, -1]), history=(24228, 24232), bad=90,
    ...                  window=3, cohort="month", settled=0.02, step=1, least=1)
    >>> [line.get_label() for line in plot_vintages(table).axes[0].lines[:2]]
    ['2019-01', 'all']
    """
    figure = page(_PAGE, _TOP + _HEIGHT + _FOOT)
    header(figure, 0.0, fit(title, _PAGE - 2 * MARGIN), wrap(vintages.in_words(), _PAGE - 2 * MARGIN, BODY, 3))
    axes = place(figure, _LEFT, _TOP, _WIDTH, _HEIGHT)
    axes.grid(axis="y")
    colours = shades(np.linspace(0, 1, max(len(vintages.cohorts), 1)), _COLOURS)
    step = -(-len(vintages.cohorts) // _NAMED) or 1
    for position, (cohort, colour) in enumerate(zip(vintages.cohorts, colours, strict=False)):
        _curve(
            axes, cohort.rates, vintages.step, cohort.name if position % step == 0 else f"_{cohort.name}", color=colour
        )
    _curve(axes, vintages.rates, 1, "all", color=INK, linewidth=2.0)
    axes.axvline(vintages.window, color=FAINT, linewidth=1.0, linestyle=(0, (4, 3)))
    axes.set_xlabel(f"months on book; the dashed line is the window of {vintages.window}", fontsize=BODY)
    axes.set_ylabel(f"ever {vintages.bad:g} or more days past due", fontsize=BODY)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.3g}".rstrip() if value == 0 else f"{value:.1%}")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=SMALL)
    return figure


def _curve(axes: Axes, rates: tuple[float | None, ...], step: int, label: str, **looks: Any) -> None:
    told = [(0, 0.0), *((step * place, rate) for place, rate in enumerate(rates, 1) if rate is not None)]
    axes.plot([month for month, _ in told], [rate for _, rate in told], label=label, **{"linewidth": 1.1, **looks})
