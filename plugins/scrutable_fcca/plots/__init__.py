"""Pictures of a discretisation: its thresholds, and what a quantile of them costs."""

from __future__ import annotations

from scrutable_fcca.plots.compression import plot_compression
from scrutable_fcca.plots.thresholds import plot_thresholds

__all__ = ["plot_compression", "plot_thresholds"]
