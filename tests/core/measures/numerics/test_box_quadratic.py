from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.measures.numerics import box_quadratic
from scrutable.measures.numerics.box_quadratic import minimise_box_quadratic


def every_face(hessian, gradient, lower, upper):
    """Minimise by solving on each of the 3^k faces of the box."""
    best, where = np.inf, None
    for face in product((0, -1, 1), repeat=len(gradient)):
        side = np.array(face)
        z = np.where(side < 0, lower, np.where(side > 0, upper, 0.0))
        free = side == 0
        if not np.isfinite(z).all():
            continue
        if free.any():
            z[free] = np.linalg.solve(hessian[np.ix_(free, free)], -(gradient + hessian @ z)[free])
        value = gradient @ z + 0.5 * z @ hessian @ z
        if np.all((z >= lower) & (z <= upper)) and value < best:
            best, where = value, z
    return where


@settings(deadline=None, derandomize=True, max_examples=150)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 5), correlation=st.sampled_from([0.0, 0.9, 0.999]))
def test_minimiser_equals_the_best_of_all_faces_and_bounds_hold_exactly(seed, k, correlation):
    rng = np.random.default_rng(seed)
    factor = (1 - correlation) * rng.normal(size=(k, k)) + correlation * rng.normal(size=(k, 1))
    hessian = factor @ factor.T + 1e-3 * np.eye(k)
    gradient = rng.normal(size=k)
    lower = np.where(rng.random(k) < 0.7, -rng.random(k).round(1), -np.inf)
    upper = np.where(rng.random(k) < 0.7, rng.random(k).round(1), np.inf)
    start = np.clip(rng.normal(size=k), lower, upper)
    found = minimise_box_quadratic(hessian, gradient + hessian @ start, lower, upper, start)
    assert np.all((found >= lower) & (found <= upper))
    expected = every_face(hessian, gradient, lower, upper)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)
    on_bound = (expected == lower) | (expected == upper)
    slope = gradient + hessian @ expected
    firmly = on_bound & (np.abs(slope) > 1e-6)
    np.testing.assert_array_equal(found[firmly], expected[firmly])


def test_many_variables_meet_the_optimality_conditions():
    rng = np.random.default_rng(5)
    k = 120
    chain = np.tri(k)  # cumulative sums: the strongly coupled case that trends give
    hessian = chain.T @ np.diag(rng.random(k)) @ chain / k + 1e-6 * np.eye(k)
    gradient = rng.normal(size=k)
    lower, upper, start = np.zeros(k), np.full(k, np.inf), rng.random(k)
    z = minimise_box_quadratic(hessian, gradient, lower, upper, start)
    slope = gradient + hessian @ (z - start)
    assert 0 < np.count_nonzero(z == 0) < k
    assert np.all(slope[z == 0] >= -1e-12)
    np.testing.assert_allclose(slope[z > 0], 0.0, atol=1e-8)


def test_a_fixed_variable_is_never_released(monkeypatch):
    solved = []
    solve = box_quadratic.solve_definite
    monkeypatch.setattr(box_quadratic, "solve_definite", lambda *a: solved.append(1) or solve(*a))
    lower, upper = np.array([0.5, -np.inf]), np.array([0.5, np.inf])
    z = minimise_box_quadratic(np.eye(2), np.array([-3.0, 1.0]), lower, upper, np.array([0.5, 0.0]))
    assert z.tolist() == [0.5, -1.0]
    assert len(solved) == 1


def test_an_indefinite_quadratic_is_refused():
    with pytest.raises(InputError, match=r"not positive definite; got 'minor 2 not positive'"):
        minimise_box_quadratic(np.diag([1.0, -1.0]), np.ones(2), np.full(2, -np.inf), np.full(2, np.inf), np.zeros(2))
