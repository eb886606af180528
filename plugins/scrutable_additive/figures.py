"""How well a card does on the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_bincount, exact_sum
from scrutable_additive.tallies import Point, Rows

Floats = NDArray[np.float64]


def measured(rows: Rows, values: Floats, intercept: float) -> dict[str, float]:
    """AUC and mean log-loss, by (K,) values of bins and the log-odds where all are 0."""
    log_odds = rows.log_odds(values, intercept)
    return {
        "auc": area_under_curve(rows, np.round(log_odds, 9)),
        "log_loss": Point.of(rows, log_odds).loss / exact_sum(rows.weight),
    }


def area_under_curve(rows: Rows, score: Floats) -> float:
    """Area under the ROC curve.

    A library's takes many times as long to check what it is given, and there are a dozen cards; summed by distinct
    score, it is the same in every order of the rows.
    """
    levels, place = np.unique(score, return_inverse=True)
    good = exact_bincount(place, rows.weight * rows.good, len(levels))
    bad = exact_bincount(place, rows.weight * (1 - rows.good), len(levels))
    return float(good @ (np.cumsum(bad) - bad / 2)) / float(good.sum() * bad.sum())
