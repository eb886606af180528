"""Protected groups, bounds on what may differ between them, and measurements oriented on the favourable outcome.

Names are imported on first use, so that `import scrutable.fairness` loads neither numpy nor pandas.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrutable.fairness.bounds import Bound, DivergenceBound, RateBound
    from scrutable.fairness.contrast import Contrast
    from scrutable.fairness.groups import Groups, ProtectedAttribute, SmallGroupWarning
    from scrutable.fairness.measured import BrokenBoundWarning, MeasuredBound, measure_bounds
    from scrutable.fairness.mistreatment import dmc_mean_score, dmc_sum_score, eop_score, error_rates, odm_score
    from scrutable.fairness.performance import Performance, auc, gini, ks
    from scrutable.fairness.report import approval_threshold, fairness_report, group_metrics, operating_points
    from scrutable.fairness.results import FairnessReport, GroupMetrics, OperatingPoint

__all__ = [
    "Bound",
    "BrokenBoundWarning",
    "Contrast",
    "DivergenceBound",
    "FairnessReport",
    "GroupMetrics",
    "Groups",
    "MeasuredBound",
    "OperatingPoint",
    "Performance",
    "ProtectedAttribute",
    "RateBound",
    "SmallGroupWarning",
    "approval_threshold",
    "auc",
    "dmc_mean_score",
    "dmc_sum_score",
    "eop_score",
    "error_rates",
    "fairness_report",
    "gini",
    "group_metrics",
    "ks",
    "measure_bounds",
    "odm_score",
    "operating_points",
]

_HOME = {
    **dict.fromkeys(("Bound", "DivergenceBound", "RateBound"), "bounds"),
    "Contrast": "contrast",
    **dict.fromkeys(("Groups", "ProtectedAttribute", "SmallGroupWarning"), "groups"),
    **dict.fromkeys(("BrokenBoundWarning", "MeasuredBound", "measure_bounds"), "measured"),
    **dict.fromkeys(("dmc_mean_score", "dmc_sum_score", "eop_score", "error_rates", "odm_score"), "mistreatment"),
    **dict.fromkeys(("Performance", "auc", "gini", "ks"), "performance"),
    **dict.fromkeys(("approval_threshold", "fairness_report", "group_metrics", "operating_points"), "report"),
    **dict.fromkeys(("FairnessReport", "GroupMetrics", "OperatingPoint"), "results"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
