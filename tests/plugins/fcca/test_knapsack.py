"""A knapsack's choice is the best of all, and its bound holds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from scrutable_fcca.counterfactuals.knapsack import choose


def rising(random: np.random.Generator, size: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Cost and gain of the options of an item."""
    gain = np.append(0.0, np.cumsum(random.uniform(0.1, 1, size)))
    if kind == "free":
        cost = np.append(0.0, np.cumsum(random.uniform(0.1, 1, size)))
    else:
        cost = gain * 0.9 + (0.1 if kind == "fixed" else 0.0) * (gain > 0)
    return cost, gain


@pytest.mark.parametrize("kind", ["free", "fixed", "proportional"])
@pytest.mark.parametrize("most", [10, 2**20])
def test_the_choice_is_the_best_of_all(kind: str, most: int) -> None:
    random = np.random.default_rng(0)
    proven = 0
    for _ in range(100):
        items = [rising(random, int(random.integers(0, 4)), kind) for _ in range(random.integers(1, 7))]
        cost, gain = (np.concatenate(part) for part in zip(*items, strict=True))
        start = np.cumsum([0, *(len(each) for each, _ in items)])
        lacking = np.array([random.uniform(0.01, 1.05) * sum(each[-1] for _, each in items), 0.0])
        chosen, total, bound = choose(np.stack([start, start]), cost, gain, lacking, most)
        every = np.array(list(product(*map(range, start[:-1], start[1:]))))
        enough = gain[every].sum(axis=1) >= lacking[0]
        best = cost[every].sum(axis=1)[enough].min(initial=np.inf)
        assert (chosen[1] == -1).all()
        assert total[1] == bound[1] == 0
        assert bound[0] <= best + 1e-12
        if total[0] == bound[0]:
            proven += 1
            assert total[0] == pytest.approx(best, abs=1e-12)
        if np.isfinite(best):
            assert gain[chosen[0]].sum() >= lacking[0] - 1e-12
            assert cost[chosen[0]].sum() == total[0] >= best - 1e-12
        else:
            assert (chosen[0] == -1).all()
            assert total[0] == np.inf
    assert proven == 100 if most > 10 else 30 < proven < 100
