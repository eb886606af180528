"""Abstract base classes of the five kinds of plugin; each is imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.bases.alternative import Alternative
    from scrutable.bases.binner import Binner
    from scrutable.bases.constraint import FairnessConstraint
    from scrutable.bases.explainer import Explainer
    from scrutable.bases.exporter import Export, Exporter
    from scrutable.bases.learner import Learner, RegressionLearner

__all__ = [
    "Alternative",
    "Binner",
    "Explainer",
    "Export",
    "Exporter",
    "FairnessConstraint",
    "Learner",
    "RegressionLearner",
]

_MODULES = {
    "Alternative": "alternative",
    "Binner": "binner",
    "Explainer": "explainer",
    "Export": "exporter",
    "Exporter": "exporter",
    "FairnessConstraint": "constraint",
    "Learner": "learner",
    "RegressionLearner": "learner",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
