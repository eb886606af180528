"""How close the predictions of a quantity come on rows that the model did not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.model import RegressionScorecard
from scrutable.model.evaluator import evaluate
from scrutable.writing import plain
from scrutable_lifecycle.figures import Figure


@dataclass(frozen=True, kw_only=True)
class QuantityMeasured:
    """Predictions beside what was measured.

    Parameters
    ----------
    r2 : share of the variance that is explained; NaN where there is none.
    mean_absolute_error, root_mean_squared_error : in the target's unit.
    """

    n_rows: int
    r2: float
    mean_absolute_error: float
    root_mean_squared_error: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        errors = {"mean_absolute_error": self.mean_absolute_error, "rmse": self.root_mean_squared_error}
        return {"rows": self.n_rows, "r2": plain(self.r2), **errors}

    def figures(self) -> Iterator[Figure]:
        """R² and errors."""
        for name in ("r2", "mean_absolute_error", "root_mean_squared_error"):
            yield Figure(name, getattr(self, name))


def measure_quantity(
    model: RegressionScorecard, X: pd.DataFrame, y: pd.Series, weight: NDArray[np.float64] | None
) -> QuantityMeasured:
    """The errors of n predictions, weighted; `y` holds numbers."""
    actual = y.to_numpy(dtype=np.float64)
    error = actual - evaluate(model, X).score
    squared = float(np.average(error**2, weights=weight))
    variance = float(np.average((actual - np.average(actual, weights=weight)) ** 2, weights=weight))
    return QuantityMeasured(
        n_rows=len(actual),
        r2=1 - squared / variance if variance else float("nan"),
        mean_absolute_error=float(np.average(np.abs(error), weights=weight)),
        root_mean_squared_error=squared**0.5,
    )
