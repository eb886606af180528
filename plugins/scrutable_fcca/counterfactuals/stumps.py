"""Exact counterfactuals of boosted stumps: a knapsack for each point."""

from __future__ import annotations

import numpy as np

from scrutable.errors import InputError
from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.knapsack import choose
from scrutable_fcca.counterfactuals.moves import least_score
from scrutable_fcca.counterfactuals.problem import Counterfactuals, Problem
from scrutable_fcca.counterfactuals.stump_kernels import Columns, changed, offered, tabulated
from scrutable_fcca.target import LEAF, Doubles, Flags, Trees

_BATCH = 1024  # points whose options are held at once


def solve_stumps(
    target: Trees,
    points: Doubles,
    wanted: Flags,
    problem: Problem,
    held: Flags | None = None,
    *,
    most: int = 2**22,
) -> Counterfactuals:
    """Optimal counterfactuals of an ensemble of stumps.

    Parameters
    ----------
    target : trees of depth 1 or 0.
    points : (n, m) points.
    wanted : (n,) True where class 1 is wanted.
    problem : what may change, what changes cost, and the margin to be reached.
    held : (n, m) what else cannot change of single points; nothing where None.
    most : number of partial choices, at 40 bytes each, after which the search for a point gives up with what it has
        found and a bound (status "limit"). A few hundred are usual; it takes costs that are nearly proportional to
        gains to reach millions.

    Raises
    ------
    InputError : a tree asks more than one question.

    Examples
    --------
    >>> from scrutable_fcca.counterfactuals.problem import Costs, Plausibility
    >>> stump = Trees(
    ...     n_columns=2, roots=np.array([0]), column=np.array([1, -1, -1]), threshold=np.array([0.5, 0.0, 0.0]),
    ...     left=np.array([1, 0, 0]), right=np.array([2, 0, 0]), value=np.array([0.0, -1.0, 1.0]), base=0.0)
    >>> problem = Problem(plausible=Plausibility.free(2), costs=Costs())
    >>> nearest = solve_stumps(stump, np.array([[0.3, 0.2]]), np.array([True]), problem)
    >>> nearest.values, nearest.crossed, nearest.cost.round(4)
    (array([[0.3     , 0.500001]]), array([[nan, 0.5]]), array([0.4]))
    """
    if (depth := target.depth) > 1:
        raise InputError("the target asks more than one question in a row", got=depth, allowed="trees of depth 1")
    leaves = target.roots[target.column[target.roots] == LEAF]
    base, least = target.base + float(target.value[leaves].sum()), least_score(target, problem)
    columns, batches = _columns(target, problem), []
    kept = np.zeros(points.shape, np.bool_) if held is None else held
    for begin in range(0, max(len(points), 1), _BATCH):
        those = slice(begin, begin + _BATCH)
        batch = np.ascontiguousarray(points[those])
        offer = offered(columns, batch, wanted[those], np.ascontiguousarray(kept[those]), base, least)
        chosen, cost, bound = choose(offer.start, offer.cost, offer.gain, offer.lacking, most)
        batches.append((*changed(columns, batch, offer, chosen), cost, bound))
    values, crossed, cost, bound = (np.concatenate(part) for part in zip(*batches, strict=True))
    return Counterfactuals(values=values, crossed=crossed, cost=cost, bound=bound)


def _columns(target: Trees, problem: Problem) -> Columns:
    """What the compiled loops need to know, once for all points."""
    plausible, costs = problem.plausible, problem.costs
    cells = Cells.of(target, plausible)
    cuts = np.concatenate(cells.thresholds)
    stump = target.roots[target.column[target.roots] != LEAF]
    score = tabulated(
        cells.start,
        cuts,
        target.column[stump],
        target.threshold[stump],
        target.value[target.left[stump]],
        target.value[target.right[stump]],
    )
    grouped = {j for group in plausible.one_of for j in group}
    alone = [(int(j),) for j in np.flatnonzero(np.diff(cells.start) > 1) if j not in grouped]
    items = [*alone, *plausible.one_of]
    return Columns(
        start=cells.start,
        cuts=cuts,
        low=cells.low,
        high=cells.high,
        score=score,
        rises=plausible.rises,
        falls=plausible.falls,
        item=np.cumsum([0, *map(len, items)], dtype=np.int64),
        members=np.array([j for item in items for j in item], dtype=np.int64),
        costs=np.array([costs.changed, costs.distance, costs.squared], dtype=np.float64),
    )
