"""Sums over rows with a pair of features, against plain matrix products."""

from __future__ import annotations

import numpy as np
import pytest

from scrutable_fcca.trees.counting import Planes, as_whole, distinct_columns, distinct_rows, pair_sums

NUMBERS = {
    "ones": lambda rng, n: np.ones(n),
    "few values": lambda rng, n: rng.choice([-7, 0, 3, 10**9], n),
    "many values": lambda rng, n: rng.integers(-(10**6), 10**6, n),
    "many multiples": lambda rng, n: 48 * rng.integers(0, 200, n),
    "zeros": lambda rng, n: np.zeros(n),
}


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("n", [1, 63, 64, 65, 700])
def test_pair_sums_are_those_of_a_matrix_product(kind: str, n: int) -> None:
    rng = np.random.default_rng(n)
    rows, numbers = rng.random((n, 7)) < rng.random(7), np.stack([NUMBERS[kind](rng, n), rng.integers(0, 2, n)])
    numbers = numbers.astype(np.int64)
    planes = Planes.of(rows, numbers)
    has = rows.astype(np.int64)
    for mask, inside in ((planes.everything(), np.ones(n, bool)), (planes.words[2], rows[:, 2])):
        sums = pair_sums(planes, mask)
        for k, number in enumerate(numbers):
            assert np.array_equal(sums[k], has.T @ (has * (number * inside)[:, None]))


def test_columns_that_say_the_same_are_kept_once() -> None:
    a, b = np.array([True, False, True, True]), np.array([False, False, True, False])
    columns = np.stack([np.ones(4, bool), a, b, ~a, b, np.zeros(4, bool), a, a & b], axis=1)
    assert distinct_columns(columns).tolist() == [1, 2]
    assert distinct_columns(columns[:1]).tolist() == []


def test_rows_that_are_the_same_are_added_up() -> None:
    rng = np.random.default_rng(0)
    features, numbers = rng.random((300, 70)) < 0.02, rng.integers(0, 9, (2, 300))
    rows, sums = distinct_rows(features, numbers)
    assert len(np.unique(rows, axis=0)) == len(rows) == len(np.unique(features, axis=0))
    for row, found in zip(rows, sums.T, strict=True):
        assert found.tolist() == numbers[:, (features == row).all(axis=1)].sum(axis=1).tolist()


def test_whole_numbers_keep_their_proportions() -> None:
    values = np.array([1.0, 2.0, -3.0, 0.0, 1e-30])
    whole, unit = as_whole(values)
    assert (whole * unit).tolist() == [1.0, 2.0, -3.0, 0.0, 0.0]
    assert 2**47 <= np.abs(whole).sum() < 2**48
    assert as_whole(np.zeros(3))[0].tolist() == [0, 0, 0]
