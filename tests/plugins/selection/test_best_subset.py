"""The best subset beside every subset there is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear
from tests.plugins.selection.coded import Coded, drawn

from scrutable.errors import InputError
from scrutable.measures.numerics import bin_counts, weight_of_evidence
from scrutable_selection.best_subset import Search, best_subsets
from scrutable_selection.bounds import Node, Relaxation, filled, separable
from scrutable_selection.likelihood import CodedLikelihood
from scrutable_selection.maximum import maximum
from scrutable_selection.quadratic import Quadratic

PROVEN = settings(deadline=None, derandomize=True, max_examples=25)
SEEDS = st.integers(0, 10**6)


def allowed(p: int, must: set[int]) -> Iterator[tuple[int, ...]]:
    """Every set with what must be there."""
    for size in range(p + 1):
        yield from (each for each in itertools.combinations(range(p), size) if must <= {*each})


def quadratic_value(case: Coded, members: tuple[int, ...], nonnegative: bool) -> float:
    """The least second order expansion at the full fit, by least squares with the intercept among the variables."""
    full = maximum(case.likelihood, nonnegative=nonnegative)
    at = np.array([full.intercept, *full.coefficients])
    loss, gradient, hessian = case.likelihood.at(at[0], at[1:])
    values, vectors = np.linalg.eigh(hessian)
    seen = values > 1e-9 * values[-1]
    root = np.sqrt(values[seen])[:, None] * vectors[:, seen].T
    aim = (vectors[:, seen].T @ (hessian @ at - gradient)) / np.sqrt(values[seen])
    some = [0, *(1 + each for each in members)]
    low = np.array([-np.inf, *([0.0 if nonnegative else -np.inf] * len(members))])
    if nonnegative and members:
        solved = lsq_linear(root[:, some], aim, (low, np.full(len(some), np.inf)), method="bvls", tol=1e-14).x
    else:
        solved = np.linalg.lstsq(root[:, some], aim, rcond=1e-11)[0]
    point = np.zeros(len(at))
    point[some] = solved
    return float(loss + gradient @ (point - at) + 0.5 * (point - at) @ hessian @ (point - at))


@PROVEN
@given(SEEDS, st.booleans(), st.booleans(), st.sets(st.integers(0, 3), max_size=2))
def test_it_is_the_best_of_all_sets(seed: int, nonnegative: bool, degenerate: bool, must: set[int]) -> None:
    case = drawn(seed, most=6, rows=150, degenerate=degenerate)
    names = case.likelihood.names
    sizes = range(max(1, len(must)), len(names) + 1)
    values = {each: quadratic_value(case, each, nonnegative) for each in allowed(len(names), must)}
    losses = {each: maximum(case.likelihood.only(each), nonnegative=nonnegative).log_loss for each in values}
    gain = quadratic_value(case, (), nonnegative) - min(values.values())
    for subset in best_subsets(case.likelihood, sizes, nonnegative=nonnegative, must=[names[each] for each in must]):
        best = min(value for each, value in values.items() if len(each) <= subset.most)
        assert subset.proven
        assert subset.quadratic == pytest.approx(best, abs=1e-7 * gain + 1e-9)
        assert len(subset.names) <= subset.most
        members = tuple(names.index(name) for name in subset.names)
        assert members in values
        # Characteristics that signs left at 0 are gone, and the value is still that of the set.
        assert subset.log_loss == pytest.approx(losses[members], rel=1e-9)
        assert not nonnegative or all(value >= 0 for value in subset.coefficients)
        least = min(loss for each, loss in losses.items() if len(each) <= subset.most)
        assert subset.full_log_loss <= subset.log_loss_bound + 1e-9
        assert subset.log_loss_bound <= least + 1e-7


@settings(PROVEN, max_examples=15)
@given(SEEDS, st.booleans(), st.booleans())
def test_the_search_ends_where_enumeration_does(seed: int, nonnegative: bool, degenerate: bool) -> None:
    """Of up to twelve characteristics, on the quadratic model alone."""
    case = drawn(seed, most=12, rows=200, degenerate=degenerate)
    near = Quadratic.of(maximum(case.likelihood, nonnegative=nonnegative), nonnegative=nonnegative)
    p = len(case.woe)
    values = [
        min(near.least(members)[0] for members in itertools.combinations(range(p), size)) for size in range(1, p + 1)
    ]
    search = Search(near, (), 2000)
    for size, least in enumerate(values, start=1):
        chosen = search.best(size)
        assert chosen.value == pytest.approx(least, abs=1e-8 * (near.level - values[-1]) + 1e-9)
        assert chosen.bound == chosen.value


def test_columns_of_noise_leave_little_to_search() -> None:
    rng = np.random.default_rng(0)
    signal = rng.normal(size=(80, 3000))
    y = (rng.random(3000) < 1 / (1 + np.exp(-0.35 * signal[:8].sum(axis=0)))).astype(int)
    codes = np.array([np.digitize(each, [-0.8, -0.2, 0.2, 0.8]) for each in signal])
    woe = [weight_of_evidence(bin_counts(code, 5, y)) for code in codes]
    names = [f"x{number}" for number in range(80)]
    likelihood = CodedLikelihood.of_woe(names, codes, woe, y.astype(float), 1.0 - y)
    smaller, larger = best_subsets(likelihood, [4, 8], nonnegative=True)
    assert smaller.proven
    assert larger.proven
    assert set(larger.names) == set(names[:8])
    assert max(smaller.nodes, larger.nodes) < 500


@PROVEN
@given(SEEDS, st.booleans())
def test_a_bound_is_below_every_set_of_its_node(seed: int, nonnegative: bool) -> None:
    case = drawn(seed, degenerate=seed % 2 == 0)
    rng = np.random.default_rng(seed)
    near = Quadratic.of(maximum(case.likelihood, nonnegative=nonnegative), nonnegative=nonnegative)
    p = len(case.woe)
    order = rng.permutation(p)
    inside, open_ones, most = order[:1], order[1 : p - 1], int(rng.integers(1, p))
    values = {
        (*inside.tolist(), *some): near.least([*inside, *some])[0]
        for size in range(most)
        for some in itertools.combinations(open_ones.tolist(), size)
    }
    least = min(values.values())
    for known in (np.inf, least + 1.0, least + 1e-3, least + 1e-7):
        bounded = Relaxation(near).bound(Node(inside, open_ones), most, known)
        assert bounded.value <= least + 1e-8
        kept = {*bounded.node.inside.tolist(), *bounded.node.open.tolist()}
        better = [set(each) for each, value in values.items() if value < known - 1e-6]
        assert any(set(bounded.node.inside.tolist()) <= each <= kept for each in better) or not better
    unbounded = near.least(np.concatenate([inside, open_ones]))[0]
    assert bounded.value >= unbounded - 1e-8  # at least the bound of leaps and bounds


def test_a_limit_of_nodes_ends_with_a_gap_that_holds() -> None:
    case = drawn(17, most=8, rows=200)
    [proven] = best_subsets(case.likelihood, [2])
    near = Quadratic.of(maximum(case.likelihood))
    rng = np.random.default_rng(0)
    # Columns that are as good as one another leave much to prove.
    mixed = rng.normal(size=(40, 40))
    hard = Quadratic(mixed @ mixed.T / 40 + 0.01 * np.eye(40), rng.normal(size=40), 0.0, np.ones(40), nonnegative=False)
    ended = Search(hard, (), 5).best(8)
    longer = Search(hard, (), 400).best(8)
    assert ended.nodes == 5
    assert ended.bound < ended.value
    assert ended.bound <= longer.bound + 1e-9 <= longer.value + 2e-9 <= ended.value + 3e-9
    assert proven.proven
    assert near.level > proven.quadratic


def test_it_tells_what_it_cannot_do() -> None:
    case = drawn(1)
    with pytest.raises(InputError, match="more characteristics must be chosen than may be"):
        best_subsets(case.likelihood, [1], must=("x0", "x1"))
    with pytest.raises(InputError, match=r"there is no such characteristic.*did you mean|one of"):
        best_subsets(case.likelihood, [1], must=("y0",))
    woe = [np.array([2.0, -2.0])]
    apart = CodedLikelihood.of_woe(["x"], np.array([[0, 1]]), woe, np.array([5.0, 0.0]), np.array([0.0, 5.0]))
    with pytest.raises(InputError, match="together separate the outcomes"):
        best_subsets(apart, [1])


@PROVEN
@given(SEEDS)
def test_the_diagonal_leaves_the_rest_semidefinite(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, 12))
    drawn_columns = rng.normal(size=(p + 2, p)) + rng.choice([0, 3]) * rng.normal(size=(p + 2, 1))
    matrix = np.corrcoef(drawn_columns.T).reshape(p, p) + 1e-9 * np.eye(p)
    own = separable(matrix)
    assert (own > 0).all()
    assert np.linalg.eigvalsh(matrix - np.diag(own))[0] > -1e-10
    smallest = np.linalg.eigvalsh(matrix)[0]
    assert own.sum() >= 0.9 * p * smallest


@PROVEN
@given(SEEDS)
def test_shares_fill_the_places(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, 12))
    rise, late = rng.random(p) * (rng.random(p) < 0.8), rng.random(p)
    places = int(rng.integers(0, p + 1))
    shares = filled(rise, late, places)
    assert shares.sum() == pytest.approx(min(places, np.count_nonzero(rise)), abs=1e-9)
    assert ((shares >= 0) & (shares <= 1)).all()
