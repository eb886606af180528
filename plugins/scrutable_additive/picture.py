"""The path of cards as a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scrutable.plots.style import BODY, FAINT, INK, PALETTE, header, page, place, styled
from scrutable.plugins import CardPath

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEFT, _WIDTH, _RIGHT = 0.9, 6.2, 0.4
_TOP, _HEIGHT, _SECOND, _GAP, _FOOT = 0.85, 2.8, 1.2, 0.25, 0.6


@styled()
def plot_path(path: CardPath) -> Figure:
    """Draw the AUC (of a quantity R²) on the training rows, and below the number of characteristics, by steps.

    Raises
    ------
    InputError : matplotlib is not installed.

    Examples
    --------
    >>> from scrutable.model import FrozenMapping
    >>> from scrutable.plugins import PathCard
    >>> cards = (PathCard(steps=9, characteristics=3, kept=1.0, figures=FrozenMapping({"auc": 0.8})),
    ...          PathCard(steps=0, characteristics=0, kept=0.0, figures=FrozenMapping({"auc": 0.5})))
    >>> plot_path(CardPath(learner="mine", option="steps", cards=cards, chosen=0)).axes[0].get_ylabel()
    'AUC'
    """
    from matplotlib.ticker import MaxNLocator

    figure = page(_LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _GAP + _SECOND + _FOOT)
    card = path.model
    size = f"{card.steps:,} steps in {card.characteristics:,} characteristics"
    told = f"The card: {size}, {card.kept:.1%} of the variance kept"
    header(figure, 0.2, f"Cards along the path{' of what is added' if path.about else ''}", [told])
    upper = place(figure, _LEFT, _TOP, _WIDTH, _HEIGHT)
    lower = place(figure, _LEFT, _TOP + _HEIGHT + _GAP, _WIDTH, _SECOND)
    _draw(upper, path, [math.nan if each.merit is None else each.merit for each in path.measured])
    _draw(lower, path, [float(each.characteristics) for each in path.measured])
    upper.set_ylabel(path.figures[0].title if path.figures else "", fontsize=BODY)
    upper.tick_params(axis="x", labelbottom=False)
    lower.set_ylabel("characteristics", fontsize=BODY)
    lower.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    lower.margins(y=0.12)
    lower.set_xlabel("steps", fontsize=BODY)
    figure.align_ylabels()
    return figure


def _draw(axes: Axes, path: CardPath, heights: list[float]) -> None:
    steps, chosen = [card.steps for card in path.measured], path.measured.index(path.model)
    axes.grid()
    axes.tick_params(length=0)
    axes.plot(steps, heights, color=PALETTE[0], linewidth=1.4, marker="o", markersize=4)
    axes.axvline(steps[chosen], color=FAINT, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1.5)
    axes.scatter([steps[chosen]], [heights[chosen]], s=110, facecolor="none", edgecolor=INK, zorder=4)
