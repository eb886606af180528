"""Pictures: characteristics and what they matter, rules and whom they cover, thresholds, frontiers, paths, histories.

A function returns a `matplotlib.figure.Figure`; `render` makes bytes of it. Matplotlib is the extra `scrutable[plots]`;
importing this package does not import it, and `main_effects` and `importance` do without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.plots.compression import plot_compression
from scrutable.plots.effects import Effect, Step, importance, main_effects
from scrutable.plots.figures import plot_importance, plot_main_effects, plot_model
from scrutable.plots.frontier import FrontierPoint, plot_frontier
from scrutable.plots.history import plot_history
from scrutable.plots.path import PathStep, plot_path
from scrutable.plots.rules import plot_coverage, plot_rules
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
    "plot_compression",
    "plot_coverage",
    "plot_frontier",
    "plot_history",
    "plot_importance",
    "plot_main_effects",
    "plot_model",
    "plot_path",
    "plot_rules",
    "plot_thresholds",
    "render",
]
