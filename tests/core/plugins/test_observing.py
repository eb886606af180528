"""What the data of a fit held stands in the model's features, and tells of no single person."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable import create
from scrutable.data.disclosure.smallest_count import min_cell, told_from
from scrutable.model import dumps
from scrutable.model.evaluator import results
from scrutable.plugins.bases.observing import outward, range_of_many


def fitted(rows: pd.DataFrame, y: Any, **options: Any) -> Any:
    return create("learner", "scorecard", binner="quantile", select=None).fit(rows, y, **options).model_


def data() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    age = rng.integers(19, 76, 600).astype(float)
    income = rng.uniform(1234.5, 87654.3, 600)
    job = rng.choice(["cook", "smith"], 600)
    y = (age + income / 1000 + rng.normal(0, 20, 600) > 90).astype(int)
    return pd.DataFrame({"age": age, "income": income, "job": job}), y


def test_a_fit_records_ranges_and_flags_what_is_outside_of_them() -> None:
    X, y = data()
    model = fitted(X, y)
    observed = {feature.name: feature.observed for feature in model.features}
    assert observed["age"] == (19.0, 75.0)
    assert observed["income"] == (1800.0, 87000.0)
    own = np.asarray(results(model, X, ["out_of_range_inputs"])["out_of_range_inputs"])
    assert 0 < own.sum() <= 2 * (min_cell() - 1), "the rows at the ends are too few to be told of"
    rows = pd.DataFrame({"age": [-5000.0, 40.0], "income": [2000.0, 2000.0], "job": ["cook", "PhD"]})
    told = results(model, rows, ["status", "out_of_range_inputs"])
    assert told["out_of_range_inputs"].tolist() == [1, 0]
    assert told["status"][0] == "number out of range"


def test_rows_without_weight_special_codes_and_infinity_are_not_observed() -> None:
    X, y = data()
    weight = np.ones(len(X))
    X.loc[0, "age"], weight[0] = 5000.0, 0.0
    X.loc[1:40, "age"] = -9.0
    X.loc[41:60, "age"] = np.inf
    binner = create("binner", "quantile", special_codes={"age": [-9]})
    model: Any = create("learner", "scorecard", binner=binner).fit(X, y, sample_weight=weight).model_
    assert {feature.name: feature.observed for feature in model.features}["age"] == (19.0, 75.0)


def test_categories_of_fewer_rows_than_anything_is_told_of_are_not_recorded() -> None:
    X, y = data()
    X.loc[:3, "job"] = "mayor of Riverton"
    X.loc[4:8, "job"] = "miller"
    model = fitted(X, y)
    assert "Riverton" not in dumps(model)
    rows = X.iloc[[0, 4, 20]].assign(income=2000.0, age=40.0)
    assert results(model, rows, ["unseen_inputs"])["unseen_inputs"].tolist() == [1, 0, 0]
    with told_from(1):
        assert "Riverton" in dumps(fitted(X, y))


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=0, max_size=30), st.lists(FINITE, max_size=4))
def test_no_end_tells_of_fewer_rows_than_anything_is_told_of(values: list[float], others: list[float]) -> None:
    """Whatever the four rows at an end hold beyond it, the range is the same; and all is told where one row may be."""
    ordered = np.sort(np.array(values))
    observed = range_of_many(ordered)
    assert bool(observed) == (len(values) >= 10)
    if observed:
        for at, end in ((slice(None, 4), -1), (slice(-4, None), 1)):
            moved = ordered.copy()
            far = [end * abs(other) for other in others] + [end * 1e308] * (4 - len(others))
            moved[at] = np.maximum(moved[-5], far) if end == 1 else np.minimum(moved[4], far)
            assert range_of_many(moved) == observed
    if len(values) > 1:
        with told_from(1):
            assert range_of_many(ordered) == outward(ordered[0], ordered[-1])


@given(FINITE, FINITE)
def test_ends_are_rounded_outward_to_two_digits(one: float, other: float) -> None:
    least, greatest = outward(min(one, other), max(one, other))
    assert least <= min(one, other)
    assert max(one, other) <= greatest
    for end, value in ((least, min(one, other)), (greatest, max(one, other))):
        if 1e-300 < abs(value) < 1e300:
            assert float(f"{end:.1e}") == end
            assert abs(end - value) <= 0.1001 * abs(value)


@pytest.mark.parametrize("value", [0.0, 99.5, -99.5, 1e-5, 123456.0])
def test_ends_are_near(value: float) -> None:
    least, greatest = outward(value, value)
    assert least <= value <= greatest
    assert greatest - least <= 0.2 * abs(value)
