"""Monitoring: drift of the score, its inputs and its reasons, performance and disparity over time, and alerts."""

from scrutable.monitoring.checks import Check
from scrutable.monitoring.disparity import GroupPeriod
from scrutable.monitoring.monitor import monitor
from scrutable.monitoring.outcomes import Calibrated
from scrutable.monitoring.parts import Part
from scrutable.monitoring.performance import Period
from scrutable.monitoring.periods import periods_of
from scrutable.monitoring.reasons import CodeShare, ReasonDrift
from scrutable.monitoring.result import Monitoring
from scrutable.monitoring.scores import Histogram
from scrutable.monitoring.stability import Band, Stability, stability
from scrutable.monitoring.thresholds import Thresholds

__all__ = [
    "Band",
    "Calibrated",
    "Check",
    "CodeShare",
    "GroupPeriod",
    "Histogram",
    "Monitoring",
    "Part",
    "Period",
    "ReasonDrift",
    "Stability",
    "Thresholds",
    "monitor",
    "periods_of",
    "stability",
]
