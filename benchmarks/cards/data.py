"""The data sets without their protected columns, random splits of them, and simulated ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from bins import data
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Share of the rows that is held out.
HELD_OUT = 0.3
#: Columns that are no inputs: protected ones, weights of a survey, and what is known only after the outcome.
_DROPPED = {"taiwan_default": ("X_1",), "adult": ("2", "8", "9"), "bank_mkt": ("11",)}
#: Numbers that stand for a reason why there is none.
_SPECIAL = {"heloc": (-7, -8, -9)}

#: The smaller sets, and all of them.
FEW = ("german", "compas_two_years", "heloc", "bank_mkt")
EVERY = (*FEW, "simucredit", "taiwan_default", "adult")


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Some rows: inputs, and 1 for the class that is called good here, 0 for the other.

    Parameters
    ----------
    special : numbers that stand for a reason why there is none, in every numeric column.
    """

    X: pd.DataFrame
    y: Ints
    special: tuple[int, ...] = ()

    def take(self, index: Ints) -> Rows:
        """Some of them."""
        return Rows(X=self.X.iloc[index].reset_index(drop=True), y=self.y[index], special=self.special)

    @property
    def texts(self) -> list[str]:
        """Columns that are not numeric."""
        return [str(name) for name in self.X if not pd.api.types.is_numeric_dtype(self.X[name])]


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """Rows to learn from, and those that are held out."""

    learned: Rows
    held: Rows


@cache
def whole(name: str) -> Rows:
    """A data set."""
    problem = data.problem(name)
    X = problem.X.drop(columns=list(_DROPPED.get(name, ())))
    return Rows(X=_objects(X), y=problem.y, special=_SPECIAL.get(name, ()))


def split(name: str, seed: int) -> Split:
    """One random split, with the same share of both classes on both sides."""
    rows = whole(name)
    learned, held = train_test_split(np.arange(len(rows.y)), test_size=HELD_OUT, random_state=seed, stratify=rows.y)
    return Split(learned=rows.take(learned), held=rows.take(held))


def sample(name: str, size: int, seed: int, most_held: int = 5_000) -> Split | None:
    """A small sample to learn from, and others of the rows to measure on; None where too few of these would be left."""
    rows = whole(name)
    if len(rows.y) - size < size / 2:
        return None
    learned, others = train_test_split(np.arange(len(rows.y)), train_size=size, random_state=seed, stratify=rows.y)
    return Split(learned=rows.take(learned), held=rows.take(others[:most_held]))


def noisy(n_rows: int, n_columns: int, n_true: int, seed: int) -> Rows:
    """Numbers of which the first tell a little of the outcome, in lines, steps and bows, and the others nothing."""
    draw = np.random.default_rng(seed)
    values = draw.normal(size=(n_rows, n_columns))
    shapes = (lambda x: x, np.sign, lambda x: (x**2 - 1) / np.sqrt(2), np.tanh)
    true = [shapes[at % len(shapes)](values[:, at]) for at in range(n_true)]
    log_odds = 0.13 * np.sum(true, axis=0)
    y = (draw.random(n_rows) < 1 / (1 + np.exp(-log_odds))).astype(np.intp)
    return Rows(X=pd.DataFrame(values, columns=[f"x{at}" for at in range(n_columns)]), y=y)


def crossed(n_rows: int, together: float, seed: int) -> Rows:
    """Numbers that tell something each, of which some go together; high values of two of them tell something beside.

    Parameters
    ----------
    together : log-odds of rows in which both are high.
    """
    draw = np.random.default_rng(seed)
    values = draw.normal(size=(n_rows, 12))
    values[:, 6:] = 0.6 * values[:, :6] + 0.8 * values[:, 6:]
    log_odds = 0.4 * values[:, :8].sum(axis=1) + 0.5 * values[:, 8] ** 2 + np.sin(2 * values[:, 9]) - 2
    log_odds += together * ((values[:, 0] > 0) & (values[:, 1] > 0.3))
    y = (draw.random(n_rows) < 1 / (1 + np.exp(-log_odds))).astype(np.intp)
    return Rows(X=pd.DataFrame(values, columns=[f"x{at}" for at in range(12)]), y=y)


def _objects(X: pd.DataFrame) -> pd.DataFrame:
    """Texts as plain objects, which every package reads."""
    texts: Any = {name: object for name in X if not pd.api.types.is_numeric_dtype(X[name])}
    return X.astype(texts)
