"""Compiled loops of counterfactuals by branch and bound: a box is a range of cells of each column.

1. No counterfactual in a box costs less than its anchor, the cheapest cell of each range. An anchor that has the score
   that is needed is the best of its box.
2. No score in a box is above the sum over trees of the best leaf that the box leads to.
3. A cell that costs too much beside the best counterfactual so far, even with the anchor's cells of all other columns,
   leaves the box: so the more is spent, the less can change besides.
4. A box that is left is split in two where most score is to be gained between the anchor and the best leaves.

Points that are not solved soon are searched again with the bound of `box_relaxed`. A box is then split where most trees
disagree with a column, and better counterfactuals are looked for where the columns are in the relaxed problem.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.counterfactuals.box_moves import Room, breach, copy, descend
from scrutable_fcca.counterfactuals.box_ranges import Box, empty_box, examine, is_closed
from scrutable_fcca.counterfactuals.box_relaxed import Duals, ascend, empty_duals, narrow
from scrutable_fcca.counterfactuals.box_tables import Leaves
from scrutable_fcca.target import Doubles, Indices

_OPTIMAL = 1e-12  # a counterfactual is searched for that costs less than the best one by more than this
_SOON = 100  # boxes that are looked at without the relaxed problem
_FIRST_STEPS = 100  # towards the best bound of the relaxed problem, in the first box
_STEPS = 8  # the same in each box that follows
_EVERY = 8  # boxes between two attempts at a better counterfactual


class Open(NamedTuple):
    """Boxes to be looked at, the last one first: their ranges, bounds, and what the relaxed problem starts from."""

    low: Indices
    high: Indices
    bound: Doubles
    price: Doubles
    y: Doubles


@compiled
def explain(leaves: Leaves, room: Room, node_limit: int) -> tuple[Indices, float, float]:
    """The cell of each column in the cheapest counterfactual, its cost, and a bound on it.

    The search gives up after `node_limit` boxes. Where it found nothing, the cells are the point's own and the cost is
    infinite; so is the bound where there is nothing to be found.
    """
    at, most = room.own.copy(), _more_than_any(room)
    cost, bound = min(descend(leaves, room, at), most), 0.0
    for relaxing in range(2):
        boxes = node_limit - _SOON if relaxing else min(node_limit, _SOON)
        if bound < cost and boxes > 0:
            cost, least = _search(leaves, room, boxes, relaxing > 0, at, cost)
            bound = max(bound, least)
    if cost < most:
        return at, cost, bound
    return room.own.copy(), np.inf, bound if bound < most else np.inf


@compiled
def _search(leaves: Leaves, room: Room, boxes: int, relaxing: bool, at: Indices, cost: float) -> tuple[float, float]:
    """Look for cells that cost less than `cost`, to be left in `at`; their cost, and a bound on all costs."""
    box, duals, trial = empty_box(leaves, room), empty_duals(leaves, room), at.copy()
    waiting, count, seen = _whole(room, len(duals.y) if relaxing else 0), 1, 0
    limit = cost - _OPTIMAL
    while count and seen < boxes:
        count, seen = count - 1, seen + 1
        _take(waiting, count, box, duals)
        bound, price = waiting.bound[count], waiting.price[count]
        least, score = examine(leaves, room, box, limit)
        if relaxing and least < limit and score < room.needed:
            if seen == 1:
                price = limit / (room.needed - score)
            steps = _FIRST_STEPS if seen == 1 else _STEPS
            raised, price = ascend(leaves, room, box, limit, duals, price, steps)
            if raised < limit and seen % _EVERY == 1:
                cost = _attempt(leaves, room, duals.cell, trial, at, cost)
                limit = cost - _OPTIMAL
            if raised < limit and narrow(leaves, room, box, raised, limit, duals):
                least, score = examine(leaves, room, box, limit)
            bound = max(bound, raised)
        if max(least, bound) >= limit:
            continue
        if score >= room.needed:
            cost, limit = least, least - _OPTIMAL
            copy(box.anchor, at)
            continue
        waiting = _enlarged(waiting, count + 2)
        _divide(leaves, room, box, duals, relaxing, waiting, count)
        for half in range(count, count + 2):
            waiting.bound[half], waiting.price[half] = max(least, bound), price
        count += 2
    least = cost
    for b in range(count):
        least = min(least, waiting.bound[b])
    return cost, least


@compiled
def _attempt(leaves: Leaves, room: Room, start: Indices, trial: Indices, at: Indices, cost: float) -> float:
    """Look for cells that cost less than `cost` from these on, to be left in `at`; their cost."""
    copy(start, trial)
    if breach(room, trial) != -1:
        return cost
    tried = descend(leaves, room, trial)
    if tried >= cost:
        return cost
    copy(trial, at)
    return tried


@compiled
def _divide(leaves: Leaves, room: Room, box: Box, duals: Duals, relaxing: bool, waiting: Open, count: int) -> None:
    """Put the two halves of a box in line; the more promising one last, as it is looked at first."""
    j, cell = _between_categories(room, box)
    if j == -1 and relaxing:
        j, cell = _where_trees_disagree(leaves, room, box, duals)
    if j == -1:
        j, cell = _where_score_is_gained(leaves, room, box)
    upper_last = duals.cell[j] >= cell if relaxing else box.anchor[j] < cell
    for half in range(2):
        _put(waiting, count + half, box, duals)
        if upper_last == (half == 1):
            waiting.low[count + half, j] = cell
        else:
            waiting.high[count + half, j] = cell - 1


@compiled
def _between_categories(room: Room, box: Box) -> tuple[int, int]:
    """A column that the anchor would have to change for its group's sake, and the first cell above a cut of its range.

    The column is -1, here and below, where there is none.
    """
    j = breach(room, box.anchor)
    if j == -1:
        return -1, -1
    for cell in range(box.anchor[j] + 1, box.high[j] + 1):
        if not is_closed(room, room.start[j] + cell):
            return j, cell
    return j, box.anchor[j]


@compiled
def _where_trees_disagree(leaves: Leaves, room: Room, box: Box, duals: Duals) -> tuple[int, int]:
    """The column, and the first cell above the cut, that most trees cross and the column does not, or the other way."""
    column, at, most = -1, -1, 0.0
    apart = np.zeros(len(room.cost))
    for s in range(len(duals.slope)):
        j, cell = leaves.cut_column[s], leaves.cut_cell[s]
        if box.low[j] < cell <= box.high[j]:
            apart[room.start[j] + cell] += abs(duals.slope[s])
            if apart[room.start[j] + cell] > most:
                column, at, most = j, cell, apart[room.start[j] + cell]
    return column, at


@compiled
def _where_score_is_gained(leaves: Leaves, room: Room, box: Box) -> tuple[int, int]:
    """The column, and the first cell above the cut, beyond which the best leaves gain most score over the anchor."""
    gain = np.zeros(len(room.cost))
    for t in range(len(leaves.tree) - 1):
        more = leaves.value[box.best[t]] - leaves.value[box.here[t]]
        if more > 0.0:
            for e in range(leaves.range[box.best[t]], leaves.range[box.best[t] + 1]):
                j, low, high = leaves.column[e], leaves.low[e], leaves.high[e]
                if low > box.anchor[j]:
                    gain[room.start[j] + low] += more
                elif high < box.anchor[j]:
                    gain[room.start[j] + high + 1] += more
    column, at, most = -1, -1, 0.0
    for j in range(len(box.low)):
        first, above, below = room.start[j], 0.0, 0.0
        for cell in range(box.high[j], box.anchor[j], -1):
            above += gain[first + cell]
            if gain[first + cell] > 0.0 and above > most:
                column, at, most = j, cell, above
        for cell in range(box.low[j] + 1, box.anchor[j] + 1):
            below += gain[first + cell]
            if gain[first + cell] > 0.0 and below > most:
                column, at, most = j, cell, below
    return column, at


@compiled
def _more_than_any(room: Room) -> float:
    """More than any counterfactual can cost."""
    total = 1.0
    for j in range(len(room.own)):
        most = 0.0
        for k in range(room.start[j], room.start[j + 1]):
            if room.cost[k] < np.inf:
                most = max(most, room.cost[k])
        total += most
    return total


@compiled
def _whole(room: Room, cuts: int) -> Open:
    """A line with one box, of all cells."""
    columns = len(room.own)
    waiting = _line(16, columns, cuts)
    for j in range(columns):
        waiting.low[0, j], waiting.high[0, j] = 0, room.start[j + 1] - room.start[j] - 1
    return waiting


@compiled
def _line(size: int, columns: int, cuts: int) -> Open:
    """Room for boxes."""
    return Open(
        low=np.zeros((size, columns), np.int64),
        high=np.zeros((size, columns), np.int64),
        bound=np.zeros(size),
        price=np.zeros(size),
        y=np.zeros((size, cuts)),
    )


@compiled
def _enlarged(waiting: Open, size: int) -> Open:
    """The boxes that wait, with room for at least `size`."""
    before, columns = waiting.low.shape
    if size <= before:
        return waiting
    cuts = waiting.y.shape[1]
    larger = _line(2 * size, columns, cuts)
    copy(waiting.bound, larger.bound)
    copy(waiting.price, larger.price)
    for b in range(before):
        copy(waiting.low[b], larger.low[b])
        copy(waiting.high[b], larger.high[b])
        copy(waiting.y[b], larger.y[b])
    return larger


@compiled
def _take(waiting: Open, b: int, box: Box, duals: Duals) -> None:
    """Read a box."""
    copy(waiting.low[b], box.low)
    copy(waiting.high[b], box.high)
    copy(waiting.y[b], duals.y)


@compiled
def _put(waiting: Open, b: int, box: Box, duals: Duals) -> None:
    """Write a box down."""
    copy(box.low, waiting.low[b])
    copy(box.high, waiting.high[b])
    copy(duals.y[: waiting.y.shape[1]], waiting.y[b])
