"""The bootstrap: how much each row counts in a replicate, and what the middle of the replicates covers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.array_checks import Floats
from scrutable.errors import InputError

#: The lower and the upper end.
Interval = tuple[float, float]
#: Rows that are drawn one by one; see `dealt`.
MAX_PACKETS = 10_000

_CHUNK = 2**22  # counts held at a time, so that many replicates need no more memory than few
_DIGITS = 9  # of an effective number of rows, so that rounding in sums of weights changes no draw


def dealt(
    count: npt.NDArray[np.int64], generator: np.random.Generator
) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Rows dealt out at random into `MAX_PACKETS` packets, some at a time: which each row is, and its packet.

    More rows than that are drawn packet by packet: shares spread as widely, to the 1 % or so by which the spread of
    that many packets is itself known, at a cost that grows no further.

    Parameters
    ----------
    count : (n,) how many rows there are of each kind.

    >>> [(kind, packet)] = dealt(np.array([1, 2]), np.random.default_rng(0))
    >>> kind.tolist(), packet.shape
    ([0, 1, 1], (3,))
    """
    ends = np.cumsum(count)
    rows = int(ends[-1])
    for start in range(0, rows, _CHUNK):
        kind = np.searchsorted(ends, np.arange(start, min(start + _CHUNK, rows)), side="right")
        yield kind, generator.integers(MAX_PACKETS, size=len(kind), dtype=np.intp)


def row_weights(count: npt.NDArray[Any], n_boot: int, generator: np.random.Generator) -> Iterator[Floats]:
    """Blocks (b, n) of the random weights of rows, exponentially distributed; they hold `n_boot` replicates.

    Parameters
    ----------
    count : (n,) how many rows there are of each kind; the weights of those of one kind are added.

    >>> [block] = row_weights(np.array([1, 1, 5]), 2, np.random.default_rng(0))
    >>> block.shape, bool((block > 0).all())
    ((2, 3), True)
    """
    for blocks in _blocks(count.size, n_boot):
        yield generator.standard_gamma(count, size=(blocks, count.size))


def cell_weights(
    cell: npt.NDArray[np.intp],
    weight: Floats,
    n_boot: int,
    generator: np.random.Generator,
    *,
    count: npt.NDArray[Any] | None = None,
) -> Iterator[Floats]:
    """Blocks (b, cells) of the weight that falls into each cell, where rows count by `row_weights`.

    The sum of the random weights of rows that weigh the same has the gamma distribution, which is drawn itself; where
    rows of a cell do not, it is drawn from the gamma distribution with the mean and variance of that sum.

    Parameters
    ----------
    cell : (n,) cell of each row.
    weight : (n,) weight of each row, at least 0.
    count : (n,) how many rows each of these stands for; 1 each if None.

    >>> [block] = cell_weights(np.array([0, 0, 2]), np.array([2.0, 2.0, 5.0]), 3, np.random.default_rng(0))
    >>> (block > 0).tolist()[0], block.shape
    ([True, False, True], (3, 3))
    """
    often = np.ones(cell.size) if count is None else count
    shape, scale = gamma_of(np.bincount(cell, weight * often), np.bincount(cell, weight**2 * often))
    for blocks in _blocks(shape.size, n_boot):
        yield generator.gamma(shape, scale, size=(blocks, shape.size))


def gamma_of(total: npt.NDArray[Any], squares: npt.NDArray[Any]) -> tuple[Floats, Floats]:
    """Shape and scale of the gamma distributions of the weights that `cell_weights` draws.

    Parameters
    ----------
    total, squares : sums of weights, and of their squares.

    >>> shape, scale = gamma_of(np.array([4.0, 0.0]), np.array([8.0, 0.0]))
    >>> shape.tolist(), scale.tolist()
    ([2.0, 0.0], [2.0, 1.0])
    """
    scale = np.divide(squares, total, out=np.ones(total.shape), where=total > 0)
    return np.round(total / scale, _DIGITS), scale


def percentile_interval(replicates: npt.ArrayLike, confidence: float) -> tuple[Floats, Floats]:
    """Percentile bounds over the first axis. Undefined replicates are left out; NaN where all of them are.

    >>> low, high = percentile_interval([[0.0], [1.0], [2.0]], 0.5)
    >>> low.tolist(), high.tolist()
    ([0.5], [1.5])
    """
    tail = (1 - confidence) / 2
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN slice", RuntimeWarning)
        low, high = np.nanquantile(np.asarray(replicates, dtype=np.float64), [tail, 1 - tail], axis=0)
    return low, high


def check_bootstrap(n_boot: int, seed: int) -> None:
    """Refuse a number of replicates or a seed that is not a whole number in range."""
    if not _is_whole(n_boot) or n_boot < 1:
        raise InputError(
            "expected a number of bootstrap replicates",
            where="n_boot",
            got=n_boot,
            allowed="a whole number from 1 on",
            fix="use 1000",
        )
    if not _is_whole(seed) or seed < 0:
        raise InputError("expected a seed", where="seed", got=seed, allowed="a whole number from 0 on", fix="use 0")


def _blocks(width: int, n_boot: int) -> Iterator[int]:
    size = max(1, _CHUNK // width)
    for start in range(0, n_boot, size):
        yield min(size, n_boot - start)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
