"""The explainers here that give reasons, and which of them is meant where none is named."""

from __future__ import annotations

from scrutable.errors import PluginError
from scrutable.plugins.bases.capable import REASONS, loaded
from scrutable.plugins.bases.explainer import Explainer
from scrutable.plugins.claims import Listing
from scrutable.plugins.registry import registry


def reasons_explainer() -> str:
    """The name of the explainer whose reasons are given where none is named: ours, which nobody else's stands in for.

    Raises
    ------
    PluginError : it is not here, and why.
    """
    for listing in _makers_of_reasons():
        if listing.first_party:
            return listing.name
    for kind, name in registry().withheld:
        if kind == "explainer":
            registry().listing("explainer", name)  # says why it cannot be used
    raise PluginError("no explainer here gives reasons", fix="install scrutable anew, or name an explainer of your own")


def explainer_of(method: str) -> type[Explainer] | None:
    """The explainer whose reason policies are of a method, ours before others'; None where none here has it."""
    return next((cls for _, cls in loaded(_makers_of_reasons()) if method in cls.methods), None)


def _makers_of_reasons() -> list[Listing]:
    makers = [each for each in registry().listings("explainer") if REASONS in each.component.produces]
    return sorted(makers, key=lambda each: not each.first_party)
