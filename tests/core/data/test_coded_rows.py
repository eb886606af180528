"""Sums over rows by bin and by pair of bins, beside sums of fractions; order, chunks and machine code change no bit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from scrutable.data import CodedArrays, coded_rows, whole_sums


def _rows(seed: int, n: int = 700, *, wild: bool = False) -> CodedArrays:
    rng = np.random.default_rng(seed)
    sizes = [2, 5, 3]
    blocks = [rng.integers(0, size, n) for size in sizes]
    weight = 10.0 ** rng.uniform(-30, 3, n) if wild else rng.uniform(0.0, 3.0, n)
    weight[:3] = 0.0
    return CodedArrays(blocks, sizes, rng.integers(0, 2, n).astype(float), weight)


def _summed(rows: CodedArrays) -> list[np.ndarray]:
    sums = [rows.total(), rows.bin_sums(), rows.pair_sums()]
    rows.add_up(sums, lambda chunk: [chunk.weight] * 3)
    return [each.values for each in sums]


@pytest.mark.parametrize("wild", [False, True])
def test_sums_are_those_of_fractions(wild: bool) -> None:
    rows = _rows(3, wild=wild)
    exact = {}
    for row, weight in enumerate(rows.weight.tolist()):
        bins = [int(start + code) for start, code in zip(rows.starts, rows.codes[:, row], strict=False)]
        for one in bins:
            for other in bins:
                exact[one, other] = exact.get((one, other), Fraction(0)) + Fraction(weight)
    total, by_bin, by_pair = _summed(rows)
    assert total == pytest.approx(float(sum(map(Fraction, rows.weight.tolist()))), rel=1e-15)
    for one in range(rows.size):
        assert by_bin[one] == by_pair[one, one]
        for other in range(rows.size):
            assert by_pair[one, other] == pytest.approx(float(exact.get((one, other), 0)), rel=1e-11)


@pytest.mark.parametrize("wild", [False, True])
def test_order_chunks_and_machine_code_change_no_bit(wild: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _rows(4, wild=wild)
    before = _summed(rows)
    order = np.random.default_rng(5).permutation(rows.rows)
    shuffled = CodedArrays(list(rows.codes[:, order]), np.diff(rows.starts), rows.target[order], rows.weight[order])
    monkeypatch.setattr(coded_rows, "CHUNK", 64)
    for add in (whole_sums.add_by_bin, whole_sums.add_by_pair):
        monkeypatch.setattr(add, "_taken", 10**9)  # so that it is machine code from now on
    for one, other in zip(before, _summed(shuffled), strict=True):
        np.testing.assert_array_equal(one, other)


def test_parts_that_are_merged_are_the_whole() -> None:
    rows = _rows(6)
    whole, parts = rows.bin_sums(), [rows.bin_sums(), rows.bin_sums()]
    rows.add_up([whole], lambda chunk: [chunk.weight])
    for part, own in zip(parts, (slice(0, 300), slice(300, None)), strict=True):
        part.add(rows.codes[:, own], rows.starts, rows.weight[own])
    parts[0].merge(parts[1])
    np.testing.assert_array_equal(parts[0].values, whole.values)


def test_large_sums_by_numpy_are_those_of_machine_code() -> None:
    rng = np.random.default_rng(7)
    codes, starts = rng.integers(0, 3, (2, 50)).astype(np.uint8), np.array([0, 3, 6])
    whole = rng.integers(-(2**55), 2**55, 50)
    for add, shape in ((whole_sums.add_by_bin, 6), (whole_sums.add_by_pair, (6, 6))):
        sums = [np.zeros(shape, dtype=np.int64) for _ in range(2)]
        add.as_python(codes, starts, whole, sums[0])
        add.machine_code(codes, starts, whole, sums[1])
        np.testing.assert_array_equal(*sums)


def test_scores_are_added_block_by_block() -> None:
    rows = _rows(8)
    values = np.random.default_rng(9).normal(size=rows.size)
    [chunk] = rows.chunks()
    by_hand = np.full(rows.rows, 0.25)
    for own, codes in zip(rows.slices, rows.codes, strict=True):
        by_hand += values[own][codes]
    np.testing.assert_array_equal(rows.score(chunk, values, 0.25), by_hand)
    assert np.abs(by_hand).max() <= rows.farthest(values, 0.25)
