"""Compiled loops of the search for a whole front: bins in steps, the best rest after each, and labels between points.

A label is a way to reach a border: its IV and FIV so far, and the number of the first bin that may follow, when the
bins from there are numbered by rising rate. A layer counts how many bins may follow; where there may be any number
of them, there is one layer only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., Any])

TOLERANCE = 1e-12  # of IV
_EPSILON = 1e-15  # relative rounding error of a bin's value, and some more
_CLEAR = 1.0 - 1e-12  # share of a least FIV that no rounding error takes away
_BLOCK = 16  # gaps that are ruled out together


def compiled(function: Function) -> Function:
    """The function as machine code, made at its first call and kept beside this file."""
    return cast(Function, numba.njit(cache=True)(function))


class Steps(NamedTuple):
    """The bins that may start at each border, by rising rate: [border, number] of (n + 1, n + 1) arrays.

    bins : (n + 1,) how many there are.
    stop : where each ends.
    number : [border, stop] its number there; -1 where it is not allowed.
    first : number of the first bin that may follow it, at the border where it ends.
    iv, fiv : its values.
    least : (n + 1,) FIV of one bin over all from a border on, below which none can get (log-sum inequality).
    """

    bins: Positions
    stop: Positions
    number: Positions
    first: Positions
    iv: Floats
    fiv: Floats
    least: Floats


class Rests(NamedTuple):
    """The best bins from a border on when FIV costs a price: [layer, border, first number] of arrays.

    value : their priced IV; -inf where there are none.
    iv, fiv : their values.
    step : number of the first of them.
    """

    value: Floats
    iv: Floats
    fiv: Floats
    step: Positions


class Known(NamedTuple):
    """Points of the front known so far, by rising FIV, and the label that each goes on from; -1 for the outer two."""

    iv: Floats
    fiv: Floats
    label: Positions


class Labels(NamedTuple):
    """Labels: columns IV, FIV and priced IV; columns first number, label before, border and layer."""

    value: Floats
    place: Positions


@compiled
def best_rests(price: float, steps: Steps, layers: int) -> Rests:
    """The best rest after each border, when FIV costs a price."""
    n = len(steps.bins) - 1
    shape = (layers, n + 1, n + 2)
    rests = Rests(np.full(shape, -np.inf), np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int64))
    for layer in range(layers):
        rests.value[layer, n, 0] = 0.0
        after = max(layer - 1, 0)
        if layers > 1 and layer == 0:
            continue
        for border in range(n - 1, -1, -1):
            value, iv, fiv, step = -np.inf, 0.0, 0.0, 0
            for number in range(steps.bins[border] - 1, -1, -1):
                stop, first = steps.stop[border, number], steps.first[border, number]
                own = steps.iv[border, number] - price * steps.fiv[border, number] + rests.value[after, stop, first]
                if own > value:
                    value, step = own, number
                    iv = steps.iv[border, number] + rests.iv[after, stop, first]
                    fiv = steps.fiv[border, number] + rests.fiv[after, stop, first]
                rests.value[layer, border, number] = value
                rests.iv[layer, border, number] = iv
                rests.fiv[layer, border, number] = fiv
                rests.step[layer, border, number] = step
    return rests


@compiled
def mark_rest(
    marks: NDArray[np.bool_], row: int, border: int, first: int, layer: int, steps: Steps, rests: Rests
) -> None:
    """Mark in a row a border and those of the best rest after it."""
    n = len(steps.bins) - 1
    while border < n:
        marks[row, border] = True
        step = rests.step[layer, border, first]
        border, first, layer = steps.stop[border, step], steps.first[border, step], max(layer - 1, 0)


@compiled
def totals(marks: NDArray[np.bool_], iv: Floats, fiv: Floats) -> tuple[Floats, Floats]:
    """IV and FIV of merges with marked borders, summed bin by bin from the first."""
    n = marks.shape[1]
    total_iv, total_fiv = np.zeros(len(marks)), np.zeros(len(marks))
    for row in range(len(marks)):
        start = 0
        for border in range(1, n + 1):
            if border == n or marks[row, border]:
                total_iv[row] += iv[start, border]
                total_fiv[row] += fiv[start, border]
                start = border
    return total_iv, total_fiv


@compiled
def search_between(
    known: Known, prices: Floats, values: Floats, rests: Rests, steps: Steps
) -> tuple[Known, NDArray[np.bool_]]:
    """All points of the front between the first and the last one known.

    Parameters
    ----------
    prices : (p,) prices that prove labels useless, first the one by which both known points are best.
    values : (p, layers, n + 1, n + 2) values of the best rests by each price.
    rests : best rests by the first price.

    Returns
    -------
    the points, and (points, n) their borders.
    """
    n, layers = len(steps.bins) - 1, len(rests.value)
    labels = Labels(np.zeros((256, 3)), np.full((256, 4), -1, np.int64))
    labels.place[0, 0], labels.place[0, 2], labels.place[0, 3] = 0, 0, layers - 1
    begin = np.zeros((n + 1, layers), np.int64)
    end = np.zeros((n + 1, layers), np.int64)
    end[0, layers - 1] = 1
    made = end[0, layers - 1]
    for border in range(1, n + 1):
        for layer in range(layers):
            needs, least = _needs(known, prices, n)
            labels, reached = _reach(
                labels, made, begin, end, border, layer, known.fiv, needs, least, prices, values, steps
            )
            kept = _undominated(labels, made, reached, steps.bins[border])
            begin[border, layer], end[border, layer] = made, made + kept
            known = _add(known, labels, made, made + kept, rests)
            made += kept
    return known, _marks(known, labels, steps, rests)


@compiled
def _needs(known: Known, prices: Floats, n: int) -> tuple[Floats, Floats]:
    """Priced IV above which a merge may lie in the gap before each known point; and the least of each block of them."""
    gaps = len(known.iv) - 1
    needs = np.empty((gaps, len(prices)))
    least = np.full(((gaps + _BLOCK - 1) // _BLOCK, len(prices)), np.inf)
    for gap in range(gaps):
        for i in range(len(prices)):
            rounding = _EPSILON * n * (1.0 + known.iv[gap + 1] + prices[i] * known.fiv[gap + 1])
            needs[gap, i] = known.iv[gap] + TOLERANCE - prices[i] * known.fiv[gap + 1] - rounding
            least[gap // _BLOCK, i] = min(least[gap // _BLOCK, i], needs[gap, i])
    return needs, least


@compiled
def _fits(limits: Floats, fiv: float, known_fiv: Floats, needs: Floats, least: Floats) -> bool:
    """Whether a merge of at least this FIV, and priced IVs up to these limits, may lie in a gap."""
    gap, gaps = 0, len(needs)
    high = gaps
    while gap < high:
        middle = (gap + high) // 2
        if known_fiv[middle + 1] > fiv:
            high = middle
        else:
            gap = middle + 1
    while gap < gaps:
        block = gap // _BLOCK
        stop = min((block + 1) * _BLOCK, gaps)
        if _above(limits, least, block):
            for other in range(gap, stop):
                if _above(limits, needs, other):
                    return True
        gap = stop
    return False


@compiled
def _above(limits: Floats, needs: Floats, row: int) -> bool:
    i = 0
    while i < len(limits) and limits[i] > needs[row, i]:
        i += 1
    return i == len(limits)


@compiled
def _reach(
    labels: Labels,
    made: int,
    begin: Positions,
    end: Positions,
    border: int,
    layer: int,
    known_fiv: Floats,
    needs: Floats,
    least: Floats,
    prices: Floats,
    values: Floats,
    steps: Steps,
) -> tuple[Labels, int]:
    """Add the labels extended by a bin that ends at a border, as far as they may lead into a gap, after all made."""
    before = layer if values.shape[1] == 1 else layer + 1
    reached = made
    if before == values.shape[1]:
        return labels, 0
    lowest = np.inf
    for block in range(len(least)):
        lowest = min(lowest, least[block, 0])
    limits = np.empty(len(prices))
    for start in range(border):
        number = steps.number[start, border]
        if number < 0:
            continue
        first = steps.first[start, number]
        iv, fiv = steps.iv[start, number], steps.fiv[start, number]
        own = iv - prices[0] * fiv
        rest = values[0, layer, border, first]
        for label in range(begin[start, before], end[start, before]):
            if labels.value[label, 2] + own + rest <= lowest:
                break
            if labels.place[label, 0] > number:
                continue
            new_iv, new_fiv = labels.value[label, 0] + iv, labels.value[label, 1] + fiv
            for i in range(len(prices)):
                limits[i] = new_iv - prices[i] * new_fiv + values[i, layer, border, first]
            if _fits(limits, (new_fiv + steps.least[border]) * _CLEAR, known_fiv, needs, least):
                if reached == len(labels.value):
                    labels = _twice(labels)
                labels.value[reached, 0], labels.value[reached, 1] = new_iv, new_fiv
                labels.value[reached, 2] = labels.value[label, 2] + own
                labels.place[reached, 0], labels.place[reached, 1] = first, label
                labels.place[reached, 2], labels.place[reached, 3] = border, layer
                reached += 1
    return labels, reached - made


@compiled
def _twice(labels: Labels) -> Labels:
    size = len(labels.value)
    more = Labels(np.empty((2 * size, 3)), np.empty((2 * size, 4), np.int64))
    for label in range(size):
        _copy(labels, label, more, label)
    return more


@compiled
def _copy(labels: Labels, label: int, to: Labels, at: int) -> None:
    for i in range(3):
        to.value[at, i] = labels.value[label, i]
    for i in range(4):
        to.place[at, i] = labels.place[label, i]


@compiled
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


@compiled
def _undominated(labels: Labels, made: int, reached: int, numbers: int) -> int:
    """Keep of the labels after all made, by falling priced IV, those that no other of them beats in all that matters.

    One beats another with no more FIV, no less IV and no bin less that may follow. Highest IVs up to each first
    number are read from a tree of sums (Fenwick's), with maxima for sums.
    """
    new = Labels(np.empty((reached, 3)), np.empty((reached, 4), np.int64))
    keys = np.empty(reached)
    for label in range(reached):
        _copy(labels, made + label, new, label)
        keys[label] = new.value[label, 1]
    highest = np.full(numbers + 2, -np.inf)
    kept = np.empty(reached, np.int64)
    count = 0
    for label in _order(keys):
        iv, first = new.value[label, 0], new.place[label, 0]
        at, best = first + 1, -np.inf
        while at > 0:
            best = max(best, highest[at])
            at &= at - 1
        if best < iv - TOLERANCE:
            keys[count] = -new.value[label, 2]
            kept[count] = label
            count += 1
            at = first + 1
            while at < numbers + 2:
                highest[at] = max(highest[at], iv)
                at += at & -at
    for at, label in enumerate(_order(keys[:count])):
        _copy(new, kept[label], labels, made + at)
    return count


@compiled
def _add(known: Known, labels: Labels, begin: int, end: int, rests: Rests) -> Known:
    """Known points, with what the best rests make of new labels."""
    iv, fiv = np.empty(end - begin), np.empty(end - begin)
    label = np.empty(end - begin, np.int64)
    count = 0
    for new in range(begin, end):
        first, border, layer = labels.place[new, 0], labels.place[new, 2], labels.place[new, 3]
        new_fiv = labels.value[new, 1] + rests.fiv[layer, border, first]
        if known.fiv[0] <= new_fiv < known.fiv[-1]:
            iv[count] = labels.value[new, 0] + rests.iv[layer, border, first]
            fiv[count], label[count] = new_fiv, new
            count += 1
    if count == 0:
        return known
    order = _order(fiv[:count])
    size = len(known.iv) + count
    more = Known(np.empty(size), np.empty(size), np.empty(size, np.int64))
    old, new, kept = 0, 0, 0
    while old < len(known.iv):
        if new < count and fiv[order[new]] < known.fiv[old]:
            at = order[new]
            point_iv, point_fiv, point_label = iv[at], fiv[at], label[at]
            new += 1
        else:
            point_iv, point_fiv, point_label = known.iv[old], known.fiv[old], known.label[old]
            old += 1
        if kept == 0 or point_iv > more.iv[kept - 1] + TOLERANCE:
            more.iv[kept], more.fiv[kept], more.label[kept] = point_iv, point_fiv, point_label
            kept += 1
    return Known(more.iv[:kept], more.fiv[:kept], more.label[:kept])


@compiled
def _marks(known: Known, labels: Labels, steps: Steps, rests: Rests) -> NDArray[np.bool_]:
    marks = np.zeros((len(known.iv), len(steps.bins) - 1), np.bool_)
    for point in range(len(known.iv)):
        label = known.label[point]
        if label > 0:
            first, border, layer = labels.place[label, 0], labels.place[label, 2], labels.place[label, 3]
            mark_rest(marks, point, border, first, layer, steps, rests)
            label = labels.place[label, 1]
        while label > 0:
            marks[point, labels.place[label, 2]] = True
            label = labels.place[label, 1]
    return marks
