"""Roll rates from one month to the next as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scrutable.plots.style import (
    BODY,
    FAINT,
    INK,
    MARGIN,
    SMALL,
    fit,
    header,
    page,
    place,
    readable_on,
    shades,
    styled,
    wrap,
    write,
)
from scrutable.writing import in_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scrutable_sample.monthly_rolls import MonthlyRolls, MonthRow

_LEFT, _TOP, _RIGHT, _FOOT = 2.1, 1.3, 1.0, 0.35
_CELL, _ROW = 0.95, 0.42
#: Months that stay or get better, and those that get later, from none to all.
_BETTER, _WORSE = ("#ffffff", "#0072B2"), ("#ffffff", "#D55E00")
_NOTE = (
    "Of the months with a status, the shares of each a month later; outlined: as late, blue: less late, orange: later"
)


@styled()
def plot_rolls(rolls: MonthlyRolls, *, title: str = "Roll rates: from one month to the next") -> Figure:
    """Draw how late accounts are a month later: a row for each status of this month, a column for each of the next.

    Raises
    ------
    PluginError : matplotlib is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from scrutable_sample.monthly_rolls import monthly_rolls
    >>> rolls = monthly_rolls(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([0.0, 30, 60]), np.array([0.0, 30]),
    ...                       least=1)
    >>> [text.get_text() for text in plot_rolls(rolls).axes[0].texts]
    ['0 %', '100 %', '100 %', '0 %', '100 %']
    """
    size = len(rolls.statuses)
    wide = max(_LEFT + size * _CELL + _RIGHT, 6.0)
    figure = page(wide, _TOP + size * _ROW + _FOOT)
    room = wide - 2 * MARGIN
    header(figure, 0.0, fit(title, room), wrap(_NOTE, room, BODY, 2))
    axes = place(figure, _LEFT, _TOP, size * _CELL, size * _ROW)
    _frame(axes, rolls)
    for row, each in enumerate(rolls.rows):
        _draw_row(axes, row, each)
    write(figure, _LEFT, _TOP - 0.4, "days past due next month", SMALL, color=FAINT)
    write(figure, MARGIN, _TOP - 0.18, "this month", SMALL, color=FAINT)
    write(figure, _LEFT + size * _CELL + 0.12, _TOP - 0.18, "gets later", SMALL, color=FAINT)
    return figure


def _frame(axes: Axes, rolls: MonthlyRolls) -> None:
    places = range(len(rolls.statuses))
    axes.set_xlim(-0.5, len(places) - 0.5)
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.xaxis.tick_top()
    axes.set_xticks(places, [fit(status, _CELL - 0.08, SMALL) for status in rolls.statuses])
    axes.set_yticks(places, [fit(_label(each), _LEFT - MARGIN - 0.1, SMALL) for each in rolls.rows])
    axes.tick_params(length=0, pad=3)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _label(row: MonthRow) -> str:
    count = "few accounts" if row.months is None else f"{in_digits(row.months)} months"
    return f"{row.status}  ({count})"


def _draw_row(axes: Axes, row: int, told: MonthRow) -> None:
    from matplotlib.patches import Rectangle

    for column, share in enumerate(told.shares):
        [colour] = shades(np.array([share or 0.0]), _WORSE if column > row else _BETTER)
        edge = {"edgecolor": FAINT, "linewidth": 1.2, "zorder": 2} if row == column else {"edgecolor": "white"}
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, **edge))
        text = _percent(share) if share is not None else "few" if told.months != 0 else ""
        axes.text(column, row, text, ha="center", va="center", fontsize=SMALL, color=readable_on(colour), zorder=3)
    if told.worse is not None:
        right = len(told.next) - 0.5 + 0.12 / _CELL
        axes.text(right, row, _percent(told.worse), ha="left", va="center", fontsize=SMALL, color=INK, clip_on=False)


def _percent(share: float) -> str:
    """A share with the digits that tell it: one below ten in a hundred."""
    return f"{share:.0%}".replace("%", " %") if share == 0 or share >= 0.1 else f"{share:.1%}".replace("%", " %")
