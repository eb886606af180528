"""The counterfactual problem, equations (1), (2) and (7): what changes cost, and which are plausible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable_fcca.target import Doubles, Flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The cost of a change, equation (2), for columns scaled to [0, 1].

    Parameters
    ----------
    changed : lambda_0, for each column that changes at all.
    distance : lambda_1, for each unit of distance.
    squared : lambda_2, for each unit of squared distance.

    Raises
    ------
    InputError : a negative cost, or all of them 0.
    """

    changed: float = 0.1
    distance: float = 1.0
    squared: float = 0.0

    def __post_init__(self) -> None:
        for name in ("changed", "distance", "squared"):
            check_number(getattr(self, name), name, "0 or more, and finite", low=0.0)
        if not self.changed + self.distance + self.squared:
            raise InputError("changes must cost something", where="costs", got=self, fix="set distance=1.0")

    def of(self, distance: Doubles) -> Doubles:
        """Costs of moving single columns by these distances."""
        cost: Doubles = self.changed * (distance > 0) + self.distance * distance + self.squared * distance**2
        return cost


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plausibility:
    """The set X^0 of equation (7), from what may change of a point.

    A point's own value is always plausible, whatever is said here.

    Parameters
    ----------
    lower, upper : (m,) least and largest value of each column.
    rises, falls : (m,) whether a column may take a larger, a smaller value; where neither, it is immutable.
    binary : (m,) columns whose only values are 0 and 1, such as whether a feature has some category.
    one_of : groups of binary columns of which at most one may be 1, such as the categories of a feature.
    """

    lower: Doubles
    upper: Doubles
    rises: Flags
    falls: Flags
    binary: Flags
    one_of: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def free(cls, n_columns: int) -> Plausibility:
        """Everything in [0, 1]."""
        every = np.ones(n_columns, dtype=np.bool_)
        return cls(
            lower=np.zeros(n_columns), upper=np.ones(n_columns), rises=every, falls=every, binary=np.zeros_like(every)
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """What is common to the counterfactuals of all points.

    Parameters
    ----------
    plausible : what may change.
    costs : what changes cost.
    margin : epsilon of equation (6): the score of a counterfactual is beyond 0 by at least this.
    """

    plausible: Plausibility
    costs: Costs
    margin: float = 1e-4

    def holding(self, held: Flags) -> Problem:
        """The problem of a point of which these columns (m,) cannot change."""
        free = self.plausible
        return replace(self, plausible=replace(free, rises=free.rises & ~held, falls=free.falls & ~held))


#: Whether a counterfactual is proven optimal, proven not to exist, or the best found within a limit.
Status = Literal["optimal", "infeasible", "limit"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counterfactuals:
    """Counterfactuals of n points.

    Parameters
    ----------
    values : (n, m) the points after their changes; the points themselves where none was found.
    crossed : (n, m) for each column that changed, the threshold of the target that it moved just beyond: equation
        (10); the value reached, if the target is linear; NaN for columns that did not change.
    cost : (n,) equation (2); infinity where none was found.
    bound : (n,) proven lower bounds on the cost; equal to it where optimal, infinity where infeasible.
    """

    values: Doubles
    crossed: Doubles
    cost: Doubles
    bound: Doubles

    def status(self, i: int) -> Status:
        """What is known of one point."""
        if np.isinf(self.bound[i]):
            return "infeasible"
        return "optimal" if self.cost[i] <= self.bound[i] * (1 + 1e-9) + 1e-12 else "limit"
