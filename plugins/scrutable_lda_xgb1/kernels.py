"""Compiled loops of the search for a whole front: every way to reach each border that no other way beats.

A label is a way to reach a border: its IV and FIV so far, and the number of the first bin that may follow, when the
bins from there are numbered by rising rate. A label beats another at the same border with no more FIV, no less IV and
no bin less that may follow. A layer counts how many bins may follow; where there may be any number of them, there is
one layer only.

Nearly all ways to reach a border are beaten. A sieve finds them, mostly sixteen at a time: it holds the highest IV
that some ways, one in sixteen, have at each of a few thousand levels of FIV. What it lets through is compared exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled, compiled_part

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]

_TOLERANCE = 1e-12  # of IV
_LEVELS = 4096  # of FIV
_BLOCK = 16  # labels that are ruled out together


class Bins(NamedTuple):
    """The bins [start, stop) that a merge may be made of.

    starts : (n + 1, n) [stop, place] where the bins that end there start, by rising `first`; -1 after the last.
    number : (n + 1, n + 1) [start, stop] place by rising rate among the bins with this start.
    first : (n + 1, n + 1) [start, stop] lowest number of a bin that may follow, of those that start where this ends.
    iv, fiv : (n + 1, n + 1) [start, stop] information values about outcome and group.
    """

    starts: Positions
    number: Positions
    first: Positions
    iv: Floats
    fiv: Floats


class Labels(NamedTuple):
    """Labels by border and layer, each list by rising FIV from a position that `_BLOCK` divides.

    iv, fiv : so far.
    first : lowest number of a bin that may follow.
    before : the label it goes on from; -1 for none.
    border : that it reaches.
    highest : (positions / _BLOCK,) highest IV of each block.
    """

    iv: Floats
    fiv: Floats
    first: Positions
    before: Positions
    border: Positions
    highest: Floats


@compiled
def search(bins: Bins, layers: int, most: int) -> tuple[Labels, Positions]:
    """All labels, and the positions of those that reach the last border, by layer and rising FIV.

    It gives up, with no position, when there are more than `most`.
    """
    n = len(bins.iv) - 1
    labels = _enlarged(_empty(0), 1024)
    labels.iv[0], labels.fiv[0], labels.first[0], labels.before[0], labels.border[0] = 0.0, 0.0, 0, -1, 0
    labels.highest[0] = 0.0
    begin, end = np.zeros((n + 1, layers), np.int64), np.zeros((n + 1, layers), np.int64)
    end[0, layers - 1] = 1
    made = _BLOCK
    sieve = np.empty(_LEVELS + 1)
    for stop in range(1, n + 1):
        count = np.count_nonzero(bins.starts[stop] >= 0)
        starts = bins.starts[stop, :count]
        scale = _scale(stop, starts, begin, end, labels, bins)
        for layer in range(layers - 1, -1, -1):
            before = layer if layers == 1 else layer + 1
            if before == layers:
                continue
            fresh, reached = _reach(stop, starts, begin[:, before], end[:, before], labels, bins, sieve, scale)
            labels = _enlarged(labels, made + reached + _BLOCK)
            begin[stop, layer] = made
            end[stop, layer] = made + _keep(labels, made, fresh, reached, stop)
            made = -(-end[stop, layer] // _BLOCK) * _BLOCK
            if made > most:
                return labels, np.empty(0, np.int64)
    last = np.empty((end[n] - begin[n]).sum(), np.int64)
    size = 0
    for layer in range(layers):
        for label in range(begin[n, layer], end[n, layer]):
            last[size] = label
            size += 1
    return labels, last


@compiled
def borders_of(labels: Labels, chosen: Positions, n: int) -> NDArray[np.bool_]:
    """(chosen, n) whether a bin after the first starts at each pre-bin, of labels that reach the last border."""
    marks = np.zeros((len(chosen), n), np.bool_)
    for row in range(len(chosen)):
        label = labels.before[chosen[row]]
        while labels.before[label] >= 0:
            marks[row, labels.border[label]] = True
            label = labels.before[label]
    return marks


@compiled_part
def _scale(stop: int, starts: Positions, begin: Positions, end: Positions, labels: Labels, bins: Bins) -> float:
    """Levels of the sieve per unit of FIV, so that the highest FIV reached is on the last but one."""
    top = 1e-300
    for start in starts:
        for layer in range(begin.shape[1]):
            if end[start, layer] > begin[start, layer]:
                top = max(top, labels.fiv[end[start, layer] - 1] + bins.fiv[start, stop])
    return (_LEVELS - 1) / top * (1 - 1e-9)


@compiled_part
def _reach(
    stop: int,
    starts: Positions,
    begin: Positions,
    end: Positions,
    labels: Labels,
    bins: Bins,
    sieve: Floats,
    scale: float,
) -> tuple[Labels, int]:
    """Labels extended by a bin that ends at a border, and how many the sieve lets through.

    Bins after which the same may follow are gone through together, and those after which most may follow first: so
    whatever is in the sieve beats what it holds back.
    """
    fresh, reached, place = _empty(1024), 0, 0
    sieve[:] = -np.inf
    while place < len(starts):
        after = place + 1
        while after < len(starts) and bins.first[starts[after], stop] == bins.first[starts[place], stop]:
            after += 1
        for start in starts[place:after]:
            _fill(sieve, scale, labels, begin[start], end[start], start, stop, bins)
        for level in range(1, len(sieve)):
            sieve[level] = max(sieve[level], sieve[level - 1])
        for start in starts[place:after]:
            fresh, reached = _sift(sieve, scale, labels, begin[start], end[start], start, stop, bins, fresh, reached)
        place = after
    return fresh, reached


@compiled_part
def _fill(sieve: Floats, scale: float, labels: Labels, begin: int, end: int, start: int, stop: int, bins: Bins) -> None:
    """Put the IV of one label in each block, extended by a bin, above the level of its FIV."""
    number, iv, fiv = bins.number[start, stop], bins.iv[start, stop], bins.fiv[start, stop]
    for label in range(begin, end, _BLOCK):
        if labels.first[label] <= number:
            level = int((labels.fiv[label] + fiv) * scale) + 1
            sieve[level] = max(sieve[level], labels.iv[label] + iv)


@compiled_part
def _sift(
    sieve: Floats,
    scale: float,
    labels: Labels,
    begin: int,
    end: int,
    start: int,
    stop: int,
    bins: Bins,
    fresh: Labels,
    reached: int,
) -> tuple[Labels, int]:
    """Add the labels extended by a bin that have more IV than any in the sieve on a lower level of FIV."""
    number, iv, fiv = bins.number[start, stop], bins.iv[start, stop], bins.fiv[start, stop]
    for block in range(begin, end, _BLOCK):
        if sieve[int((labels.fiv[block] + fiv) * scale)] >= labels.highest[block // _BLOCK] + iv:
            continue
        if reached + _BLOCK > len(fresh.iv):
            fresh = _enlarged(fresh, reached + _BLOCK)
        for label in range(block, min(block + _BLOCK, end)):
            new_iv, new_fiv = labels.iv[label] + iv, labels.fiv[label] + fiv
            if labels.first[label] <= number and sieve[int(new_fiv * scale)] < new_iv:
                fresh.iv[reached], fresh.fiv[reached] = new_iv, new_fiv
                fresh.first[reached], fresh.before[reached] = bins.first[start, stop], label
                reached += 1
    return fresh, reached


@compiled_part
def _keep(labels: Labels, made: int, fresh: Labels, reached: int, border: int) -> int:
    """Add the fresh labels that no other of them beats, by rising FIV; how many there are.

    Highest IVs up to each first number are read from a tree of sums (Fenwick's), with maxima for sums.
    """
    highest = np.full(fresh.first[:reached].max() + 2 if reached else 2, -np.inf)
    size = made
    for label in _order(fresh.fiv[:reached]):
        iv, first = fresh.iv[label], fresh.first[label]
        at, best = first + 1, -np.inf
        while at > 0:
            best = max(best, highest[at])
            at &= at - 1
        if best >= iv - _TOLERANCE:
            continue
        at = first + 1
        while at < len(highest):
            highest[at] = max(highest[at], iv)
            at += at & -at
        labels.iv[size], labels.fiv[size], labels.border[size] = iv, fresh.fiv[label], border
        labels.first[size], labels.before[size] = first, fresh.before[label]
        size += 1
    for block in range(made, size, _BLOCK):
        labels.highest[block // _BLOCK] = labels.iv[block : min(block + _BLOCK, size)].max()
    return size - made


@compiled_part
def _empty(size: int) -> Labels:
    place = np.empty((3, size), np.int64)
    return Labels(np.empty(size), np.empty(size), place[0], place[1], place[2], np.empty(size // _BLOCK + 1))


@compiled_part
def _enlarged(labels: Labels, size: int) -> Labels:
    """The labels with room for so many, and for as many again where they must be moved."""
    old = len(labels.iv)
    if size <= old:
        return labels
    more = _empty(2 * size)
    for i in range(old):
        more.iv[i], more.fiv[i], more.first[i] = labels.iv[i], labels.fiv[i], labels.first[i]
        more.before[i], more.border[i] = labels.before[i], labels.border[i]
    for i in range(len(labels.highest)):
        more.highest[i] = labels.highest[i]
    return more


@compiled_part
def _order(keys: Floats) -> Positions:
    """Positions of the keys by rising key (merge sort; NumPy's takes longer to compile than all else here)."""
    size = len(keys)
    order, other = np.arange(size), np.empty(size, np.int64)
    run = 1
    while run < size:
        for low in range(0, size, 2 * run):
            left, middle = low, min(low + run, size)
            right, high = middle, min(low + 2 * run, size)
            for at in range(low, high):
                if right == high or (left < middle and keys[order[left]] <= keys[order[right]]):
                    other[at] = order[left]
                    left += 1
                else:
                    other[at] = order[right]
                    right += 1
        order, other = other, order
        run *= 2
    return order
