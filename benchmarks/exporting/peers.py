"""What people use today for the same job: OptBinning's score, a scikit-learn pipeline, and orbital's SQL of it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from clock import median_seconds
from numpy.typing import NDArray

from exporting.cards import applicants
from exporting.rates import in_duckdb

VARIABLE = "SCRUTABLE_PEERS_PYTHON"
_LEARN, _SEED = 20_000, 0

#: Fits the pipeline in the peers' own environment and writes its SQL.
_ORBITAL = """
import json, sys
import numpy as np, pandas as pd, orbital, orbital.types
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
frame = pd.read_csv(sys.argv[1])
y = frame.pop("y")
pipeline = Pipeline([("scale", StandardScaler()), ("fit", LogisticRegression())]).fit(frame, y)
parsed = orbital.parse_pipeline(pipeline, features={name: orbital.types.DoubleColumnType() for name in frame})
text = orbital.export_sql("applicants", parsed, dialect="duckdb")
json.dump({"sql": text, "p": pipeline.predict_proba(frame)[:, 1].tolist()}, sys.stdout)
"""


def optbinning_rate(n_rows: int, runs: int) -> float:
    """Rows a second of OptBinning's `Scorecard.score` on fifteen numbers."""
    from optbinning import BinningProcess, Scorecard
    from sklearn.linear_model import LogisticRegression

    frame, y = _numbers(_LEARN)
    process = BinningProcess(list(frame), max_n_bins=6)
    card = Scorecard(
        binning_process=process,
        estimator=LogisticRegression(),
        scaling_method="pdo_odds",
        scaling_method_params={"pdo": 20, "odds": 50, "scorecard_points": 600},
    ).fit(frame, y)
    rows, _ = _numbers(n_rows)
    return n_rows / median_seconds(lambda: card.score(rows), runs)


def pipeline_rate(n_rows: int, runs: int) -> float:
    """Rows a second of a scikit-learn pipeline that bins, encodes and adds up: what a scorecard is there."""
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer

    frame, y = _numbers(_LEARN)
    bins = KBinsDiscretizer(6, encode="onehot", quantile_method="averaged_inverted_cdf")
    pipeline = make_pipeline(SimpleImputer(), bins, LogisticRegression(max_iter=1000)).fit(frame, y)
    rows, _ = _numbers(n_rows)
    return n_rows / median_seconds(lambda: pipeline.predict_proba(rows), runs)


def orbital_rate(n_rows: int, runs: int) -> tuple[float, float] | None:
    """Rows a second of orbital's SQL in DuckDB, and the share of rows whose probability is off by more than 2 units in
    the last place; None without the environment that the variable names. It has no binning, so it scales instead."""
    python = os.environ.get(VARIABLE)
    if python is None:
        return None
    frame, y = _numbers(_LEARN, missing=False)
    with tempfile.TemporaryDirectory() as folder:
        script, data = Path(folder, "peer.py"), Path(folder, "rows.csv")
        script.write_text(_ORBITAL)
        frame.assign(y=y).to_csv(data, index=False)
        done = subprocess.run([python, str(script), str(data)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    rows, _ = _numbers(n_rows)
    with duckdb.connect() as connection:
        connection.register("applicants", frame)
        result = connection.execute(found["sql"]).df()
    (name,) = (column for column in map(str, result) if column.endswith(".1"))
    off = np.abs(result[name].to_numpy() - np.array(found["p"])) > 2 * np.spacing(np.array(found["p"]))
    return in_duckdb(found["sql"], {str(key): rows[key].to_numpy() for key in rows}, runs), float(off.mean())


def _numbers(n_rows: int, *, missing: bool = True) -> tuple[pd.DataFrame, NDArray[Any]]:
    columns = {name: values for name, values in applicants(n_rows, _SEED).items() if values.dtype != object}
    frame = pd.DataFrame(columns)
    if not missing:
        frame = frame.fillna(0.0)
    weights = np.random.default_rng(_SEED).normal(size=frame.shape[1])
    noise = np.random.default_rng(_SEED + 1).normal(size=n_rows)
    return frame, (frame.fillna(0.0).to_numpy() @ weights + noise > 0).astype(int)
