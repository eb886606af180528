"""The regression by pairs of bins and by pairs of rows: which is taken, that they agree, and what they cost."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data import Chunk, CodedArrays, CodedRows
from scrutable.errors import InputError
from scrutable.measures.numerics import binned_logistic, problem_forms
from scrutable.measures.numerics.binned_logistic import BinnedLogisticFit, Block, ScoreGap, fit_binned_logistic
from scrutable.measures.numerics.blocks import one_hot_block, woe_block
from scrutable.measures.numerics.counts import bin_counts, weight_of_evidence
from scrutable.measures.numerics.problem_forms import RowProblem, TableProblem, problem_of

SEEDS = st.integers(0, 10**6)


def coded(indices: np.ndarray, bins: int, y: np.ndarray, weight: np.ndarray | None = None) -> CodedArrays:
    return CodedArrays(indices, [bins] * len(indices), y * 1.0, np.ones(len(y)) if weight is None else weight * 1.0)


def random_blocks(
    rng: np.random.Generator, rows: int, count: int, bins: int
) -> tuple[list[Block], np.ndarray, np.ndarray]:
    """Blocks of every kind and outcomes that some of them tell; more blocks than rows separate them."""
    indices = rng.integers(0, bins, (count, rows))
    y = (rng.random(rows) < 1 / (1 + np.exp(1.5 - indices[: 3 * bins : bins].sum(axis=0)))).astype(int)
    y[:2] = 0, 1
    kinds = rng.integers(0, 3, count)
    woes = [weight_of_evidence(bin_counts(index, bins, y)) for index in indices]
    made = {
        0: lambda woe: woe_block(woe, sign="positive"),
        1: lambda woe: one_hot_block(bins),
        2: lambda woe: one_hot_block(bins, trend="ascending", ordered=range(bins - 1)),
    }
    return [made[kind](woe) for kind, woe in zip(kinds.tolist(), woes, strict=True)], indices, y


def fit_by(form: type, blocks: list[Block], rows: CodedArrays, **options: object) -> BinnedLogisticFit:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binned_logistic, "problem_of", form)
        return fit_binned_logistic(blocks, rows, **options)


def numbers(fit: BinnedLogisticFit) -> np.ndarray:
    return np.concatenate([[fit.intercept], *fit.values, fit.gaps])


@settings(deadline=None, derandomize=True, max_examples=40)
@given(seed=SEEDS, rows=st.sampled_from([12, 60]), count=st.integers(1, 30), ridge=st.sampled_from([1e-4, 1e-2]))
def test_both_forms_give_the_same_model(seed: int, rows: int, count: int, ridge: float) -> None:
    rng = np.random.default_rng(seed)
    blocks, indices, y = random_blocks(rng, rows, count, 4)
    weight = rng.integers(0, 4, rows) + np.eye(2, rows).sum(axis=0)
    given = coded(indices, 4, y, weight)
    gaps = [ScoreGap(rng.normal(), rng.normal(size=given.size) / count, strength) for strength in (0.0, 0.5)]
    table, by_rows = (fit_by(form, blocks, given, ridge=ridge, gaps=gaps) for form in (TableProblem, RowProblem))
    np.testing.assert_allclose(numbers(by_rows), numbers(table), atol=2e-6)
    assert by_rows.objective == pytest.approx(table.objective, rel=1e-10)
    assert by_rows.kkt_residual <= 1e-9
    for block, coefficients in zip(blocks, by_rows.coefficients, strict=True):
        assert np.all((coefficients >= block.lower) & (coefficients <= block.upper))


def test_by_rows_too_the_order_of_rows_does_not_change_a_bit() -> None:
    rng = np.random.default_rng(4)
    blocks, indices, y = random_blocks(rng, 40, 90, 5)
    order = rng.permutation(40)
    both = coded(indices, 5, y), coded(indices[:, order], 5, y[order])
    found, again = (fit_by(RowProblem, blocks, rows, ridge=1e-3) for rows in both)
    np.testing.assert_array_equal(numbers(again), numbers(found))


def test_rows_are_taken_where_columns_outnumber_them_and_tables_stay_where_they_do_not() -> None:
    def form(rows: int, count: int, bins: int, ridge: float = 1e-4) -> type:
        blocks, indices, y = random_blocks(np.random.default_rng(0), rows, count, bins)
        return type(problem_of(blocks, coded(indices, bins, y), ridge))

    assert form(100, 300, 5) is RowProblem
    assert form(100, 90, 15) is TableProblem  # fewer columns than rows, though more bins
    assert form(20, 40, 5) is TableProblem  # so few that nothing is saved
    assert form(100, 300, 5, ridge=0.0) is TableProblem


def test_a_regression_that_does_not_fit_is_refused_before_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, indices, y = random_blocks(np.random.default_rng(0), 100, 300, 5)
    rows = coded(indices, 5, y)
    monkeypatch.setattr(problem_forms, "MOST_BYTES", 2**19)
    with pytest.raises(
        InputError, match=r"300 columns in 1,500 bins, 100 rows: the regression is too large; got '0.*GB"
    ):
        fit_binned_logistic(blocks, rows, ridge=1e-4)
    with pytest.raises(InputError, match=r"or allow fewer bins, or give a ridge above 0"):
        fit_binned_logistic(blocks, rows, ridge=0)


class Elsewhere(CodedRows):
    """Rows that are not in memory, as far as their kind tells."""

    def __init__(self, rows: CodedArrays) -> None:
        super().__init__(np.diff(rows.starts).tolist(), rows.rows, rows.weights, rows.total_weight)
        self._rows = rows

    def chunks(self) -> Iterator[Chunk]:
        return self._rows.chunks()

    def only(self, blocks: Sequence[int]) -> Elsewhere:
        return Elsewhere(self._rows.only(blocks))


def test_rows_elsewhere_are_only_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, indices, y = random_blocks(np.random.default_rng(0), 100, 300, 5)
    rows = coded(indices, 5, y)
    monkeypatch.setattr(problem_forms, "MOST_BYTES", 2**22)
    assert isinstance(problem_of(blocks, rows, 1e-4), RowProblem)
    with pytest.raises(InputError, match=r"too large; .* or allow fewer bins, or fit few rows in memory"):
        problem_of(blocks, Elsewhere(rows), 1e-4)
    some = rows.only([0, 1, 2])
    one, other = (fit_binned_logistic(blocks[:3], each) for each in (some, Elsewhere(some)))
    np.testing.assert_array_equal(numbers(one), numbers(other))


def test_memory_grows_with_rows_times_columns_and_not_with_the_square_of_the_columns() -> None:
    rows, bins = 50, 6

    def most_bytes(count: int) -> int:
        index = np.random.default_rng(0).integers(0, bins, (count, rows))
        y = np.arange(rows) % 2
        blocks = [woe_block(weight_of_evidence(bin_counts(i, bins, y)), sign="positive") for i in index]
        given = coded(index, bins, y)
        tracemalloc.start()
        fit_binned_logistic(blocks, given, ridge=1e-4)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    few, many = most_bytes(500), most_bytes(2000)
    assert many < 60 * 2000 * rows  # a matrix of the columns alone is 32 MB, and their table 1.2 GB
    assert many < 4.5 * few
