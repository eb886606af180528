"""Figures of scores and outcomes: separation, stability, reliability, and the numerics that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.measures.measured_reliability import reliability
    from scrutable.measures.population_stability import Stability, stability
    from scrutable.measures.resampling import percentile_interval
    from scrutable.measures.score_bands import ScoreBands

__all__ = [
    "ScoreBands",
    "Stability",
    "percentile_interval",
    "reliability",
    "stability",
]

__getattr__ = lazily(__name__)
