"""Samples of one kind that the same rules cover, kept as one pattern while rules are added."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled, compiled_part

Booleans = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Positions = NDArray[np.int64]

_BITS = 62  # rules that are read in one pass
_BLOCK = 2048  # samples whose keys are made together, so that a block stays in the nearest cache
_SPREAD = np.int64(0x2545F4914F6CDD1D)  # odd: multiplying by it mixes the bits of a key


class Partition:
    """A partition of n samples by kind and by coverage.

    A pattern keeps its number for good. When a rule splits it, the samples that agree with its first sample keep the
    number, and the others get new ones after all that exist.

    Parameters
    ----------
    kinds : (n,) number of each sample's kind, from 0; every number up to the largest occurs.

    Attributes
    ----------
    of : (n,) number of each sample's pattern.
    first : (patterns,) the first sample of each.

    Examples
    --------
    >>> import numpy as np
    >>> patterns = Partition(np.array([0, 0, 1, 1]))
    >>> patterns.refine(np.array([[True, False, True, True]]))
    array([0, 1, 0])
    >>> patterns.of
    array([0, 2, 1, 1])
    """

    def __init__(self, kinds: Positions) -> None:
        self.of = np.array(kinds, dtype=np.int64)
        self.first = np.zeros(self.of.max() + 1, dtype=np.int64)
        self.first[self.of[::-1]] = np.arange(len(self.of) - 1, -1, -1)

    def __len__(self) -> int:
        return len(self.first)

    def refine(self, masks: Booleans) -> Positions:
        """Split what rules tell apart.

        Parameters
        ----------
        masks : (k, n) which samples each rule covers.

        Returns
        -------
        (patterns,) the pattern that each was part of before; itself for those that there were.
        """
        parents = np.arange(len(self))
        bits = np.ascontiguousarray(masks).view(np.uint8)
        for start in range(0, len(masks), _BITS):
            new, first = _split(self.of, self.first, _keys(bits[start : start + _BITS]))
            self.first = np.concatenate([self.first, first])
            parents = np.concatenate([parents, parents[new]])
        return parents


def _shifted(masks: Bytes) -> Positions:
    """The same keys by NumPy, which goes through all rows for each mask."""
    keys = np.zeros(masks.shape[1], np.int64)
    for bit, mask in enumerate(masks):
        keys |= mask.astype(np.int64) << bit
    return keys


@compiled(steps=lambda masks: masks.size // 8, small=_shifted)
def _keys(masks: Bytes) -> Positions:
    """(n,) what at most 62 masks say of each sample, a bit each; eight masks at a time fill a byte, block by block."""
    count, n = masks.shape
    keys = np.zeros(n, np.int64)
    byte = np.zeros(_BLOCK, np.uint8)
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        for low in range(0, count, 8):
            byte[:] = 0
            for mask in range(low, min(low + 8, count)):
                row, bit = masks[mask, start : start + size], np.uint8(mask - low)
                for i in range(size):
                    byte[i] |= row[i] << bit
            for i in range(size):
                keys[start + i] |= np.int64(byte[i]) << low
    return keys


@compiled(steps=lambda of, first, keys: 2 * len(of))
def _split(of: Positions, first: Positions, keys: Positions) -> tuple[Positions, Positions]:
    """Give samples whose key differs from that of their pattern's first one a new pattern, in place.

    Returns the pattern that each new one was part of, and its first sample. New ones are found again through a hash
    table with open addressing, at most half full.
    """
    patterns = len(first)
    parents, starts = np.empty(64, np.int64), np.empty(64, np.int64)
    table = np.full(256, -1, np.int64)
    made = 0
    for i in range(len(of)):
        pattern = of[i]
        if keys[i] == keys[first[pattern]]:
            continue
        at = _slot(pattern, keys[i], len(table))
        while table[at] >= 0 and (parents[table[at]] != pattern or keys[starts[table[at]]] != keys[i]):
            at = (at + 1) & (len(table) - 1)
        if table[at] < 0:
            if made == len(parents):
                parents, starts = _twice(parents), _twice(starts)
            parents[made], starts[made], table[at] = pattern, i, made
            made += 1
            if 2 * made > len(table):
                table = np.full(4 * len(table), -1, np.int64)
                for other in range(made):
                    at = _slot(parents[other], keys[starts[other]], len(table))
                    while table[at] >= 0:
                        at = (at + 1) & (len(table) - 1)
                    table[at] = other
                of[i] = patterns + made - 1
                continue
        of[i] = patterns + table[at]
    return parents[:made].copy(), starts[:made].copy()


@compiled_part
def _slot(pattern: int, key: int, size: int) -> int:
    mixed = (pattern * _SPREAD) ^ key
    mixed = (mixed ^ (mixed >> 29)) * _SPREAD
    return int((mixed ^ (mixed >> 32)) & (size - 1))


@compiled_part
def _twice(values: Positions) -> Positions:
    longer = np.empty(2 * len(values), np.int64)
    for i in range(len(values)):
        longer[i] = values[i]
    return longer
