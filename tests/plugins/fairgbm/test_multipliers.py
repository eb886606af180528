"""Signed multipliers: where they move, where they rest, and that weights stay within bounds."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable import create
from scrutable.fairness import Groups
from scrutable_fairgbm.multipliers import Pace, SignedMultipliers
from scrutable_fairgbm.players import View
from scrutable_fairgbm.rates import RateRows, rate_rows


def rows_of(name: str = "opportunity", n: int = 4000, **options: object) -> RateRows:
    rng = np.random.default_rng(0)
    good = rng.random(n) < 0.5
    groups = Groups.from_frame({"sex": np.where(rng.random(n) < 0.25, "f", "m")})
    bounds = create("constraint", name, **options).bind(good, groups)
    return rate_rows(good, bounds, groups, np.ones(n))


def players(rows: RateRows, held: RateRows | None = None, rate: float = 0.1) -> SignedMultipliers:
    pace = Pace(multiplier_rate=rate, learning_rate=0.1)
    return SignedMultipliers(rows, held, pace, base=np.ones(len(rows.total)))


def scores(rows: RateRows, declined: dict[int, float]) -> np.ndarray:
    """Scores of which these shares are below 0 in each cell; the other cells have none."""
    score = np.ones(len(rows.cell))
    for cell, share in declined.items():
        own = np.flatnonzero(rows.cell == cell)
        score[own[: round(share * len(own))]] = -1.0
    return score


def cells(rows: RateRows) -> tuple[int, int]:
    """Cells of the good payers of the group and of its reference."""
    return int(np.flatnonzero(rows.q[0] > 0)[0]), int(np.flatnonzero(rows.q[0] < 0)[0])


@pytest.mark.parametrize("rate", [1e-3, 0.1, 0.5])
def test_a_group_declined_more_often_is_weighed_more(rate: float) -> None:
    rows = rows_of()
    # Among errors the signs of good payers are turned: declining is the error
    few, many = sorted(cells(rows), key=lambda cell: rows.total[cell])
    for declined, heavier in (({few: 0.5, many: 0.2}, True), ({few: 0.2, many: 0.5}, False)):
        player = players(rows, rate=rate)
        for _ in range(5):
            player.gradients(View(score=scores(rows, declined), threshold=0.0))
        factors = player.factors()
        assert (factors[few] > 1 > factors[many]) == heavier
        assert (factors[few] < 1 < factors[many]) != heavier
        bads = ~rows.good
        assert factors[bads].tolist() == [1.0, 1.0]
        # The large side moves less, as its rows do in the rate
        assert (1 - factors[many]) / (factors[few] - 1) == pytest.approx(rows.total[few] / rows.total[many])


def test_approvals_raise_the_good_payers_of_a_group_and_lower_its_bad_ones() -> None:
    rows = rows_of("demographic-parity")
    player = players(rows)
    group = [cell for cell in range(4) if rows.total[cell] < 800]
    for _ in range(5):
        player.gradients(View(score=scores(rows, dict.fromkeys(group, 0.6)), threshold=0.0))
    factors = player.factors()
    assert all((factors[cell] > 1) == rows.good[cell] for cell in group)
    assert all((factors[cell] < 1) == rows.good[cell] for cell in set(range(4)) - set(group))


def test_within_its_limits_a_bound_lets_go() -> None:
    rows = rows_of(slack=0.1)
    few, many = sorted(cells(rows), key=lambda cell: rows.total[cell])
    player = players(rows)
    for _ in range(30):
        player.gradients(View(score=scores(rows, {few: 0.4, many: 0.2}), threshold=0.0))
    pushed = abs(player.values[0])
    for _ in range(200):
        player.gradients(View(score=scores(rows, {few: 0.25, many: 0.2}), threshold=0.0))
    assert pushed > 0.1
    assert player.values.tolist() == [0.0]


@pytest.mark.parametrize("compare", ["reference", "everyone", "pairs"])
def test_weights_stay_within_bounds_whatever_happens(compare: str) -> None:
    rows = rows_of("error-rate-balance", compare=compare)
    rng, player = np.random.default_rng(1), players(rows, rate=0.5)
    for worst in (1.0, 0.0):
        for _ in range(300):
            declined = {cell: worst * float(rng.random() < 0.5) for cell in range(4)}
            player.gradients(View(score=scores(rows, declined), threshold=0.0))
    player.gradients(View(score=np.full(len(rows.cell), 1e6), threshold=0.0))
    for _ in range(3000):
        gradient, hessian = player.gradients(View(score=scores(rows, {0: 1.0, 1: 1.0}), threshold=0.0))
    factors = player.factors()
    assert np.isfinite(gradient).all()
    assert np.isfinite(hessian).all()
    assert -0.3 <= factors.min() < 1 < factors.max() <= 7


def test_rows_held_out_count_as_far_as_they_are_enough() -> None:
    rows, small, large = rows_of(), rows_of(n=400), rows_of(n=40_000)
    found = {}
    for name, held in (("none", None), ("small", small), ("large", large)):
        player = players(rows, held)
        view = View(score=scores(rows, {}), threshold=0.0)
        if held is not None:
            few = min(cells(held), key=lambda cell: held.total[cell])
            view = View(score=view.score, threshold=0.0, held_score=scores(held, {few: 0.3}), held_threshold=0.0)
        player.gradients(view)
        found[name] = abs(float(player.measured[0] - rows.constant[0]))
    assert found["none"] == pytest.approx(0.0)
    assert 0 < found["small"] < found["large"] - 0.005 < 0.3
