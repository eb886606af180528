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


def _weighed(rows: CodedArrays, largest: float) -> list[np.ndarray]:
    """Sums of amounts that depend on the target alone."""
    sums = [rows.total(largest), rows.bin_sums(largest), rows.pair_sums(largest), rows.total(largest, fine=True)]
    rows.weigh_up(sums, lambda chunk: [largest * (chunk.target - 0.5)] * 4)
    return [each.values for each in sums]


@pytest.mark.parametrize("largest", [1.0, 0.3, 41.7])
@pytest.mark.parametrize("light", [1.0, 0.7e-12])
def test_a_weight_of_2_adds_what_two_rows_add(largest: float, light: float) -> None:
    rng, n = np.random.default_rng(10), 400
    blocks, target = [rng.integers(0, size, n) for size in (3, 4)], rng.random(n)
    times = rng.integers(0, 9, n)
    target[0], times[0] = 0.5, 1
    scale = np.ones(n)
    scale[0] = light
    once = CodedArrays(blocks, [3, 4], target, times * scale)
    every = np.repeat(np.arange(n), times)
    again = CodedArrays([block[every] for block in blocks], [3, 4], target[every], scale[every])
    for one, other in zip(_weighed(once, largest), _weighed(again, largest), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("spread", [0.0, 30.0])
def test_amounts_count_as_often_as_rows_weigh(spread: float) -> None:
    rng, n = np.random.default_rng(11), 300
    weight = 10.0 ** rng.uniform(-spread, 7, n)  # some beyond what counts as so many rows
    rows = CodedArrays([rng.integers(0, 3, n)], [3], rng.random(n), weight)
    total, by_bin, by_pair, fine = _weighed(rows, 2.0)
    amounts = [
        Fraction(each) * Fraction(2.0 * (target - 0.5)) for each, target in zip(weight, rows.target, strict=True)
    ]
    expected = float(sum(amounts))
    assert total == pytest.approx(expected, rel=1e-9)
    assert fine == pytest.approx(expected, rel=1e-14)
    assert by_bin.sum() == pytest.approx(expected, rel=1e-9)
    np.testing.assert_array_equal(np.diag(by_pair), by_bin)


def test_some_blocks_have_the_sums_of_all() -> None:
    rows = _rows(12)
    bins = np.concatenate([np.arange(10)[own] for own in (rows.slices[2], rows.slices[0])])
    some = rows.only([2, 0])
    for one, other in zip(_summed(some)[1:], _summed(rows)[1:], strict=True):
        np.testing.assert_array_equal(one, other[np.ix_(*[bins] * one.ndim)])
    assert (some.rows, some.weights, some.total_weight) == (rows.rows, rows.weights, rows.total_weight)
    np.testing.assert_array_equal(some.weight_by_bin, rows.weight_by_bin[bins])


def test_sums_are_the_same_however_layers_share_them() -> None:
    one, other = (whole_sums.Total(whole_sums.Unit((0, -40)), ()) for _ in range(2))
    one.wholes[0] += 5
    one.wholes[1] += 3 - 2**40
    other.wholes[0] += 4
    other.wholes[1] += 3
    assert one.values == other.values == 4.0 + 3.0 * 2.0**-40


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
