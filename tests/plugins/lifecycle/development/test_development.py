"""A run developed on a frame: who is refused, and how each kind of outcome is measured and tabulated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError
from scrutable_lifecycle.development import (
    Choice,
    DataConfig,
    OutputConfig,
    RejectConfig,
    Run,
    SplitConfig,
    develop,
    dump_run,
    load_run,
)

QUICK = Choice(name="quantile", options={"max_bins": 4})


@pytest.fixture(scope="module")
def credit() -> Dataset:
    return make_credit(600, seed=2)


@pytest.fixture(scope="module")
def frame(credit: Dataset) -> pd.DataFrame:
    generator = np.random.default_rng(0)
    more = {"paid": 1 - credit.y, "sex": credit.sensitive_features["sex"], "booked": generator.random(600) < 0.7}
    return credit.X.assign(**more)


def run_of(target: str = "paid", **changes: Any) -> Run:
    columns = DataConfig(target=target, favourable=1, protected=("sex",), drop=("booked",))
    return replace(Run(data=columns, binner=QUICK), **changes)


def test_a_run_without_applicants_is_refused() -> None:
    with pytest.raises(InputError, match=r"data: there are no applicants. Fix: give a frame or the path of a file"):
        develop(run_of())


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (pl.LazyFrame({"paid": [1]}), r"data: a lazy frame has no values yet.*call collect\(\)"),
        ([1, 2], r"data: neither a frame nor a path.*a pandas, Polars or PyArrow frame"),
        (pl.DataFrame({"paid": []}), r"data: no rows"),
        (pd.DataFrame({"piad": [1]}), r"data: no such column; got 'paid'.*piad"),
    ],
)
def test_what_holds_no_applicants_is_refused(data: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        develop(run_of(), data)


def test_rows_are_numbered_anew_whatever_the_index_says(frame: pd.DataFrame) -> None:
    shuffled = frame.set_axis(frame.index[::-1], axis=0)
    assert develop(run_of(), shuffled).model == develop(run_of(), frame).model


def test_the_path_of_the_config_and_a_path_given_do_alike(frame: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "loans.csv"
    frame.to_csv(path, index=False)
    named = run_of(data=replace(run_of().data, path=str(path)))
    assert develop(named).to_dict() == develop(run_of(), path).to_dict() == develop(named, frame).to_dict()


def test_rejects_are_inferred_from_a_frame(frame: pd.DataFrame) -> None:
    run = run_of(data=replace(run_of().data, drop=(), accepted="booked"), reject_inference=RejectConfig(method="fuzzy"))
    developed = develop(run, pl.from_pandas(frame))
    assert developed.population is not None
    assert developed.population.declined is not None
    assert developed.population.declined.rows == (~frame["booked"]).sum()


def test_classes_and_quantities_have_their_own_figures(frame: pd.DataFrame) -> None:
    rated = frame.assign(rating=pd.cut(frame["bureau_score"], 3, labels=["a", "b", "c"]).astype(str))
    columns = DataConfig(target="rating", drop=("booked", "bureau_score", "sex", "paid"))
    three = develop(Run(data=columns, learner=Choice(name="rug", options={"iterations": 2})), rated)
    assert list(three.frame()["group"]) == ["", *three.model.outcome.classes]
    columns = replace(columns, target="income", drop=("booked", "sex", "paid"))
    predicted = develop(Run(data=columns, learner=Choice(name="scorecard-regressor")), frame[frame["income"].notna()])
    assert list(predicted.frame()["measure"]) == ["r2", "mean_absolute_error", "root_mean_squared_error"]
    assert "R²" in repr(predicted)


def test_without_rows_held_out_there_are_no_figures(frame: pd.DataFrame) -> None:
    developed = develop(run_of(split=SplitConfig(test_size=0)), frame)
    assert developed.measured is None
    assert len(developed.frame()) == 0
    assert repr(developed).startswith("Developed(additive, 600 rows to learn from, 0 held out, ")


def test_a_file_has_to_say_what_python_may_leave_out(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text(dump_run(run_of(output=OutputConfig(model="m.json"))))
    with pytest.raises(InputError, match=r"option 'data': a value is missing.*allowed: path = …"):
        load_run(path)
    path.write_text(dump_run(run_of(data=DataConfig(path="loans.csv", target="paid"))))
    with pytest.raises(InputError, match=r"a value is missing.*allowed: output = …"):
        load_run(path)
    path.write_text('[data]\npath = 5\ntarget = "paid"\n')
    with pytest.raises(InputError, match=r"option 'path': a value of the wrong type; got 5; allowed: text\."):
        load_run(path)
