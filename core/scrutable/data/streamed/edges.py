"""Buckets that are divided where somebody cuts within them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames.levels import Buckets
from scrutable.data.streamed.spreads import Spread

Floats = NDArray[np.float64]


def divided(
    buckets: Buckets, ordinary: NDArray[np.bool_], ends: Sequence[float], values: Callable[[], Iterable[Floats]]
) -> Spread:
    """Buckets of ordinary numbers, with a further one from each end on that lies within one of them.

    Parameters
    ----------
    ordinary : (k,) which of the buckets hold numbers that are measured.
    values : gives all ordinary numbers, batch by batch.

    Examples
    --------
    >>> buckets = Buckets(np.array([1.0, 4.0]), np.array([3.0, 4.0]))
    >>> divided(buckets, np.ones(2, dtype=bool), [2.0], lambda: [np.array([1.0, 3.0, 2.5, 4.0])]).low.tolist()
    [1.0, 2.5, 4.0]
    """
    low, high = buckets.low[ordinary], buckets.high[ordinary]
    at = np.searchsorted(low, ends, side="right") - 1
    within = [
        end for end, place in zip(ends, at.tolist(), strict=True) if place >= 0 and low[place] < end <= high[place]
    ]
    starts = np.unique(np.concatenate([low, within]))
    least, greatest = np.full(len(starts), np.inf), np.full(len(starts), -np.inf)
    rows = np.zeros(len(starts), dtype=np.int64)
    for batch in values():
        place = np.maximum(np.searchsorted(starts, batch, side="right") - 1, 0)
        np.minimum.at(least, place, batch)
        np.maximum.at(greatest, place, batch)
        rows += np.bincount(place, minlength=len(starts))
    there = rows > 0
    return Spread(least[there] + 0.0, greatest[there] + 0.0, rows[there])
