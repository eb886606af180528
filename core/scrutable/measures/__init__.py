"""Figures of scores and outcomes: separation, stability, reliability, and the numerics that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.measures.calibration_figures import wilson_interval
    from scrutable.measures.calibration_line import Levels, likeliest_line
    from scrutable.measures.calibration_shift import FAR, solve_shift
    from scrutable.measures.comparing import effective_size, effective_sizes, normal_quantile
    from scrutable.measures.edges import MOST_BANDS, band_edges, band_of
    from scrutable.measures.measured_reliability import model_reliability, reliability, reliability_of
    from scrutable.measures.numerics.counts import HALF_A_ROW
    from scrutable.measures.population_stability import Stability, stability
    from scrutable.measures.regression_coefficients import Coefficient, Held, PureAttribute, TiedTogether
    from scrutable.measures.regression_figures import REGRESSION_FIGURES, RegressionFigures
    from scrutable.measures.regression_table import CoefficientTable
    from scrutable.measures.regression_words import ATTRIBUTES, fit_in_words, p_in_words, remarks, warnings_in_words
    from scrutable.measures.reliability_results import Reliability, ReliabilityBin, ReliabilityCurve
    from scrutable.measures.resampling import Interval, check_bootstrap, percentile_interval
    from scrutable.measures.score_bands import ScoreBands
    from scrutable.measures.scored import Basis, RankedBy, Scored, score_cohort, score_rows
    from scrutable.measures.scored_files import ScoredFile
    from scrutable.measures.scoring import score
    from scrutable.measures.separating_power import performance
    from scrutable.measures.separation_curves import SeparationCurve, Tenth, separation_curve

__all__ = [
    "ATTRIBUTES",
    "FAR",
    "HALF_A_ROW",
    "MOST_BANDS",
    "REGRESSION_FIGURES",
    "Basis",
    "Coefficient",
    "CoefficientTable",
    "Held",
    "Interval",
    "Levels",
    "PureAttribute",
    "RankedBy",
    "RegressionFigures",
    "Reliability",
    "ReliabilityBin",
    "ReliabilityCurve",
    "ScoreBands",
    "Scored",
    "ScoredFile",
    "SeparationCurve",
    "Stability",
    "Tenth",
    "TiedTogether",
    "band_edges",
    "band_of",
    "check_bootstrap",
    "effective_size",
    "effective_sizes",
    "fit_in_words",
    "likeliest_line",
    "model_reliability",
    "normal_quantile",
    "p_in_words",
    "percentile_interval",
    "performance",
    "reliability",
    "reliability_of",
    "remarks",
    "score",
    "score_cohort",
    "score_rows",
    "separation_curve",
    "solve_shift",
    "stability",
    "warnings_in_words",
    "wilson_interval",
]

__getattr__ = lazily(__name__)
