"""Pictures: models and what they matter, rules and their coverage, bins, reliability, frontiers, strategies.

A function returns a `matplotlib.figure.Figure`; `render` makes bytes of it. What only one component has is drawn by the
package of that component. Matplotlib is the extra `scrutable[plots]`; importing this package does not import it, and
`main_effects` and `importance` do without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.plots.attributes import plot_attributes
    from scrutable.plots.effects import importance, main_effects
    from scrutable.plots.figures import plot_importance, plot_main_effects, plot_model
    from scrutable.plots.labels import Spot, find_places
    from scrutable.plots.picturing import picture_of
    from scrutable.plots.rules import plot_coverage, plot_rules
    from scrutable.plots.style import render

__all__ = [
    "Spot",
    "find_places",
    "importance",
    "main_effects",
    "picture_of",
    "plot_attributes",
    "plot_coverage",
    "plot_importance",
    "plot_main_effects",
    "plot_model",
    "plot_rules",
    "render",
]

__getattr__ = lazily(__name__)
