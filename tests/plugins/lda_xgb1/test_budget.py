"""A budget is spent as well as it can be: against every choice there is, and against a mixed-integer solver."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from scrutable_lda_xgb1.budget import spread

Fronts = list[tuple[np.ndarray, np.ndarray]]


def spent(fronts: Fronts, chosen: list[int]) -> tuple[float, np.ndarray]:
    iv = math.fsum(iv[at] for (iv, _), at in zip(fronts, chosen, strict=True))
    parts = np.array([fiv[at] for (_, fiv), at in zip(fronts, chosen, strict=True)])
    return iv, np.array([sum(column) for column in parts.reshape(len(parts), -1).T.tolist()])


def best_of_all(fronts: Fronts, budget: np.ndarray) -> float | None:
    every = itertools.product(*(range(len(iv)) for iv, _ in fronts))
    figures = (spent(fronts, list(chosen)) for chosen in every)
    return max((iv for iv, fiv in figures if (fiv <= budget).all()), default=None)


@pytest.mark.parametrize("bounds", [1, 2, 3])
@pytest.mark.parametrize("digits", [1, 15])
def test_equals_brute_force(bounds: int, digits: int) -> None:
    """One digit makes ties and sums that meet the budget exactly."""
    rng = np.random.default_rng(10 * bounds + digits)
    kept = 0
    for _ in range(60):
        sizes = rng.integers(1, 6, rng.integers(1, 6))
        shape = [(k, bounds) if bounds > 1 else (k,) for k in sizes]
        fronts = [(rng.random(k).round(digits), rng.random(s).round(digits)) for k, s in zip(sizes, shape, strict=True)]
        budget = (rng.random(bounds) * len(sizes) * 0.8).round(digits)
        best = best_of_all(fronts, budget)
        chosen = spread(fronts, budget if bounds > 1 else float(budget[0]))
        assert (chosen is None) == (best is None)
        if chosen is not None:
            kept += 1
            iv, fiv = spent(fronts, chosen)
            assert (fiv <= budget).all()
            assert iv == pytest.approx(best, abs=1e-10)
    assert 10 < kept < 60


def solved(fronts: Fronts, budget: float) -> float:
    iv, fiv = (np.concatenate(column) for column in zip(*fronts, strict=True))
    one_each = np.zeros((len(fronts), len(iv)))
    one_each[np.repeat(np.arange(len(fronts)), [len(iv) for iv, _ in fronts]), np.arange(len(iv))] = 1
    rows = [LinearConstraint(one_each, 1, 1), LinearConstraint(fiv[None], -np.inf, budget)]
    options = {"mip_rel_gap": 0.0}
    return (
        -milp(-1e4 * iv, integrality=np.ones(len(iv)), bounds=Bounds(0, 1), constraints=rows, options=options).fun / 1e4
    )


@pytest.mark.parametrize("share", [0.02, 0.1, 0.4, 1.0])
def test_equals_a_mixed_integer_solver_on_fronts(share: float) -> None:
    rng = np.random.default_rng(4)
    fronts = []
    for _ in range(12):
        fiv = np.append(0.0, rng.random(40).cumsum() ** 1.5) * rng.uniform(0.001, 0.02)
        iv = np.append(0.0, np.sort(rng.random(40) ** 0.3 * rng.uniform(0.1, 2)))
        fronts.append((iv, fiv))
    budget = share * sum(float(fiv[-1]) for _, fiv in fronts)
    chosen = spread(fronts, budget)
    assert chosen is not None
    iv, fiv = spent(fronts, chosen)
    assert fiv[0] <= budget
    assert iv == pytest.approx(solved(fronts, budget), abs=1e-7)


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_one_contrast_written_twice_changes_nothing(share: float) -> None:
    rng = np.random.default_rng(5)
    fronts = [(np.sort(rng.random(30)), np.sort(rng.random(30)) ** 2) for _ in range(8)]
    budget = share * 8
    once = spread(fronts, budget)
    twice = spread([(iv, np.column_stack([fiv, fiv])) for iv, fiv in fronts], budget)
    assert once is not None
    assert twice is not None
    assert spent(fronts, once)[0] == pytest.approx(spent(fronts, twice)[0], abs=1e-10)


def test_no_choice_where_the_least_is_too_much() -> None:
    one = (np.array([1.0, 2.0]), np.array([0.25, 0.5]))
    assert spread([one, one], 0.5) == [0, 0]
    assert spread([one, one], np.nextafter(0.5, 0)) is None
    assert spread([one, (np.empty(0), np.empty(0))], 9.0) is None
    assert spread([], 1.0) == []
