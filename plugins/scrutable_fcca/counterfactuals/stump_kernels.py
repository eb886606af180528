"""Compiled loops of counterfactuals of stumps: what each move of a column costs and gains.

The score of stumps is a sum over columns. So a column is an item of a knapsack, and the cells that it may move to are
its options; a group of columns of which one may be 1 is one item. Of the options those are kept that no other one
beats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_fcca.target import Doubles, Flags, Indices


class Columns(NamedTuple):
    """What stumps say of columns, what may change, and what that costs.

    start : (m + 1,) where the cells of each column begin.
    cuts : thresholds of all columns; those of column j begin at start[j] - j.
    low, high : (cells,) least and largest value of a change into a cell.
    score : (cells,) what a cell adds to the score.
    rises, falls : (m,) as in `Plausibility`.
    item : (items + 1,) where the columns of each item begin in `members`; more than one are a group.
    members : columns of the items.
    costs : (3,) of a change, of each unit of its distance, and of that squared.
    """

    start: Indices
    cuts: Doubles
    low: Doubles
    high: Doubles
    score: Doubles
    rises: Flags
    falls: Flags
    item: Indices
    members: Indices
    costs: Doubles


class Offer(NamedTuple):
    """The options of n points: as those of knapsacks, and what they are.

    own : (n, m) cells of the points, of the columns in `members`.
    lacking : (n,) what is lacking of the score to be reached.
    start : (n, items + 1) where the options of each item begin.
    cost, gain : of the offer.
    cell : of a column the cell to move to; of a group the member that is to be 1, its size for none, -1 for no change.
    """

    own: Indices
    lacking: Doubles
    start: Indices
    cost: Doubles
    gain: Doubles
    cell: Indices


def _tabulated_by_slices(
    start: Indices, cuts: Doubles, column: Indices, threshold: Doubles, left: Doubles, right: Doubles
) -> Doubles:
    """The same scores in NumPy, all cells of a stump at once."""
    score = np.zeros(start[-1])
    for stump, j in enumerate(column):
        begin, end = start[j], start[j + 1]
        middle = begin + np.searchsorted(cuts[begin - j : end - j - 1], threshold[stump]) + 1
        score[begin:middle] += left[stump]
        score[middle:end] += right[stump]
    return score


@compiled(steps=lambda start, cuts, column, *_: 20 * len(column), small=_tabulated_by_slices)
def tabulated(
    start: Indices, cuts: Doubles, column: Indices, threshold: Doubles, left: Doubles, right: Doubles
) -> Doubles:
    """(cells,) what each cell adds to the score, of stumps with these values on the left and on the right."""
    score = np.zeros(start[-1])
    for stump in range(len(column)):
        j = column[stump]
        begin, end = start[j], start[j + 1]
        last = begin + np.searchsorted(cuts[begin - j : end - j - 1], threshold[stump])
        for cell in range(begin, end):
            score[cell] += left[stump] if cell <= last else right[stump]
    return score


@compiled(steps=lambda columns, points, *_: 6 * len(points) * (len(columns.low) + len(columns.members)))
def offered(columns: Columns, points: Doubles, wanted: Flags, held: Flags, base: float, least: float) -> Offer:
    """The options of points, to gain so much that the score is at least this, or at most minus this.

    held : (n, m) what cannot change of single points.
    """
    (n, m), items = points.shape, len(columns.item) - 1
    room = n * (columns.start[-1] + len(columns.members) + items)
    offer = Offer(
        np.zeros((n, m), np.int64),
        np.zeros(n),
        np.zeros((n, items + 1), np.int64),
        np.empty(room),
        np.empty(room),
        np.empty(room, np.int64),
    )
    end = 0
    for i in range(n):
        own, sign, score = offer.own[i], 1.0 if wanted[i] else -1.0, base
        for j in columns.members:
            own[j] = _cell_of(columns, j, points[i, j])
            score += columns.score[columns.start[j] + own[j]]
        offer.lacking[i] = least - sign * score
        offer.start[i, 0] = end
        if offer.lacking[i] > 0.0:
            for item in range(items):
                members = columns.members[columns.item[item] : columns.item[item + 1]]
                if len(members) == 1:
                    j = members[0]
                    end = _offer_column(offer, end, columns, j, points[i, j], own[j], held[i, j], sign)
                else:
                    end = _offer_group(offer, end, columns, members, points[i], own, held[i], sign)
                offer.start[i, item + 1] = end
    return Offer(offer.own, offer.lacking, offer.start, offer.cost[:end], offer.gain[:end], offer.cell[:end])


@compiled(steps=lambda columns, points, offer, chosen: 2 * chosen.size)
def changed(columns: Columns, points: Doubles, offer: Offer, chosen: Indices) -> tuple[Doubles, Doubles]:
    """`values` and `crossed` of `Counterfactuals`, from the (n, items) options that are taken."""
    values, crossed = points.copy(), np.full(points.shape, np.nan)
    for i in range(len(points)):
        for item in range(chosen.shape[1]):
            if chosen[i, item] != -1:
                _change(values[i], crossed[i], columns, item, offer.cell[chosen[i, item]], offer.own[i])
    return values, crossed


@compiled_part
def _change(values: Doubles, crossed: Doubles, columns: Columns, item: int, cell: int, own: Indices) -> None:
    """Make the changes of an option."""
    begin, end = columns.item[item], columns.item[item + 1]
    for k in range(begin, end):
        j, to = columns.members[k], cell
        if end - begin > 1:
            to = own[j] if cell == -1 else _member_to(columns, j, k - begin == cell, values[j], own[j])
        if to != own[j]:
            values[j] = _value_in(columns, j, own[j], to)
            crossed[j] = columns.cuts[columns.start[j] - j + (to - 1 if to > own[j] else to)]


@compiled_part
def _offer_column(
    offer: Offer, end: int, columns: Columns, j: int, value: float, own: int, held: bool, sign: float
) -> int:
    """Go through the cells above and below a column's own at once, by rising cost; the end of its options."""
    first, size = columns.start[j], columns.start[j + 1] - columns.start[j]
    here, begin = columns.score[first + own], end
    end = _keep(offer, begin, end, 0.0, 0.0, own)
    up = own + 1 if columns.rises[j] and not held else size
    down = own - 1 if columns.falls[j] and not held else -1
    while True:
        while up < size and columns.low[first + up] > columns.high[first + up]:
            up += 1
        while down >= 0 and columns.low[first + down] > columns.high[first + down]:
            down -= 1
        above = _cost(columns, columns.low[first + up] - value) if up < size else np.inf
        below = _cost(columns, value - columns.high[first + down]) if down >= 0 else np.inf
        if above == np.inf and below == np.inf:
            return end
        if above <= below:
            end = _keep(offer, begin, end, above, sign * (columns.score[first + up] - here), up)
            up += 1
        else:
            end = _keep(offer, begin, end, below, sign * (columns.score[first + down] - here), down)
            down -= 1


@compiled_part
def _offer_group(
    offer: Offer, end: int, columns: Columns, members: Indices, point: Doubles, own: Indices, held: Flags, sign: float
) -> int:
    """All members 0, or one of them 1; the end of the group's options."""
    costs, gains = np.zeros((2, len(members))), np.zeros((2, len(members)))  # of each as 0, and as 1
    for k in range(len(members)):
        j = members[k]
        for one in range(2):
            to = _member_to(columns, j, one == 1, point[j], own[j])
            if to == -1 or (to != own[j] and held[j]):
                costs[one, k] = np.inf
            elif to != own[j]:
                first = columns.start[j]
                costs[one, k] = _cost(columns, abs(_value_in(columns, j, own[j], to) - point[j]))
                gains[one, k] = sign * (columns.score[first + to] - columns.score[first + own[j]])
    cost, gain = np.zeros(len(members) + 1), np.zeros(len(members) + 1)
    for one in range(len(members) + 1):
        for k in range(len(members)):
            cost[one] += costs[int(k == one), k]
            gain[one] += gains[int(k == one), k]
    begin = end
    end = _keep(offer, begin, end, 0.0, 0.0, -1)
    for one in np.argsort(cost, kind="mergesort"):
        if cost[one] < np.inf:
            end = _keep(offer, begin, end, cost[one], gain[one], one)
    return end


@compiled_part
def _member_to(columns: Columns, j: int, one: bool, value: float, own: int) -> int:
    """The cell in which a member of a group is 1, or is not; -1 where it may not go there."""
    if one == (value == 1.0):
        return own
    to, first = _cell_of(columns, j, 1.0 if one else 0.0), columns.start[j]
    allowed = columns.rises[j] if one else columns.falls[j]
    return to if allowed and to != own and columns.low[first + to] <= columns.high[first + to] else -1


@compiled_part
def _keep(offer: Offer, begin: int, end: int, cost: float, gain: float, cell: int) -> int:
    """Append an option that costs no less than those before it, unless one of them beats it; the end of the options."""
    if end > begin and gain <= offer.gain[end - 1]:
        return end
    if end > begin and cost == offer.cost[end - 1]:
        end -= 1
    offer.cost[end], offer.gain[end], offer.cell[end] = cost, gain, cell
    return end + 1


@compiled_part
def _cell_of(columns: Columns, j: int, value: float) -> int:
    """The cell of a value, counted from the first cell of its column."""
    first = columns.start[j] - j
    return int(np.searchsorted(columns.cuts[first : columns.start[j + 1] - j - 1], value))


@compiled_part
def _value_in(columns: Columns, j: int, own: int, to: int) -> float:
    """The value of a column that moves from its own cell to another one."""
    value: float = columns.low[columns.start[j] + to] if to > own else columns.high[columns.start[j] + to]
    return value


@compiled_part
def _cost(columns: Columns, distance: float) -> float:
    """What it costs to move a column by a distance."""
    cost: float = columns.costs[0] + (columns.costs[1] + columns.costs[2] * distance) * distance
    return cost
