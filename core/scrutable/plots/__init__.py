"""Pictures: models and what they matter, rules and their coverage, bins, reliability, frontiers, strategies.

A function returns a `matplotlib.figure.Figure`; `render` makes bytes of it. What only one component has is drawn by the
package of that component. Matplotlib is the extra `scrutable[plots]`; importing this package does not import it, and
`main_effects` and `importance` do without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plots.binning import plot_binning
from scrutable.plots.effects import Effect, Step, importance, main_effects
from scrutable.plots.figures import plot_importance, plot_main_effects, plot_model
from scrutable.plots.frontier import FrontierPoint, plot_frontier
from scrutable.plots.reliability import plot_reliability
from scrutable.plots.rules import plot_coverage, plot_rules
from scrutable.plots.strategy import plot_cutoffs, plot_score_bands, plot_swap_set
from scrutable.plots.style import Format, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure

__all__ = [
    "Effect",
    "Format",
    "FrontierPoint",
    "Step",
    "importance",
    "main_effects",
    "plot_binning",
    "plot_coverage",
    "plot_cutoffs",
    "plot_frontier",
    "plot_importance",
    "plot_main_effects",
    "plot_model",
    "plot_reliability",
    "plot_rules",
    "plot_score_bands",
    "plot_swap_set",
    "render",
]
