"""Targets, plausible sets and points drawn at random, and counterfactuals by going through all combinations."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.problem import Counterfactuals, Plausibility, Problem
from scrutable_fcca.target import LEAF, Doubles, Trees


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


def check(found: Counterfactuals, target: Trees, points: Doubles, wanted: NDArray[np.bool_], problem: Problem) -> None:
    """Counterfactuals are plausible, reach the margin, cost what they say, and cross the thresholds that they say."""
    plausible, cells = problem.plausible, Cells.of(target, problem.plausible)
    own, reached = cells.place(points), cells.place(found.values)
    changed = found.values != points
    solved = np.isfinite(found.cost)
    assert not changed[~solved].any()
    np.testing.assert_array_equal(changed, own != reached)
    np.testing.assert_array_equal(changed, ~np.isnan(found.crossed))
    score = np.where(wanted, 1, -1) * target.score(found.values)
    assert (score[solved] >= problem.margin - 1e-12).all()
    costs = problem.costs.of(np.abs(found.values - points)).sum(axis=1)
    np.testing.assert_allclose(costs[solved], found.cost[solved], rtol=0, atol=1e-12)
    for i, j in np.argwhere(changed).tolist():
        value, threshold = found.values[i, j], found.crossed[i, j]
        rises = value > points[i, j]
        assert plausible.lower[j] <= value <= plausible.upper[j]
        assert plausible.rises[j] if rises else plausible.falls[j]
        assert points[i, j] <= threshold < value if rises else value <= threshold < points[i, j]
        between = cells.thresholds[j][(cells.thresholds[j] > threshold) == rises]
        assert not ((between < value) == rises)[between != threshold].any()
        assert value in (0, 1) or not plausible.binary[j]
    for group in map(list, plausible.one_of):
        assert ((found.values[:, group] == 1).sum(axis=1) <= 1)[changed[:, group].any(axis=1)].all()
