"""Protected groups, bounds on what may differ between them, and measurements oriented on the favourable outcome.

Names are imported on first use, so that `import scrutable.fairness` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.geocoding import bisg
    from scrutable.data.groups import Groups, ProtectedAttribute, SmallGroupWarning
    from scrutable.fairness.bounds import Bound, DivergenceBound, RateBound
    from scrutable.fairness.contrast import Contrast
    from scrutable.fairness.four_fifths import four_fifths_ratios
    from scrutable.fairness.measured import BrokenBoundWarning, MeasuredBound, measure_bounds
    from scrutable.fairness.mistreatment import dmc_mean_score, dmc_sum_score, eop_score, error_rates, odm_score
    from scrutable.fairness.report import fairness_report, group_metrics, operating_points
    from scrutable.fairness.results import FairnessReport, FourFifths, GroupMetrics, OperatingPoint
    from scrutable.fairness.significance import ImpactTest, impact_tests
    from scrutable.fairness.smd import MeanDifference, mean_differences
    from scrutable.measures.approving import approval_threshold, reachable_threshold
    from scrutable.measures.performance import Performance, auc, gini, ks

__all__ = [
    "Bound",
    "BrokenBoundWarning",
    "Contrast",
    "DivergenceBound",
    "FairnessReport",
    "FourFifths",
    "GroupMetrics",
    "Groups",
    "ImpactTest",
    "MeanDifference",
    "MeasuredBound",
    "OperatingPoint",
    "Performance",
    "ProtectedAttribute",
    "RateBound",
    "SmallGroupWarning",
    "approval_threshold",
    "auc",
    "bisg",
    "dmc_mean_score",
    "dmc_sum_score",
    "eop_score",
    "error_rates",
    "fairness_report",
    "four_fifths_ratios",
    "gini",
    "group_metrics",
    "impact_tests",
    "ks",
    "mean_differences",
    "measure_bounds",
    "odm_score",
    "operating_points",
    "reachable_threshold",
]

__getattr__ = lazily(__name__)
