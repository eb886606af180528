"""Errors of regressions by sums over bins beside the textbook's formulas on a matrix of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data import CodedArrays
from scrutable.measures.numerics import (
    RegressionErrors,
    RegressionTerm,
    TiedAttributes,
    fit_binned_logistic,
    linear_errors,
    logistic_errors,
    one_hot_block,
    regression_errors,
    woe_block,
)

Floats = npt.NDArray[np.float64]


Term = tuple[Any, RegressionTerm]


def terms_of(rng: np.random.Generator, n: int, sizes: list[tuple[int, int]]) -> list[Term]:
    """Attributes of rows, and terms of so many attributes and coefficients, all of them arbitrary."""
    made = []
    for attributes, k in sizes:
        root = rng.normal(size=(k, k))
        index = rng.integers(0, attributes, n)
        term = RegressionTerm(rng.normal(size=(attributes, k)), rng.normal(size=k), root @ root.T)
        made.append((index, term))
    return made


def errors(compute: Any, terms: list[Term], intercept: float, target: Any, weight: Floats) -> RegressionErrors:
    """Those of rows in memory."""
    sizes = [len(term.columns) for _, term in terms]
    rows = CodedArrays([index for index, _ in terms], sizes, np.asarray(target, dtype=np.float64), weight)
    found: RegressionErrors = compute([term for _, term in terms], intercept, rows)
    return found


def written(terms: list[Term], n: int) -> tuple[Floats, Floats, Floats]:
    """The matrix of the rows, with a column of ones; coefficients without the intercept; the penalty."""
    columns = [np.ones((n, 1)), *(term.columns[index] for index, term in terms)]
    size = sum(column.shape[1] for column in columns)
    penalty, at = np.zeros((size, size)), 1
    for _, term in terms:
        k = len(term.coefficients)
        penalty[at : at + k, at : at + k] = term.penalty
        at += k
    return np.concatenate(columns, axis=1), np.concatenate([term.coefficients for _, term in terms]), penalty


def textbook(X: Floats, penalty: Floats, curvature: Floats, scores: Floats, unit: float) -> tuple[Floats, Floats]:
    inverse = np.linalg.inv(X.T @ (curvature[:, None] * X) + penalty)
    middle = X.T @ (scores[:, None] ** 2 * X)
    return np.sqrt(unit * np.diag(inverse)), np.sqrt(np.diag(inverse @ middle @ inverse))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(
    seed=st.integers(0, 10_000),
    sizes=st.lists(st.tuples(st.integers(4, 6), st.integers(0, 3)), min_size=1, max_size=4),
    weighted=st.booleans(),
    repeats=st.integers(1, 2),
)
def test_errors_are_the_textbooks(seed: int, sizes: list[tuple[int, int]], weighted: bool, repeats: int) -> None:
    rng, n = np.random.default_rng(seed), 150
    terms = terms_of(rng, n, sizes)
    weight = rng.choice([0.0, 1.0, 0.3, 2.0], n) if weighted else np.ones(n)
    X, slopes, penalty = written(terms, n)
    score = 0.3 + X[:, 1:] @ slopes
    p = 1 / (1 + np.exp(-score))
    good = rng.random(n) < p
    good[:2], weight[:2] = (True, False), 1.0
    found = errors(logistic_errors, terms, 0.3, good, weight)
    expected = textbook(X, penalty, weight * p * (1 - p), weight * (good - p), 1.0)
    np.testing.assert_allclose(found.model, expected[0], rtol=1e-7)
    np.testing.assert_allclose(found.sandwich, expected[1], rtol=1e-7)
    assert found.log_likelihood == pytest.approx((weight * np.where(good, np.log(p), np.log1p(-p))).sum(), rel=1e-10)
    share = np.average(good, weights=weight)
    null = weight[good].sum() * np.log(share) + weight[~good].sum() * np.log(1 - share)
    assert found.null_log_likelihood == pytest.approx(null, rel=1e-10)
    assert (found.rows, found.rank) == ((weight > 0).sum(), X.shape[1])
    values = score + rng.normal(size=n)
    rest, rows = values - score, int((weight > 0).sum())
    unit = float(weight @ rest**2) / (rows - X.shape[1])
    linear = errors(linear_errors, terms, 0.3, values, weight)
    expected = textbook(X, penalty, weight, weight * rest, unit)
    np.testing.assert_allclose(linear.model, expected[0], rtol=1e-7)
    np.testing.assert_allclose(linear.sandwich, expected[1], rtol=1e-7)
    inside = weight > 0
    standard = X[inside, 1:] - np.average(X[inside, 1:], axis=0, weights=weight[inside])
    standard *= np.sqrt(weight[inside])[:, None]
    for each in (found, linear):
        check_dependence(each, standard, [k for _, k in sizes])


def check_dependence(found: RegressionErrors, standard: Floats, sizes: list[int]) -> None:
    if not standard.shape[1]:
        assert np.isnan(found.condition_number)
        return
    standard = standard / np.sqrt((standard**2).sum(axis=0))
    assert found.condition_number == pytest.approx(np.linalg.cond(standard), rel=1e-6)
    whole, at = standard.T @ standard, 0
    for k, factor in zip(sizes, found.inflation, strict=True):
        own = np.arange(at, at + k)
        others = np.setdiff1d(np.arange(len(whole)), own)
        det = np.linalg.det
        expected = det(whole[np.ix_(own, own)]) * det(whole[np.ix_(others, others)]) / det(whole) if k else np.nan
        assert factor == pytest.approx(expected ** (1 / max(k, 1)), rel=1e-6, nan_ok=True)
        at += k


def test_the_order_of_rows_does_not_matter() -> None:
    rng, n = np.random.default_rng(3), 300
    terms, weight = terms_of(rng, n, [(4, 2), (5, 1)]), rng.random(n)
    good, order = rng.random(n) < 0.5, rng.permutation(n)
    moved = [(index[order], term) for index, term in terms]
    one, other = (
        errors(logistic_errors, terms, 0.1, good, weight),
        errors(logistic_errors, moved, 0.1, good[order], weight[order]),
    )
    assert one.model.tolist() == other.model.tolist()
    assert one.sandwich.tolist() == other.sandwich.tolist()
    assert (one.inflation, one.log_likelihood) == (other.inflation, other.log_likelihood)


def slope(index: Any, values: Any, coefficient: float, penalty: float = 0.0) -> Term:
    term = RegressionTerm.multiplied(np.asarray(values, float), coefficient, penalty, held=False)
    return np.asarray(index), term


@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_columns_that_add_up_have_no_errors_and_the_others_keep_theirs(penalty: float) -> None:
    rng, n = np.random.default_rng(1), 400
    one, two = rng.integers(0, 3, n), rng.integers(0, 4, n)
    good, ones = rng.random(n) < 0.5, np.ones(n)
    a, b = slope(one, [0, 1, 3], 0.2, penalty), slope(two, [0, 2, -1, 4], 0.1, penalty)
    found = errors(logistic_errors, [a, b, slope(one, [0, 1, 3], 0.0, penalty)], 0.0, good, ones)
    alone = errors(logistic_errors, [a, b], 0.0, good, ones)
    assert np.isnan(found.model).tolist() == [False, True, False, True]
    np.testing.assert_allclose(found.model[[0, 2]], alone.model[[0, 2]], rtol=0.02 if penalty else 1e-9)
    assert found.inflation[1] == pytest.approx(alone.inflation[1])
    assert (found.inflation[0], found.inflation[2], found.condition_number) == (np.inf,) * 3
    assert (found.rank, alone.rank, found.why_none) == (3, 3, "dependent")


def test_columns_that_add_up_to_the_intercept_leave_it_without_an_error() -> None:
    rng, n = np.random.default_rng(2), 300
    index, other = rng.integers(0, 2, n), rng.integers(0, 3, n)
    terms = [slope(index, [1, 0], 0.2), slope(index, [0, 1], 0.1), slope(other, [0, 1, 2], 0.3)]
    found = errors(logistic_errors, terms, 0.0, rng.random(n) < 0.5, np.ones(n))
    assert np.isnan(found.model).tolist() == [True, True, True, False]
    constant = errors(logistic_errors, [slope(index, [2, 2], 0.2)], 0.0, rng.random(n) < 0.5, np.ones(n))
    assert np.isnan(constant.model).tolist() == [True, True]
    assert constant.why_none == "dependent"
    neutral = errors(logistic_errors, [slope(index, [0, 0], 0.0)], 0.0, rng.random(n) < 0.5, np.ones(n))
    assert np.isnan(neutral.model).tolist() == [False, True]


def test_more_coefficients_than_rows_and_perfect_fits_have_no_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    terms = [slope(rng.permutation(9), rng.normal(size=9), 0.0) for _ in range(12)]
    good = np.arange(9) % 2 == 0
    found = errors(logistic_errors, terms, 0.0, good, np.ones(9))
    assert np.isnan(found.model).all()
    assert (found.why_none, found.rank) == ("many", 9)
    assert np.isnan(found.inflation).all()
    line = slope([0, 1, 2, 0, 1, 2], [0, 1, 2], 2.0)
    perfect = errors(linear_errors, [line], 1.0, np.array([1.0, 3, 5, 1, 3, 5]), np.ones(6))
    assert (perfect.why_none, perfect.log_likelihood) == ("perfect", np.inf)
    monkeypatch.setattr(regression_errors, "MOST_COEFFICIENTS", 1)
    two = [slope(rng.integers(0, 3, 99), [0, 1, 2], 0.1) for _ in range(2)]
    assert errors(logistic_errors, two, 0.0, rng.random(99) < 0.5, np.ones(99)).why_none == "many"


def test_a_score_that_divides_the_rows_is_told_of() -> None:
    term = slope([0, 1, 2, 3], [0, 1, 2, 3], 5.0)
    good = np.array([False, False, True, True])
    assert errors(logistic_errors, [term], -7.5, good, np.ones(4)).separated
    assert not errors(logistic_errors, [term], -7.5, np.array([False, True, False, True]), np.ones(4)).separated
    # the row that stands across has no weight
    assert errors(
        logistic_errors, [term], -7.5, np.array([False, True, False, True]), np.array([1.0, 0, 1, 1])
    ).separated


@pytest.mark.parametrize("trend", [None, "ascending"])
@pytest.mark.parametrize("ridge", [1e-3, 0.1])
def test_attributes_have_the_errors_of_the_whole_penalised_problem(trend: Any, ridge: float) -> None:
    """Differences of values by the curvature of all of them, with what bounds hold left out."""
    rng, n = np.random.default_rng(8), 500
    index = [rng.integers(0, 5, n), rng.integers(0, 4, n)]
    index[0][index[0] == 3] = 2  # nobody has the fourth
    wavy = np.array([-0.5, 0.3, 0.1, 0.0, 0.9])
    good = rng.random(n) < 1 / (1 + np.exp(-(wavy[index[0]] + 0.3 * (index[1] == 1))))
    blocks = [one_hot_block(5, trend=trend), one_hot_block(4)]
    fit = fit_binned_logistic(blocks, CodedArrays(index, [5, 4], good * 1.0, np.ones(n)), ridge=ridge)
    ordered = list(range(5)) if trend else []
    weights = [np.bincount(each, minlength=size).astype(float) for each, size in zip(index, (5, 4), strict=True)]
    tied = [
        TiedAttributes.of(values, weight, order, [])
        for values, weight, order in zip(fit.values, weights, (ordered, []), strict=True)
    ]
    terms = [(own, each.term(ridge * n)) for each, own in zip(tied, index, strict=True)]
    intercept = fit.intercept + sum(each.values[each.reference] for each in tied)
    found = errors(logistic_errors, terms, intercept, good, np.ones(n))
    free = [np.ones(1, dtype=bool)]
    for block, coefficients in zip(blocks, fit.coefficients, strict=True):
        free.append((coefficients > block.lower) & (coefficients < block.upper))
    basis = [block.basis for block in blocks]
    X = np.concatenate([np.ones((n, 1)), *(own[place] for own, place in zip(basis, index, strict=True))], axis=1)
    stacked = np.zeros((10, 10))
    stacked[1:6, 1:6], stacked[6:, 6:] = basis[0].T @ basis[0], basis[1].T @ basis[1]
    kept = np.concatenate(free)
    assert kept.all() == (trend is None)
    log_odds = fit.intercept + sum(values[own] for values, own in zip(fit.values, index, strict=True))
    p = 1 / (1 + np.exp(-log_odds))
    whole = (X.T @ ((p * (1 - p))[:, None] * X) + ridge * n * stacked)[np.ix_(kept, kept)]
    inverse = np.linalg.inv(whole)
    at = 1
    for number, (each, (_, own)) in enumerate(zip(tied, terms, strict=True)):
        values = np.zeros((len(each.values), 10))
        start = 1 + 5 * number
        values[:, start : start + len(each.values)] = basis[number]
        for place, coefficient in enumerate(each.told_by.tolist()):
            if coefficient >= 0:
                contrast = (values[place] - values[each.reference])[kept]
                assert found.model[at + coefficient] == pytest.approx(np.sqrt(contrast @ inverse @ contrast), rel=1e-7)
        at += len(own.coefficients)


def test_errors_of_many_coefficients_a_characteristic_are_the_textbooks() -> None:
    rng, n = np.random.default_rng(4), 400
    sizes = [(12, 10), (15, 11)]
    terms = terms_of(rng, n, sizes)
    X, slopes, penalty = written(terms, n)
    p = 1 / (1 + np.exp(-X[:, 1:] @ slopes))
    good = rng.random(n) < p
    found = errors(logistic_errors, terms, 0.0, good, np.ones(n))
    expected = textbook(X, penalty, p * (1 - p), good - p, 1.0)
    np.testing.assert_allclose(found.model, expected[0], rtol=1e-6)
    np.testing.assert_allclose(found.sandwich, expected[1], rtol=1e-6)


def test_a_fit_on_woe_has_the_errors_of_its_solution() -> None:
    rng, n = np.random.default_rng(6), 1000
    index, woe = rng.integers(0, 3, n), np.array([-0.8, 0.1, 0.6])
    good = rng.random(n) < 1 / (1 + np.exp(-woe[index]))
    fit = fit_binned_logistic([woe_block(woe)], CodedArrays([index], [3], good * 1.0, np.ones(n)), ridge=0)
    found = errors(logistic_errors, [slope(index, woe, float(fit.coefficients[0][0]))], fit.intercept, good, np.ones(n))

    def loss(step: Floats) -> float:
        score = fit.intercept + step[0] + (fit.coefficients[0][0] + step[1]) * woe[index]
        return float(np.logaddexp(0, np.where(good, -score, score)).sum())

    h, eye = 1e-4, np.eye(2)
    second = np.array([
        [
            (loss(h * (a + b)) - loss(h * (a - b)) - loss(h * (b - a)) + loss(-h * (a + b))) / (4 * h * h)
            for b in eye
        ]
        for a in eye
    ])  # fmt: skip
    np.testing.assert_allclose(found.model, np.sqrt(np.diag(np.linalg.inv(second))), rtol=1e-4)
