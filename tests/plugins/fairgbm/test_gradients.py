"""One pass over the rows, beside numpy and differences of losses."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable import create
from scrutable.fairness import Groups
from scrutable_fairgbm.families import families
from scrutable_fairgbm.gradients import count_errors, weigh_rows
from scrutable_fairgbm.lagrangian import Proxy, ProxyLagrangian
from scrutable_fairgbm.players import View
from scrutable_fairgbm.rates import rate_rows


@pytest.mark.parametrize("weighted", [False, True])
def test_gradients_hessians_and_errors(weighted: bool) -> None:
    rng = np.random.default_rng(0)
    score, cell = np.r_[rng.normal(size=496) * 3, -800.0, 800.0, 0.25, 0.0], rng.integers(0, 5, 500).astype(np.int32)
    good, factor = np.array([True, False, True, False, False]), np.array([1.0, 0.3, -0.2, 2.5, -0.3])
    weight = rng.random(500) if weighted else np.array([2.0])
    gradient, hessian = np.empty((2, 500), np.float32)
    errors, counted = np.empty((2, 5))
    weigh_rows(score, cell, good, factor, weight, 0.25, 0.0, gradient, hessian, errors)
    count_errors(score, cell, good, weight, 0.25, counted)
    own, probability = weight * np.abs(factor[cell]), np.exp(-np.logaddexp(0, -score))
    target = good[cell] ^ (factor[cell] < 0)  # rows of a weight below 0 count as of the other class
    np.testing.assert_allclose(gradient, own * (probability - target), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(hessian, own * probability * (1 - probability), rtol=1e-5, atol=1e-7)
    wrong = (score >= 0.25) != good[cell]
    np.testing.assert_allclose(errors, np.bincount(cell, weight * wrong, 5))
    assert errors.tolist() == counted.tolist()


def proxies(z: np.ndarray, proxy: Proxy) -> np.ndarray:
    if proxy == "cross-entropy":
        return np.asarray(np.logaddexp(0, z))
    above = np.maximum(0.0, 1.0 + z)
    return above if proxy == "hinge" else above * above / 2


@pytest.mark.parametrize("proxy", ["cross-entropy", "hinge", "quadratic"])
@pytest.mark.parametrize("name", ["opportunity", "error-rate-balance", "demographic-parity"])
def test_the_papers_gradients_are_those_of_its_lagrangian(name: str, proxy: Proxy) -> None:
    """Equation (8) for two groups, by differences of the proxy-Lagrangian of equation (7)."""
    rng = np.random.default_rng(3)
    n = 60
    good, score = rng.random(n) < 0.5, rng.normal(size=n) * 2
    groups = Groups.from_frame({"sex": rng.choice(["f", "m"], n)}, min_group_size=0)
    bounds = create("constraint", name, slack=0.1, min_group_size=1).bind(good, groups)
    rows = rate_rows(good, bounds, groups, np.ones(n))
    constraints = families(bounds, groups, rows)
    start = rng.random(2 * len(constraints))
    player = ProxyLagrangian(rows, constraints, rate=0.1, proxy=proxy, start=start, base=np.ones(len(rows.total)))

    def lagrangian(at: np.ndarray) -> float:
        total = float(np.logaddexp(0, np.where(good, -at, at)).mean())
        kinds = {"opportunity": "e", "error-rate-balance": "eE", "demographic-parity": "p"}[name]
        for number, kind in enumerate(kinds):
            event = proxies(at, proxy) if kind == "p" else proxies(np.where(good, -at, at), proxy)
            among = np.ones(n, bool) if kind == "p" else good == (kind == "e")
            of_groups = [event[among & (groups.labels_of("sex") == label)].mean() for label in ("f", "m")]
            total += sum(
                multiplier * (max(of_groups) - own - 0.1)
                for multiplier, own in zip(start[2 * number : 2 * number + 2], of_groups, strict=True)
            )
        return total

    found, _ = player.gradients(View(score=score, threshold=0.0))
    step = 1e-5
    by_differences = [
        (lagrangian(score + step * unit) - lagrangian(score - step * unit)) / (2 * step) for unit in np.eye(n)
    ]
    np.testing.assert_allclose(found / n, by_differences, atol=1e-7)
    violations = np.concatenate([family.violations(rows.errors(score, 0.0), rows) for family in constraints])
    np.testing.assert_allclose(player.values, np.maximum(start + 0.1 * violations, 0))
