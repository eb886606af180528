"""Abstract base classes of the five kinds of plugin; each is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.facades import lazily

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

__getattr__ = lazily(__name__)
