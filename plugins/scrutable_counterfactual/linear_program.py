"""Columns and rows of a mixed-integer linear program, and HiGHS, which solves it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from scrutable.errors import ScrutableError
from scrutable_counterfactual.arrays import Floats

Columns = NDArray[np.intp]
Status = Literal["optimal", "infeasible", "time"]

# HiGHS misses rows by up to 1e-6 and stops 1e-6 from the optimum, whatever the rows and the objective measure.
_LARGEST_WEIGHT = 1.0  # of a row, about
_LARGEST_COST = 1024.0

_STATUS: dict[int, Status] = {0: "optimal", 1: "time", 2: "infeasible"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linear:
    """A constant and a weighted sum of columns; a column may come more than once."""

    columns: Columns
    weights: Floats
    constant: float = 0.0

    @classmethod
    def sum(cls, columns: Columns, weight: float = 1.0) -> Self:
        """Sum of columns, each times a weight."""
        return cls(columns=columns, weights=np.full(len(columns), weight))

    @classmethod
    def total(cls, parts: Iterable[Linear], *, constant: float = 0.0) -> Self:
        """Sum of expressions and a constant."""
        every = list(parts)
        return cls(
            columns=np.concatenate([np.zeros(0, np.intp), *(part.columns for part in every)]),
            weights=np.concatenate([np.zeros(0), *(part.weights for part in every)]),
            constant=constant + sum(part.constant for part in every),
        )

    def __add__(self, other: Linear) -> Linear:
        return Linear.total([self, other])

    def __mul__(self, factor: float) -> Linear:
        return Linear(columns=self.columns, weights=self.weights * factor, constant=self.constant * factor)

    def __sub__(self, other: Linear) -> Linear:
        return self + other * -1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solved:
    """What HiGHS found: the columns' values, if any, and a bound that no value of the objective is below."""

    status: Status
    values: Floats | None
    bound: float


class Program:
    """Columns from 0 up to a bound, rows between two bounds.

    Examples
    --------
    >>> program = Program()
    >>> both = program.columns(2, integer=True)
    >>> program.row(Linear.sum(both), low=1.0)
    >>> solved = program.minimise(Linear(columns=both, weights=np.array([3.0, 2.0])))
    >>> solved.status, solved.values.round().astype(int).tolist()
    ('optimal', [0, 1])
    """

    def __init__(self) -> None:
        self._upper: list[float] = []
        self._integer: list[bool] = []
        self._rows: list[tuple[Linear, float, float]] = []

    def columns(self, count: int, *, upper: float = 1.0, integer: bool = False) -> Columns:
        """New columns between 0 and a bound."""
        first = len(self._upper)
        self._upper += [upper] * count
        self._integer += [integer] * count
        return np.arange(first, first + count)

    def row(self, left: Linear, *, low: float = -math.inf, high: float = math.inf, scaled: bool = False) -> None:
        """Hold an expression between two bounds; one of measured numbers is scaled."""
        factor = _factor(left, _LARGEST_WEIGHT) if scaled else 1.0
        self._rows.append((left * factor, (low - left.constant) * factor, (high - left.constant) * factor))

    def absolute(self, of: Linear) -> Linear:
        """An expression that is |of| or more: the sum of the two parts that it is split into."""
        reach = abs(of.constant) + float(np.abs(of.weights) @ np.array(self._upper)[of.columns])
        parts = self.columns(2, upper=reach)
        self.row(of - Linear(columns=parts, weights=np.array([1.0, -1.0])), low=0.0, high=0.0, scaled=True)
        return Linear.sum(parts)

    def minimise(self, objective: Linear, seconds: float = math.inf) -> Solved:
        """Solve the program; the bound is -inf where HiGHS has none after so many seconds.

        Raises
        ------
        ScrutableError : HiGHS gave up for another reason than time.
        """
        factor = _factor(objective, _LARGEST_COST)
        cost = np.zeros(len(self._upper))
        np.add.at(cost, objective.columns, objective.weights * factor)
        result = milp(
            cost,
            integrality=np.array(self._integer, dtype=np.intp),
            bounds=Bounds(0.0, np.array(self._upper)),
            constraints=self._constraints(),
            # Presolving, HiGHS 1.12 takes some solutions that are not the best for optimal where bounds are tight.
            options={"presolve": False, "mip_rel_gap": 0.0, "time_limit": seconds},
        )
        if result.status not in _STATUS:
            raise ScrutableError("HiGHS did not solve the program", got=result.message)
        status = _STATUS[result.status]
        if status == "infeasible":
            return Solved(status=status, values=None, bound=math.inf)
        bound = -math.inf if result.mip_dual_bound is None else result.mip_dual_bound / factor + objective.constant
        return Solved(status=status, values=result.x, bound=bound)

    def _constraints(self) -> LinearConstraint:
        left, low, high = zip(*self._rows, strict=True)
        position = np.repeat(np.arange(len(left)), [len(each.columns) for each in left])
        every = Linear.total(left)
        matrix = csr_array((every.weights, (position, every.columns)), shape=(len(left), len(self._upper)))
        return LinearConstraint(matrix, np.array(low), np.array(high))


def _factor(linear: Linear, size: float) -> float:
    """The power of two that brings the largest weight to between half the size and the size."""
    largest = float(np.abs(linear.weights).max(initial=0.0))
    return 2.0 ** math.floor(math.log2(size / largest)) if largest else 1.0
