"""ROC, CAP, KS and tenths beside scikit-learn's ROC and curves counted row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from scrutable.data import Cohort, min_cell
from scrutable.data.disclosure.smallest_count import told_from
from scrutable.measures import performance, separation_curve

ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.sampled_from([0.25, 1, 3])), min_size=2, max_size=40)
BOTH = ROWS.filter(lambda rows: len({row[0] for row in rows}) == 2)


def sample(rows: int, seed: int, decimals: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    score = np.round(generator.normal(size=rows), decimals)
    good = generator.random(rows) < 1 / (1 + np.exp(-1.5 * score - 2))
    return score, good, generator.integers(1, 4, rows).astype(float)


@given(BOTH)
@settings(deadline=None, derandomize=True, max_examples=150)
def test_it_is_scikit_learns_roc_of_declining(rows: list[tuple[bool, int, float]]) -> None:
    good, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    curve = separation_curve(score, Cohort.read(len(rows), good, sample_weight=weight))
    assert curve is not None
    across, up, thresholds = roc_curve(~good, -score, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(curve.goods, across, atol=1e-12)
    np.testing.assert_allclose(curve.bads, up, atol=1e-12)
    np.testing.assert_array_equal(curve.cutoff[:-1], -thresholds[1:])
    assert curve.auc == pytest.approx(roc_auc_score(good, score, sample_weight=weight))
    assert curve.accuracy_ratio == pytest.approx(2 * curve.auc - 1)
    assert curve.ks == pytest.approx(performance(good, score, sample_weight=weight, n_boot=2).ks)


def test_cap_and_tenths_by_hand() -> None:
    # Ten applicants, four bad; two with a score of 2 are one step.
    score = np.array([1.0, 2, 2, 3, 4, 5, 6, 7, 8, 9])
    good = np.array([False, False, True, False, True, True, False, True, True, True])
    curve = separation_curve(score, Cohort.read(10, good))
    assert curve is not None
    assert curve.everybody == pytest.approx([0, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    assert curve.bads == pytest.approx([0, 0.25, 0.5, 0.75, 0.75, 0.75, 1, 1, 1, 1])
    # Trapezoids of the CAP, less the half under the diagonal, over 1 - 0.4 / 2 less that half.
    area = 0.1 * 0.125 + 0.2 * 0.375 + 0.1 * 0.625 + 0.2 * 0.75 + 0.1 * 0.875 + 0.3
    assert curve.accuracy_ratio == pytest.approx((area - 0.5) / 0.3)
    assert (curve.ks, curve.ks_at) == (pytest.approx(0.75 - 1 / 6), 4.0)
    with told_from(1):
        tenths = curve.tenths
    assert [each.upper for each in tenths] == [2, 3, 4, 5, 6, 7, 8, 9, np.inf]
    assert [each.share for each in tenths] == pytest.approx([0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    assert [each.bad_rate for each in tenths] == pytest.approx([1, 0.5, 1, 0, 0, 1, 0, 0, 0])
    assert [each.lift for each in tenths] == pytest.approx([2.5, 1.25, 2.5, 0, 0, 2.5, 0, 0, 0])
    assert curve.tenths[0].share == pytest.approx(0.5)  # of five applicants, the fewest that are told of


def test_rows_in_any_order_and_repeated_rows_for_weights_give_the_same_curve() -> None:
    score, good, weight = sample(500, 3)
    curve = separation_curve(score, Cohort.read(500, good, sample_weight=weight))
    order, often = np.random.default_rng(1).permutation(500), weight.astype(int)
    turned = separation_curve(score[order], Cohort.read(500, good[order], sample_weight=weight[order]))
    told = separation_curve(np.repeat(score, often), Cohort.read(int(often.sum()), np.repeat(good, often)))
    assert curve is not None
    assert turned is not None
    assert told is not None
    for name in ("cutoff", "goods", "bads", "below"):
        np.testing.assert_array_equal(getattr(curve, name), getattr(turned, name))
    np.testing.assert_array_equal(curve.goods, told.goods)
    np.testing.assert_array_equal(curve.bads, told.bads)


def test_rows_without_weight_or_outcome_do_not_count_and_one_outcome_gives_no_curve() -> None:
    score, good, _ = sample(300, 4)
    curve = separation_curve(score, Cohort.read(300, good))
    more = [*good.tolist(), None, True]
    padded = separation_curve(
        np.append(score, [99.0, -99.0]), Cohort.read(302, more, sample_weight=np.append(np.ones(301), 0.0))
    )
    assert curve is not None
    assert padded is not None
    assert padded.to_dict() == curve.to_dict()
    assert separation_curve(score, Cohort.read(300, np.full(300, True))) is None


@pytest.mark.parametrize("rows", [12, 300, 20_000])
def test_what_is_drawn_is_on_the_curve_near_what_is_left_out_and_tells_of_few_rows_nowhere(rows: int) -> None:
    score, good, weight = sample(rows, 7, decimals=6)
    curve = separation_curve(score, Cohort.read(rows, good, sample_weight=weight))
    assert curve is not None
    shown = curve.shown
    assert (shown[0], shown[-1]) == (0, curve.cutoff.size - 1)
    assert np.diff(curve.below[shown]).min() >= min_cell()
    assert shown.size <= 1001
    left = np.setdiff1d(np.arange(curve.cutoff.size), shown)
    before, after = (shown[np.searchsorted(shown, left) + step] for step in (-1, 0))
    near = np.minimum(*(
        np.hypot(curve.goods[left] - curve.goods[beside], curve.bads[left] - curve.bads[beside])
        for beside in (before, after)
    ))  # fmt: skip
    few = curve.below[after] - curve.below[before] <= 2 * min_cell()
    assert (near[~few] <= 1 / 500).all()
    if rows > 12:
        assert curve.widest_shown is not None


def test_where_ks_lies_is_not_drawn_beside_fewer_rows_than_may_be_told_of() -> None:
    curve = separation_curve(np.arange(40.0), Cohort.read(40, np.arange(40) >= 2))
    assert curve is not None
    assert curve.ks_at == 2.0
    assert curve.widest_shown is None
    with told_from(2):
        assert curve.widest_shown == 2


def test_rows_whose_weights_hardly_count_leave_figures_finite() -> None:
    few = [1.0] * 95 + [1e-30] * 5
    curve = separation_curve(
        np.maximum(np.arange(100), 94), Cohort.read(100, np.arange(100) % 3 > 0, sample_weight=few)
    )
    assert curve is not None
    assert [each.lift for each in curve.tenths] == pytest.approx([1.0])
    curve = separation_curve(
        np.arange(40), Cohort.read(40, np.arange(40) >= 20, sample_weight=[1.0] * 20 + [1e-30] * 20)
    )
    assert curve is not None
    assert (curve.bad_rate, curve.accuracy_ratio) == (1.0, 1.0)
