"""Targets, plausible sets and points drawn at random, and the least costs by going through all combinations.

Where these are too many, a mixed-integer program says what the least costs are.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.moves import Moves
from scrutable_fcca.counterfactuals.problem import Costs, Counterfactuals, Plausibility, Problem
from scrutable_fcca.target import LEAF, Doubles, Flags, Target, Trees

COSTS = [
    Costs(),
    Costs(changed=0.0),
    Costs(changed=1.0, distance=0.0),
    Costs(changed=0.0, distance=0.0, squared=1.0),
    Costs(changed=0.05, distance=0.5, squared=2.0),
]

Solve = Callable[[Trees, Doubles, Flags, Problem], Counterfactuals]


def stumps(*questions: tuple[int, float, float, float], n_columns: int, base: float = 0.0) -> Trees:
    """Stumps from column, threshold, value at most there, value above."""
    return Trees(
        n_columns=n_columns,
        roots=np.arange(0, 3 * len(questions), 3),
        column=np.array([j for question in questions for j in (question[0], LEAF, LEAF)], dtype=np.int64),
        threshold=np.array([t for question in questions for t in (question[1], 0.0, 0.0)]),
        left=np.array([k for i in range(len(questions)) for k in (3 * i + 1, 0, 0)], dtype=np.int64),
        right=np.array([k for i in range(len(questions)) for k in (3 * i + 2, 0, 0)], dtype=np.int64),
        value=np.array([v for question in questions for v in (0.0, question[2], question[3])]),
        base=base,
    )


def random_trees(random: np.random.Generator, n_columns: int, n_trees: int, depth: int) -> Trees:
    """Trees of at most this depth that ask each column about at most three thresholds, some of them close together."""
    pools = [random.random(3) for _ in range(n_columns)]
    for pool in pools:
        if random.random() < 0.2:
            pool[1] = pool[0] + 10.0 ** random.integers(-8, -2)
    column, threshold, left, right, value = [], [], [], [], []

    def grow(levels: int) -> int:
        node = len(column)
        split = levels > 0 and random.random() < 0.9
        column.append(int(random.integers(n_columns)) if split else LEAF)
        threshold.append(float(random.choice(pools[column[node]])) if split else 0.0)
        value.append(0.0 if split else float(random.normal()))
        left.append(0)
        right.append(0)
        if split:
            left[node], right[node] = grow(levels - 1), grow(levels - 1)
        return node

    roots = [grow(depth) for _ in range(n_trees)]
    return Trees(
        n_columns=n_columns,
        roots=np.array(roots, dtype=np.int64),
        column=np.array(column, dtype=np.int64),
        threshold=np.array(threshold),
        left=np.array(left, dtype=np.int64),
        right=np.array(right, dtype=np.int64),
        value=np.array(value),
        base=float(random.normal()),
    )


def random_plausibility(random: np.random.Generator, n_columns: int) -> Plausibility:
    """Some columns immutable, some one-directional, some narrowed, some binary, some of these categories."""
    binary = random.random(n_columns) < 0.4
    narrowed = (random.random((2, n_columns)) < 0.3) & ~binary
    categories = np.flatnonzero(binary)[:3]
    return Plausibility(
        lower=np.where(narrowed[0], random.uniform(0, 0.4, n_columns), 0.0),
        upper=np.where(narrowed[1], random.uniform(0.6, 1, n_columns), 1.0),
        rises=random.random(n_columns) < 0.85,
        falls=random.random(n_columns) < 0.85,
        binary=binary,
        one_of=(tuple(categories.tolist()),) if len(categories) > 1 else (),
    )


def random_points(random: np.random.Generator, n: int, target: Trees, plausible: Plausibility) -> Doubles:
    """(n, m) points; some values lie at thresholds, and a few points are of two categories at once."""
    points = random.random((n, target.n_columns))
    for j, cuts in enumerate(target.thresholds()):
        if len(cuts):
            points[:, j] = np.where(random.random(n) < 0.2, random.choice(cuts, n), points[:, j])
    points[:, plausible.binary] = random.random((n, int(plausible.binary.sum()))) < 0.5
    for group in map(list, plausible.one_of):
        one = random.random(n) < 0.9
        points[np.ix_(one, group)] = random.integers(0, len(group) + 1, (int(one.sum()), 1)) == np.arange(len(group))
    return points


def brute_force(target: Trees, point: Doubles, wanted: bool, problem: Problem) -> float:
    """Least cost over all combinations of cells; infinity where none reaches the margin."""
    plausible, cells = problem.plausible, Cells.of(target, problem.plausible)
    own = cells.place(point[None])[0]
    choices = []
    for j, start in enumerate(cells.start[:-1]):
        values = [point[j]]
        for cell in range(cells.start[j + 1] - start):
            allowed = plausible.rises[j] if cell > own[j] else plausible.falls[j]
            low, high = cells.low[start + cell], cells.high[start + cell]
            if cell != own[j] and allowed and low <= high:
                values.append(np.clip(point[j], low, high))
        choices.append(values)
    changed = np.array(list(product(*choices)))
    reached = (1 if wanted else -1) * target.score(changed) >= problem.margin - 1e-12
    for group in map(list, plausible.one_of):
        reached &= ((changed[:, group] == 1).sum(axis=1) <= 1) | (changed[:, group] == point[group]).all(axis=1)
    costs = problem.costs.of(np.abs(changed - point)).sum(axis=1)
    return float(costs[reached].min(initial=np.inf))


def by_program(target: Trees, point: Doubles, wanted: bool, problem: Problem) -> float:
    """Least cost by a mixed-integer program without groups: a binary of each cell, and a share of each leaf."""
    cells, sign = Cells.of(target, problem.plausible), 1 if wanted else -1
    moves, size = Moves.of(cells, point, problem), int(cells.start[-1])
    leaf = np.flatnonzero(target.column == LEAF)
    variable = dict(zip(leaf.tolist(), range(size, size + len(leaf)), strict=True))
    rows: list[Doubles] = []
    high: list[float] = []

    def at_most(most: float, *parts: tuple[list[int], float]) -> None:
        row = np.zeros(size + len(leaf))
        for places, coefficient in parts:
            row[places] = coefficient
        rows.append(row)
        high.append(most)

    def leaves(node: int) -> list[int]:
        """Leaves below a node; those on one side of a split need a cell there."""
        if target.column[node] == LEAF:
            return [variable[node]]
        j = int(target.column[node])
        last = int(cells.start[j] + np.searchsorted(cells.thresholds[j], target.threshold[node]))
        below, above = leaves(int(target.left[node])), leaves(int(target.right[node]))
        at_most(0.0, (below, 1.0), (list(range(cells.start[j], last + 1)), -1.0))
        at_most(0.0, (above, 1.0), (list(range(last + 1, cells.start[j + 1])), -1.0))
        return below + above

    trees = [leaves(root) for root in target.roots.tolist()]
    columns = [list(range(*ends)) for ends in zip(cells.start[:-1], cells.start[1:], strict=True)]
    one_each = np.zeros((len(trees) + len(columns), size + len(leaf)))
    for row, places in zip(one_each, [*trees, *columns], strict=True):
        row[places] = 1.0
    score = np.append(np.zeros(size), sign * target.value[leaf])
    possible = np.isfinite(moves.cost)
    solved = milp(
        1e3 * np.append(np.where(possible, moves.cost, 0.0), np.zeros(len(leaf))),
        integrality=np.repeat([1, 0], [size, len(leaf)]),
        bounds=Bounds(0, np.append(possible, np.ones(len(leaf)))),
        constraints=[
            LinearConstraint(one_each, 1, 1),
            LinearConstraint(np.array(rows), -np.inf, high),
            LinearConstraint(1e3 * score[None], 1e3 * (problem.margin - sign * target.base), np.inf),
        ],
        options={"mip_rel_gap": 0.0},
    )
    return np.inf if solved.x is None else float(solved.fun / 1e3)


def one(
    solve: Solve, target: Trees, point: list[float], problem: Problem, wanted: bool = True
) -> tuple[list[float], float, str]:
    """Values, cost and status of one counterfactual, checked."""
    points, wishes = np.array([point]), np.array([wanted])
    found = solve(target, points, wishes, problem)
    check(found, target, points, wishes, problem)
    return found.values[0].tolist(), float(found.cost[0]), found.status(0)


def check_changes(found: Counterfactuals, target: Target, points: Doubles, wanted: Flags, problem: Problem) -> Flags:
    """Counterfactuals are plausible, reach the margin, and cost what they say; (n, m) what changed."""
    plausible, changed, solved = problem.plausible, found.values != points, np.isfinite(found.cost)
    assert not changed[~solved].any()
    score = np.where(wanted, 1, -1) * target.score(found.values)
    assert (score[solved] >= problem.margin - 1e-12).all()
    costs = problem.costs.of(np.abs(found.values - points)).sum(axis=1)
    np.testing.assert_allclose(costs[solved], found.cost[solved], rtol=0, atol=1e-12)
    allowed = np.where(found.values > points, plausible.rises, plausible.falls)
    inside = (plausible.lower <= found.values) & (found.values <= plausible.upper)
    assert (allowed & inside & (~plausible.binary | np.isin(found.values, (0, 1))))[changed].all()
    for group in map(list, plausible.one_of):
        assert ((found.values[:, group] == 1).sum(axis=1) <= 1)[changed[:, group].any(axis=1)].all()
    return changed


def check(found: Counterfactuals, target: Trees, points: Doubles, wanted: Flags, problem: Problem) -> None:
    """Counterfactuals of trees are as `check_changes` says, and cross the thresholds that they say."""
    changed, cells = check_changes(found, target, points, wanted, problem), Cells.of(target, problem.plausible)
    np.testing.assert_array_equal(changed, cells.place(points) != cells.place(found.values))
    np.testing.assert_array_equal(changed, ~np.isnan(found.crossed))
    for i, j in np.argwhere(changed).tolist():
        value, threshold = found.values[i, j], found.crossed[i, j]
        rises = value > points[i, j]
        assert points[i, j] <= threshold < value if rises else value <= threshold < points[i, j]
        between = cells.thresholds[j][(cells.thresholds[j] > threshold) == rises]
        assert not ((between < value) == rises)[between != threshold].any()
