"""How well a card does on the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_sum
from scrutable_additive.tallies import Point, Rows

Floats = NDArray[np.float64]


def measured(rows: Rows, values: Floats, intercept: float) -> dict[str, float]:
    """AUC and mean log-loss, by (K,) values of bins and the log-odds where all are 0."""
    log_odds = rows.log_odds(values, intercept)
    return {
        "auc": rows.auc(log_odds),
        "log_loss": Point.of(rows, log_odds).loss / exact_sum(rows.weight),
    }
