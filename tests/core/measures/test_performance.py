"""AUC, Gini and KS against definitions written out, and their intervals against weighing rows one by one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gamma, ks_2samp, kstest, mannwhitneyu

from scrutable.errors import InputError, KindError
from scrutable.fairness import auc, ks
from scrutable.measures.resampling import cell_weights
from scrutable.measures.separating_power import MAX_LEVELS, gini, performance, replicates, score_levels

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


def of_weighed_rows(y: np.ndarray, score: np.ndarray, weight: np.ndarray, n_boot: int) -> np.ndarray:
    """(n_boot, 2) AUC and KS of rows that are weighed one by one: every pair compared, every cutoff tried."""
    generator = np.random.default_rng(0)
    ends = [(side, end) for side in (True, False) for end in (-99.0, 99.0)]
    halves = [
        generator.gamma(0.25, size=n_boot) * (weight[y == side] ** 2).sum() / weight[y == side].sum()
        for side, _ in ends
    ]
    drawn = np.column_stack([generator.exponential(size=(n_boot, y.size)) * weight, *halves])
    y, score = np.append(y, [side for side, _ in ends]), np.append(score, [end for _, end in ends])
    good, bad = (drawn[:, side] / drawn[:, side].sum(axis=1, keepdims=True) for side in (y, ~y))
    wins = (score[y][:, None] > score[~y]) + 0.5 * (score[y][:, None] == score[~y])
    cutoffs = np.unique(score)
    distance = np.abs(good @ (score[y][:, None] >= cutoffs) - bad @ (score[~y][:, None] >= cutoffs)).max(axis=1)
    return np.column_stack([((good @ wins) * bad).sum(axis=1), distance])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [1, 6])
def test_replicates_are_distributed_as_those_of_weighed_rows(weighted: bool, digits: int) -> None:
    generator = np.random.default_rng(2)
    score = np.round(generator.normal(size=400), digits)
    y = generator.random(400) < 1 / (1 + np.exp(-1.5 * score))
    weight = generator.exponential(size=400) if weighted else np.ones(400)
    ours = replicates(y, score, weight, 8000, seed=4)
    theirs = of_weighed_rows(y, score, weight, 8000)
    spread = theirs.std(axis=0)
    np.testing.assert_allclose(ours.std(axis=0) / spread, 1, atol=0.03)
    np.testing.assert_allclose((ours.mean(axis=0) - theirs.mean(axis=0)) / spread, 0, atol=0.05)
    for level in (0.025, 0.5, 0.975):
        apart = np.quantile(ours, level, axis=0) - np.quantile(theirs, level, axis=0)
        np.testing.assert_allclose(apart / spread, 0, atol=0.1)


def test_levels_are_the_scores_themselves_while_these_are_few() -> None:
    score = np.random.default_rng(3).permutation(np.repeat(np.arange(MAX_LEVELS), 3)).astype(float)
    np.testing.assert_array_equal(score_levels(score), score)


def test_neighbouring_scores_share_a_level_where_they_are_many() -> None:
    generator = np.random.default_rng(4)
    score = np.concatenate([generator.normal(size=50_000), np.full(30_000, 0.5)])
    levels = score_levels(score)
    order = np.argsort(score, kind="stable")
    assert (np.diff(levels[order]) >= 0).all()
    assert (levels[score == 0.5] == levels[-1]).all()
    assert levels.max() < MAX_LEVELS
    sizes = np.bincount(levels)
    assert (np.delete(sizes, levels[-1]) <= 2 * score.size / MAX_LEVELS).all()


def test_sharing_levels_hardly_changes_what_is_measured() -> None:
    generator = np.random.default_rng(5)
    score = generator.normal(size=100_000)
    y = generator.random(score.size) < 1 / (1 + np.exp(-1.5 * score))
    levels = score_levels(score)
    assert auc(y, levels) == pytest.approx(auc(y, score), abs=1e-5)
    assert ks(y, levels) == pytest.approx(ks(y, score), abs=5e-4)


def test_the_weight_of_weighed_rows_has_the_right_mean_and_spread() -> None:
    generator = np.random.default_rng(6)
    cell, weight = generator.integers(0, 3, 200), generator.exponential(size=200)
    found = np.concatenate(list(cell_weights(cell, weight, 20_000, generator)))
    rows = generator.exponential(size=(20_000, 200)) * weight
    expected = np.stack([rows[:, cell == each].sum(axis=1) for each in range(3)], axis=1)
    np.testing.assert_allclose(found.mean(axis=0), expected.mean(axis=0), rtol=0.01)
    np.testing.assert_allclose(np.cov(found.T), np.cov(expected.T), atol=0.06 * expected.var(axis=0).max())


@pytest.mark.parametrize("weight", [1.0, 0.1])
def test_equal_weights_are_gamma_distributed(weight: float) -> None:
    [found] = cell_weights(np.array([0, 0, 0, 2, 2]), np.full(5, weight), 2000, np.random.default_rng(7))
    assert found.shape == (2000, 3)
    assert kstest(found[:, 0] / weight, gamma(3).cdf).pvalue > 0.01
    assert kstest(found[:, 2] / weight, gamma(2).cdf).pvalue > 0.01
    assert (found[:, 1] == 0).all()


def test_many_cells_are_drawn_in_blocks_that_make_up_all_replicates() -> None:
    blocks = list(cell_weights(np.arange(2_000_000), np.ones(2_000_000), 3, np.random.default_rng(0)))
    assert [block.shape for block in blocks] == [(2, 2_000_000), (1, 2_000_000)]


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


@pytest.mark.parametrize("measure", [auc, gini, ks, performance])
def test_errors(measure: Any) -> None:
    with pytest.raises(InputError, match=r"y: separation needs outcomes of both classes; got '2 favourable of 2'"):
        measure([True, True], [1, 2])
    with pytest.raises(InputError, match="separation needs outcomes of both classes"):
        measure([True, False], [1, 2], sample_weight=[1, 0])
    with pytest.raises(KindError, match="y: expected booleans"):
        measure([1, 0], [1, 2])
    with pytest.raises(InputError, match="score: the number of rows differs; got 3; allowed: 2 rows"):
        measure([True, False], [1, 2, 3])
    with pytest.raises(KindError, match=r"score: expected numbers; got '<U1'"):
        measure([True, False], ["a", "b"])
