"""The bootstrap: how often each row is drawn, and what the middle of the replicates covers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from scrutable.errors import InputError
from scrutable.fairness.inputs import Floats

_CHUNK = 2**22  # counts held at a time, so that a million rows need no more memory than ten thousand


def row_counts(rows: int, n_boot: int, generator: np.random.Generator) -> Iterator[Floats]:
    """Blocks (b, rows) of how often each row is drawn; the blocks hold `n_boot` replicates together.

    >>> [block] = row_counts(3, 2, np.random.default_rng(0))
    >>> block.shape, block.sum(axis=1).tolist()
    ((2, 3), [3.0, 3.0])
    """
    size = max(1, _CHUNK // rows)
    for start in range(0, n_boot, size):
        count = min(size, n_boot - start)
        drawn = generator.integers(0, rows, (count, rows))
        drawn += np.arange(count)[:, None] * rows
        yield np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows).astype(np.float64)


def cell_counts(cells: Floats, n_boot: int, generator: np.random.Generator) -> Floats:
    """Replicates (n_boot, *cells.shape) of whole-numbered cell counts.

    Drawing n rows with replacement and counting them by cell is the multinomial distribution with the observed shares
    as probabilities, whatever the number of rows.

    >>> cell_counts(np.array([[3.0, 1.0]]), 2, np.random.default_rng(0)).sum(axis=(1, 2)).tolist()
    [4.0, 4.0]
    """
    total = cells.sum()
    drawn = generator.multinomial(round(float(total)), (cells / total).ravel(), size=n_boot)
    return drawn.reshape(n_boot, *cells.shape).astype(np.float64)


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


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
