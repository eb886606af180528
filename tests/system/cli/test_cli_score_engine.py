"""`scrutable score --engine`: rows scored where they live."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrutable import create, dump
from scrutable.data.datasets import load_german_credit
from scrutable.testing.contract.examples.models import models_named

Run = Callable[..., Any]
MODELS = models_named()


def rows(n: int) -> pd.DataFrame:
    """Applicants for the scorecard among the models."""
    draw = np.random.default_rng(0)
    numbers = {name: draw.normal(20, 20, n) for name in ("amount", "age", "region")}
    return pd.DataFrame({**numbers, "job": draw.choice(["cook", "x", "clerk"], n), "loan": np.arange(n)})


def test_rows_are_scored_by_an_engine_as_without(tmp_path: Path, run: Run) -> None:
    data = load_german_credit()
    model = create("learner", "scorecard", binner="optimal", favourable=data.favourable).fit(data.X, data.y).model_
    dump(model, tmp_path / "model.json")
    data.X.assign(loan=range(len(data.X))).to_parquet(tmp_path / "rows.parquet", index=False)
    arguments = ["--engine", "duckdb:threads=2", "--points", "--reasons", "--id", "loan", "--json"]
    done = run("score", tmp_path / "model.json", tmp_path / "rows.parquet", *arguments, "-o", tmp_path / "out.parquet")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    arguments = ["--points", "--reasons", "--id", "loan", "-o", tmp_path / "ours.parquet"]
    assert run("score", tmp_path / "model.json", tmp_path / "rows.parquet", *arguments).exit_code == 0
    ours, theirs = pd.read_parquet(tmp_path / "ours.parquet"), pd.read_parquet(tmp_path / "out.parquet")
    approved = int(ours["approved"].sum())
    assert told == {"rows": 1000, "approved": approved, "written": str(tmp_path / "out.parquet")}
    assert theirs["loan"].astype(str).tolist() == ours["loan"].astype(str).tolist()
    pd.testing.assert_frame_equal(theirs.iloc[:, 1:], ours.iloc[:, 1:], check_dtype=False, rtol=1e-15)


def test_csv_files_are_read_as_the_model_reads_them(tmp_path: Path, run: Run) -> None:
    frame = pd.DataFrame({"amount": [1.5, None, 9.0], "job": ["007", None, "cook"], "age": [1, 2, 40], "region": 1})
    frame.assign(loan=["01", "02", "03"]).to_csv(tmp_path / "rows.csv", index=False)
    dump(MODELS["scorecard"], tmp_path / "model.json")
    results = []
    for engine in (["--engine", "duckdb"], []):
        output = tmp_path / f"{len(engine)}.parquet"
        done = run("score", tmp_path / "model.json", tmp_path / "rows.csv", *engine, "--id", "loan", "-o", output)
        assert done.exit_code == 0, done.stderr
        results.append(pd.read_parquet(output))
    assert results[0]["loan"].tolist() == ["01", "02", "03"]
    theirs, ours = (each.fillna({"knock_out": ""}) for each in results)
    pd.testing.assert_frame_equal(theirs, ours, check_dtype=False, rtol=1e-15)


@pytest.mark.trial
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_who_is_stopped_leaves_no_half_of_a_file(tmp_path: Path, sent: signal.Signals) -> None:
    model = MODELS["scorecard"]
    dump(model, tmp_path / "model.json")
    table = pa.Table.from_pandas(rows(100_000), preserve_index=False)
    pq.write_table(pa.concat_tables([table] * 60), tmp_path / "rows.parquet")
    command = [sys.executable, "-m", "scrutable.cli", "score", tmp_path / "model.json", tmp_path / "rows.parquet"]
    command += ["--engine", "duckdb:threads=1", "--points", "-o", tmp_path / "out.parquet"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not any(file.stat().st_size > 100_000 for file in tmp_path.glob(".scrutable-*/files/*")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    assert process.wait(60) != 0
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--engine", "duckdb"], "an engine writes what it works out"),
        (["--engine", "duckdb", "-o", "out.csv"], "no place that DuckDB writes to"),
        (["--engine", "duckbd", "-o", "out.parquet"], "did you mean 'duckdb'"),
        (["--engine", "duckdb:memory=4GB", "-o", "out.parquet"], "did you mean 'memory_limit'"),
        (["--engine", "duckdb:threads=many", "-o", "out.parquet"], "a whole number"),
        (["--engine", "duckdb", "--separator", ";", "-o", "out.parquet"], "got: 'separator'"),
        (["--engine", "duckdb", "--id", "loann", "-o", "out.parquet"], "did you mean 'loan'"),
        (["--engine", "duckdb", "--points", "-o", "out.parquet"], "gives no points"),
        (["--engine", "duckdb", "-o", "none.duckdb::scores"], "there is no such database"),
    ],
)
def test_what_cannot_be_done_is_told(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    dump(MODELS["tree-ensemble"] if "--points" in arguments else MODELS["scorecard"], tmp_path / "model.json")
    rows(5).to_parquet(tmp_path / "rows.parquet")
    done = run("score", "model.json", "rows.parquet", *arguments)
    assert done.exit_code == 2
    assert words in " ".join(done.stderr.split())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "rows.parquet"]


def test_categories_that_the_model_does_not_name_are_told(tmp_path: Path, run: Run) -> None:
    dump(MODELS["scorecard"], tmp_path / "model.json")
    rows(50).assign(job="COOK").to_parquet(tmp_path / "rows.parquet")
    arguments = ["score", tmp_path / "model.json", tmp_path / "rows.parquet", "-o", tmp_path / "out.parquet"]
    told = run(*arguments, "--engine", "duckdb")
    assert told.exit_code == 0
    assert "none of its values" in told.stderr
    assert told.stderr == run(*arguments, "--overwrite").stderr
