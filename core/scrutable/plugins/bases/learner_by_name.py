"""The learner that a model's provenance names."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from scrutable.errors import PluginError
from scrutable.plugins.bases.model_estimator import ModelEstimator
from scrutable.plugins.claims import qualified
from scrutable.plugins.registry import registry


def recorded_learner(name: str) -> type[ModelEstimator[Any, Any]] | None:
    """The learner's class that provenance calls so; None where no learner here is called so, or it cannot be loaded.

    >>> recorded_learner("Unheard")
    """
    for listing in registry().listings("learner"):
        cls = listing.component.path.rpartition(":")[2]
        if name == (cls if listing.first_party else qualified(listing.distribution, cls)):
            with suppress(PluginError):
                learner: type[ModelEstimator[Any, Any]] = registry().load("learner", listing.name)
                return learner
    return None
