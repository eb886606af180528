"""Protected groups, bounds on what may differ between them, and measurements oriented on the favourable outcome.

Names are imported on first use, so that `import scrutable.fairness` loads neither numpy nor pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.attribute import MISSING, ProtectedAttribute
    from scrutable.data.geocoding import bisg
    from scrutable.data.groups import Groups, SmallGroupWarning, size_of
    from scrutable.fairness.bounds import Bound, DivergenceBound, RateBound
    from scrutable.fairness.contrast import Contrast, events_of
    from scrutable.fairness.counted_events import Rate, Rows
    from scrutable.fairness.four_fifths_rule import four_fifths, four_fifths_ratios
    from scrutable.fairness.judged_ratio import RatioKind, check_ratio_kind
    from scrutable.fairness.kept_bounds import BrokenBoundWarning, MeasuredBound, measure_bounds
    from scrutable.fairness.measuring import Measured, measure, operating_point
    from scrutable.fairness.monitoring_thresholds import Thresholds
    from scrutable.fairness.rates import RATIO, cell_rates, compared, group_cells
    from scrutable.fairness.replicates import Replicates
    from scrutable.fairness.report import decision_points, fairness_report, group_metrics
    from scrutable.fairness.results import FourFifths, GroupMetrics, OperatingPoint
    from scrutable.measures.approving import approval_threshold, reachable_threshold
    from scrutable.measures.separating_power import Performance, auc, gini, ks

__all__ = [
    "MISSING",
    "RATIO",
    "Bound",
    "BrokenBoundWarning",
    "Contrast",
    "DivergenceBound",
    "FourFifths",
    "GroupMetrics",
    "Groups",
    "Measured",
    "MeasuredBound",
    "OperatingPoint",
    "Performance",
    "ProtectedAttribute",
    "Rate",
    "RateBound",
    "RatioKind",
    "Replicates",
    "Rows",
    "SmallGroupWarning",
    "Thresholds",
    "approval_threshold",
    "auc",
    "bisg",
    "cell_rates",
    "check_ratio_kind",
    "compared",
    "decision_points",
    "events_of",
    "fairness_report",
    "four_fifths",
    "four_fifths_ratios",
    "gini",
    "group_cells",
    "group_metrics",
    "ks",
    "measure",
    "measure_bounds",
    "operating_point",
    "reachable_threshold",
    "size_of",
]

__getattr__ = lazily(__name__)
