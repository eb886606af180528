"""LightGBM's own predict on one thread."""

from __future__ import annotations

import lightgbm
import numpy as np
from clock import median_seconds

from evaluating.subjects import FEATURES, Columns

#: Rows that a booster of a thousand trees predicts in a reasonable time.
_MOST = 100_000


def seconds_a_row(columns: Columns, n_trees: int, depth: int, runs: int) -> float:
    """CPU seconds a row of a booster of so many trees of a depth, grown on drawn labels."""
    X = np.stack([columns[feature.name].values[:_MOST] for feature in FEATURES], axis=1)
    rng = np.random.default_rng(0)
    y = (np.nan_to_num(X[:, :5]).sum(axis=1) + rng.normal(size=len(X)) > 0).astype(float)
    grown = {"objective": "binary", "num_leaves": 2**depth, "max_depth": depth, "min_data_in_leaf": 1, "verbosity": -1}
    booster = lightgbm.train({**grown, "num_threads": 1}, lightgbm.Dataset(X, y), n_trees)
    return median_seconds(lambda: booster.predict(X, raw_score=True, num_threads=1), runs) / len(X)
