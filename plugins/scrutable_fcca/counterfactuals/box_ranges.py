"""Compiled loops over one box: a range of cells of each column, what it leads to, and what may be left out of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.counterfactuals.box_moves import Room, breach
from scrutable_fcca.counterfactuals.box_tables import Leaves
from scrutable_fcca.target import Flags, Indices


class Box(NamedTuple):
    """A box.

    low, high : (m,) first and last cell of each column.
    anchor : (m,) the cheapest cell of each.
    reachable : (L,) whether the box leads to a leaf.
    best, here : (trees,) the best leaf of each tree that the box leads to, and the leaf of the anchor.
    """

    low: Indices
    high: Indices
    anchor: Indices
    reachable: Flags
    best: Indices
    here: Indices


@compiled
def empty_box(leaves: Leaves, room: Room) -> Box:
    """Room for a box."""
    columns, trees = len(room.own), len(leaves.tree) - 1
    return Box(
        low=np.zeros(columns, np.int64),
        high=np.zeros(columns, np.int64),
        anchor=np.zeros(columns, np.int64),
        reachable=np.zeros(len(leaves.value), np.bool_),
        best=np.zeros(trees, np.int64),
        here=np.zeros(trees, np.int64),
    )


@compiled
def examine(leaves: Leaves, room: Room, box: Box, limit: float) -> tuple[float, float]:
    """A bound on the costs in a box, and the score of its anchor, -infinity where a group does not allow it.

    Cells that cost `limit` or more leave the box, and the rest of the box is filled in. The bound is infinite where no
    cells can have the score that is needed.
    """
    cost = _shrink(room, box, limit)
    if cost >= limit:
        return cost, -np.inf
    highest, score = _reach(leaves, box)
    if highest < room.needed:
        return np.inf, -np.inf
    return cost, score if breach(room, box.anchor) == -1 else -np.inf


@compiled
def _shrink(room: Room, box: Box, limit: float) -> float:
    """Take out what is too costly or forbidden, fill in the anchor; its cost, infinity where nothing is left."""
    while True:
        cost = 0.0
        for j in range(len(box.low)):
            box.anchor[j] = _cheapest(room, j, box.low[j], box.high[j])
            if box.anchor[j] == -1:
                return np.inf
            cost += room.cost[room.start[j] + box.anchor[j]]
        if cost >= limit:
            return cost
        for j in range(len(box.low)):
            first, anchor = room.start[j], box.anchor[j]
            most = limit - cost + room.cost[first + anchor]
            while box.low[j] < anchor and room.cost[first + box.low[j]] >= most:
                box.low[j] += 1
            while box.high[j] > anchor and room.cost[first + box.high[j]] >= most:
                box.high[j] -= 1
        if not _separate(room, box):
            return cost


@compiled
def _cheapest(room: Room, j: int, low: int, high: int) -> int:
    """The cheapest cell from `low` to `high`, which is the one nearest the point's own; -1 where it may go to none."""
    first: int = room.start[j]
    own: int = room.own[j]
    if low <= own <= high:
        return own
    cell, step = (low, 1) if low > own else (high, -1)
    while low <= cell <= high:
        if room.cost[first + cell] < np.inf:
            return cell
        cell += step
    return -1


@compiled
def _separate(room: Room, box: Box) -> bool:
    """Where a column of a group has to be 1, take this from the others of its group; whether that changed the box."""
    changed = False
    for g in range(len(room.group) - 1):
        members = room.members[room.group[g] : room.group[g + 1]]
        must, ones, unmoved = -1, 0, True
        for j in members:
            unmoved = unmoved and box.low[j] <= room.own[j] <= box.high[j]
            ones += room.one[room.start[j] + room.own[j]]
            if _is_one(room, box, j):
                must = j
        if must == -1 or (unmoved and ones > 1):
            continue
        for j in members:
            if j != must:
                first = room.start[j]
                while box.low[j] <= box.high[j] and is_closed(room, first + box.low[j]):
                    box.low[j], changed = box.low[j] + 1, True
                while box.low[j] <= box.high[j] and is_closed(room, first + box.high[j]):
                    box.high[j], changed = box.high[j] - 1, True
    return changed


@compiled
def _is_one(room: Room, box: Box, j: int) -> bool:
    """Whether a column is 1 wherever it may go in a box."""
    others = 0
    for k in range(room.start[j] + box.low[j], room.start[j] + box.high[j] + 1):
        others += 0 if is_closed(room, k) else 1
    return others == 0


@compiled
def is_closed(room: Room, k: int) -> bool:
    """Whether a cell makes its column 1, or cannot be moved to."""
    return bool(room.one[k] or room.cost[k] == np.inf)


@compiled
def _reach(leaves: Leaves, box: Box) -> tuple[float, float]:
    """The score that trees can reach, each on its own, and that of the anchor; the rest of the box is filled in."""
    value, highest, score = leaves.value, 0.0, 0.0
    for t in range(len(leaves.tree) - 1):
        best, here = -1, -1
        for leaf in range(leaves.tree[t], leaves.tree[t + 1]):
            reachable, own = True, True
            for e in range(leaves.range[leaf], leaves.range[leaf + 1]):
                j, low, high = leaves.column[e], leaves.low[e], leaves.high[e]
                if low > box.high[j] or high < box.low[j]:
                    reachable = False
                    break
                own = own and low <= box.anchor[j] <= high
            box.reachable[leaf] = reachable
            if reachable and (best == -1 or value[leaf] > value[best]):
                best = leaf
            if reachable and own:
                here = leaf
        box.best[t], box.here[t] = best, here
        highest, score = highest + value[best], score + value[here]
    return highest, score
