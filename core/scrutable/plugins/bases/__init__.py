"""Abstract base classes of the kinds of component; each is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.plugins.bases.alternative import Alternative
    from scrutable.plugins.bases.binner import Binner
    from scrutable.plugins.bases.constraint import FairnessConstraint
    from scrutable.plugins.bases.dialect import Dialect, Reading
    from scrutable.plugins.bases.explainer import Explainer
    from scrutable.plugins.bases.exporter import Export, Exporter
    from scrutable.plugins.bases.importer import Finding, Imported, Importer, ImportReport
    from scrutable.plugins.bases.learner import Learner, RegressionLearner

__all__ = [
    "Alternative",
    "Binner",
    "Dialect",
    "Explainer",
    "Export",
    "Exporter",
    "FairnessConstraint",
    "Finding",
    "ImportReport",
    "Imported",
    "Importer",
    "Learner",
    "Reading",
    "RegressionLearner",
]

__getattr__ = lazily(__name__)
