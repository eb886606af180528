"""Models learned from DuckDB and from memory: the same bytes, however the rows are stored, weighed and read."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.errors import InputError
from scrutable.model import dumps, dumps_evidence

#: More rows than are kept one by one, so that numbers come in buckets.
ROWS = 34_000
REGIONS = np.array(["north", "North", "north ", "", None], dtype=object)
#: By name, a learner, what it is told of special codes by itself or by its binner, and its options.
LEARNERS: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    "quantile": ("scorecard", "quantile", {}),
    "optimal": ("scorecard", "optimal", {}),
    "one-hot": ("scorecard", "quantile", {"encoding": "one-hot", "select": None}),
    "additive": ("additive", None, {}),
    "pairs": ("additive", None, {"pairs": 1, "class_weight": "balanced", "max_points": 30}),
    "small": ("additive", None, {"max_points": 3, "max_steps": 8, "aim": "outcomes"}),
    "bounded": ("lda-xgb1", "xgb1", {"bound": 0.002, "select": "standard"}),
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Applicants with missing values, special codes, a rare flag, heavy numbers, texts that look alike, and weights."""
    rng = np.random.default_rng(5)
    credit = make_credit(ROWS, seed=5)
    frame = credit.X.assign(
        paid=np.asarray(credit.y),
        sex=rng.choice(["f", "m"], ROWS, p=[0.4, 0.6]),
        region=pd.Series(
            rng.choice(np.array(["north", "North", "north ", "", None], dtype=object), ROWS), dtype=object
        ),
        flag=(rng.random(ROWS) < 0.004).astype(float),
        heavy=np.where(rng.random(ROWS) < 0.5, 1000.0, np.round(rng.lognormal(7, 1, ROWS), 2)),
        since=np.where(rng.random(ROWS) < 0.2, -9.0, rng.integers(0, 400, ROWS).astype(float)),
        weight=rng.uniform(0.2, 3.0, ROWS),
    )
    frame.loc[rng.random(ROWS) < 0.1, "heavy"] = np.nan
    return frame


def _learned(chosen: str, X: Any, y: Any, favourable: Any, **further: Any) -> tuple[str, str]:
    name, binner, options = LEARNERS[chosen]
    told: dict[str, Any] = {"special_codes": {"since": [-9.0]}}
    told = told if binner is None else {"binner": create("binner", binner, **told)}
    if "bound" in options:
        bound = create("constraint", "fairness-information-value", bound=options["bound"])
        options = {key: value for key, value in options.items() if key != "bound"} | {"constraints": bound}
    learner = create("learner", name, **options, **told, favourable=favourable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner.fit(X, y, **further)
    return dumps(learner.model_), dumps_evidence(learner.evidence_)


@pytest.mark.parametrize("weighted", [False, True], ids=["counted", "weighted"])
@pytest.mark.parametrize("chosen", LEARNERS)
def test_models_are_the_same_to_the_last_byte(frame: pd.DataFrame, tmp_path: Path, chosen: str, weighted: bool) -> None:
    """In DuckDB the rows are shuffled and lie in 16 files; one reading has a thread, the other two."""
    inputs = [name for name in frame if name not in ("paid", "sex", "weight")]
    favourable = sorted(frame["paid"].unique())[-1]
    in_memory = _learned(
        chosen,
        frame[inputs],
        frame["paid"],
        favourable,
        sensitive_features=frame[["sex"]],
        sample_weight=frame["weight"] if weighted else None,
    )
    shuffled = frame.sample(frac=1, random_state=1)
    stored = shuffled if weighted else shuffled.drop(columns="weight")
    for number, rows in enumerate(np.array_split(np.arange(len(stored)), 16)):
        stored.iloc[rows].to_parquet(tmp_path / f"part{number}.parquet", index=False)
    for threads in (1, 2):
        connection = duckdb.connect(config={"threads": threads})
        relation = connection.sql(f"FROM '{tmp_path}/*.parquet'")
        there = _learned(
            chosen,
            relation,
            "paid",
            favourable,
            sensitive_features=["sex"],
            sample_weight="weight" if weighted else None,
        )
        assert there == in_memory


def test_real_data_gives_the_same_model() -> None:
    german = load_german_credit()
    rows = german.X.assign(outcome=german.y)
    connection = duckdb.connect()
    relation = connection.sql("FROM rows ORDER BY hash(credit_amount)")
    options = {"binner": "optimal"}
    learner = create("learner", "scorecard", **options).fit(german.X, german.y.rename("outcome"))
    there = create("learner", "scorecard", **options).fit(relation, "outcome")
    assert dumps(there.model_) == dumps(learner.model_)
    assert len(rows) == there.predict(german.X).size


@pytest.mark.parametrize("name", ["rug", "fairgbm", "fcca-tree"])
def test_learners_that_need_the_rows_say_so(name: str) -> None:
    relation = duckdb.connect().sql("SELECT 1.0 AS age, 'good' AS paid")
    with pytest.raises(InputError, match="needs the rows themselves"):
        create("learner", name).fit(relation, "paid")


def test_binners_that_need_the_rows_say_so() -> None:
    relation = duckdb.connect().sql("SELECT 1.0 AS age, 'good' AS paid")
    with pytest.raises(InputError, match="OptBinningBinner needs the rows themselves"):
        create("binner", "optbinning").fit(relation, "paid")
