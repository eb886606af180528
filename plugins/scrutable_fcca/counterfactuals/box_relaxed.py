"""Compiled loops of the relaxed problem: each tree chooses its leaf, and each column its cell, on its own.

A leaf beyond a cut of its tree, seen from the point's own cell, needs the column to cross the cut. Let y of each cut be
what a tree pays to a column for crossing it, and p a price of score. Then for any y, p >= 0 every counterfactual in a
box costs at least

    p * needed - Σ over trees max over leaves (p * value - Σ y of the cuts to cross)
                + Σ over columns min over cells (cost - Σ y of the cuts that are crossed).

Steps along a subgradient, of the length that Polyak proposed, raise this bound: y rises where the tree crosses a cut
and the column does not, and falls where it is the other way round; p rises while the leaves have too little score.
The best cell of a column is below others by what its choice is worth: a cell with too much above it leaves the box.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.counterfactuals.box_moves import Room, copy
from scrutable_fcca.counterfactuals.box_ranges import Box
from scrutable_fcca.counterfactuals.box_tables import Leaves
from scrutable_fcca.target import Doubles, Indices

_PATIENCE = 5  # steps without a better bound after which steps get shorter
_SHORTER = 0.7
_RISE = 1e-6  # of a bound that is better, in units of the limit


class Duals(NamedTuple):
    """Room for y of each cut, and what follows from it.

    y, best : (S,) now, and with the best bound.
    charge : (S,) what a leaf pays that lies next beyond a cut: for it, and for the tree's others on the way.
    slope : (S,) by how much the bound changes with y.
    earned : (cells,) what a column earns in a cell.
    cell : (m,) the cell that each column chooses.
    """

    y: Doubles
    best: Doubles
    charge: Doubles
    slope: Doubles
    earned: Doubles
    cell: Indices


@compiled
def empty_duals(leaves: Leaves, room: Room) -> Duals:
    """Room for duals, all of them 0."""
    cuts, cells = len(leaves.cut_cell), len(room.cost)
    return Duals(
        y=np.zeros(cuts),
        best=np.zeros(cuts),
        charge=np.zeros(cuts),
        slope=np.zeros(cuts),
        earned=np.zeros(cells),
        cell=np.zeros(len(room.own), np.int64),
    )


@compiled
def ascend(
    leaves: Leaves, room: Room, box: Box, limit: float, duals: Duals, price: float, steps: int
) -> tuple[float, float]:
    """Raise the bound on costs in a box towards `limit`; the best bound and its price. Its y are left in `duals.y`."""
    highest, its_price, length, since = -np.inf, price, 1.0, 0
    for _ in range(steps):
        bound, slope = _bound(leaves, room, box, duals, price)
        if bound > highest + _RISE * limit:
            highest, its_price, since = bound, price, 0
            copy(duals.y, duals.best)
        else:
            since += 1
            if since == _PATIENCE:
                length, since = length * _SHORTER, 0
        norm = slope * slope
        for s in range(len(duals.y)):
            if duals.slope[s] > 0.0 or duals.y[s] > 0.0:
                norm += duals.slope[s] * duals.slope[s]
        if highest >= limit or norm == 0.0:
            break
        step = length * (limit - bound) / norm
        price = max(price + step * slope, 0.0)
        for s in range(len(duals.y)):
            duals.y[s] = max(duals.y[s] + step * duals.slope[s], 0.0)
    copy(duals.best, duals.y)
    return highest, its_price


@compiled
def narrow(leaves: Leaves, room: Room, box: Box, bound: float, limit: float, duals: Duals) -> bool:
    """Take from the ends of a box the cells in which the bound reaches `limit`; whether there were any."""
    low, high, narrowed = box.low, box.high, False
    _earn(leaves, room, duals)
    for j in range(len(low)):
        first = room.start[j]
        least = np.inf
        for k in range(first + low[j], first + high[j] + 1):
            least = min(least, room.cost[k] - duals.earned[k])
        most = limit - bound + least
        while low[j] <= high[j] and room.cost[first + low[j]] - duals.earned[first + low[j]] >= most:
            low[j], narrowed = low[j] + 1, True
        while low[j] < high[j] and room.cost[first + high[j]] - duals.earned[first + high[j]] >= most:
            high[j], narrowed = high[j] - 1, True
    return narrowed


@compiled
def _bound(leaves: Leaves, room: Room, box: Box, duals: Duals, price: float) -> tuple[float, float]:
    """The bound, and by how much it changes with the price; how it changes with y is left in `duals.slope`."""
    value = leaves.value
    _charge(leaves, room.own, duals)
    for s in range(len(duals.slope)):
        duals.slope[s] = 0.0
    bound, slope = price * room.needed, room.needed
    for t in range(len(leaves.tree) - 1):
        highest, best = -np.inf, -1
        for leaf in range(leaves.tree[t], leaves.tree[t + 1]):
            if box.reachable[leaf]:
                worth = price * value[leaf]
                for e in range(leaves.range[leaf], leaves.range[leaf + 1]):
                    own = room.own[leaves.column[e]]
                    if leaves.low[e] > own:
                        worth -= duals.charge[leaves.below[e]]
                    elif leaves.high[e] < own:
                        worth -= duals.charge[leaves.above[e]]
                if worth > highest:
                    highest, best = worth, leaf
        bound, slope = bound - highest, slope - value[best]
        for e in range(leaves.range[best], leaves.range[best + 1]):
            _cross(leaves, room.own[leaves.column[e]], e, duals.slope)
    _earn(leaves, room, duals)
    for j in range(len(box.low)):
        least, first = np.inf, room.start[j]
        for k in range(box.low[j], box.high[j] + 1):
            if room.cost[first + k] - duals.earned[first + k] < least:
                least, duals.cell[j] = room.cost[first + k] - duals.earned[first + k], k
        bound += least
    for s in range(len(leaves.cut_cell)):
        j = leaves.cut_column[s]
        rising = leaves.cut_cell[s] > room.own[j]
        if rising == (duals.cell[j] >= leaves.cut_cell[s]):  # the column crosses it
            duals.slope[s] -= 1.0
    return bound, slope


@compiled
def _charge(leaves: Leaves, own: Indices, duals: Duals) -> None:
    """What leaves pay, outwards from a point's own cells."""
    cuts = len(leaves.cut_cell)
    for s in range(cuts):
        if leaves.cut_cell[s] > own[leaves.cut_column[s]]:
            more = s > 0 and leaves.joined[s - 1] and leaves.cut_cell[s - 1] > own[leaves.cut_column[s]]
            duals.charge[s] = duals.y[s] + (duals.charge[s - 1] if more else 0.0)
    for s in range(cuts - 1, -1, -1):
        if leaves.cut_cell[s] <= own[leaves.cut_column[s]]:
            more = leaves.joined[s] and leaves.cut_cell[s + 1] <= own[leaves.cut_column[s]]
            duals.charge[s] = duals.y[s] + (duals.charge[s + 1] if more else 0.0)


@compiled
def _cross(leaves: Leaves, own: int, e: int, slope: Doubles) -> None:
    """Count the cuts that a range is beyond."""
    if leaves.low[e] > own:
        s = leaves.below[e]
        slope[s] += 1.0
        while s > 0 and leaves.joined[s - 1] and leaves.cut_cell[s - 1] > own:
            s -= 1
            slope[s] += 1.0
    elif leaves.high[e] < own:
        s = leaves.above[e]
        slope[s] += 1.0
        while leaves.joined[s] and leaves.cut_cell[s + 1] <= own:
            s += 1
            slope[s] += 1.0


@compiled
def _earn(leaves: Leaves, room: Room, duals: Duals) -> None:
    """What columns earn in each cell: 0 in a point's own, and more outwards."""
    earned = duals.earned
    for k in range(len(earned)):
        earned[k] = 0.0
    for s in range(len(leaves.cut_cell)):
        j, cell = leaves.cut_column[s], leaves.cut_cell[s]
        earned[room.start[j] + (cell if cell > room.own[j] else cell - 1)] += duals.y[s]
    for j in range(len(room.own)):
        own = room.start[j] + room.own[j]
        for k in range(own + 1, room.start[j + 1]):
            earned[k] += earned[k - 1]
        for k in range(own - 1, room.start[j] - 1, -1):
            earned[k] += earned[k + 1]
