"""The bucket of every value of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.model.program.ladders import Ladder

#: Cuts up to which comparing with each of them is faster than a binary search, and names likewise.
_FEW = 16


def bucket(ladder: Ladder, value: Column | NDArray[np.float64]) -> NDArray[np.integer[Any]]:
    """The bucket of each value of a column, or of each number.

    >>> from scrutable.data.frames import as_table
    >>> ladder = Ladder(kind="numeric", size=3, rungs=(0, 1), cuts=(18.0,), missing=2)
    >>> bucket(ladder, as_table({"age": [17.0, 18.0, None]}).column("age")).tolist()
    [0, 1, 2]
    """
    if isinstance(value, np.ndarray):
        return _of_numbers(ladder, value)
    if ladder.kind == "numeric":
        return _of_numbers(ladder, value.values)
    return np.take(of_levels(ladder, value.coding.levels), value.coding.codes)


def of_levels(ladder: Ladder, levels: NDArray[np.object_]) -> NDArray[np.integer[Any]]:
    """The bucket of each of the different texts of a column; None is missing."""
    own = dict(ladder.named)
    buckets = [ladder.missing if text is None else own.get(text, ladder.rungs[0]) for text in levels]
    return np.array(buckets, dtype=np.uint8 if ladder.size <= 256 else np.intp)


def _of_numbers(ladder: Ladder, values: NDArray[np.float64]) -> NDArray[np.integer[Any]]:
    kind = np.uint8 if ladder.size <= 256 else np.intp
    buckets = _cuts_reached(np.array(ladder.cuts), values)
    if ladder.rungs == tuple(range(len(ladder.rungs))):
        buckets = buckets.astype(kind, copy=False)
    else:
        buckets = np.take(np.array(ladder.rungs, dtype=kind), buckets)
    if len(ladder.named) <= _FEW:
        for value, own in ladder.named:
            buckets[values == value] = own
    else:
        names, owns = (np.array(each) for each in zip(*sorted(ladder.named), strict=True))
        nearest = np.minimum(np.searchsorted(names, values), len(names) - 1)
        buckets = np.where(names[nearest] == values, owns[nearest], buckets).astype(kind)
    buckets[np.isnan(values)] = ladder.missing
    return buckets


def _cuts_reached(cuts: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.integer[Any]]:
    """How many of the rising cuts each value reaches."""
    if len(cuts) > _FEW:
        return np.searchsorted(cuts, values, side="right")
    reached = np.zeros(len(values), dtype=np.uint8)
    for cut in cuts:
        reached += values >= cut
    return reached
