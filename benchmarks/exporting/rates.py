"""Rows a second of CPU time in each engine: the rows are loaded before, and one thread scores them."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import pyarrow as pa
from clock import median_seconds
from numpy.typing import NDArray

from scrutable import create, evaluate
from scrutable.model import Model

Columns = Mapping[str, NDArray[Any]]


def evaluator(model: Model, columns: Columns, runs: int, *, reasons: bool = False) -> float:
    """The evaluator, from a pandas frame."""
    frame = pd.DataFrame({feature.name: columns[feature.name] for feature in model.features})
    return _rate(columns, lambda: evaluate(model, frame, reasons=reasons), runs)


def in_duckdb(text: str, columns: Columns, runs: int) -> float:
    """DuckDB, a table in memory, the results kept as another."""
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        connection.register("rows", pa.table(dict(columns)))
        connection.execute("CREATE TABLE applicants AS SELECT * FROM rows")
        made = f"CREATE OR REPLACE TEMP TABLE results AS {text.rstrip().rstrip(';')}"
        return _rate(columns, lambda: connection.execute(made), runs)


def sql(model: Model, columns: Columns, runs: int, **options: Any) -> float:
    """The exporter's text in DuckDB."""
    return in_duckdb(create("exporter", "sql", dialect="duckdb", **options).export(model).text, columns, runs)


def onnx(model: Model, columns: Columns, runs: int, *, outputs: tuple[str, ...], block: int = 16_384) -> float:
    """onnxruntime, in blocks that fit the processor's cache; the inputs are arrays already."""
    (content,) = create("exporter", "onnx").export(model).files.values()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    feeds = _feeds({feature.name: columns[feature.name] for feature in model.features})
    n_rows = len(next(iter(columns.values())))

    def run() -> None:
        for start in range(0, n_rows, block):
            session.run(list(outputs), {name: values[start : start + block] for name, values in feeds.items()})

    return _rate(columns, run, runs)


def in_r(model: Model, n_rows: int, runs: int, arguments: str) -> float:
    """R, on numbers and texts that R draws itself; the median of its own count of CPU time."""
    numeric = [feature.name for feature in model.features if feature.kind == "numeric"]
    texts = [feature.name for feature in model.features if feature.kind == "categorical"]
    script = f"""
        source("score.R"); set.seed(1); n <- {n_rows}
        rows <- list()
        for (name in c({_quoted(numeric)})) rows[[name]] <- ifelse(runif(n) < 0.05, NA, rnorm(n))
        for (name in c({_quoted(texts)})) rows[[name]] <- sample(c(paste("category", 0:5), NA), n, TRUE)
        rows <- as.data.frame(rows, stringsAsFactors = FALSE); invisible(score(rows{arguments}))
        cat(replicate({runs}, sum(system.time(score(rows{arguments}))[1:2])))
    """
    with tempfile.TemporaryDirectory() as folder:
        create("exporter", "r").export(model).write(folder)
        Path(folder, "time.R").write_text(script)
        done = subprocess.run(
            ["Rscript", "--vanilla", "time.R"], cwd=folder, capture_output=True, text=True, check=True
        )
    return n_rows / statistics.median(map(float, done.stdout.split()))


def _rate(columns: Columns, work: Callable[[], object], runs: int) -> float:
    return len(next(iter(columns.values()))) / median_seconds(work, runs)


def _feeds(columns: Columns) -> dict[str, NDArray[Any]]:
    """One input a column, and for texts one that says where they are missing."""
    feeds = {}
    for name, values in columns.items():
        if values.dtype == object:
            missing = np.equal(values, np.array(None))
            feeds[f"{name}__missing"] = missing
            feeds[name] = np.where(missing, "", values)
        else:
            feeds[name] = values
    return feeds


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
