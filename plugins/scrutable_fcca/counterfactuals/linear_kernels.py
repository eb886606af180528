"""Compiled loops of counterfactuals of linear models: a knapsack whose items are taken at one of their options.

An option is a way to change a column, or the columns of a group: it gains a score from `least` to `most`, at a cost of
fixed + rate * gain + bend * gain²; the first option of each item is no change. A column has one other, to move it.
Wanted is the least cost of options that together gain what is needed.

The relaxed problem replaces the costs of each item's options by the greatest convex function below them: straight from
one option to the next, up to the gain where the straight line touches the curve of the last option, and then along this
curve. Its optimum takes all items to the same price, the cost of a little more gain, and is found by sorting. Only one
item can be left on a straight line between two options, where it costs more than the relaxed problem says. Its options
are then divided between these two, and each half is solved in turn, unless its bound is no better than the best choice
so far. A second bound, without which many columns that are alike would be tried in all combinations, adds up the least
fixed costs of as many options as it takes, and the relaxed problem without fixed costs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_fcca.target import Doubles, Indices

_OPTIMAL = 1e-12  # a choice is searched for that costs less than the best one by more than this


class Options(NamedTuple):
    """The options of all items, item by item, by rising gain and cost.

    start : (items + 1,) where the options of each item begin.
    least, most : (options,) range of the gain.
    fixed, rate, bend : (options,) of the cost.
    touch : (options,) the gain at which a straight line from no change touches the curve.
    """

    start: Indices
    least: Doubles
    most: Doubles
    fixed: Doubles
    rate: Doubles
    bend: Doubles
    touch: Doubles


class Pieces(NamedTuple):
    """Pieces of the items' convex costs, item by item.

    first, last : the price, the cost of a little more gain, at both ends; the same for a straight line.
    length : by how much the gain rises.
    item, before, after : the item, and the options at both ends; the same for a curve.
    amount : how much of the length is taken.
    """

    first: Doubles
    last: Doubles
    length: Doubles
    item: Indices
    before: Indices
    after: Indices
    amount: Doubles


@compiled
def choose(options: Options, needed: float) -> tuple[Indices, Doubles, float]:
    """The option and the gain of each item in the cheapest choice, and its cost: infinity where none gains enough."""
    items, size = len(options.start) - 1, len(options.least)
    free, pieces = _without_fixed(options), _empty_pieces(size + items)
    option, gain = options.start[:-1].copy(), np.zeros(items)
    best_option, best_gain, best = option.copy(), gain.copy(), np.inf
    low, high = np.zeros((size + 1, items), np.int64), np.zeros((size + 1, items), np.int64)
    for item in range(items):
        low[0, item], high[0, item] = options.start[item], options.start[item + 1] - 1
    waiting = 1
    while waiting:
        waiting -= 1
        bound, item, first_above = _relax(options, low[waiting], high[waiting], needed, pieces, option, gain)
        if bound >= best - _OPTIMAL:
            continue
        cost = 0.0
        for i in range(items):
            cost += _cost(options, option[i], gain[i])
        if cost < best:
            best = cost
            for i in range(items):
                best_option[i], best_gain[i] = option[i], gain[i]
        if item == -1 or bound >= best - _OPTIMAL:
            continue
        variable, _, _ = _relax(free, low[waiting], high[waiting], needed, pieces, option, gain)
        if variable + _least_fixed(options, low[waiting], high[waiting], needed) >= best - _OPTIMAL:
            continue
        for i in range(items):
            low[waiting + 1, i], high[waiting + 1, i] = low[waiting, i], high[waiting, i]
        high[waiting, item], low[waiting + 1, item] = first_above - 1, first_above
        waiting += 2
    return best_option, best_gain, best


@compiled_part
def _without_fixed(options: Options) -> Options:
    """Options of which only what is gained above the least gain costs anything."""
    fixed = options.fixed.copy()
    for o in range(len(fixed)):
        fixed[o] -= _cost(options, o, options.least[o])
    return Options(
        start=options.start,
        least=options.least,
        most=options.most,
        fixed=fixed,
        rate=options.rate,
        bend=options.bend,
        touch=options.least,
    )


@compiled_part
def _least_fixed(options: Options, low: Indices, high: Indices, needed: float) -> float:
    """The least costs of the options that have to be taken at their least gains, because fewer cannot gain enough."""
    items = len(low)
    more, price, total = np.zeros(items), np.zeros(items), 0.0
    for item in range(items):
        first, last = low[item], high[item]
        here = _cost(options, first, options.least[first])
        total, needed = total + here, needed - options.most[first]
        more[item] = options.most[last] - options.most[first]
        price[item] = _cost(options, first + 1, options.least[first + 1]) - here if last > first else np.inf
    more.sort()
    price.sort()
    count = 0
    while needed > 0.0 and count < items:
        count += 1
        needed -= more[items - count]
        total += price[count - 1]
    return total


@compiled_part
def _relax(
    options: Options, low: Indices, high: Indices, needed: float, pieces: Pieces, option: Indices, gain: Doubles
) -> tuple[float, int, int]:
    """The cost of the relaxed problem with options `low` to `high`; the item between two options, and the upper one.

    The option and the gain of each item are filled in; of the item between two options the upper one. The cost is
    infinite where the gain is too little, and the item -1 where there is none.
    """
    count, cost, lacking = 0, 0.0, needed
    for item in range(len(low)):
        option[item], gain[item] = low[item], options.least[low[item]]
        cost += _cost(options, low[item], gain[item])
        lacking -= gain[item]
        count = _bend(options, item, low[item], high[item], pieces, count)
    most = 0.0
    for piece in range(count):
        pieces.amount[piece] = 0.0
        most += pieces.length[piece]
    if lacking > most:
        return np.inf, -1, -1
    if lacking > 0.0:
        _fill(pieces, count, lacking)
    between, upper = -1, -1
    for piece in range(count):
        amount, item, after = pieces.amount[piece], pieces.item[piece], pieces.after[piece]
        if amount > 0.0:
            slope = (pieces.last[piece] - pieces.first[piece]) / pieces.length[piece]
            cost += amount * (pieces.first[piece] + slope * amount / 2)
            option[item] = after
            gain[item] = max(gain[item] + amount, options.least[after])
            if pieces.before[piece] != after and amount < pieces.length[piece]:
                between, upper = item, after
    return cost, between, upper


@compiled_part
def _bend(options: Options, item: int, low: int, high: int, pieces: Pieces, count: int) -> int:
    """Append the pieces of an item's convex costs; the number of pieces that there are then."""
    begin, alone = count, low == high
    for after in range(low + 1, high + 1):
        reached = options.touch[after]
        while True:
            before = pieces.after[count - 1] if count > begin else low
            start = options.touch[before] if count > begin else options.least[low]
            rise = _cost(options, after, reached) - _cost(options, before, start)
            price = rise / (reached - start) if reached > start else 0.0
            if count == begin or pieces.first[count - 1] < price:
                break
            count -= 1
        _set(pieces, count, price, price, reached - start, item, before, after)
        count += 1
    start = options.least[high] if alone else options.touch[high]
    if options.most[high] > start:
        first = options.rate[high] + 2 * options.bend[high] * start
        last = options.rate[high] + 2 * options.bend[high] * options.most[high]
        _set(pieces, count, first, last, options.most[high] - start, item, high, high)
        count += 1
    return count


@compiled_part
def _set(pieces: Pieces, at: int, first: float, last: float, length: float, item: int, before: int, after: int) -> None:
    """Fill in a piece."""
    pieces.first[at], pieces.last[at], pieces.length[at] = first, last, length
    pieces.item[at], pieces.before[at], pieces.after[at] = item, before, after


@compiled_part
def _fill(pieces: Pieces, count: int, lacking: float) -> None:
    """Take from all pieces up to the price at which they gain what is lacking."""
    prices = np.zeros(2 * count)
    for piece in range(count):
        prices[2 * piece], prices[2 * piece + 1] = pieces.first[piece], pieces.last[piece]
    prices.sort()
    few, enough = -1, len(prices) - 1
    while enough - few > 1:
        middle = (few + enough) // 2
        if _taken(pieces, count, prices[middle], True) >= lacking:
            enough = middle
        else:
            few = middle
    price = prices[enough]
    below = _taken(pieces, count, price, False)
    if below >= lacking:  # the price is between two, where only curves gain
        before = _taken(pieces, count, prices[few], True)
        share = (lacking - before) / (below - before)
        _taken(pieces, count, prices[few] + share * (price - prices[few]), True)
        return
    for piece in range(count):
        if pieces.first[piece] == price and pieces.last[piece] == price:
            pieces.amount[piece] = min(pieces.length[piece], max(lacking - below, 0.0))
            below += pieces.amount[piece]


@compiled_part
def _taken(pieces: Pieces, count: int, price: float, at_price: bool) -> float:
    """Take all that costs less than a price, or as much; the gain."""
    total = 0.0
    for piece in range(count):
        first, last = pieces.first[piece], pieces.last[piece]
        share = 0.0
        if last < price or (last == price and (at_price or first < price)):
            share = 1.0
        elif first < price:
            share = (price - first) / (last - first)
        pieces.amount[piece] = share * pieces.length[piece]
        total += pieces.amount[piece]
    return total


@compiled_part
def _cost(options: Options, option: int, gain: float) -> float:
    """What an option costs at a gain."""
    cost: float = options.fixed[option] + gain * (options.rate[option] + gain * options.bend[option])
    return cost


@compiled_part
def _empty_pieces(size: int) -> Pieces:
    """Room for pieces."""
    return Pieces(
        first=np.zeros(size),
        last=np.zeros(size),
        length=np.zeros(size),
        item=np.zeros(size, np.int64),
        before=np.zeros(size, np.int64),
        after=np.zeros(size, np.int64),
        amount=np.zeros(size),
    )
