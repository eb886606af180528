"""Rows with two groups, split into three parts; real data sets and two simulated ones.

Everywhere y = 1 is the favourable outcome, and the protected attribute is no input. What may tell it (a husband is a
man) stays one, for every method alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rules import fairness
from rules.data import folder
from sklearn.model_selection import train_test_split


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """Rows, their outcomes (1 is favourable) and their groups."""

    name: str
    X: pd.DataFrame
    y: NDArray[np.int64]
    groups: pd.Series

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The inputs as numbers, categories as codes: what LightGBM and the authors' fork read."""
        return self.X.assign(**{name: self.X[name].cat.codes for name in self.categorical}).to_numpy(dtype=np.float64)

    @property
    def categorical(self) -> list[str]:
        """Names of the inputs that are categories."""
        return [str(name) for name in self.X if isinstance(self.X[name].dtype, pd.CategoricalDtype)]

    @property
    def places(self) -> list[int]:
        """Where the categorical columns stand."""
        return [place for place, name in enumerate(self.X) if name in self.categorical]

    @property
    def frame(self) -> pd.DataFrame:
        """The inputs as a user has them, categories as strings."""
        return self.X.astype(dict.fromkeys(self.categorical, "str"))

    @property
    def members(self) -> NDArray[np.int64]:
        """(n,) numbers of the groups, in the order of their names."""
        return np.unique(self.groups.to_numpy(dtype=str), return_inverse=True)[1].astype(np.int64)

    def rows(self, index: NDArray[np.int64]) -> Problem:
        """Some of the rows; categories keep their codes."""
        return Problem(
            name=self.name,
            X=self.X.iloc[index].reset_index(drop=True),
            y=self.y[index],
            groups=self.groups.iloc[index].reset_index(drop=True),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Parts:
    """Rows to learn from, to choose by and to measure on: 60, 20 and 20 %, as in the paper."""

    train: Problem
    valid: Problem
    test: Problem

    @classmethod
    def of(cls, whole: Problem, seed: int) -> Parts:
        """Drawn at random, in each outcome and group alike."""
        strata = 2 * whole.y + whole.members
        rest, test = train_test_split(np.arange(len(strata)), test_size=0.2, random_state=seed, stratify=strata)
        train, valid = train_test_split(rest, test_size=0.25, random_state=seed, stratify=strata[rest])
        return cls(train=whole.rows(train), valid=whole.rows(valid), test=whole.rows(test))


def adult() -> Problem:
    """32,561 rows; more than 50,000 a year is favourable; the groups are those of sex."""
    case = fairness.adult()
    return _problem("adult", case.X, case.y == case.favourable, case.groups)


def compas() -> Problem:
    """6,150 rows of African-American and Caucasian defendants, six inputs; no recidivism is favourable."""
    case = fairness.compas("two groups")
    return _problem("compas", case.X.drop(columns="race"), case.y == case.favourable, case.groups)


def taiwan() -> Problem:
    """30,000 rows; no default is favourable; the groups are those of sex, which the file codes 0 (male) and 1."""
    frame = pd.read_csv(folder() / "taiwan_default.csv.gz")
    sex = frame["X_1"].map({0: "male", 1: "female"}).rename("sex")
    return _problem("taiwan", frame.drop(columns=["X_1", "y"]), frame["y"] == 0, sex)


def simucredit() -> Problem:
    """20,000 simulated applications; an approval is favourable; the groups are those of race, and sex is no input."""
    frame = pd.read_csv(folder() / "simucredit_v2.csv.gz")
    inputs = frame.drop(columns=["Gender", "Race", "Status"])
    return _problem("simucredit", inputs, frame["Status"] == 1, frame["Race"].astype(str).rename("race"))


def rare(n: int = 500_000, seed: int = 0, *, told: bool = True) -> Problem:
    """Applications of which 1 % are frauds, as in the paper's: 12 inputs, no fraud is favourable, a fifth over fifty.

    Those over fifty are defrauded twice as often, and what tells a fraud is shifted towards it and noisier among them,
    so that one threshold declines far more of their honest applications.

    Parameters
    ----------
    told : one input tells age well, so that weights of rows alone, the same in every round, can bring the rates
        together at little cost. Otherwise it tells little and groups differ more: such weights cannot.
    """
    random = np.random.default_rng(seed)
    older = random.random(n) < 0.2
    fraud = random.random(n) < np.where(older, *((0.016, 0.0085) if told else (0.0192, 0.0077)))
    values = random.normal(size=(n, 12)) * np.where(older, 1.15 if told else 1.25, 1.0)[:, None]
    values[:, :6] += fraud[:, None] * np.array([1.3, 1.0, 0.8, 0.6, 0.5, 0.4])
    values[:, :4] += older[:, None] * np.array([0.5, 0.3, 0.2, 0.2]) * (0.4 if told else 1.0)
    values[:, 6] += older * (2.5 if told else 1.0)
    X = pd.DataFrame(values.round(3), columns=[f"x{i}" for i in range(12)])
    return _problem("rare", X, pd.Series(~fraud), pd.Series(np.where(older, "over 50", "under 50"), name="age"))


def large(n: int = 500_000, seed: int = 0) -> Problem:
    """Rows to time a fit on: 20 numbers, two groups, a third of the outcomes favourable."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n, 20))
    first = random.random(n) < 0.35
    log_odds = (
        values[:, 0] + np.sin(2 * values[:, 1]) + values[:, 2] * values[:, 3] + 0.5 * values[:, 4] - 1.0 + 0.6 * first
    )
    y = random.random(n) < 1 / (1 + np.exp(-log_odds))
    X = pd.DataFrame(values, columns=[f"x{i}" for i in range(20)])
    return _problem("large", X, pd.Series(y), pd.Series(np.where(first, "a", "b"), name="group"))


def _problem(name: str, X: pd.DataFrame, good: pd.Series, groups: pd.Series) -> Problem:
    words = [column for column in X if not pd.api.types.is_numeric_dtype(X[column])]
    return Problem(
        name=name,
        X=X.astype(dict.fromkeys(words, "category")).reset_index(drop=True),
        y=good.to_numpy(dtype=np.int64),
        groups=groups.reset_index(drop=True),
    )


#: Data sets by name.
REAL: dict[str, Callable[[], Problem]] = {"adult": adult, "compas": compas, "taiwan": taiwan}
