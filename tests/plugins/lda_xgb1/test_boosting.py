"""Stumps on bins: those of XGBoost where gradients are always added up, and nearly those where they mostly follow."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import xgboost

from scrutable.data import CodedArrays
from scrutable_lda_xgb1.best_stump import Stump
from scrutable_lda_xgb1.boosting import Boosting, boosted
from scrutable_lda_xgb1.crossings import Crossings
from scrutable_lda_xgb1.sketch import opening

Made = list[tuple[int, int, bool] | None]


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Rows by bin, the last bin of each block being missing values."""

    codes: np.ndarray
    sizes: list[int]
    y: np.ndarray
    weight: np.ndarray

    @property
    def rows(self) -> CodedArrays:
        return CodedArrays(list(self.codes), self.sizes, self.y, self.weight)

    def stumps(self, boosting: Boosting, signs: list[int], **options: Any) -> Made:
        rows, rate = self.rows, float(np.average(self.y, weights=self.weight))
        made = list(boosted(rows, signs, boosting, rate=rate, **options))
        told = [
            None if s.after is None else (s.block, s.after - int(rows.starts[s.block]), s.missing_left) for s in made
        ]
        return told + [None] * (boosting.n_estimators - len(told))

    def by_xgboost(self, boosting: Boosting, signs: list[int]) -> Made:
        last = np.array(self.sizes) - 1
        values = np.where(self.codes == last[:, None], np.nan, self.codes).T
        matrix = xgboost.DMatrix(values, label=self.y, weight=self.weight, nthread=1)
        options = {
            "objective": "binary:logistic",
            "max_depth": 1,
            "tree_method": "hist",
            "learning_rate": boosting.learning_rate,
            "lambda": boosting.reg_lambda,
            "alpha": boosting.reg_alpha,
            "nthread": 1,
        }
        if any(signs):  # XGBoost counts alpha in gains only where there are none
            options["monotone_constraints"] = str(tuple(signs))
        booster = xgboost.Booster(options, [matrix])
        for number in range(boosting.n_estimators):
            booster.update(matrix, number)
        trees = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
        return [self._told(tree) for tree in trees]

    def _told(self, tree: dict[str, Any]) -> tuple[int, int, bool] | None:
        if len(tree["left_children"]) == 1:
            return None
        block, cut = tree["split_indices"][0], int(np.ceil(tree["split_conditions"][0])) - 1
        return block, min(cut, self.sizes[block] - 2), bool(tree["default_left"][0])


def drawn(seed: int, *, missing: bool = True, weighted: bool = False) -> Drawn:
    rng = np.random.default_rng(seed)
    n, widths = int(rng.integers(800, 3000)), rng.integers(2, 16, 4)
    bins = np.stack([rng.integers(0, width, n) for width in widths])
    codes = np.where((rng.random(bins.shape) < 0.1) & missing, widths[:, None], bins)
    score = (rng.normal(size=(4, 1)) * np.sin(codes * rng.uniform(0.1, 0.5, (4, 1)))).sum(axis=0) - 0.5
    y = (rng.random(n) < 1 / (1 + np.exp(-score))).astype(float)
    weight = rng.choice([0.5, 1.0, 3.0], n) if weighted else np.ones(n)
    return Drawn(codes=codes, sizes=(widths + 1).tolist(), y=y, weight=weight)


@pytest.mark.parametrize(
    ("boosting", "signs"),
    [
        (Boosting(n_estimators=80), [0, 0, 0, 0]),
        (Boosting(n_estimators=80, reg_alpha=3.0), [0, 0, 0, 0]),
        (Boosting(n_estimators=80, reg_lambda=0.0, learning_rate=0.1), [0, 0, 0, 0]),
        (Boosting(n_estimators=80, reg_lambda=5.0), [1, -1, 0, 1]),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_stumps_are_xgboosts_one_by_one(boosting: Boosting, signs: list[int], weighted: bool) -> None:
    for seed in range(4):
        rows = drawn(seed, weighted=weighted)
        assert rows.stumps(boosting, signs, stumps=1) == rows.by_xgboost(boosting, signs)


def test_most_cuts_are_the_same_where_gradients_follow_from_the_curvature() -> None:
    same, every = 0, 0
    for seed in range(8):
        rows = drawn(seed)
        exact, near = (rows.stumps(Boosting(n_estimators=300), [0] * 4, **how) for how in ({"stumps": 1}, {}))
        assert exact != near, "nothing is tested"
        both = ({each[:2] for each in made if each} for made in (exact, near))
        one, other = both
        same, every = same + len(one & other), every + len(one | other)
    assert same >= 0.9 * every


@pytest.mark.parametrize("stumps", [1, 24])
def test_order_and_copies_of_rows_change_no_stump(stumps: int) -> None:
    rows, rng, boosting = drawn(1), np.random.default_rng(0), Boosting(n_estimators=100)
    weight = rng.integers(0, 4, len(rows.y))
    times = np.repeat(np.arange(len(rows.y)), weight)
    weighted = Drawn(codes=rows.codes, sizes=rows.sizes, y=rows.y, weight=weight.astype(float))
    mixed = rng.permutation(times)
    copied = Drawn(codes=rows.codes[:, mixed], sizes=rows.sizes, y=rows.y[mixed], weight=np.ones(len(mixed)))
    made = [
        list(boosted(each.rows, [0] * 4, boosting, rate=each.y @ each.weight / each.weight.sum(), stumps=stumps))
        for each in (weighted, copied)
    ]
    assert made[0] == made[1]


def test_of_equal_features_the_first_is_cut() -> None:
    rows = drawn(2)
    twice = Drawn(codes=np.tile(rows.codes, (2, 1)), sizes=rows.sizes * 2, y=rows.y, weight=rows.weight)
    assert {each[0] for each in twice.stumps(Boosting(n_estimators=50), [0] * 8, stumps=1) if each} <= {0, 1, 2, 3}


def test_where_nothing_tells_there_is_no_cut() -> None:
    y = np.tile([0.0, 1.0], 200)
    rows = Drawn(codes=np.repeat([[0, 1], [0, 2]], 200, axis=1), sizes=[3, 3], y=y, weight=np.ones(400))
    assert rows.stumps(Boosting(n_estimators=20), [0, 0]) == [None] * 20


def test_a_cut_between_wide_bins_moves_others_by_what_their_rows_have() -> None:
    rows = drawn(3)
    weight = rows.rows.weight_by_bin
    crossings = Crossings.of(rows.rows, weight)
    assert crossings is not None
    starts = rows.rows.starts
    for missing_left in (False, True):
        stump = Stump(1, int(starts[1]) + 1, missing_left, -1.0, 2.0, 0.0)
        left = (rows.codes[1] <= 1) | (missing_left & (rows.codes[1] == rows.sizes[1] - 1))
        moved = np.where(left, -1.0, 2.0)
        moves = crossings.moves(stump, rows.rows.slices[1])
        for block in (0, 2, 3):
            for code in range(rows.sizes[block]):
                own = rows.codes[block] == code
                assert moves[starts[block] + code] == pytest.approx(moved[own].mean())


def test_bins_are_those_of_xgboosts_sketch_where_it_holds_all_values() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        most = int(rng.integers(4, 40))
        size = int(rng.integers(2, 8 * most))
        weight = rng.integers(1, 5, size) + rng.integers(0, 40, size) * (rng.random(size) < 0.2)
        values = np.repeat(np.arange(size), weight)[:, None]
        matrix = xgboost.QuantileDMatrix(values, label=np.zeros(len(values)), max_bin=most, nthread=1)
        _, cuts = matrix.get_quantile_cut()
        assert opening(weight.astype(float), most) == [int(cut) for cut in cuts if 0 < cut < size]
