"""The linear regression that selectors see of a quantity, beside least squares of rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scrutable.binning.quantity_tallies import QuantityTallies
from scrutable.data import CodedArrays

DRAW = np.random.default_rng(5)
ROWS = 700
CODES = {"a": DRAW.integers(0, 4, ROWS), "b": DRAW.integers(0, 3, ROWS), "c": DRAW.integers(0, 5, ROWS)}
STANDS = {name: DRAW.normal(size=int(codes.max()) + 1) for name, codes in CODES.items()}
WEIGHT = DRAW.integers(0, 4, ROWS).astype(float)
VALUES = 3.0 + STANDS["a"][CODES["a"]] - 0.5 * STANDS["c"][CODES["c"]] + DRAW.normal(size=ROWS)


def tallies(order: NDArray[np.intp] | slice = slice(None)) -> QuantityTallies:
    sizes = [len(stands) for stands in STANDS.values()]
    rows = CodedArrays([codes[order] for codes in CODES.values()], sizes, VALUES[order], WEIGHT[order])
    return QuantityTallies(STANDS, rows)


def squares(names: list[str]) -> tuple[float, NDArray[np.float64]]:
    """The least sum of squares of rows, and where it lies."""
    columns = np.stack([np.ones(ROWS), *(STANDS[name][CODES[name]] for name in names)], axis=1)
    centred = VALUES - np.average(VALUES, weights=WEIGHT)
    root = np.sqrt(WEIGHT)
    point = np.linalg.lstsq(columns * root[:, None], centred * root, rcond=None)[0]
    return float(WEIGHT @ (centred - columns @ point) ** 2), point


def test_the_least_log_loss_is_that_of_least_squares() -> None:
    likelihood = tallies().likelihood(["a", "b", "c"])
    least, point = squares(["a", "b", "c"])
    assert likelihood.variance == pytest.approx(least / (WEIGHT.sum() - 4), rel=1e-8)
    loss, gradient, hessian = likelihood.at(float(point[0]), point[1:])
    assert loss == pytest.approx(least / (2 * likelihood.variance), rel=1e-10)
    assert np.abs(gradient).max() < 1e-8
    further, _ = likelihood.gradient(float(point[0]), point[1:] + np.array([0.1, 0.0, 0.0]))
    assert further == pytest.approx(loss + 0.5 * 0.01 * hessian[1, 1], rel=1e-10)


def test_some_of_them_keep_the_variance() -> None:
    whole = tallies().likelihood(["a", "b", "c"])
    part, (least, point) = whole.only([2, 0]), squares(["c", "a"])
    assert (part.names, part.variance, part.widths) == (("c", "a"), whole.variance, (1, 1))
    assert part.at(float(point[0]), point[1:])[0] == pytest.approx(least / (2 * whole.variance), rel=1e-10)
    assert part.ranges.tolist() == whole.ranges[[2, 0]].tolist()
    none = whole.only([])
    assert none.at(0.0, np.empty(0))[0] == pytest.approx(squares([])[0] / (2 * whole.variance), rel=1e-10)


def test_the_order_of_the_rows_does_not_matter_to_the_last_bit() -> None:
    order = np.random.default_rng(1).permutation(ROWS)
    one, other = (each.likelihood(["a", "b", "c"]) for each in (tallies(), tallies(order)))
    assert one.moments.tobytes() == other.moments.tobytes()
    assert one.cross.tobytes() == other.cross.tobytes()
    assert (one.square, one.variance, one.weight) == (other.square, other.variance, other.weight)


def test_weights_count_as_so_many_rows() -> None:
    often = np.repeat(np.arange(ROWS), WEIGHT.astype(int))
    sizes = [len(stands) for stands in STANDS.values()]
    rows = CodedArrays([codes[often] for codes in CODES.values()], sizes, VALUES[often], np.ones(len(often)))
    repeated = QuantityTallies(STANDS, rows).likelihood(["a", "c"])
    weighted = tallies().likelihood(["a", "c"])
    assert repeated.variance == weighted.variance
    assert repeated.moments.tobytes() == weighted.moments.tobytes()
    assert tallies().pairs("a", "b").sum() == WEIGHT.sum()


def test_a_quantity_that_does_not_vary_or_is_told_exactly_has_a_variance_above_0() -> None:
    for values in ([2.0, 2.0, 2.0], [0.0, 3.0, 3.0]):
        rows = CodedArrays([np.array([0, 1, 1])], [2], np.array(values), np.ones(3))
        likelihood = QuantityTallies({"a": np.array([-1.0, 1.0])}, rows).likelihood(["a"])
        assert likelihood.variance > 0
        assert np.isfinite(likelihood.at(0.0, np.zeros(1))[0])
