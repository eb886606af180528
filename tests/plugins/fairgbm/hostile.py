"""Training rows on which a careless handover goes wrong, and boosters trained on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import xgboost

from scrutable.data.frames import Table, as_table
from scrutable.model import Calibration, Feature, Outcome, TreeEnsemble
from scrutable_fairgbm.handover.inputs import BoosterInputs, booster_inputs
from scrutable_fairgbm.handover.nodes import Boosted

SPECIAL: dict[str, tuple[float | str, ...]] = {"months": (-9, 5), "job": ("refused",), "region": (99.0,)}
#: LightGBM takes the numbers up to here for 0.
ZERO = float(np.float32(1e-35))
TINY = [0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e-45, 1e-38, ZERO, -ZERO, np.nextafter(ZERO, 1), np.nextafter(-ZERO, -1)]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows, and what a booster is trained on."""

    table: Table
    inputs: BoosterInputs
    matrix: np.ndarray
    label: np.ndarray


def sample(seed: int, n: int = 600, *, infinite: bool = True, min_share: float = 0.0) -> Sample:
    """Numbers near to zero and far from it, tiny and huge ones, special codes, categories as texts and as numbers."""
    rng = np.random.default_rng(seed)
    tiny = rng.choice(TINY, n)
    wild = rng.normal(size=n) * 10.0 ** rng.integers(-300 if infinite else -45, 300 if infinite else 37, n)
    months = rng.integers(0, 12, n).astype(float)
    frame = pd.DataFrame(
        {
            "near": np.where(rng.random(n) < 0.5, rng.normal(size=n), tiny),
            "tiny": tiny * rng.integers(1, 4, n),
            "thousand": 1000 + rng.normal(size=n) * 1e-4,
            "million": 1e6 + np.round(rng.normal(size=n), 2),
            "wild": np.where(rng.random(n) < 0.1, rng.choice([np.inf, -np.inf], n), wild) if infinite else wild,
            "months": np.where(rng.random(n) < 0.2, -9, months),
            "job": rng.choice(np.array(["clerk", "cook", "", "smith", "refused", "judge", None], dtype=object), n),
            "region": rng.choice([10.0, 20.0, 30.0, 40.5, 99.0, np.nan], n, p=[0.3, 0.3, 0.1, 0.05, 0.15, 0.1]),
            "owner": rng.random(n) < 0.4,
        }
    )
    signal = sum(frame[name].rank().to_numpy() / n * rng.normal() for name in ("near", "thousand", "million", "wild"))
    signal = signal + (frame["tiny"] > 0) - frame["months"].isin([-9, 5, 8]) + frame["job"].isin(["refused", "cook"])
    signal = signal + frame["region"].isin([20, 99]) + rng.normal(size=n)
    for name in ("near", "million"):
        frame.loc[rng.random(n) < 0.15, name] = np.nan
    return sample_of(frame, (signal > signal.median()).to_numpy(), min_share)


def lightgbm_booster(rows: Sample, *, rounds: int = 10, **options: Any) -> lightgbm.Booster:
    """A booster with a custom objective where `objective` is none of LightGBM's."""
    rare = {"min_data_in_leaf": 1, "min_data_per_group": 1, "cat_smooth": 0, "cat_l2": 0, "max_cat_to_onehot": 2}
    given = {"num_leaves": 15, "max_depth": 8, "num_threads": 1, "verbose": -1, "seed": 1, **rare, **options}
    data = lightgbm.Dataset(rows.matrix, rows.label, categorical_feature=rows.inputs.nominal)
    return lightgbm.train({"objective": _logistic, **given}, data, rounds)


def xgboost_booster(rows: Sample, *, rounds: int = 10, **options: Any) -> xgboost.Booster:
    """A booster with a custom objective, unless `objective` names one of XGBoost's."""
    given = {"tree_method": "hist", "max_depth": 4, "min_child_weight": 0, "nthread": 1, "seed": 1, **options}
    custom = None if "objective" in options else _logistic
    given = {name: value for name, value in given.items() if value is not None}
    return xgboost.train(given, as_dmatrix(rows.inputs, rows.matrix, rows.label), rounds, obj=custom)


def as_dmatrix(inputs: BoosterInputs, matrix: np.ndarray, label: np.ndarray | None = None) -> xgboost.DMatrix:
    """The matrix with its categorical columns marked."""
    types = ["c" if column.nominal else "q" for column in inputs.columns]
    return xgboost.DMatrix(matrix, label, feature_types=types, enable_categorical=True)


def ensemble(boosted: Boosted, inputs: BoosterInputs) -> TreeEnsemble:
    """The trees as a model."""
    return TreeEnsemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=inputs.read_by(boosted.trees),
        trees=boosted.trees,
        base_score=boosted.base_score,
        cutoff=0.0,
        calibration=Calibration(slope=1.0),
    )


def complete(frame: pd.DataFrame, rows: Sample) -> Table:
    """The frame as a table, with the columns that no split asks for taken from the sample."""
    values = {name: np.resize(rows.table.column(name).values, len(frame)) for name in rows.table}
    return as_table(values | {name: frame[name].to_numpy() for name in frame})


def one_column(values: Any) -> Sample:
    """Rows of one number each, the label 1 where it is above 0.5."""
    frame = pd.DataFrame({"x": np.asarray(values, dtype=float)})
    return sample_of(frame, (frame["x"] > 0.5).to_numpy())


def sample_of(frame: pd.DataFrame, label: np.ndarray, min_share: float = 0.0) -> Sample:
    """The rows of a frame, its columns with special codes and categories if they have their names."""
    table = as_table(frame)
    columns = {name: table.column(name) for name in table}
    features = [
        Feature(name=name, kind="numeric" if column.kind == "numeric" else "categorical", special_codes=codes)
        for name, column in columns.items()
        for codes in [SPECIAL.get(name, ())]
    ]
    nominal = [name for name in ("region",) if name in columns]
    inputs = booster_inputs(features, columns, categorical=nominal, min_share=min_share)
    return Sample(table, inputs, inputs.encode(table), label.astype(float))


def _logistic(scores: np.ndarray, data: Any) -> tuple[np.ndarray, np.ndarray]:
    probability = 1 / (1 + np.exp(-np.asarray(scores, dtype=float)))
    return probability - data.get_label(), probability * (1 - probability)
