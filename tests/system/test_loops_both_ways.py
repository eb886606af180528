"""Loops that small data goes through as Python or in NumPy give the bits of machine code, and change the same."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.compiling import Compiled
from scrutable.data.datasets import make_credit
from scrutable_fcca.counterfactuals import knapsack
from scrutable_fcca.trees.stumps import stumps
from scrutable_rug.growing import grow_nodes
from scrutable_rug.grown import Cases, Layout, Limits


def arrays(value: Any) -> Iterator[np.ndarray]:
    """All numbers in what a loop is given or gives."""
    if isinstance(value, tuple):
        for each in value:
            yield from arrays(each)
    else:
        yield np.asarray(value)


def assert_same(one: Any, other: Any) -> None:
    pairs = zip(arrays(one), arrays(other), strict=True)
    for first, second in pairs:
        assert first.shape == second.shape
        assert not first.shape or first.dtype == second.dtype
        np.testing.assert_array_equal(first, second)
        np.testing.assert_array_equal(np.signbit(first.astype(float)), np.signbit(second.astype(float)))


def both_ways(loop: Any, *given: Any) -> Any:
    """What machine code gives, after Python has given the same and changed its arguments likewise."""
    own = copy.deepcopy(given)
    expected = loop.machine_code(*given)
    assert_same(loop.as_python(*own), expected)
    assert_same(own, given)
    return expected


BOUND = create("constraint", "demographic-parity", slack=0.1)
FITS: dict[str, tuple[str, dict[str, Any]]] = {
    "rules": ("rug", {}),
    "rules under a bound": ("rug", {"constraints": [BOUND], "max_depth": 2, "iterations": 4}),
    "a tree on thresholds": ("fcca-tree", {}),
    "boosted trees": ("fairgbm", {"n_estimators": 5}),
    "boosted trees under a bound": (
        "fairgbm",
        {"n_estimators": 5, "constraints": [BOUND], "operating": {"approval": 0.7}},
    ),
}
#: Loops that run as Python on small data, by name; some fit above goes through each of them.
LOOPS = {
    "_filled", "_gram", "_keys", "_negate", "_split", "_weigh", "changed", "choose", "grow_nodes",
    "leaf_of_rows", "leaves", "number_codes", "offered", "pair_sums", "stumps", "tabulated",
}  # fmt: skip


def test_every_loop_of_a_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[str] = Counter()

    def call(loop: Compiled, *given: Any) -> Any:
        if loop.runs_as_python:
            seen[loop.__name__] += 1
            return both_ways(loop, *given)
        return loop.machine_code(*given)

    monkeypatch.setattr(Compiled, "__call__", call)
    data = make_credit(400, seed=3)
    groups = pd.Series(np.where(np.arange(400) % 3, "a", "b"), name="group")
    for name, options in FITS.values():
        learner = create("learner", name, favourable=0, **options)
        learner.fit(data.X, data.y, sensitive_features=groups if "constraints" in options else None)
    assert set(seen) >= LOOPS


@pytest.mark.parametrize("n_classes", [2, 3, 11])
def test_trees_of_any_classes_and_codes(n_classes: int) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        size, n_features, ordinary = 150, 5, rng.integers(1, 12, 5)
        extras = rng.integers(1, 4, n_features)
        offsets = np.concatenate([[0], np.cumsum(ordinary + extras)])
        codes = np.stack([rng.integers(0, most, size) for most in ordinary + extras]).astype(np.uint8)
        layout = Layout(offsets, ordinary, rng.random(n_features) < 0.4)
        cases = Cases(
            np.arange(size, dtype=np.int32),
            rng.integers(0, n_classes, size).astype(np.int32),
            rng.integers(0, 3, size).astype(np.int32),
            rng.choice([0.1, 0.3, 1.0], size) if seed % 2 else rng.random(size),
        )
        limits = Limits(int(rng.integers(0, 6)), int(rng.integers(1, 9)), float(rng.choice([0.0, 0.01])))
        chosen = np.sort(rng.choice(n_features, 4, replace=False))
        both_ways(grow_nodes, codes, layout, chosen, cases, n_classes, limits)


def test_knapsacks_with_many_ties() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sizes = rng.integers(1, 5, (4, 30))
        starts = np.cumsum(np.c_[np.zeros(4, int), sizes], axis=1)
        starts += np.r_[0, np.cumsum(sizes.sum(axis=1))[:-1]][:, None]
        rises = rng.integers(1, 3, (2, sizes.sum())).astype(float)
        rises[:, starts[:, :-1].ravel()] = 0.0
        cost, gain = (
            np.concatenate([np.cumsum(part) for part in np.split(each, starts[:, :-1].ravel()[1:])]) for each in rises
        )
        both_ways(knapsack.choose, starts, cost, gain, rng.integers(-1, 40, 4).astype(float), 2**22)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_costs_of_trees_with_one_split(kind: type) -> None:
    rng = np.random.default_rng(1)
    has = rng.random((200, 9)) < rng.random(9)
    weights = rng.integers(0, 99, (2, 200)).astype(kind) / (1 if kind is np.int64 else 7)
    costs = np.stack([has.T @ (has * each[:, None]) for each in weights]).astype(kind)
    both_ways(stumps, costs, weights.sum(axis=1), 5 if kind is np.int64 else 0.25)
