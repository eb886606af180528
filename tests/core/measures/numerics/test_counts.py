from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.exact import exact_bincount
from scrutable.errors import InputError
from scrutable.measures.numerics.counts import (
    bin_counts,
    information_value,
    information_value_by_bin,
    strength,
    weight_of_evidence,
)
from scrutable_lifecycle.validation.stability import population_stability_index

PROVEN = settings(deadline=None, derandomize=True, max_examples=150)
ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1), st.floats(0, 1e12, allow_subnormal=False)), max_size=60)
COUNTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=12).filter(
    lambda table: all(sum(column) for column in zip(*table, strict=True))
)


@PROVEN
@given(rows=ROWS, seed=st.integers(0, 9))
def test_counts_are_the_rounded_true_sums_for_every_row_order(rows, seed):
    index, y, weight = (np.array([row[i] for row in rows]) for i in range(3))
    counts = bin_counts(index, 5, y, weight)
    for b in range(5):
        for outcome in (0, 1):
            true = math.fsum(row[2] for row in rows if row[:2] == (b, outcome))
            assert abs(counts[b, outcome] - true) <= math.ulp(true)
    order = np.random.default_rng(seed).permutation(len(rows))
    np.testing.assert_array_equal(bin_counts(index[order], 5, y[order], weight[order]), counts)


@PROVEN
@given(rows=ROWS)
def test_unweighted_counts_equal_a_loop_and_whole_weights_equal_repetition(rows):
    index, y = (np.array([row[i] for row in rows], dtype=int) for i in range(2))
    expected = np.zeros((5, 2))
    for b, outcome in zip(index, y, strict=True):
        expected[b, outcome] += 1
    np.testing.assert_array_equal(bin_counts(index, 5, y), expected)
    times = np.arange(len(rows)) % 4
    repeated = bin_counts(np.repeat(index, times), 5, np.repeat(y, times))
    np.testing.assert_array_equal(bin_counts(index, 5, y, times), repeated)


def test_sums_survive_cancellation_and_any_magnitude():
    weight = np.array([1e300, 1.0, 5e-324, -1e300, 2.0**-60])
    assert exact_bincount(np.zeros(5, dtype=np.intp), weight, 1)[0] == 1.0
    tiny = np.array([5e-324, 5e-324, 1e-310])
    assert exact_bincount(np.zeros(3, dtype=np.intp), tiny, 1)[0] == math.fsum(tiny)


@PROVEN
@given(table=COUNTS)
def test_information_value_equals_the_formula_written_as_a_loop(table):
    p_total, q_total = (sum(column) for column in zip(*table, strict=True))
    expected, one_sided = [], False
    for p_count, q_count in table:
        p, q = p_count / p_total, q_count / q_total
        one_sided |= (p_count == 0) != (q_count == 0)
        expected.append((p - q) * math.log(p / q) if p and q else 0.0)
    p_counts, q_counts = zip(*table, strict=True)
    np.testing.assert_allclose(information_value_by_bin(p_counts, q_counts), expected, rtol=1e-12, atol=1e-15)
    assert information_value(p_counts, q_counts) == pytest.approx(sum(expected), rel=1e-12, abs=1e-15)
    limit = information_value(p_counts, q_counts, zero="inf")
    assert limit == (math.inf if one_sided else information_value(p_counts, q_counts))
    assert information_value(q_counts, p_counts, zero="inf") == pytest.approx(limit)


@PROVEN
@given(table=COUNTS)
def test_weight_of_evidence_gives_the_information_value_and_smooths_only_one_sided_bins(table):
    counts = np.array(table, dtype=float)
    woe, total = weight_of_evidence(counts), counts.sum(axis=0)
    for (bad, good), value in zip(table, woe, strict=True):
        add = 0.5 if (bad == 0) != (good == 0) else 0.0
        expected = math.log(((good + add) / total[1]) / ((bad + add) / total[0])) if bad or good else 0.0
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
    full = counts.all(axis=1)
    shares = counts / total
    parts = ((shares[:, 1] - shares[:, 0]) * woe)[full]
    np.testing.assert_allclose(parts, information_value_by_bin(*counts.T)[full], rtol=1e-9, atol=1e-14)


def test_woe_is_positive_where_favourable_outcomes_abound_and_infinite_without_smoothing():
    assert weight_of_evidence([[1, 9], [9, 1]])[0] > 0
    assert weight_of_evidence([[0, 9], [9, 1], [3, 0]], smoothing=0)[[0, 2]].tolist() == [math.inf, -math.inf]


def test_psi_of_a_known_table_and_of_a_bin_that_appears():
    expected = (0.6 - 0.5) * math.log(0.6 / 0.5) + (0.4 - 0.5) * math.log(0.4 / 0.5)
    assert population_stability_index([50, 50], [6, 4]) == pytest.approx(expected, rel=1e-14)
    assert population_stability_index([50, 50, 0], [6, 4, 0]) == pytest.approx(expected, rel=1e-14)
    assert population_stability_index([50, 50, 0], [6, 4, 1]) == math.inf
    terms = [
        (6 / 11 - 0.5) * math.log(12 / 11),
        (4 / 11 - 0.5) * math.log(8 / 11),
        (1 / 11 - 0.005) * math.log(200 / 11),
    ]
    assert population_stability_index([50, 50, 0], [6, 4, 1], zero="half") == pytest.approx(sum(terms), rel=1e-14)
    assert population_stability_index([50, 50, 0], [6, 4, 0], zero="half") == pytest.approx(expected, rel=1e-14)
    assert population_stability_index([3, 7], [30, 70]) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: bin_counts([0, 3], 3, [0, 1]), r"bin index: a bin number is out of range; got 3; allowed: 0 to 2"),
        (lambda: bin_counts([0, -1], 3, [0, 1]), r"out of range; got -1"),
        (lambda: bin_counts([0.0, 1.0], 3, [0, 1]), r"expected one whole number a row; got 'float64 of shape \(2,\)'"),
        (lambda: bin_counts([0, 1], 3, [0, 2]), r"y: an outcome is neither class; got 2; allowed: 0 or 1"),
        (lambda: bin_counts([0, 1], 3, [0, float("nan")]), r"y: an outcome is neither class; got nan"),
        (lambda: bin_counts([0, 1], 3, [0]), r"outcomes: the length differs"),
        (lambda: bin_counts([0, 1], 3, [0, 1], [1.0]), r"sample weights: the length differs"),
        (lambda: bin_counts([0, 1], 3, [0, 1], [1.0, -2.0]), r"negative or not finite; got -2\.0"),
        (lambda: bin_counts([0, 1], 3, [0, 1], [1.0, math.inf]), r"negative or not finite; got inf"),
        (lambda: information_value([1, 2], [1, 2, 3]), r"q_counts: the length differs"),
        (lambda: information_value([0, 0], [1, 2]), r"p_counts: every bin is empty"),
        (lambda: information_value([1, -1], [1, 2]), r"p_counts: expected one count a bin"),
        (
            lambda: information_value([1, 1], [1, 2], zero="drop"),
            r"zero: .*; got 'drop'; allowed: 'ignore', 'inf' or 'half'",
        ),
        (lambda: weight_of_evidence([1, 2]), r"counts: expected a row a bin"),
        (lambda: weight_of_evidence([[1, 0], [2, 0]]), r"favourable counts: every bin is empty"),
        (lambda: weight_of_evidence([[1, 2]], smoothing=-1), r"smoothing: smoothing is negative; got -1"),
    ],
)
def test_bad_input_is_named(call, text):
    with pytest.raises(InputError, match=text):
        call()


@pytest.mark.parametrize(("least", "name"), [(0.0, "none"), (0.02, "weak"), (0.1, "moderate"), (0.3, "strong")])
def test_strength_is_named_from_each_bound_on(least, name):
    assert strength(least) == strength(math.nextafter(least, math.inf)) == name
    assert strength(math.nextafter(least, -math.inf)) != name or least == 0.0
    assert strength(math.inf) == "strong"
