"""The four of the paper's data sets that are at hand, and the paper's folds of them.

The folds are stratified and not shuffled, and their accuracies are those of Table 2 to the two decimals that it prints.
Of magic, 14,020 rows are held out; its five models are measured on these, not on the fifth that each lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rules.data import folder
from sklearn.model_selection import StratifiedKFold

from scrutable.data.frames import Column, as_table
from scrutable.data.training import TrainingData, read_training

Flags = NDArray[np.bool_]

NAMES = ("boston", "arrhythmia", "ionosphere", "magic")
FOLDS = 5
_WITH_HEADER = ("boston", "arrhythmia")
_HELD_OUT, _SEED = 14_020, 100


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Numbers, and which rows are of class 1."""

    X: pd.DataFrame
    y: Flags

    def take(self, rows: NDArray[np.int64]) -> Rows:
        """Some of them."""
        return Rows(X=self.X.iloc[rows], y=self.y[rows])

    @property
    def data(self) -> TrainingData:
        """As a learner reads them."""
        return read_training(self.X, self.y.astype(np.int64))

    @property
    def columns(self) -> dict[str, Column]:
        """As a model reads them."""
        table = as_table(self.X)
        return {name: table.column(name) for name in table}


@dataclass(frozen=True, kw_only=True, eq=False)
class Fold:
    """Rows to learn from and rows to measure on."""

    name: str
    train: Rows
    test: Rows

    @property
    def probability(self) -> tuple[float, float]:
        """p0 and p1 of Table 2."""
        return (0.5, 0.7) if self.name == "magic" else (0.5, 1.0)


def folds(name: str) -> Iterator[Fold]:
    """The paper's five folds of a data set."""
    rows, held_out = _read(name)
    for train, test in StratifiedKFold(FOLDS).split(rows.X, rows.y):
        yield Fold(name=name, train=rows.take(train), test=held_out or rows.take(test))


def whole(name: str) -> Rows:
    """The rows that folds are made of."""
    return _read(name)[0]


def first_fold(name: str) -> Fold:
    """The first of them."""
    return next(folds(name))


@cache
def _read(name: str) -> tuple[Rows, Rows | None]:
    """The rows that folds are made of, and those held out."""
    header = 0 if name in _WITH_HEADER else None
    frame = pd.read_csv(folder() / f"{name}.csv.gz", header=header, skipinitialspace=True)
    if name != "magic":
        return _rows(frame), None
    held_out = frame.sample(_HELD_OUT, random_state=_SEED)
    return _rows(frame.drop(held_out.index)), _rows(held_out)


def _rows(frame: pd.DataFrame) -> Rows:
    X = frame.iloc[:, :-1].astype(np.float64)
    return Rows(X=X.set_axis([str(name).strip() for name in X], axis=1), y=frame.iloc[:, -1].isin([1, "g"]).to_numpy())
