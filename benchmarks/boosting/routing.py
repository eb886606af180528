"""Whether a model takes every row where the library takes it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import xgboost
from numpy.typing import NDArray
from report import Row

from boosting import data
from scrutable.data.frames import Table, as_table
from scrutable.model import Calibration, Feature, Outcome, TreeEnsemble
from scrutable.proof.edges import edge_rows
from scrutable_fairgbm.handover.check import misrouted_by_lightgbm, misrouted_by_xgboost
from scrutable_fairgbm.handover.inputs import BoosterInputs, booster_inputs
from scrutable_fairgbm.handover.lightgbm_trees import from_lightgbm
from scrutable_fairgbm.handover.nodes import Boosted
from scrutable_fairgbm.handover.xgboost_trees import clipped, from_xgboost

BACKENDS = ("lightgbm", "xgboost")
_LEAVES, _DEPTH, _LEARNING_RATE = 31, 16, 0.1


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """A table as a booster is trained on it."""

    table: Table
    inputs: BoosterInputs
    matrix: NDArray[np.float64]
    y: NDArray[np.float64]


def rows_of_routing(count: int = 100_000, trees: int = 30) -> list[Row]:
    """Rows that some tree sends elsewhere than the library does, of as many edge rows of each of two models.

    The rows hold every threshold with the doubles beside it, its neighbours in single precision, infinities, missing
    values, special codes, categories never seen, and texts that are nearly a category.
    """
    found = []
    for backend in BACKENDS:
        cases = {"hostile": hostile(), "adult": read(data.adult().frame, data.adult().y)}
        for name, rows in cases.items():
            booster = train(backend, rows, trees)
            edges = edges_of(booster, rows, count)
            check: Callable[..., NDArray[np.intp]] = (
                misrouted_by_lightgbm if backend == "lightgbm" else misrouted_by_xgboost
            )
            found.append(
                Row(
                    name=f"misrouted edge rows, {backend}, {name}",
                    value=len(check(booster, rows.inputs, edges)),
                    unit="rows",
                    relation="<=",
                    bound=0,
                    note=f"of {edges.n_rows} rows; {trees} trees of up to {_LEAVES} leaves",
                )
            )
    return found


def hostile(n: int = 20_000, seed: int = 0) -> Rows:
    """Numbers near to zero and far from it, tiny and huge ones, special codes, missing values, categories."""
    random = np.random.default_rng(seed)
    zero = float(np.float32(1e-35))
    tiny = random.choice([0.0, -0.0, 5e-324, -5e-324, 1e-45, zero, -zero, math.nextafter(zero, 1), -2 * zero], n)
    wild = random.normal(size=n) * 10.0 ** random.integers(-300, 300, n)
    frame = pd.DataFrame(
        {
            "tiny": tiny,
            "near": np.where(random.random(n) < 0.5, random.normal(size=n), tiny),
            "thousand": 1000 + 1e-4 * random.normal(size=n),
            "million": 1e6 + random.normal(size=n).round(2),
            "wild": np.where(random.random(n) < 0.05, math.inf, wild),
            "months": np.where(random.random(n) < 0.2, -9, random.integers(0, 60, n)).astype(float),
            "job": random.choice(np.array(["clerk", "cook", "", "smith", "refused", None], dtype=object), n),
        }
    )
    noise = random.normal(size=n)
    ranks = [frame[name].rank(pct=True) for name in ("near", "thousand", "million", "wild")]
    signal = sum(ranks) + frame["months"].isin([-9, 12, 24]) - frame["job"].isin(["cook", "refused"]) + 0.3 * noise
    frame.loc[random.random(n) < 0.1, ["near", "million"]] = np.nan
    return read(frame, signal > signal.median(), special={"months": (-9, 12), "job": ("refused",)})


def read(frame: pd.DataFrame, y: Any, special: dict[str, tuple[Any, ...]] | None = None) -> Rows:
    """A frame as a booster is trained on it."""
    table = as_table(frame)
    columns = {name: table.column(name) for name in table}
    features = [
        Feature(
            name=name,
            kind="categorical" if column.kind == "categorical" else "numeric",
            special_codes=(special or {}).get(name, ()),
        )
        for name, column in columns.items()
    ]
    inputs = booster_inputs(features, columns)
    return Rows(table=table, inputs=inputs, matrix=inputs.encode(table), y=np.asarray(y, dtype=np.float64))


def train(backend: str, rows: Rows, trees: int) -> Any:
    """A booster with a custom objective, on one thread."""
    if backend == "lightgbm":
        options = {"num_leaves": _LEAVES, "max_depth": _DEPTH, "learning_rate": _LEARNING_RATE, "verbose": -1}
        dataset = lightgbm.Dataset(rows.matrix, rows.y, categorical_feature=rows.inputs.nominal)
        return lightgbm.train({"objective": _logistic, "num_threads": 1, **options}, dataset, trees)
    grown = {"max_leaves": _LEAVES, "max_depth": _DEPTH, "eta": _LEARNING_RATE}
    kinds = ["c" if column.nominal else "q" for column in rows.inputs.columns]
    matrix = xgboost.DMatrix(clipped(rows.matrix), rows.y, feature_types=kinds, enable_categorical=True, nthread=1)
    return xgboost.train(
        {"tree_method": "hist", "grow_policy": "lossguide", "nthread": 1, **grown}, matrix, trees, obj=_logistic
    )


def edges_of(booster: Any, rows: Rows, count: int) -> Table:
    """As many edge rows; columns that no split asks for are taken from the table."""
    boosted = handed_over(booster, rows)
    model = TreeEnsemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=rows.inputs.read_by(boosted.trees),
        trees=boosted.trees,
        base_score=boosted.base_score,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )
    frame = edge_rows(model, n_random=count).iloc[:count]
    unread = {name: np.resize(rows.table.column(name).values, count) for name in rows.table if name not in frame}
    return as_table(unread | {name: frame[name].to_numpy() for name in frame})


def handed_over(booster: Any, rows: Rows) -> Boosted:
    """The trees of either booster."""
    hand_over = from_lightgbm if isinstance(booster, lightgbm.Booster) else from_xgboost
    return hand_over(booster, rows.inputs)


def _logistic(scores: NDArray[np.float64], dataset: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    probability = 1 / (1 + np.exp(-scores))
    return probability - dataset.get_label(), probability * (1 - probability)
