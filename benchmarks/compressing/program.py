"""Counterfactuals of any trees by the mixed-integer program of the paper, (2)-(7): slow, the peer of our solvers.

A binary z of each leaf says whether it is reached. A column j takes the value x_j = x0_j + rise_j - fall_j, where both
are 0 unless the binary moved_j is 1. HiGHS takes 0.999999 for 1, and a row for kept that is missed by 1e-6, which is as
far as a changed value lies beyond a threshold; so where thresholds and values are very close, rows (3) and (4) do not
always hold. What it returns is therefore read back into cells. Where these do not bear it out, or nothing was found,
the program is solved once more with rows that say of cells what (3) and (4) say of values.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, diags_array, eye_array

from scrutable.errors import InputError
from scrutable_fcca.counterfactuals.box_tables import tabulate_leaves
from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.moves import Moves, least_score
from scrutable_fcca.counterfactuals.problem import Counterfactuals, Plausibility, Problem
from scrutable_fcca.target import Doubles, Flags, Indices, Trees

_SCALE = 1e3  # of costs and scores for HiGHS, which stops within 1e-6 of the optimum
_CLOSE = 1e-7  # of costs: how much less than it does a counterfactual may seem to cost
_LIMIT, _INFEASIBLE = 1, 2  # statuses of scipy's milp


def solve_general(
    target: Trees, points: Doubles, wanted: Flags, problem: Problem, *, time_limit: float | None = None
) -> Counterfactuals:
    """Counterfactuals of trees of any depth, optimal to about 1e-6.

    Parameters
    ----------
    points : (n, m) points; their binary columns are 0 or 1.
    wanted : (n,) True where class 1 is wanted.
    problem : what may change, what changes cost, and the margin to be reached.
    time_limit : seconds for each point, after which it gets the best counterfactual found, if any, and a bound.

    Raises
    ------
    InputError : squared distances cost something, which no linear program can say.
    """
    if squared := problem.costs.squared:
        raise InputError("the mixed-integer program is linear", where="costs.squared", got=squared, allowed="0")
    cells = Cells.of(target, problem.plausible)
    demands = _Demands.of(target, cells, problem.plausible)
    values, crossed = points.copy(), np.full(points.shape, np.nan)
    cost, bound = np.full(len(points), np.inf), np.full(len(points), np.inf)
    for i, point in enumerate(points):
        program = _Program(target, cells, demands, problem, point, bool(wanted[i]))
        reached, bound[i] = program.solve(time_limit)
        if reached is not None:
            values[i], crossed[i] = program.moves.changed(cells, reached)
            cost[i] = program.moves.cost[cells.start[:-1] + reached].sum()
            bound[i] = min(bound[i], cost[i])
    return Counterfactuals(values=values, crossed=crossed, cost=cost, bound=bound)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Demands:
    """The L leaves of T trees, with E demands: a leaf demands of a column that its cell is from `low` to `high`.

    Parameters
    ----------
    value : (L,) what each leaf adds to the score.
    trees : (T, L) which leaves belong to each tree.
    leaf, column, low, high : (E,) of each demand.
    least, most : (E,) the values that a column has to move to for that; infinite where there is no end.
    """

    value: Doubles
    trees: csr_array
    leaf: Indices
    column: Indices
    low: Indices
    high: Indices
    least: Doubles
    most: Doubles

    @classmethod
    def of(cls, target: Trees, cells: Cells, plausible: Plausibility) -> _Demands:
        leaves = tabulate_leaves(target, cells)
        number, low, high = np.arange(len(leaves.value)), cells.low.copy(), cells.high.copy()
        for j, cuts in enumerate(cells.thresholds):
            start, end = cells.start[j], cells.start[j + 1]
            if plausible.binary[j]:
                high[start : end - 1], low[start + 1 : end] = np.floor(cuts), np.floor(cuts) + 1
            low[start], high[end - 1] = -np.inf, np.inf
        return cls(
            value=leaves.value,
            trees=csr_array((np.ones(len(number)), number, leaves.tree)),
            leaf=np.repeat(number, np.diff(leaves.range)),
            column=leaves.column,
            low=leaves.low,
            high=leaves.high,
            least=low[cells.start[leaves.column] + leaves.low],
            most=high[cells.start[leaves.column] + leaves.high],
        )


class _Program:
    """The program of one point: z of the leaves, moved, rise and fall of the columns, and whether each cell is reached.

    Attributes
    ----------
    moves : where the point may move.
    """

    def __init__(
        self, target: Trees, cells: Cells, demands: _Demands, problem: Problem, point: Doubles, wanted: bool
    ) -> None:
        self._target, self._cells, self._demands, self._problem = target, cells, demands, problem
        self._point, self._sign = point, 1 if wanted else -1
        self.moves = Moves.of(cells, point, problem)
        [self._other] = cells.place(1 - point[None])  # where binary columns move to
        sizes = [len(demands.value), len(point), len(point), len(point), len(cells.low)]
        eye = csr_array(eye_array(sum(sizes)))
        parts = (eye[i] for i in np.split(np.arange(sum(sizes)), np.cumsum(sizes[:-1])))
        self._z, self._moved, self._rise, self._fall, self._cell = parts
        self._binary = (np.arange(sum(sizes)) < sizes[0] + sizes[1]).astype(np.int64)

    def solve(self, time_limit: float | None) -> tuple[Indices | None, float]:
        """(m,) cells of the counterfactual, None where none was found, and a bound on its cost."""
        end = np.inf if time_limit is None else time.monotonic() + time_limit
        costs, common, bound = self._problem.costs, [*self._group_rows(), *self._score_rows()], 0.0
        cost = costs.changed * self._moved.sum(axis=0) + costs.distance * (self._rise + self._fall).sum(axis=0)
        bounds = Bounds(0, np.where(self._binary == 1, 1, np.inf))
        for rows in (self._value_rows, self._cell_rows):
            result = milp(
                _SCALE * cost,
                integrality=self._binary,
                bounds=bounds,
                constraints=[*rows(), *common],
                options={"mip_rel_gap": 0.0, "time_limit": max(end - time.monotonic(), 0.0)},
            )
            if result.status == _LIMIT:
                bound = max(result.mip_dual_bound or 0.0, 0.0) / _SCALE
            if result.x is not None and (reached := self._read(result.x, float(cost @ result.x))) is not None:
                return reached, np.inf if result.status == 0 else bound
            if result.status == _LIMIT:
                break
        return None, np.inf if result.status == _INFEASIBLE else bound

    def _value_rows(self) -> Iterator[LinearConstraint]:
        """What each column may rise and fall, (7), and the values that leaves demand, (3) and (4)."""
        least_rise, most_rise, least_fall, most_fall = self._ranges()
        for move, least, most in ((self._rise, least_rise, most_rise), (self._fall, least_fall, most_fall)):
            yield LinearConstraint(move - diags_array(most) @ self._moved, -np.inf, 0)
            yield LinearConstraint(move - diags_array(least) @ self._moved, 0, np.inf)
        demands, column, z = self._demands, self._demands.column, self._z[self._demands.leaf]
        own, moves, x = self.moves.own[column], (self._rise - self._fall)[column], self._point[column]
        upper = np.where(own <= demands.high, np.maximum(demands.most, x), demands.most) - x
        lower = np.where(own >= demands.low, np.minimum(demands.least, x), demands.least) - x
        for end, spare, sign in ((upper, most_rise[column] - upper, 1), (-lower, lower + most_fall[column], -1)):
            on = np.flatnonzero(np.isfinite(spare) & (spare > 0))
            big = np.maximum(spare[on], 1)  # M of the paper; no less than what leaves the column free
            yield LinearConstraint(sign * moves[on] + diags_array(big) @ z[on], -np.inf, end[on] + big)

    def _ranges(self) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """(m,) least and most that each column may rise if it does, and fall; 0 where it may not.

        No column needs to go farther than into its first or its last cell; it may by 1, which keeps M finite.
        """
        x, plausible, at = self._point, self._problem.plausible, self._cells.start[:-1] + self._other
        only = np.where(np.isfinite(self.moves.cost[at]), 1 - x, x)
        first, last = self._cells.high[self._cells.start[:-1]], self._cells.low[self._cells.start[1:] - 1]
        lower = np.where(plausible.binary, only, np.maximum(plausible.lower, first - 1))
        upper = np.where(plausible.binary, only, np.minimum(plausible.upper, last + 1))
        rises, falls = plausible.rises & (upper > x), plausible.falls & (lower < x)
        return (
            np.where(rises, np.maximum(lower - x, 0), 0),
            np.where(rises, upper - x, 0),
            np.where(falls, np.maximum(x - upper, 0), 0),
            np.where(falls, x - lower, 0),
        )

    def _cell_rows(self) -> Iterator[LinearConstraint]:
        """Each column reaches one cell, which leaves demand, and moves as far as the cell is."""
        demands, start, number = self._demands, self._cells.start, np.arange(len(self._cells.low))
        column = np.repeat(np.arange(len(self._point)), np.diff(start))
        one_each: csr_array = csr_array((np.ones(len(number)), number, start)) @ self._cell
        yield LinearConstraint(one_each, 1, 1)
        yield LinearConstraint(self._cell, 0, np.isfinite(self.moves.cost))
        low, high = ((start[demands.column] + end)[:, None] for end in (demands.low, demands.high))
        demanded = csr_array(((low <= number) & (number <= high)).astype(np.float64))
        yield LinearConstraint(self._z[demands.leaf] - demanded @ self._cell, -np.inf, 0)
        yield LinearConstraint(self._moved + self._cell[start[:-1] + self.moves.own], 1, np.inf)
        distance = self.moves.value - self._point[column]
        for move, far in ((self._rise, np.maximum(distance, 0)), (self._fall, np.maximum(-distance, 0))):
            yield LinearConstraint(_SCALE * (move - csr_array((far, number, start)) @ self._cell), 0, 0)

    def _group_rows(self) -> Iterator[LinearConstraint]:
        """At most one column of a group is 1, unless none of them moves."""
        for group in map(list, self._problem.plausible.one_of):
            ones = int((self._point[group] == 1).sum())
            every = csr_array(np.ones((len(group), len(group))))
            rows = every @ (self._rise - self._fall)[group] + max(ones - 1, 0) * self._moved[group]
            yield LinearConstraint(rows, -np.inf, max(1 - ones, 0))

    def _score_rows(self) -> Iterator[LinearConstraint]:
        """One leaf of each tree, (5), and a score beyond the margin, (6)."""
        yield LinearConstraint(self._demands.trees @ self._z, 1, 1)
        lacking, value = self._problem.margin - self._sign * self._target.base, csr_array(self._demands.value[None])
        yield LinearConstraint(_SCALE * self._sign * (value @ self._z), _SCALE * lacking, np.inf)

    def _read(self, solution: Doubles, cost: float) -> Indices | None:
        """(m,) cells of a solution; None where it is none, or costs more than it seems to."""
        demands, start, own = self._demands, self._cells.start, self.moves.own
        far = np.asarray((self._rise + self._fall) @ solution) > 0.5
        on = np.flatnonzero((np.asarray(self._z @ solution) > 0.5)[demands.leaf])
        low, high = np.zeros_like(own), np.diff(start) - 1
        np.maximum.at(low, demands.column[on], demands.low[on])
        np.minimum.at(high, demands.column[on], demands.high[on])
        reached = np.where(far & self._problem.plausible.binary, self._other, own)
        for j in np.flatnonzero((own < low) | (own > high)).tolist():
            costs = self.moves.cost[start[j] + low[j] : start[j] + high[j] + 1]
            if np.isinf(costs.min(initial=np.inf)):
                return None
            reached[j] = low[j] + np.argmin(costs)
        at = start[:-1] + reached
        score = self._sign * float(self._target.score(self.moves.value[at][None])[0])
        enough = score >= least_score(self._target, self._problem)
        return reached if enough and self.moves.cost[at].sum() <= cost + _CLOSE else None
