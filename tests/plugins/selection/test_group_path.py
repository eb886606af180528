"""The group path beside a general convex solver, its optimality conditions by rows, and its choice."""

from __future__ import annotations

import math
from itertools import pairwise

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.selection.coded import Coded, drawn

from scrutable.errors import InputError
from scrutable.measures.numerics import one_hot_block
from scrutable_selection.group_path import GroupPath, group_path
from scrutable_selection.group_solver import block_minimum, group_residual, minimise_with_groups
from scrutable_selection.likelihood import CodedLikelihood
from scrutable_selection.maximum import maximum

PROVEN = settings(deadline=None, derandomize=True, max_examples=10)
SEEDS = st.integers(0, 10**6)


def in_indicators(case: Coded) -> tuple[CodedLikelihood, list[np.ndarray]]:
    """The likelihood of an indicator an attribute, and the columns of each characteristic by row."""
    blocks = [one_hot_block(len(woe)) for woe in case.woe]
    good = case.weight * case.y
    likelihood = CodedLikelihood.of(case.likelihood.names, blocks, case.codes, good, case.weight - good)
    return likelihood, [np.eye(len(woe))[code] for code, woe in zip(case.codes, case.woe, strict=True)]


def roots(case: Coded, columns: list[np.ndarray]) -> list[np.ndarray]:
    """Square roots of the weighted covariance of each characteristic's columns at the fit of the intercept alone."""
    total = case.weight.sum()
    rate = case.weight @ case.y / total
    centred = [each - case.weight @ each / total for each in columns]
    parted = [np.linalg.eigh(rate * (1 - rate) * (each.T * case.weight) @ each) for each in centred]
    return [np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T for values, vectors in parted]


@PROVEN
@given(SEEDS)
def test_a_quadratic_is_at_its_least(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, int(rng.integers(2, 7)))
    ends = np.cumsum([0, *sizes])
    groups = [slice(*each) for each in pairwise(ends)]
    q = int(ends[-1])
    factor = rng.normal(size=(q, q)) + rng.choice([0.0, 2.0]) * rng.normal(size=(q, 1))
    hessian, gradient = factor.T @ factor / q + 0.01 * np.eye(q), rng.normal(size=q)
    start, weights = rng.normal(size=q), rng.random(len(groups)) * rng.choice([0.0, 0.5, 2.0], len(groups))
    point = minimise_with_groups(hessian, gradient, start, groups, weights)
    assert group_residual(gradient + hessian @ (point - start), point, groups, weights) <= 1e-10
    variable = cvxpy.Variable(q)
    paid = sum(weight * cvxpy.norm(variable[group]) for group, weight in zip(groups, weights, strict=True))
    half = np.linalg.cholesky(hessian).T
    whole = gradient @ variable + 0.5 * cvxpy.sum_squares(half @ (variable - start)) + paid
    problem = cvxpy.Problem(cvxpy.Minimize(whole))
    problem.solve(solver="CLARABEL")
    assert np.allclose(point, np.asarray(variable.value), atol=1e-3)
    variable.value = point
    assert float(whole.value) <= problem.value + 1e-7


def test_a_block_is_at_its_least() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        size = int(rng.integers(1, 5))
        values, wanted, weight = (
            rng.random(size) * 10 + 1e-6,
            rng.normal(size=size) * 3,
            float(rng.choice([0.0, 1.0, 3.0])),
        )
        block = block_minimum(values, wanted, weight)
        assert group_residual(values * block - wanted, block, [slice(0, size)], np.array([weight])) < 1e-9


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")  # the values are compared
@pytest.mark.parametrize("seed", range(6))
def test_the_path_is_that_of_a_general_solver(seed: int) -> None:
    case = drawn(seed, most=6, rows=100)
    likelihood, columns = in_indicators(case)
    path = group_path(likelihood, penalties=4, least=0.3)
    assert len(path.points) == 4
    # Without the first indicator of each, which takes nothing from what can be said, but lets the solver end.
    fewer = [each[:, 1:] for each in columns]
    own, theirs, total = roots(case, columns), roots(case, fewer), case.weight.sum()
    for point in path.points[1::2]:
        weights = [point.penalty * math.sqrt(each.shape[1]) for each in fewer]
        intercept, parts = cvxpy.Variable(), [cvxpy.Variable(each.shape[1]) for each in fewer]
        log_odds = intercept + sum(each @ part for each, part in zip(fewer, parts, strict=True))
        losses = cvxpy.logistic(cvxpy.multiply(1.0 - 2.0 * case.y, log_odds))
        norms = [cvxpy.norm(root @ part) for root, part in zip(theirs, parts, strict=True)]
        paid = sum(weight * norm for weight, norm in zip(weights, norms, strict=True))
        least = total * cvxpy.Problem(cvxpy.Minimize((case.weight @ losses + paid) / total)).solve(solver="CLARABEL")
        split = np.split(np.array(point.coefficients)[1:], np.cumsum(likelihood.widths)[:-1])
        sizes = [float(np.linalg.norm(root @ part)) for root, part in zip(own, split, strict=True)]
        reached = point.log_loss + sum(weight * size for weight, size in zip(weights, sizes, strict=True))
        assert reached == pytest.approx(least, rel=1e-6)
        assert reached <= least + 1e-6
        for name, size, norm in zip(likelihood.names, sizes, norms, strict=True):
            assert size == pytest.approx(float(norm.value), abs=2e-2)
            assert (name in point.names) == (size > 0)


def by_rows(case: Coded, columns: list[np.ndarray], path: GroupPath) -> float:
    """The largest residual of the path's optimality conditions, from the rows."""
    worst = 0.0
    for point in path.points:
        ends = np.cumsum([1, *(each.shape[1] for each in columns)])
        split = np.split(np.array(point.coefficients), ends[:-1])[1:]
        log_odds = point.coefficients[0] + sum(each @ part for each, part in zip(columns, split, strict=True))
        left = case.weight * (1 / (1 + np.exp(-log_odds)) - case.y)
        worst = max(worst, abs(left.sum()) / math.sqrt(case.weight.sum()))
        for each, root, part in zip(columns, roots(case, columns), split, strict=True):
            inverse = np.linalg.pinv(root, rcond=1e-6)
            slope, place = inverse.T @ (each.T @ left), root @ part
            weight = point.penalty * math.sqrt(np.linalg.matrix_rank(root, tol=1e-6))
            size = float(np.linalg.norm(place))
            inside = (
                float(np.linalg.norm(slope + weight * place / size)) if size else float(np.linalg.norm(slope)) - weight
            )
            worst = max(worst, inside)
    return worst


@PROVEN
@given(SEEDS, st.booleans())
def test_the_optimality_conditions_hold_as_told(seed: int, degenerate: bool) -> None:
    case = drawn(seed, degenerate=degenerate, rows=200)
    likelihood, columns = in_indicators(case)
    for some, parts in ((likelihood, columns), (case.likelihood, list(case.design.T[1:, :, None]))):
        path = group_path(some, penalties=8, least=0.2)
        assert max(point.residual for point in path.points) <= 1e-8
        assert by_rows(case, parts, path) <= 1e-7
        assert path.points[0].names == ()
        assert set(path.order) == {name for point in path.points for name in point.names}


def test_it_chooses_the_set_of_least_criterion() -> None:
    case = drawn(11, most=8)
    likelihood, columns = in_indicators(case)
    chosen = {}
    for criterion in ("bic", "ebic"):
        path = group_path(likelihood, criterion=criterion, gamma=1.0, penalties=12)
        values = {}
        for refit in path.refits:
            members = [likelihood.names.index(name) for name in refit.names]
            freedom = sum(columns[each].shape[1] - 1 for each in members)
            value = 2 * maximum(likelihood.only(members)).log_loss + freedom * math.log(case.weight.sum())
            if criterion == "ebic":
                value += 2 * math.log(math.comb(len(columns), len(members)))
            values[refit.names] = value
            assert refit.criterion == pytest.approx(value, abs=1e-7)
            assert refit.freedom == freedom
        assert path.names == min(values, key=lambda names: values[names])
        chosen[criterion] = path.names
    assert len(chosen["ebic"]) <= len(chosen["bic"])


def test_what_must_be_and_the_most_allowed_are_kept() -> None:
    case = drawn(12, most=8)
    likelihood, _ = in_indicators(case)
    free = group_path(likelihood, least=0.2)
    must = free.order[-1]
    path = group_path(likelihood, least=0.2, must=(must,), most=3)
    assert path.points[0].names == (must,)
    assert path.order[0] == must
    assert all(must in point.names and len(point.names) <= 3 for point in path.points)
    assert max(point.residual for point in path.points) <= 1e-8


def test_what_it_cannot_do_is_refused() -> None:
    case = drawn(1)
    with pytest.raises(InputError, match="there is no such characteristic"):
        group_path(case.likelihood, must=("y0",))
    with pytest.raises(InputError, match="a number above 0"):
        group_path(case.likelihood, least=0.0)
    with pytest.raises(InputError, match="a number a characteristic"):
        group_path(case.likelihood, freedom=[1])
