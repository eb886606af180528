"""How close the predictions of a quantity come on rows that the model did not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.table import Table

from scrutable.cli.output import table
from scrutable.model import RegressionScorecard
from scrutable.model.evaluator import evaluate
from scrutable.writing.plain import plain


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


def quantity_table(found: QuantityMeasured) -> Table:
    """R² and errors, a row each."""
    r2 = "undefined" if found.r2 != found.r2 else f"{found.r2:.3f}"
    rows = [
        ("R², the share of the variance explained", r2),
        ("mean absolute error", f"{found.mean_absolute_error:.4g}"),
        ("root mean squared error", f"{found.root_mean_squared_error:.4g}"),
    ]
    return table(("", f"{found.n_rows:,} held-out rows"), rows, right=(1,))
