"""Exact counterfactuals of tree ensembles of any depth: branch and bound over boxes of cells."""

from __future__ import annotations

import numpy as np

from scrutable.errors.checks import check_whole
from scrutable_fcca.counterfactuals.box_kernels import explain
from scrutable_fcca.counterfactuals.box_moves import Room
from scrutable_fcca.counterfactuals.box_tables import Leaves, tabulate_leaves
from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.moves import Moves, least_score
from scrutable_fcca.counterfactuals.problem import Counterfactuals, Problem
from scrutable_fcca.target import Doubles, Flags, Trees

#: Between the best and the worst leaf of a tree, where steps of the relaxed problem towards its bound are best.
_SPREAD = 0.17


def solve_boxes(
    target: Trees,
    points: Doubles,
    wanted: Flags,
    problem: Problem,
    held: Flags | None = None,
    *,
    node_limit: int = 200_000,
) -> Counterfactuals:
    """Optimal counterfactuals of trees of any depth, boosted or of a forest.

    Parameters
    ----------
    target : trees.
    points : (n, m) points; their binary columns are 0 or 1.
    wanted : (n,) True where class 1 is wanted.
    problem : what may change, what changes cost, and the margin to be reached.
    held : (n, m) what else cannot change of single points; nothing where None.
    node_limit : boxes looked at for a point, after which it gets the best counterfactual found, if any, and a bound
        (status "limit"). Usual are fewer than a hundred, and ten thousand take a second or two.

    Raises
    ------
    InputError : a limit that is no whole number from 1.

    Examples
    --------
    >>> from scrutable_fcca.counterfactuals.problem import Costs, Plausibility
    >>> tree = Trees(  # 1 where both columns are above 0.5
    ...     n_columns=2, roots=np.array([0]), column=np.array([0, -1, 1, -1, -1]),
    ...     threshold=np.array([0.5, 0.0, 0.5, 0.0, 0.0]), left=np.array([1, 0, 3, 0, 0]),
    ...     right=np.array([2, 0, 4, 0, 0]), value=np.array([0.0, -1.0, 0.0, -1.0, 1.0]), base=0.0)
    >>> problem = Problem(plausible=Plausibility.free(2), costs=Costs())
    >>> nearest = solve_boxes(tree, np.array([[0.3, 0.2]]), np.array([True]), problem)
    >>> nearest.values, nearest.crossed, nearest.cost.round(4)
    (array([[0.500001, 0.500001]]), array([[0.5, 0.5]]), array([0.7]))
    """
    check_whole(node_limit, "node_limit", 1)
    cells, groups = Cells.of(target, problem.plausible), problem.plausible.one_of
    leaves = tabulate_leaves(target, cells)
    unit = _SPREAD / (_spread(leaves) or 1.0)
    group = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    members = np.array([j for each in groups for j in each], dtype=np.int64)
    grouped = np.repeat(np.isin(np.arange(target.n_columns), members), np.diff(cells.start))
    least = least_score(target, problem)
    values, crossed = points.copy(), np.full(points.shape, np.nan)
    cost, bound = np.zeros(len(points)), np.zeros(len(points))
    for i in range(len(points)):
        sign = unit if wanted[i] else -unit
        moves = Moves.of(cells, points[i], problem if held is None else problem.holding(held[i]))
        one, needed = grouped & (moves.value == 1.0), unit * least - sign * target.base
        room = Room(cells.start, moves.own, moves.cost, one, group, members, needed)
        reached, cost[i], bound[i] = explain(leaves._replace(value=sign * leaves.value), room, node_limit)
        values[i], crossed[i] = moves.changed(cells, reached)
    return Counterfactuals(values=values, crossed=crossed, cost=cost, bound=bound)


def _spread(leaves: Leaves) -> float:
    """How far the best and the worst leaf of a tree are apart, as the root of the mean square."""
    first = leaves.tree[:-1]
    apart = np.maximum.reduceat(leaves.value, first) - np.minimum.reduceat(leaves.value, first)
    return float(np.sqrt((apart**2).sum() / max(len(first), 1)))
