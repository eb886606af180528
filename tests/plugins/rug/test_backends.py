"""Backends on programs as they are: mapped bases, clusters of patterns, masses of many magnitudes."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from scipy.sparse import csr_array

from scrutable.errors import InputError, ScrutableError
from scrutable_rug.aggregated import Aggregated
from scrutable_rug.interior_point import InteriorPoint
from scrutable_rug.program import Program
from scrutable_rug.simplex import Basis, Simplex
from scrutable_rug.voting import extended


def program(rng: np.random.Generator, patterns: int, rules: int) -> Program:
    votes = rng.choice([-1.0, 0.0, 1.0], (patterns, rules), p=[0.15, 0.55, 0.3])
    none = np.zeros(0)
    return Program(
        votes=csr_array(votes),
        costs=rng.uniform(0.5, 2, rules),
        mass=rng.integers(1, 9, patterns).astype(float),
        rates=np.zeros((0, patterns)),
        low=none,
        high=none,
    )


def split(rng: np.random.Generator, whole: Program, rules: int) -> tuple[Program, np.ndarray]:
    """Some patterns in parts, and more rules."""
    old = len(whole.mass)
    parents = np.append(np.arange(old), rng.integers(0, old, 2 * old))
    share = rng.uniform(0.1, 1, len(parents))
    mass = whole.mass[parents] * share / np.bincount(parents, share)[parents]
    votes = np.hstack([whole.votes.toarray()[parents], rng.choice([-1.0, 0.0, 1.0], (len(parents), rules))])
    costs = np.append(whole.costs, np.ones(rules))
    rates = np.zeros((0, len(parents)))
    finer = Program(votes=csr_array(votes), costs=costs, mass=mass, rates=rates, low=whole.low, high=whole.high)
    return finer, parents


@pytest.mark.parametrize("seed", range(10))
def test_parts_of_a_pattern_share_its_dual(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = program(rng, 30, 8)
    backend = Simplex()
    duals = backend.solve(whole, np.arange(30)).duals
    basis = backend._basis
    assert isinstance(basis, Basis)
    finer, parents = split(rng, whole, 5)
    mapped = basis.mapped(finer, parents)
    basic, upper = mapped.patterns == 1, mapped.patterns == 2
    assert basic.sum() + (~mapped.rules).sum() == len(finer.costs)
    assert (np.bincount(parents, basic) == (basis.patterns == 1)).all()
    least = np.bincount(parents, np.where(upper, finer.mass, 0.0))
    most = np.bincount(parents, np.where(upper | basic, finer.mass, 0.0))
    assert (least - 1e-9 <= duals).all()
    assert (duals <= most + 1e-9).all()
    assert backend.solve(finer, parents).objective == pytest.approx(Simplex().solve(finer, parents).objective, rel=1e-9)


def test_a_warm_start_takes_fewer_steps() -> None:
    rng = np.random.default_rng(0)
    whole = program(rng, 300, 40)
    warm, cold = Simplex(), Simplex()
    warm.solve(whole, np.arange(300))
    finer, parents = split(rng, whole, 2)
    warm.solve(finer, parents)
    cold.solve(finer, parents)
    assert warm.steps < cold.steps / 2


@pytest.mark.parametrize("seed", range(5))
def test_clusters_have_the_optimum_of_the_patterns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = program(rng, 3000, 12)
    simplex = Simplex()
    backend = Aggregated(simplex)
    for found, expected in (
        (backend.solve(whole, np.arange(3000)), Simplex().solve(whole, np.arange(3000))),
        (backend.solve(*(finer := split(rng, whole, 6))), Simplex().solve(*finer)),
    ):
        assert found.objective == pytest.approx(expected.objective, rel=1e-9)
        assert found.bound == pytest.approx(expected.objective, rel=1e-8)
        assert len(found.duals) == len(found.slack) == len(expected.duals)
    assert simplex._basis is not None
    assert len(simplex._basis.patterns) < len(finer[1]) / 4


@pytest.mark.parametrize("seed", range(6))
def test_masses_of_many_magnitudes_do_not_stop_the_interior_point_method(seed: int) -> None:
    trees = hard(seed, spread=4, doubled=0, cost=0.2)
    expected = Simplex().solve(trees, np.arange(400)).objective
    assert InteriorPoint().solve(trees, np.arange(400)).objective == pytest.approx(expected, rel=1e-8)


def test_refined_solutions_go_further() -> None:
    """Of four programs at the edge of what doubles hold none is solved by solutions that are not refined."""
    solved = 0
    for seed in (10, 19, 51, 53):
        trees = hard(seed, spread=7, doubled=200, cost=1e-3)
        with suppress(ScrutableError):
            expected = Simplex().solve(trees, np.arange(400)).objective
            solved += InteriorPoint().solve(trees, np.arange(400)).objective == pytest.approx(expected, rel=1e-8)
    assert solved >= 1


def hard(seed: int, *, spread: float, doubled: int, cost: float) -> Program:
    """Leaves of six trees, and rules that are nearly the same, on masses that spread."""
    rng, n = np.random.default_rng(seed), 400
    leaf, own, of = rng.integers(0, 10, (n, 6)), rng.integers(0, 2, n), rng.integers(0, 2, (6, 10))
    votes = np.zeros((n, 60))
    for tree in range(6):
        votes[np.arange(n), 10 * tree + leaf[:, tree]] = np.where(of[tree, leaf[:, tree]] == own, 1.0, -1.0)
    near = votes[:, rng.integers(0, 60, doubled)]
    for rule in range(doubled):
        changed = rng.integers(0, n, 2)
        near[changed, rule] = rng.choice([-1.0, 0.0, 1.0], 2)
    return Program(
        votes=csr_array(np.hstack([votes, near])),
        costs=np.full(60 + doubled, cost),
        mass=np.exp(rng.normal(0, spread, n)).round() + 1,
        rates=np.zeros((0, n)),
        low=np.zeros(0),
        high=np.zeros(0),
    )


def test_more_votes_than_can_be_numbered_are_refused() -> None:
    """One pattern with 40000 votes, in 60000 parts: 2.4e9 votes, which 32 bits would take for a negative number."""
    one, parts = csr_array(np.ones((1, 40_000))), np.zeros(60_000, int)
    with pytest.raises(InputError, match=r"too many votes; got 2400000000; allowed: up to 2147483647"):
        extended(one, parts, parts, np.zeros((0, 60_000), bool), np.zeros(0, int), -1.0)
