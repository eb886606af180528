"""Pictures: models and what they matter, rules and their coverage, thresholds, frontiers, paths, histories, strategies.

A function returns a `matplotlib.figure.Figure`; `render` makes bytes of it. Matplotlib is the extra `scrutable[plots]`;
importing this package does not import it, and `main_effects` and `importance` do without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plots.binning import plot_binning
from scrutable.plots.compression import plot_compression
from scrutable.plots.effects import Effect, Step, importance, main_effects
from scrutable.plots.figures import plot_importance, plot_main_effects, plot_model
from scrutable.plots.frontier import FrontierPoint, plot_frontier
from scrutable.plots.history import plot_history
from scrutable.plots.path import PathStep, plot_path
from scrutable.plots.reliability import plot_reliability
from scrutable.plots.rules import plot_coverage, plot_rules
from scrutable.plots.strategy import plot_cutoffs, plot_score_bands, plot_swap_set
from scrutable.plots.style import Format, render
from scrutable.plots.thresholds import plot_thresholds

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure

__all__ = [
    "Effect",
    "Format",
    "FrontierPoint",
    "PathStep",
    "Step",
    "importance",
    "main_effects",
    "plot_binning",
    "plot_compression",
    "plot_coverage",
    "plot_cutoffs",
    "plot_frontier",
    "plot_history",
    "plot_importance",
    "plot_main_effects",
    "plot_model",
    "plot_path",
    "plot_reliability",
    "plot_rules",
    "plot_score_bands",
    "plot_swap_set",
    "plot_thresholds",
    "render",
]
