"""Compiled loops that grow a tree on coded rows: count weights a code, choose a split, share the rows out.

A histogram holds for each code of each feature the weight of each class and, last, the number of rows. The cases of a
node stand together; the histogram of the larger of two children is what its sibling's leaves of their parent's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_rug import growing_by_arrays as by_arrays
from scrutable_rug.grown import Cases, Codes, Floats, Grown, Layout, Limits, Positions
from scrutable_rug.literals import BELOW, EQUAL

_TIE = 1e-12  # of a node's weight: gains closer than this are equal, since rounding may have made the difference


def _grow_steps(codes: Codes, layout: Layout, chosen: Positions, cases: Cases, n_classes: int, limits: Limits) -> int:
    """About how long growing takes in NumPy: a pass over the cases a level, and a few calls a feature and node."""
    nodes = min(len(cases.place), 2 ** min(limits.depth + 1, 20))
    passes = len(cases.place) * int(min(limits.depth, 20)) // 8
    return int(len(chosen) * (passes + 100 * nodes))


@compiled(steps=_grow_steps)
def grow_nodes(codes: Codes, layout: Layout, chosen: Positions, cases: Cases, n_classes: int, limits: Limits) -> Grown:
    """Grow a tree on the chosen features; `cases` is sorted meanwhile."""
    size = len(cases.place)
    most = max(1, min(2 * size - 1, 2 ** (limits.depth + 1) - 1))
    nodes = Grown(np.full((most, 4), -1, np.int64), np.full((most, 2), -1, np.int64), np.zeros((most, n_classes)))
    span = np.zeros((most, 3), np.int64)  # first case, last case + 1, depth
    slot = np.zeros(most, np.int64)  # histogram of each node
    hist = np.empty((min(limits.depth, size) + 2, layout.offsets[-1] * (n_classes + 1)))
    free, n_free = np.arange(len(hist))[::-1].copy(), len(hist) - 1
    waiting, n_waiting, n_nodes = np.zeros(most, np.int64), 0, 1
    spare = Cases(np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size))
    span[0, 1] = size
    total = _weigh(cases, 0, size, nodes.weight[0])
    if _may_split(nodes.weight[0], total, 0, limits):
        _count(codes, layout, chosen, cases, 0, size, n_classes, hist[0])
        n_waiting = 1
    least = limits.decrease * _added(nodes.weight[0])
    while n_waiting:
        n_waiting -= 1
        node = waiting[n_waiting]
        own = slot[node]
        feature, kind, code, extras = _best_split(hist[own], layout, chosen, nodes.weight[node], limits.rows, least)
        if feature < 0:
            free[n_free], n_free = own, n_free + 1
            continue
        left, right = n_nodes, n_nodes + 1
        n_nodes += 2
        nodes.split[node, 0], nodes.split[node, 1], nodes.split[node, 2] = feature, kind, code
        nodes.split[node, 3] = extras
        nodes.children[node, 0], nodes.children[node, 1] = left, right
        start, stop, depth = span[node]
        inside = np.zeros(256, np.bool_)
        _let_in(inside, kind, code, extras, layout.ordinary[feature])
        middle = _share_out(codes[feature], cases, spare, start, stop, inside)
        span[left, 0], span[left, 1], span[left, 2] = start, middle, depth + 1
        span[right, 0], span[right, 1], span[right, 2] = middle, stop, depth + 1
        left_rows = _weigh(cases, start, middle, nodes.weight[left])
        right_rows = _weigh(cases, middle, stop, nodes.weight[right])
        left_splits = _may_split(nodes.weight[left], left_rows, depth + 1, limits)
        right_splits = _may_split(nodes.weight[right], right_rows, depth + 1, limits)
        if not (left_splits or right_splits):
            free[n_free], n_free = own, n_free + 1
            continue
        small, large = (left, right) if middle - start <= stop - middle else (right, left)
        n_free -= 1
        slot[small], slot[large] = free[n_free], own
        _count(codes, layout, chosen, cases, span[small, 0], span[small, 1], n_classes, hist[slot[small]])
        _subtract(layout, chosen, n_classes, hist[own], hist[slot[small]])
        for child, splits in ((left, left_splits), (right, right_splits)):
            if splits:
                waiting[n_waiting], n_waiting = child, n_waiting + 1
            else:
                free[n_free], n_free = slot[child], n_free + 1
    return Grown(nodes.split[:n_nodes], nodes.children[:n_nodes], nodes.weight[:n_nodes])


@compiled(steps=lambda codes, layout, split, children: codes.shape[1] // 4 + 10 * len(split))
def leaf_of_rows(codes: Codes, layout: Layout, split: Positions, children: Positions) -> NDArray[np.int32]:
    """(n,) the leaf of each row."""
    inside = np.zeros((len(split), 256), np.bool_)
    for node in range(len(split)):
        if split[node, 0] >= 0:
            ordinary = layout.ordinary[split[node, 0]]
            _let_in(inside[node], split[node, 1], split[node, 2], split[node, 3], ordinary)
    leaf = np.zeros(codes.shape[1], np.int32)
    _follow(codes, inside, split, children, leaf)
    return leaf


@compiled_part(small=by_arrays.follow)
def _follow(
    codes: Codes, inside: NDArray[np.bool_], split: Positions, children: Positions, leaf: NDArray[np.int32]
) -> None:
    """Take each row from the root to its leaf."""
    for row in range(codes.shape[1]):
        node = 0
        while split[node, 0] >= 0:
            node = children[node, 0 if inside[node, codes[split[node, 0], row]] else 1]
        leaf[row] = node


@compiled_part
def _added(values: Floats) -> float:
    """The sum, one after another."""
    total = 0.0
    for value in values:
        total += value
    return total


@compiled_part(small=by_arrays.weigh)
def _weigh(cases: Cases, start: int, stop: int, weight: Floats) -> int:
    """Add up the weight of each class; returns the number of rows."""
    rows = 0
    for i in range(start, stop):
        weight[cases.label[i]] += cases.weight[i]
        rows += cases.n_rows[i]
    return rows


@compiled_part
def _may_split(weight: Floats, rows: int, depth: int, limits: Limits) -> bool:
    present = 0
    for own in weight:
        present += own > 0
    return present > 1 and depth < limits.depth and rows >= 2 * limits.rows


@compiled_part(small=by_arrays.count)
def _count(
    codes: Codes, layout: Layout, chosen: Positions, cases: Cases, start: int, stop: int, n_classes: int, hist: Floats
) -> None:
    """The histogram of a node."""
    width = n_classes + 1
    for feature in chosen:
        first = layout.offsets[feature] * width
        hist[first : layout.offsets[feature + 1] * width] = 0.0
        column = codes[feature]
        for i in range(start, stop):
            at = first + np.int64(column[cases.place[i]]) * width
            hist[at + cases.label[i]] += cases.weight[i]
            hist[at + n_classes] += cases.n_rows[i]


@compiled_part(small=by_arrays.subtract)
def _subtract(layout: Layout, chosen: Positions, n_classes: int, hist: Floats, other: Floats) -> None:
    for feature in chosen:
        for at in range(layout.offsets[feature] * (n_classes + 1), layout.offsets[feature + 1] * (n_classes + 1)):
            hist[at] -= other[at]


@compiled_part
def _best_split(
    hist: Floats, layout: Layout, chosen: Positions, total: Floats, least_rows: int, least: float
) -> tuple[int, int, int, int]:
    """Feature, kind, code and extras of the split after which the Gini impurity is least; feature -1 for none.

    Of equal splits it is the first: lowest feature, then thresholds by rising code, then single codes.
    """
    width = len(total) + 1
    whole = _added(total)
    tie = _TIE * whole
    best, split = _added(total * total) / whole + max(least, tie), (-1, 0, 0, 0)
    left, extra = np.empty(width), np.empty(width)
    for feature in chosen:
        own = hist[layout.offsets[feature] * width : layout.offsets[feature + 1] * width]
        ordinary, single = layout.ordinary[feature], 0
        if not layout.nominal[feature]:
            single = ordinary
            score, code, extras = _best_threshold(own, ordinary, total, least_rows, best, tie, left, extra)
            if code > 0:
                best, split = score, (feature, BELOW, code, extras)
        score, code = _best_single(own, ordinary, single, total, least_rows, best, tie)
        if code >= 0:
            best, split = score, (feature, EQUAL, code, 0)
    return split


@compiled_part(small=by_arrays.best_threshold)
def _best_threshold(
    hist: Floats, ordinary: int, total: Floats, least_rows: int, best: float, tie: float, left: Floats, extra: Floats
) -> tuple[float, int, int]:
    """Score, code and extras of the best threshold of a feature that beats the best so far; code 0 for none."""
    width = len(total) + 1
    found_code, found_extras = 0, 0
    left[:] = 0.0
    extra[:] = 0.0
    for at in range(ordinary * width, len(hist)):
        extra[at % width] += hist[at]
    rows = extra[-1]
    for at in range(width - 1, ordinary * width, width):
        rows += hist[at]
    for code in range(1, ordinary):
        if hist[code * width - 1] == 0:  # the same rows as below the code before
            continue
        for k in range(width):
            left[k] += hist[(code - 1) * width + k]
        beyond = rows - extra[-1] - left[-1]
        if beyond == 0:
            break
        if left[-1] >= least_rows and rows - left[-1] >= least_rows:
            score = _score(left, total)
            if score > best + tie:
                best, found_code, found_extras = score, code, int(extra[-1] == 0 and left[-1] > beyond)
        if extra[-1] > 0 and left[-1] + extra[-1] >= least_rows and beyond >= least_rows:
            score = _score(left[:-1] + extra[:-1], total)
            if score > best + tie:
                best, found_code, found_extras = score, code, 1
    if _n_present(hist, ordinary, width) > 1 and extra[-1] >= least_rows and rows - extra[-1] >= least_rows:
        score = _score(extra, total)
        if score > best + tie:
            best, found_code, found_extras = score, ordinary, 0
    return best, found_code, found_extras


@compiled_part(small=by_arrays.best_single)
def _best_single(
    hist: Floats, ordinary: int, first: int, total: Floats, least_rows: int, best: float, tie: float
) -> tuple[float, int]:
    """Score and code of the best single code from the first on that beats the best so far; code -1 for none."""
    width = len(total) + 1
    best_code, rows = -1, 0.0
    for at in range(width - 1, len(hist), width):
        rows += hist[at]
    for code in range(first, len(hist) // width):
        own = hist[(code + 1) * width - 1]
        if code != ordinary - 1 and own >= least_rows and rows - own >= least_rows:
            score = _score(hist[code * width : (code + 1) * width], total)
            if score > best + tie:
                best, best_code = score, code
    return best, best_code


@compiled_part
def _n_present(hist: Floats, first: int, width: int) -> int:
    """How many codes of a feature, from the first on, have rows."""
    present = 0
    for at in range((first + 1) * width - 1, len(hist), width):
        present += hist[at] > 0
    return present


@compiled_part
def _score(left: Floats, total: Floats) -> float:
    """Squared class weights over the weight of each child, summed; the larger, the less impure."""
    weight, whole, own, other = 0.0, 0.0, 0.0, 0.0
    for k in range(len(total)):
        weight += left[k]
        whole += total[k]
        own += left[k] * left[k]
        other += (total[k] - left[k]) * (total[k] - left[k])
    if weight <= 0 or whole <= weight:
        return -1.0
    return own / weight + other / (whole - weight)


@compiled_part
def _let_in(inside: NDArray[np.bool_], kind: int, code: int, extras: int, ordinary: int) -> None:
    """Mark the codes that the literal of a split lets through."""
    if kind == BELOW:
        inside[:code] = True
        if extras == 1:
            inside[ordinary:] = True
    else:
        inside[code] = True


@compiled_part(small=by_arrays.share_out)
def _share_out(column: Codes, cases: Cases, spare: Cases, start: int, stop: int, inside: NDArray[np.bool_]) -> int:
    """Sort the cases of a node so that those of its left child come first; returns where the others begin."""
    middle, beyond = start, 0
    for i in range(start, stop):
        if inside[column[cases.place[i]]]:
            _copy(cases, i, cases, middle)
            middle += 1
        else:
            _copy(cases, i, spare, beyond)
            beyond += 1
    for i in range(beyond):
        _copy(spare, i, cases, middle + i)
    return middle


@compiled_part
def _copy(cases: Cases, i: int, to: Cases, at: int) -> None:
    to.place[at], to.label[at] = cases.place[i], cases.label[i]
    to.n_rows[at], to.weight[at] = cases.n_rows[i], cases.weight[i]
