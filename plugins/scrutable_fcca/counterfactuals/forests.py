"""Exact counterfactuals of forests: a mixed-integer program with a binary variable for each threshold.

Variables are a binary z of each threshold of each column, 1 where the value is at most the threshold, and a share w of
each leaf, which need not be asked to be whole: whole z leave one leaf of each tree. Of each tree, and each threshold
that it asks for, the shares of all leaves on the left add up to at most z, and those of all leaves on the right to at
most 1 - z: that so many leaves share a row is what makes the relaxed program tight. Cells are differences of
neighbouring z, so any cost that adds up over columns is linear in z.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, vstack

from scrutable_fcca.counterfactuals.box_tables import Flags, tabulate_leaves
from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.forest_rows import (
    Rows,
    Variables,
    cell_rows,
    group_rows,
    last_cells,
    side_rows,
    tree_rows,
)
from scrutable_fcca.counterfactuals.moves import Moves, least_score
from scrutable_fcca.counterfactuals.problem import Counterfactuals, Problem
from scrutable_fcca.target import Doubles, Indices, Trees

#: Of costs and scores for HiGHS, which takes rows for kept and gaps for closed that are within 1e-6.
_SCALE = 1e3
_OPTIMAL, _INFEASIBLE = 0, 2  # statuses of scipy's milp


def solve_forest(
    target: Trees, points: Doubles, wanted: Flags, problem: Problem, *, time_limit: float | None = None
) -> Counterfactuals:
    """Counterfactuals of trees of any depth, optimal to about 1e-9, by HiGHS.

    Parameters
    ----------
    target : trees.
    points : (n, m) points; their binary columns are 0 or 1.
    wanted : (n,) True where class 1 is wanted.
    problem : what may change, what changes cost, and the margin to be reached.
    time_limit : seconds for each point, after which it gets the best counterfactual found, if any, and a bound.

    Examples
    --------
    >>> from scrutable_fcca.counterfactuals.problem import Costs, Plausibility
    >>> stump = Trees(
    ...     n_columns=2, roots=np.array([0]), column=np.array([1, -1, -1]), threshold=np.array([0.5, 0.0, 0.0]),
    ...     left=np.array([1, 0, 0]), right=np.array([2, 0, 0]), value=np.array([0.0, -1.0, 1.0]), base=0.0)
    >>> problem = Problem(plausible=Plausibility.free(2), costs=Costs())
    >>> nearest = solve_forest(stump, np.array([[0.3, 0.2]]), np.array([True]), problem)
    >>> nearest.values, nearest.crossed, nearest.cost.round(4)
    (array([[0.3     , 0.500001]]), array([[nan, 0.5]]), array([0.4]))
    """
    program = _Program(target, problem)
    values, crossed = points.copy(), np.full(points.shape, np.nan)
    cost, bound = np.zeros(len(points)), np.zeros(len(points))
    for i in range(len(points)):
        sign = 1 if wanted[i] else -1
        if not program.reaches(points[i], sign):
            moves = Moves.of(program.cells, points[i], problem)
            reached, bound[i] = program.solve(moves, sign, time_limit)
            cost[i] = np.inf
            if reached is not None:
                cost[i] = moves.cost[program.cells.start[:-1] + reached].sum()
                bound[i] = min(bound[i], cost[i])
                values[i], crossed[i] = moves.changed(program.cells, reached)
    return Counterfactuals(values=values, crossed=crossed, cost=cost, bound=bound)


class _Program:
    """The program of a target, with the rows that all points have in common.

    Attributes
    ----------
    cells : the cells of the target.
    """

    def __init__(self, target: Trees, problem: Problem) -> None:
        self.cells, self._least = Cells.of(target, problem.plausible), least_score(target, problem)
        self._target, self._groups = target, problem.plausible.one_of
        leaves = tabulate_leaves(target, self.cells)
        self._variables = Variables.of(self.cells, leaves, len(self._groups))
        self._cell, self._last = cell_rows(self.cells, self._variables), last_cells(self.cells).astype(np.float64)
        self._whole = (np.arange(self._variables.end) < self._variables.leaves).astype(np.int64)
        self._rows = [tree_rows(leaves, self._variables), side_rows(leaves, self.cells, self._variables)]
        score = np.zeros((1, self._variables.end))
        score[0, self._variables.leaves : self._variables.groups] = leaves.value
        self._score = csr_array(score)

    def reaches(self, point: Doubles, sign: int) -> bool:
        """Whether a point has the score that is wanted."""
        return bool(sign * self._target.score(point[None])[0] >= self._least)

    def solve(self, moves: Moves, sign: int, time_limit: float | None) -> tuple[Indices | None, float]:
        """The cell of each column in the best counterfactual found, if any, and a bound on all costs.

        Cells that only seem to be a counterfactual, by what HiGHS allows itself, are ruled out one by one.
        """
        possible = np.isfinite(moves.cost)
        cost = np.where(possible, moves.cost, 0.0)
        lacking = np.array([self._least - sign * self._target.base])
        rows = [
            *self._rows,
            Rows(of=self._cell, low=-self._last, high=possible - self._last),
            Rows(of=_SCALE * sign * self._score, low=_SCALE * lacking, high=np.array([np.inf])),
        ]
        if self._groups:
            rows.append(group_rows(self._groups, moves, self.cells, self._variables))
        while True:
            result = milp(
                _SCALE * (cost @ self._cell),
                integrality=self._whole,
                bounds=Bounds(0, 1),
                constraints=LinearConstraint(
                    vstack([each.of for each in rows]),
                    np.concatenate([each.low for each in rows]),
                    np.concatenate([each.high for each in rows]),
                ),
                options={"mip_rel_gap": 0.0, "time_limit": np.inf if time_limit is None else time_limit},
            )
            bound = np.inf
            if result.status not in (_OPTIMAL, _INFEASIBLE):
                proven = -np.inf if result.mip_dual_bound is None else result.mip_dual_bound
                bound = max(proven / _SCALE + float(cost @ self._last), 0.0)
            if result.x is None:
                return None, bound
            reached = self._reached(result.x)
            if self.reaches(moves.value[self.cells.start[:-1] + reached], sign):
                return reached, bound
            rows.append(self._without(reached))

    def _reached(self, x: Doubles) -> Indices:
        """The cell of each column, from the values of the variables."""
        chosen = self._cell @ np.round(x) + self._last > 0.5
        return np.flatnonzero(chosen) - self.cells.start[:-1]

    def _without(self, reached: Indices) -> Rows:
        """A row that rules out the same cell of all columns together."""
        cell = self.cells.start[:-1] + reached
        row = csr_array(self._cell[cell].sum(axis=0)[None])
        return Rows(of=row, low=np.array([-np.inf]), high=np.array([len(cell) - 1.0 - self._last[cell].sum()]))
