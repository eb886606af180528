"""Monitoring: drift of the score, its inputs and its reasons, performance and disparity over time, and alerts."""

from scrutable.fairness import Thresholds
from scrutable.measures import Stability, stability
from scrutable_lifecycle.monitoring.checks import Check
from scrutable_lifecycle.monitoring.columns import Columns
from scrutable_lifecycle.monitoring.comparing import monitor
from scrutable_lifecycle.monitoring.disparity import GroupPeriod
from scrutable_lifecycle.monitoring.histograms import Histogram
from scrutable_lifecycle.monitoring.model_drift import ModelDrift
from scrutable_lifecycle.monitoring.outcomes import Calibrated
from scrutable_lifecycle.monitoring.performance import Period
from scrutable_lifecycle.monitoring.periods import periods_of
from scrutable_lifecycle.monitoring.reasons import CodeShare, ReasonDrift
from scrutable_lifecycle.monitoring.result import Monitoring
from scrutable_lifecycle.monitoring.watching import watch

__all__ = [
    "Calibrated",
    "Check",
    "CodeShare",
    "Columns",
    "GroupPeriod",
    "Histogram",
    "ModelDrift",
    "Monitoring",
    "Period",
    "ReasonDrift",
    "Stability",
    "Thresholds",
    "monitor",
    "periods_of",
    "stability",
    "watch",
]
