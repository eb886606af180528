"""Number solving shared by several plugins: exact counts per bin, and logistic regression over binned inputs.

Nothing in here builds a model or knows one. Everything works on counts and grouped patterns, so that a database could
supply them. The modules import numpy and scipy, so import them where they are used: this package imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.data.compiling import compiled, compiled_part
    from scrutable.measures.numerics.binned_logistic import BinnedLogisticFit, fit_binned_logistic
    from scrutable.measures.numerics.blocks import Block, one_hot_block, woe_block
    from scrutable.measures.numerics.box_quadratic import minimise_box_quadratic, minimise_many_in_box
    from scrutable.measures.numerics.counts import (
        Strength,
        bin_counts,
        information_value,
        information_value_by_bin,
        outcome_information_by_bin,
        strength,
        weight_of_evidence,
    )
    from scrutable.measures.numerics.problem_forms import TableProblem
    from scrutable.measures.numerics.quantity_spread import QuantitySpread, spread_of
    from scrutable.measures.numerics.regression_errors import RegressionErrors, linear_errors, logistic_errors
    from scrutable.measures.numerics.regression_terms import RegressionTerm, TiedAttributes
    from scrutable.measures.numerics.row_space import CHEAP, RowSpace
    from scrutable.measures.numerics.score_gap import ScoreGap

__all__ = [
    "CHEAP",
    "BinnedLogisticFit",
    "Block",
    "QuantitySpread",
    "RegressionErrors",
    "RegressionTerm",
    "RowSpace",
    "ScoreGap",
    "Strength",
    "TableProblem",
    "TiedAttributes",
    "bin_counts",
    "compiled",
    "compiled_part",
    "fit_binned_logistic",
    "information_value",
    "information_value_by_bin",
    "linear_errors",
    "logistic_errors",
    "minimise_box_quadratic",
    "minimise_many_in_box",
    "one_hot_block",
    "outcome_information_by_bin",
    "spread_of",
    "strength",
    "weight_of_evidence",
    "woe_block",
]

__getattr__ = lazily(__name__)
