"""Samples whose columns are named instead of given apart."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from scrutable.errors import InputError
from scrutable.model import Scorecard
from scrutable.testing.cards import card
from scrutable_lifecycle.monitoring import Columns, monitor

ROWS = {
    "amount": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "job": ["cook", "x", "cook", "x", "cook", None],
    "age": [20.0, 30.0, 40.0, 50.0, 60.0, 70.0],
    "region": [1.0] * 6,
}
PAID, DATES = ["yes", "no", "yes", "no", "yes", None], ["2026-01-02"] * 3 + ["2026-02-03"] * 3
TOLD = {"paid": PAID, "when": DATES, "w": [1.0] * 6}


@pytest.fixture(scope="module")
def model() -> Scorecard:
    return card()


def frame(model: Scorecard) -> pd.DataFrame:
    names = {feature.name for feature in model.features}
    return pd.DataFrame({**{name: values for name, values in ROWS.items() if name in names}, **TOLD})


def test_columns_do_as_arrays_do(model: Scorecard, tmp_path: Path) -> None:
    rows = frame(model)
    good = model.outcome.favourable
    [bad] = {*model.outcome.classes} - {good}
    y, weight = rows["paid"].map({"yes": good, "no": bad}), rows["w"]
    weighted = {"sample_weight": weight, "weight_baseline": weight}
    apart = monitor(model, rows, rows, y_baseline=y, y=y, dates=rows["when"], **weighted)
    columns = Columns(target="paid", favourable="yes", date="when", weight="w")
    named = monitor(model, rows, pl.from_pandas(rows), columns=columns)
    assert named.to_dict() == apart.to_dict()
    assert isinstance(named.frame(), pl.DataFrame)
    assert isinstance(apart.frame(), pd.DataFrame)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    assert monitor(model, tmp_path / "rows.csv", tmp_path / "rows.csv", columns=columns).to_dict() == apart.to_dict()


def test_a_column_that_a_frame_lacks_is_named_as_of_the_data(model: Scorecard) -> None:
    rows = frame(model)
    with pytest.raises(InputError, match=r"--date, data: .*'whem'"):
        monitor(model, rows, rows, columns=Columns(date="whem"))
    with pytest.raises(InputError, match=r"--target: .*'pain'"):
        monitor(model, rows, rows, columns=Columns(target="pain"))
