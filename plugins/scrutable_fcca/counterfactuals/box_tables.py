"""Trees as tables of leaves: each leaf is a range of cells in a few columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.target import LEAF, Doubles, Flags, Indices, Trees


class Leaves(NamedTuple):
    """The L leaves of all trees, tree by tree, with E ranges; and the S cuts of trees.

    A cut is a threshold of one tree: however many nodes of the tree ask for it, it is one cut.

    tree : (trees + 1,) where the leaves of each tree begin.
    value : (L,) what each adds to the score.
    range : (L + 1,) where the ranges of each leaf begin.
    column, low, high : (E,) a column, and the first and last cell that leads to the leaf.
    below, above : (E,) the cut at the lower and the upper end of the range; -1 for none.
    cut_column, cut_cell : (S,) a column, and the first cell above the cut; by tree, column and cell.
    joined : (S,) whether the next cut is one of the same tree and column.
    """

    tree: Indices
    value: Doubles
    range: Indices
    column: Indices
    low: Indices
    high: Indices
    below: Indices
    above: Indices
    cut_column: Indices
    cut_cell: Indices
    joined: Flags


def tabulate_leaves(target: Trees, cells: Cells) -> Leaves:
    """The leaves of a target that any cells lead to."""
    last_left = np.zeros(len(target.column), np.int64)
    for j, thresholds in enumerate(cells.thresholds):
        asks = target.column == j
        last_left[asks] = np.searchsorted(thresholds, target.threshold[asks])
    tree, value, ranges, column, low, high = _ranges(
        target.roots,
        target.column,
        last_left,
        target.left,
        target.right,
        target.value,
        np.diff(cells.start),
        int((target.column == LEAF).sum()),
        target.depth,
    )
    size, start = int(cells.start[-1]), cells.start[column]
    its_tree = np.repeat(np.repeat(np.arange(len(tree) - 1), np.diff(tree)), np.diff(ranges))
    has_below, has_above = low > 0, start + high + 1 < cells.start[column + 1]
    keys = its_tree * size + start + np.stack([low, high + 1])
    cuts, which = np.unique(np.concatenate([keys[0][has_below], keys[1][has_above]]), return_inverse=True)
    below, above = np.full(len(column), -1), np.full(len(column), -1)
    below[has_below], above[has_above] = np.split(which, [int(has_below.sum())])
    cut_column = np.searchsorted(cells.start, cuts % size, side="right") - 1
    owner = cuts // size * len(cells.start) + cut_column
    return Leaves(
        tree=tree,
        value=value,
        range=ranges,
        column=column,
        low=low,
        high=high,
        below=below,
        above=above,
        cut_column=cut_column,
        cut_cell=cuts % size - cells.start[cut_column],
        joined=np.append(owner[1:] == owner[:-1], np.False_)[: len(cuts)],
    )


@compiled
def _ranges(
    roots: Indices,
    column: Indices,
    last_left: Indices,
    left: Indices,
    right: Indices,
    value: Doubles,
    sizes: Indices,
    most_leaves: int,
    depth: int,
) -> tuple[Indices, Doubles, Indices, Indices, Indices, Indices]:
    """The first six fields of `Leaves`; `last_left` is the last cell that goes left at each node."""
    tree, ranges = np.zeros(len(roots) + 1, np.int64), np.zeros(most_leaves + 1, np.int64)
    values, columns = np.zeros(most_leaves), np.zeros(most_leaves * depth, np.int64)
    lows, highs = np.zeros(most_leaves * depth, np.int64), np.zeros(most_leaves * depth, np.int64)
    stack, level = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    path, goes_left = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.bool_)
    leaf = 0
    for t in range(len(roots)):
        stack[0], level[0], waiting = roots[t], 0, 1
        while waiting:
            waiting -= 1
            node, at = stack[waiting], level[waiting]
            if at:
                goes_left[at - 1] = left[path[at - 1]] == node
            if column[node] != LEAF:
                path[at] = node
                stack[waiting], stack[waiting + 1] = right[node], left[node]
                level[waiting], level[waiting + 1] = at + 1, at + 1
                waiting += 2
                continue
            end = ranges[leaf]
            for step in range(at):
                j, cell = column[path[step]], last_left[path[step]]
                low, high = (0, cell) if goes_left[step] else (cell + 1, sizes[j] - 1)
                end = _meet(columns, lows, highs, ranges[leaf], end, j, low, high)
            if (lows[ranges[leaf] : end] <= highs[ranges[leaf] : end]).all():
                values[leaf] = value[node]
                leaf += 1
                ranges[leaf] = end
        tree[t + 1] = leaf
    end = ranges[leaf]
    return tree, values[:leaf], ranges[: leaf + 1], columns[:end], lows[:end], highs[:end]


@compiled
def _meet(columns: Indices, lows: Indices, highs: Indices, begin: int, end: int, j: int, low: int, high: int) -> int:
    """Narrow the range of a column among those from `begin` to `end`, or append it; the end of the ranges."""
    e = begin
    while e < end and columns[e] != j:
        e += 1
    if e == end:
        columns[e], lows[e], highs[e] = j, low, high
        return end + 1
    lows[e], highs[e] = max(lows[e], low), min(highs[e], high)
    return end
