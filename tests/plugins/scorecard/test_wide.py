"""More columns than rows: what a fit costs grows with rows times columns."""

from __future__ import annotations

import tracemalloc
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data import CodedArrays
from scrutable.errors import InputError
from scrutable_scorecard import learner, least_squares, regressor
from scrutable_scorecard.least_squares import fit_least_squares

ROWS = 100


def wide(columns: int) -> tuple[pd.DataFrame, np.ndarray]:
    values = np.random.default_rng(7).normal(size=(ROWS, columns))
    return pd.DataFrame(values).add_prefix("x"), (values[:, :9].sum(axis=1) > 0).astype(int)


@pytest.mark.parametrize(
    ("name", "options", "module", "regression"),
    [
        ("scorecard", {"select": None}, learner, "fit_binned_logistic"),
        ("scorecard-regressor", {}, regressor, "fit_least_squares"),
    ],
)
def test_the_regression_of_a_fit_takes_memory_of_rows_times_columns(
    name: str, options: dict[str, Any], module: ModuleType, regression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = wide(1200)
    most, solve = [], getattr(module, regression)

    def traced(*arguments: Any, **options: Any) -> Any:
        tracemalloc.start()
        found = solve(*arguments, **options)
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        return found

    monkeypatch.setattr(module, regression, traced)
    options = {"select": None} if name == "scorecard" else {}
    create("learner", name, **options).fit(X, y)
    assert most[0] < 60 * X.size  # a matrix of the columns alone takes 96 bytes for each


def test_by_rows_least_squares_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    rows = CodedArrays([np.arange(40)] * 90, [40] * 90, rng.normal(size=40), rng.random(40))
    encoded = list(rng.normal(size=(90, 40)))
    lower = np.where(rng.random(90) < 0.7, 0.0, -np.inf)
    expected = fit_least_squares(rows, encoded, lower, ridge=1e-3)
    monkeypatch.setattr(least_squares, "CHEAP", 0)
    found = fit_least_squares(rows, encoded, lower, ridge=1e-3)
    np.testing.assert_allclose(found, expected, atol=1e-10)
    assert 0 < np.count_nonzero(expected == 0) < 90
    np.testing.assert_array_equal(found == 0, expected == 0)
    with pytest.raises(InputError, match="characteristics add up to one another; got 0"):
        fit_least_squares(rows, encoded, lower, ridge=0)
