"""Protected groups, bounds on what may differ between them, and measurements oriented on the favourable outcome.

Names are imported on first use, so that `import scrutable.fairness` loads neither numpy nor pandas.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.fairness.bounds import Bound, DivergenceBound, RateBound
    from scrutable.fairness.groups import Groups, ProtectedAttribute, SmallGroupWarning
    from scrutable.fairness.performance import Performance, auc, gini, ks
    from scrutable.fairness.report import approval_threshold, fairness_report, group_metrics, operating_points
    from scrutable.fairness.results import FairnessReport, GroupMetrics, OperatingPoint

__all__ = [
    "Bound",
    "DivergenceBound",
    "FairnessReport",
    "GroupMetrics",
    "Groups",
    "OperatingPoint",
    "Performance",
    "ProtectedAttribute",
    "RateBound",
    "SmallGroupWarning",
    "approval_threshold",
    "auc",
    "fairness_report",
    "gini",
    "group_metrics",
    "ks",
    "operating_points",
]

_HOME = {
    **dict.fromkeys(("Bound", "DivergenceBound", "RateBound"), "bounds"),
    **dict.fromkeys(("Groups", "ProtectedAttribute", "SmallGroupWarning"), "groups"),
    **dict.fromkeys(("Performance", "auc", "gini", "ks"), "performance"),
    **dict.fromkeys(("approval_threshold", "fairness_report", "group_metrics", "operating_points"), "report"),
    **dict.fromkeys(("FairnessReport", "GroupMetrics", "OperatingPoint"), "results"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
