"""What DuckDB writes of rows is what the evaluator says of them, and stands there whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from scrutable import create
from scrutable.data.frames import read_file
from scrutable.errors import InputError, KindError, PluginError
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import registry
from scrutable.testing.contract.examples.models import models_named

MODELS = models_named()


def source(place: object, **options: Any) -> Any:
    return registry().load("source", "duckdb").opened(str(place), **options)


def rows_for(model: Any, n: int = 3000) -> pd.DataFrame:
    """Numbers around all that a model tells apart, and texts, known and not."""
    draw = np.random.default_rng(3)
    numbers = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, *range(-3, 60), *draw.normal(30, 40, 60)])
    texts = np.array(["cook", "Cook", "cook ", "clerk", "x", "", None, "e\u0301"], dtype=object)
    kinds = {feature.name: feature.kind for feature in model.features}
    return pd.DataFrame(
        {name: draw.choice(numbers if kind == "numeric" else texts, n) for name, kind in kinds.items()}
        | {"loan": np.arange(n)}
    )


def expected(model: Any, frame: Any, points: bool = True) -> pd.DataFrame:
    whole = pd.DataFrame(dict(evaluate(model, frame).frame()))
    return whole if points else whole.loc[:, [not name.startswith("points_") for name in whole]]


def same(got: pd.DataFrame, wanted: pd.DataFrame) -> None:
    """The same to the last bit, but for probabilities."""
    assert list(got) == list(wanted)
    for name in wanted:
        ours, theirs = got[name].to_numpy(), wanted[name].to_numpy()
        if ours.dtype.kind in "fi":
            assert ours.dtype == theirs.dtype, name
            near = 4e-16 * np.abs(theirs) if name.startswith("prob") else 0.0
            assert (np.abs(ours - theirs) <= near)[~np.isnan(theirs)].all(), name
            assert (np.isnan(ours) == np.isnan(theirs)).all(), name
        else:
            assert [None if pd.isna(x) else x for x in ours] == [None if pd.isna(x) else x for x in theirs], name


# --- the same results ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_models_of_each_kind_give_what_the_evaluator_says(tmp_path: Path, name: str) -> None:
    model = MODELS[name]
    frame = rows_for(model)
    pl.from_pandas(frame).write_parquet(tmp_path / "rows.parquet", row_group_size=500)
    wanted = expected(model, frame.drop(columns="loan")).drop(columns="rules", errors="ignore")
    done = source(tmp_path / "rows.parquet").score_into(model, str(tmp_path / "out.parquet"), list(wanted))
    assert done.rows == len(frame)
    assert done.approved == (wanted["approved"].sum() if "approved" in wanted else None)
    same(pd.read_parquet(tmp_path / "out.parquet"), wanted)


@pytest.mark.real_data
@pytest.mark.parametrize(("file", "target"), [("taiwan_default", "y"), ("simucredit_v2", "Status")])
def test_all_rows_of_a_real_file_give_what_the_evaluator_says(
    tmp_path: Path, data_dir: Path, file: str, target: str
) -> None:
    frame = read_file(data_dir / f"{file}.csv.gz")
    X, y = frame.drop(columns=target), frame[target]
    model = create("learner", "scorecard", binner="quantile", favourable=0, allow_protected=[*X]).fit(X, y).model_
    X.to_parquet(tmp_path / "rows.parquet", index=False)
    wanted = expected(model, X)
    source(tmp_path / "rows.parquet").score_into(model, str(tmp_path / "out.parquet"), list(wanted))
    same(pd.read_parquet(tmp_path / "out.parquet"), wanted)


def test_rows_of_several_files_come_in_their_order(tmp_path: Path) -> None:
    model, data = MODELS["scorecard"], rows_for(MODELS["scorecard"], 400_000)
    for part in range(4):
        data.iloc[part * 100_000 : (part + 1) * 100_000].to_parquet(tmp_path / f"rows{part}.parquet", index=False)
    source(tmp_path / "rows*.parquet", threads=2).score_into(model, str(tmp_path / "out.parquet"), ["score"])
    wanted = expected(model, data.drop(columns="loan"))[["score"]]
    same(pd.read_parquet(tmp_path / "out.parquet"), wanted)


# --- tables -------------------------------------------------------------------------------------------------


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A database with applicants."""
    with duckdb.connect(tmp_path / "bank.duckdb") as connection:
        connection.register("rows", rows_for(MODELS["scorecard"], 50))
        connection.execute("CREATE SCHEMA lending")
        connection.execute("CREATE TABLE lending.loans AS SELECT * FROM rows")
    return tmp_path / "bank.duckdb"


def table(bank: Path, name: str) -> pd.DataFrame:
    with duckdb.connect(bank, read_only=True) as connection:
        return connection.sql(f"SELECT * FROM {name} ORDER BY loan").df()


@pytest.mark.parametrize("same_file", [True, False])
def test_results_go_to_a_table(bank: Path, same_file: bool) -> None:
    other = bank if same_file else bank.with_name("other.duckdb")
    with duckdb.connect(other) as connection:
        connection.execute('CREATE SCHEMA "my scores"')
    rows, model = source(f"{bank}::lending.loans"), MODELS["scorecard"]
    place = f'{other}::"my scores".today'
    done = rows.score_into(model, place, ["score", "approved"], identifier="loan")
    assert done.rows == 50
    with pytest.raises(InputError, match="exists already"):
        rows.score_into(model, place, ["score"], identifier="loan")
    rows.score_into(model, place, ["score"], identifier="loan", overwrite=True)
    assert sum(batch.n_rows for batch in rows.batches(["loan"])) == 50
    with pytest.raises(duckdb.InvalidInputException, match="read-only"):
        rows._rows.cursor().execute("DROP TABLE lending.loans")
    del rows
    got = table(other, '"my scores".today')
    same(got[["score"]], expected(model, rows_for(model, 50).drop(columns="loan"))[["score"]])


def test_a_table_stays_as_it_was_where_scoring_fails(bank: Path) -> None:
    with duckdb.connect(bank) as connection:
        connection.execute("CREATE TABLE scores AS SELECT 1 AS loan, 'precious' AS word")
        connection.execute(
            "CREATE VIEW bad AS SELECT loan, amount, job, age, CAST('x' || region AS DOUBLE) AS region "
            "FROM lending.loans"
        )
    rows = source(f"{bank}::bad")
    with pytest.raises(InputError, match="Conversion Error"):
        rows.score_into(MODELS["scorecard"], f"{bank}::scores", ["score"], identifier="loan", overwrite=True)
    del rows
    assert table(bank, "scores")["word"].tolist() == ["precious"]


# --- whole or not at all ------------------------------------------------------------------------------------


def test_a_file_stays_as_it_was_where_scoring_fails(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("amount,job,age,region\n1,x,1,1\n1,x,1,secret\n", encoding="utf-8")
    (tmp_path / "out.parquet").write_text("precious", encoding="utf-8")
    rows = source(tmp_path / "rows.csv", numbers=["amount", "age", "region"])
    with pytest.raises(InputError, match="Conversion Error") as refused:
        rows.score_into(MODELS["scorecard"], str(tmp_path / "out.parquet"), ["score"], overwrite=True)
    assert "secret" not in str(refused.value)
    assert (tmp_path / "out.parquet").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_no_rows_are_told_and_nothing_written(tmp_path: Path) -> None:
    rows_for(MODELS["scorecard"], 5).iloc[:0].astype({"job": "str"}).to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(InputError, match="no rows"):
        source(tmp_path / "rows.parquet").score_into(MODELS["scorecard"], str(tmp_path / "out.parquet"), ["score"])
    assert not (tmp_path / "out.parquet").exists()


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "values", "error", "words"),
    [
        ("region", ["x", "y"], KindError, "numbers when the model was fitted, text now"),
        ("job", [1.0, 2.0], KindError, "text when the model was fitted, numbers now"),
        ("Job", ["x", "y"], InputError, "no such column; got 'job'"),
        ("region", pd.to_datetime(["2024-01-01", "2024-01-02"]), KindError, "each argument must be a string or a num"),
    ],
)
def test_columns_of_another_kind_are_refused(
    tmp_path: Path, column: str, values: Any, error: type[Exception], words: str
) -> None:
    frame = pd.DataFrame({"amount": [1.0, 2.0], "job": ["x", "y"], "age": [1.0, 2.0], "region": [1.0, 2.0]})
    frame = frame.drop(columns=column.lower()).assign(**{column: values})
    frame.to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(error, match=words):
        source(tmp_path / "rows.parquet").score_into(MODELS["scorecard"], str(tmp_path / "out.parquet"), ["score"])


def test_a_column_that_is_empty_is_of_any_kind(tmp_path: Path) -> None:
    frame = pd.DataFrame({"amount": [1.0, 2.0], "job": [np.nan, np.nan], "age": [1.0, 2.0], "region": [1.0, 2.0]})
    frame.to_parquet(tmp_path / "rows.parquet")
    source(tmp_path / "rows.parquet").score_into(MODELS["scorecard"], str(tmp_path / "out.parquet"), ["score"])
    same(pd.read_parquet(tmp_path / "out.parquet"), expected(MODELS["scorecard"], frame)[["score"]])


def test_what_sql_does_not_tell_is_refused(tmp_path: Path) -> None:
    rows_for(MODELS["rule-set"], 5).to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(InputError, match="SQL does not tell it; got 'rules'"):
        source(tmp_path / "rows.parquet").score_into(MODELS["rule-set"], str(tmp_path / "out.parquet"), ["rules"])


def test_a_relation_that_was_given_is_not_scored_by_its_connection() -> None:
    with duckdb.connect() as connection:
        rows = registry().load("source", "duckdb").taken(connection.sql("SELECT 1 AS age"))
        with pytest.raises(PluginError, match="works nothing out"):
            rows.score_into(MODELS["scorecard"], "out.parquet", ["score"])


def test_how_far_it_is_is_told(tmp_path: Path) -> None:
    model = MODELS["scorecard"]
    for part in range(20):
        rows_for(model, 100_000).to_parquet(tmp_path / f"rows{part}.parquet")
    told: list[str] = []
    rows = source(tmp_path / "rows*.parquet", threads=1)
    rows.score_into(model, str(tmp_path / "out.parquet"), ["score"], say=told.append)
    assert all(each.startswith("Scoring, ") and each.endswith(" %") for each in told)
