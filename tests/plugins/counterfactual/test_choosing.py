"""Sets out of a list, once cells are priced, against an integer program and against going through all sets."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from scrutable_counterfactual import choosing
from scrutable_counterfactual.choosing import Listed

_MANY = 10_000_000


@pytest.fixture(autouse=True)
def priced_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are priced where one set was not enough."""
    monkeypatch.setattr(choosing, "_QUICK", 1)


def random_list(rng: np.random.Generator, length: int, *, terms: int = 1, rewards: bool = False) -> Listed:
    changes = rng.integers(0, 3, (length, 4))
    changes[rng.random(changes.shape) < 0.5] = -1
    costs = rng.random((length, terms)).round(2)
    apart = np.array([rng.random() < 0.5, True])
    common = rng.random((terms, 2)) * 0.2 if rewards else np.zeros((terms, 2))
    return Listed(changes=changes, costs=costs[np.argsort(costs[:, 0], kind="stable")], common=common, apart=apart)


def cost_of(listed: Listed, rows: tuple[int, ...]) -> np.ndarray | None:
    """What a set costs of each term; None where two are not apart."""
    total = listed.costs[list(rows)].sum(axis=0)
    for one, other in combinations(listed.changes[list(rows)], 2):
        both = (one >= 0) & (other >= 0)
        equal = both & (one == other)
        if equal.any() or (listed.apart[0] and ((one >= 0) == (other >= 0)).all()):
            return None
        total = total + listed.common @ [both.sum(), equal.sum()]
    return total


def test_the_cheapest_set_is_that_of_going_through_all_sets() -> None:
    sets = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        listed = random_list(rng, int(rng.integers(1, 14)), terms=2, rewards=bool(seed % 2))
        number = int(rng.integers(1, 5))
        sums = np.array([math.inf, rng.choice([math.inf, number * 0.5])])
        costs = [cost_of(listed, rows) for rows in combinations(range(len(listed.costs)), number)]
        least = min((float(cost[0]) for cost in costs if cost is not None and (cost <= sums).all()), default=math.inf)
        chosen = listed.cheapest(number, sums, _MANY)
        assert chosen.ended
        assert chosen.cost == pytest.approx(least, abs=1e-9), seed
        if least < math.inf:
            sets += 1
            cost = cost_of(listed, tuple(chosen.rows))
            assert cost is not None
            assert cost[0] == pytest.approx(chosen.cost)
            assert (cost <= sums + 1e-9).all()
    assert 50 < sets < 140


def test_a_set_that_was_seen_is_kept_where_the_budget_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_QUICK", 300)
    for seed in range(40):
        listed, sums = random_list(np.random.default_rng(seed), 400), np.array([math.inf])
        first = listed.cheapest(4, sums, 300)
        later = listed.cheapest(4, sums, 310)
        assert later.cost <= first.cost
        if later.cost < math.inf:
            cost = cost_of(listed, tuple(later.rows))
            assert cost is not None
            assert cost[0] == pytest.approx(later.cost)


@pytest.mark.parametrize("number", [3, 4, 6])
def test_a_long_list_is_settled_as_an_integer_program_settles_it(number: int) -> None:
    """A thousand proposals over 12 cells: three sets of four features at the most, so that six are too many."""
    listed = random_list(np.random.default_rng(number), 1000)
    rows, ones = listed._exclusive()
    every = LinearConstraint(np.ones((1, 1000)), number, number)
    apart = LinearConstraint(rows, -np.inf, ones)
    solved = milp(listed.costs[:, 0], constraints=[apart, every], integrality=np.ones(1000), bounds=Bounds(0, 1))
    chosen = listed.cheapest(number, np.array([math.inf]), _MANY)
    assert chosen.ended
    assert chosen.cost == pytest.approx(math.inf if solved.fun is None else solved.fun, abs=1e-9)


def test_too_many_are_proven_impossible_without_going_through_the_list() -> None:
    """Each of 400 proposals changes the first feature to one of three cells: any two budgets of sets will do."""
    rng = np.random.default_rng(0)
    changes = rng.integers(0, 30, (400, 4))
    changes[:, 0] = rng.integers(0, 3, 400)
    costs = np.sort(rng.random((400, 1)), axis=0)
    listed = Listed(changes=changes, costs=costs, common=np.zeros((1, 2)), apart=np.array([False, True]))
    none = listed.cheapest(4, np.array([math.inf]), 2)
    assert none.ended
    assert none.cost == math.inf
    assert listed.cheapest(3, np.array([math.inf]), 10_000).cost < math.inf
