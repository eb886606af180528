"""Compiled loops over one point's moves: groups of which one may be 1, and a good counterfactual to start from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_fcca.counterfactuals.box_tables import Leaves
from scrutable_fcca.target import Doubles, Flags, Indices, Numbers

_ROUNDING = 1e-12  # of sums


class Room(NamedTuple):
    """What one point may do.

    start : (m + 1,) where the cells of each column begin.
    own : (m,) the cell of each of its values.
    cost : (cells,) of a move, 0 in its own cells, no less the farther from them; infinity where it may not move.
    one : (cells,) where a column of a group would be 1.
    group : (groups + 1,) where the columns of each group begin in `members`.
    members : columns of which at most one may be 1.
    needed : the score to be reached.
    """

    start: Indices
    own: Indices
    cost: Doubles
    one: Flags
    group: Indices
    members: Indices
    needed: float


@compiled_part
def breach(room: Room, at: Indices) -> int:
    """A column that is 1 besides another of its group, where the group is not as it was; -1 for none."""
    for g in range(len(room.group) - 1):
        ones, moved, last = 0, False, -1
        for j in room.members[room.group[g] : room.group[g + 1]]:
            moved = moved or at[j] != room.own[j]
            if room.one[room.start[j] + at[j]]:
                ones, last = ones + 1, j
        if ones > 1 and moved:
            return last
    return -1


@compiled
def cost_of(room: Room, at: Indices) -> float:
    """The cost of being in these cells."""
    cost = 0.0
    for j in range(len(at)):
        cost += room.cost[room.start[j] + at[j]]
    return cost


@compiled_part
def descend(leaves: Leaves, room: Room, at: Indices) -> float:
    """Move single columns, from these cells on, until the score is what is needed; then back, as far as it stays so.

    It takes the move that reaches the goal at the least cost, or else the one that gains most for its cost. The cost
    is returned: infinity, with cells that mean nothing, where no move helps.
    """
    score, gain = 0.0, np.zeros(room.start[-1])
    while True:
        score = _gains(leaves, room.start, at, gain)
        if score >= room.needed:
            break
        j, cell = _best_move(room, gain, score, at)
        if j == -1:
            return np.inf
        at[j] = cell
    while True:
        j, cell = _best_return(room, gain, score, at)
        if j == -1:
            return cost_of(room, at)
        at[j] = cell
        score = _gains(leaves, room.start, at, gain)


@compiled_part
def _gains(leaves: Leaves, start: Indices, at: Indices, gain: Doubles) -> float:
    """Fill in by how much the score would rise if one column alone moved to a cell; the score as it is."""
    for k in range(len(gain)):
        gain[k] = 0.0
    score = 0.0
    for t in range(len(leaves.tree) - 1):
        here = 0.0
        for leaf in range(leaves.tree[t], leaves.tree[t + 1]):
            if _outside(leaves, leaf, at) == -1:
                here = leaves.value[leaf]
        score += here
        for leaf in range(leaves.tree[t], leaves.tree[t + 1]):
            e = _outside(leaves, leaf, at)
            if e >= 0:
                j = leaves.column[e]
                gain[start[j] + leaves.low[e]] += leaves.value[leaf] - here
                if start[j] + leaves.high[e] + 1 < start[j + 1]:
                    gain[start[j] + leaves.high[e] + 1] -= leaves.value[leaf] - here
    for j in range(len(at)):
        for k in range(start[j] + 1, start[j + 1]):
            gain[k] += gain[k - 1]
    return score


@compiled_part
def _outside(leaves: Leaves, leaf: int, at: Indices) -> int:
    """The only range of a leaf that these cells are not in; -1 for none, -2 for several."""
    outside = -1
    for e in range(leaves.range[leaf], leaves.range[leaf + 1]):
        if not leaves.low[e] <= at[leaves.column[e]] <= leaves.high[e]:
            if outside != -1:
                return -2
            outside = e
    return outside


@compiled_part
def _best_move(room: Room, gain: Doubles, score: float, at: Indices) -> tuple[int, int]:
    """The column and cell of the move to make; column -1 for none."""
    column, cell, least, highest = -1, -1, np.inf, 0.0
    for j in range(len(at)):
        first = room.start[j]
        for k in range(room.start[j + 1] - first):
            cost, gained = room.cost[first + k] - room.cost[first + at[j]], gain[first + k]
            if gained <= _ROUNDING or cost == np.inf:
                continue
            reaches = score + gained >= room.needed
            if reaches and cost < least and _keeps(room, at, j, k):
                column, cell, least = j, k, cost
            elif not reaches and least == np.inf and gained > highest * max(cost, 1e-9) and _keeps(room, at, j, k):
                column, cell, highest = j, k, gained / max(cost, 1e-9)
    return column, cell


@compiled_part
def _best_return(room: Room, gain: Doubles, score: float, at: Indices) -> tuple[int, int]:
    """The column and cell of the move that saves most and keeps what was needed; column -1 for none."""
    column, cell, least = -1, -1, -_ROUNDING
    for j in range(len(at)):
        first = room.start[j]
        for k in range(room.start[j + 1] - first):
            cost = room.cost[first + k] - room.cost[first + at[j]]
            if cost < least and score + gain[first + k] >= room.needed + _ROUNDING and _keeps(room, at, j, k):
                column, cell, least = j, k, cost
    return column, cell


@compiled_part
def _keeps(room: Room, at: Indices, j: int, cell: int) -> bool:
    """Whether groups allow one column to move."""
    if not len(room.members):
        return True
    before = at[j]
    at[j] = cell
    keeps = breach(room, at) == -1
    at[j] = before
    return keeps


@compiled_part
def copy(source: Numbers, to: Numbers) -> None:
    """Copy numbers; slices that are assigned take long to compile."""
    for k in range(len(source)):
        to[k] = source[k]
