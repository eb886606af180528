"""Many rows and many columns: CPU time, memory, and how both grow."""

from __future__ import annotations

import math
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from clock import process, timed, yardstick
from report import Row
from scipy.linalg import cho_factor

from cards.data import Floats, noisy
from scrutable import create
from scrutable.data import TrainingData, read_training
from scrutable_additive.dense import dense_fit
from scrutable_additive.problem import Problem

_ROWS, _COLUMNS = 100_000, 30
_MOST_SECONDS, _MOST_MEGABYTES = 3.0, 300.0
#: Columns, of how many rows, and the power that is still about linear.
_FEW, _MANY, _ROWS_OF_MANY = 100, 300, 20_000
_ABOUT_LINEAR = 1.3

#: Reads the data and fits a few rows, for what every process needs, and then all rows if asked.
_FIT = """
import sys
import pandas as pd
from scrutable import create
frame = pd.read_parquet(sys.argv[1])
X, y = frame.drop(columns="y"), frame["y"]
for rows in map(int, sys.argv[2:]):
    create("learner", "additive", favourable=1, explainer=None).fit(X[:rows], y[:rows])
"""


def rows_of_many_rows(runs: int) -> Iterator[Row]:
    """CPU seconds and megabytes of a fit above those of a process that reads the rows and fits a few of them."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/rows.parquet"
        drawn = noisy(_ROWS, _COLUMNS, _COLUMNS, seed=0)
        drawn.X.assign(y=drawn.y).to_parquet(file)
        few, every = (
            process([sys.executable, "-W", "ignore", "-c", _FIT, file, *sizes], runs)
            for sizes in (["500"], ["500", str(_ROWS)])
        )
    seconds, megabytes = (one - other for one, other in zip(every, few, strict=True))
    name = f"{_ROWS:,} x {_COLUMNS}"
    note = f"a sort of a million doubles takes {yardstick(5):.2g} s"
    yield Row(name=f"{name}: CPU of a fit", value=seconds, unit="s", relation="<=", bound=_MOST_SECONDS, note=note)
    yield Row(name=f"{name}: memory above the data", value=megabytes, unit="MB", relation="<=", bound=_MOST_MEGABYTES)


def rows_of_many_columns(runs: int) -> Iterator[Row]:
    """By which power of the columns each part of a fit grows, from 100 to 300 of them."""
    few, many = (_Parts(columns) for columns in (_FEW, _MANY))
    for name, part, bound in (
        ("pre-bins", _Parts.prebins, _ABOUT_LINEAR),
        ("sums by bin", _Parts.by_bin, _ABOUT_LINEAR),
        ("sums by pair of bins", _Parts.by_pair, _ABOUT_LINEAR),
        ("a solve of all bins", _Parts.solve, 3.0),
        ("a whole fit", _Parts.fit, 3.0),
    ):
        yield _row_of_power(name, *(_median(partial(part, each), runs) for each in (few, many)), bound=bound)


@dataclass(frozen=True, eq=False)
class _Parts:
    """The parts of a fit of so many columns."""

    columns: int

    @cached_property
    def data(self) -> TrainingData:
        drawn = noisy(_ROWS_OF_MANY, self.columns, self.columns, seed=0)
        return read_training(drawn.X, drawn.y, favourable=1)

    @cached_property
    def problem(self) -> Problem:
        return self.prebins()

    @cached_property
    def zeros(self) -> Floats:
        return np.zeros(self.problem.rows.size)

    @cached_property
    def whole(self) -> Floats:
        fitted = dense_fit(self.problem.rows, self.problem.penalties, estimating=0, tolerance=np.inf)
        return fitted.curvature.alone + np.eye(self.problem.rows.size)

    def prebins(self) -> Problem:
        """Read and count the rows in fine bins."""
        return Problem.of(self.data, create("binner", "fine"), ())

    def by_bin(self) -> object:
        """What a gradient takes."""
        return self.problem.rows.at(self.zeros, 0.0)

    def by_pair(self) -> object:
        """What a curvature takes."""
        return self.problem.rows.curvature(self.zeros, 0.0)

    def solve(self) -> object:
        """What a Newton step takes beside."""
        return cho_factor(self.whole, lower=True)

    def fit(self) -> object:
        """All of it."""
        drawn = noisy(_ROWS_OF_MANY, self.columns, self.columns, seed=0)
        return create("learner", "additive", favourable=1, explainer=None).fit(drawn.X, drawn.y)


def _median(work: Callable[[], object], runs: int) -> float:
    work()
    return statistics.median(timed(work)[0] for _ in range(runs))


def _row_of_power(name: str, few: float, many: float, *, bound: float) -> Row:
    return Row(
        name=f"{name}: power of the columns",
        value=math.log(many / few) / math.log(_MANY / _FEW),
        unit="",
        relation="<=",
        bound=bound,
        note=f"{few:.3g} s at {_FEW}, {many:.3g} s at {_MANY} columns of {_ROWS_OF_MANY:,} rows",
    )
