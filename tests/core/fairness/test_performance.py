"""AUC, Gini and KS against definitions written out, and their intervals against drawing rows one by one."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, mannwhitneyu

from scrutable.errors import InputError, KindError
from scrutable.fairness import auc, gini, ks
from scrutable.fairness.performance import _replicates, performance
from scrutable.fairness.resampling import row_counts

ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(1, 3)), min_size=2, max_size=25).filter(
    lambda rows: len({row[0] for row in rows}) == 2
)


def sample(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    score = np.round(generator.normal(size=rows), 1)
    return generator.random(rows) < 1 / (1 + np.exp(-1.5 * score)), score


@given(ROWS)
@settings(deadline=None, derandomize=True, max_examples=150)
def test_auc_and_ks_equal_their_definitions_with_weights(rows: list[tuple[bool, int, int]]) -> None:
    y, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    good, bad = score[y], score[~y]
    pairs = np.outer(weight[y], weight[~y])
    wins = np.where(good[:, None] > bad, 1.0, np.where(good[:, None] == bad, 0.5, 0.0))
    area = (pairs * wins).sum() / pairs.sum()
    distance = max(
        abs(weight[y & (score >= cut)].sum() / weight[y].sum() - weight[~y & (score >= cut)].sum() / weight[~y].sum())
        for cut in score
    )
    assert auc(y, score, sample_weight=weight) == pytest.approx(area)
    assert gini(y, score, sample_weight=weight) == pytest.approx(2 * area - 1)
    assert ks(y, score, sample_weight=weight) == pytest.approx(distance)


def test_unweighted_values_equal_scipys_tests() -> None:
    y, score = sample(400, seed=1)
    assert auc(y, score) == pytest.approx(mannwhitneyu(score[y], score[~y]).statistic / (y.sum() * (~y).sum()))
    assert ks(y, score) == pytest.approx(ks_2samp(score[y], score[~y]).statistic)


def test_more_points_mean_better_applicants() -> None:
    assert auc([False, False, True, True], [1, 2, 3, 4]) == 1.0
    assert gini([False, False, True, True], [4, 3, 2, 1]) == -1.0
    assert ks([False, False, True, True], [4, 3, 2, 1]) == 1.0


def test_replicates_equal_the_measures_of_the_rows_drawn() -> None:
    y, score = sample(50, seed=2)
    weight = np.random.default_rng(3).random(50)
    found = _replicates(y, score, weight, 20, seed=4)
    order = np.argsort(score, kind="stable")
    [counts] = row_counts(50, 20, np.random.default_rng(4))
    for (area, distance), drawn in zip(found, counts.astype(int), strict=True):
        rows = np.repeat(order, drawn)
        assert area == pytest.approx(auc(y[rows], score[rows], sample_weight=weight[rows]))
        assert distance == pytest.approx(ks(y[rows], score[rows], sample_weight=weight[rows]))


def test_large_data_is_drawn_in_blocks_that_make_up_all_replicates() -> None:
    blocks = list(row_counts(3_000_000, 3, np.random.default_rng(0)))
    assert [block.shape for block in blocks] == [(1, 3_000_000)] * 3
    assert all(block.sum() == 3_000_000 for block in blocks)


def test_the_interval_is_as_wide_as_hanley_and_mcneil_say() -> None:
    y, score = sample(2000, seed=5)
    result = performance(y, score, n_boot=1000)
    area, good, bad = result.auc, int(y.sum()), int((~y).sum())
    both_good, both_bad = area / (2 - area), 2 * area**2 / (1 + area)
    variance = (area * (1 - area) + (good - 1) * (both_good - area**2) + (bad - 1) * (both_bad - area**2)) / (
        good * bad
    )
    low, high = result.auc_interval
    assert low < area < high
    assert (high - low) / (2 * 1.96) == pytest.approx(variance**0.5, rel=0.15)
    assert result.gini_interval == pytest.approx((2 * low - 1, 2 * high - 1))


def test_the_same_seed_gives_the_same_values() -> None:
    y, score = sample(200, seed=6)
    one = performance(y, score, n_boot=100, seed=1)
    assert one == performance(y, score, n_boot=100, seed=1)
    assert one.auc_interval != performance(y, score, n_boot=100, seed=2).auc_interval
    stored = json.loads(json.dumps(one.to_dict(), allow_nan=False))
    assert stored["auc"] == one.auc
    assert stored["ks_interval"] == list(one.ks_interval)


def test_replicates_of_one_class_are_left_out() -> None:
    result = performance([True, False], [2, 1], n_boot=50)
    assert (result.auc, result.auc_interval, result.ks_interval) == (1.0, (1.0, 1.0), (1.0, 1.0))


@pytest.mark.parametrize("measure", [auc, gini, ks, performance])
def test_errors(measure: object) -> None:
    with pytest.raises(InputError, match=r"y: separation needs outcomes of both classes; got '2 favourable of 2'"):
        measure([True, True], [1, 2])  # type: ignore[operator]
    with pytest.raises(InputError, match="separation needs outcomes of both classes"):
        measure([True, False], [1, 2], sample_weight=[1, 0])  # type: ignore[operator]
    with pytest.raises(KindError, match="y: expected booleans"):
        measure([1, 0], [1, 2])  # type: ignore[operator]
    with pytest.raises(InputError, match="score: the number of rows differs; got 3; allowed: 2 rows"):
        measure([True, False], [1, 2, 3])  # type: ignore[operator]
    with pytest.raises(KindError, match=r"score: expected numbers; got '<U1'"):
        measure([True, False], ["a", "b"])  # type: ignore[operator]
