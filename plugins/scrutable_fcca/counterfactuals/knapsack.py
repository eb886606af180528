"""Compiled loops of knapsacks of which each item is taken in exactly one of its options.

Wanted is the least cost of options that together gain what is lacking. Each item has its options by rising cost and
gain, the first at no cost and gain.

1. The relaxed problem takes steps along the convex hull of each item's options, by rising price (cost for each unit of
   gain), until what is lacking is gained. The price of its last step gives the bound: every choice costs at least the
   relaxed optimum plus, for each item, the excess of its option, which is cost - price * gain above the relaxed choice
   of that item.
2. Starting from the relaxed choice, items are allowed to deviate from it one after another, those with the least
   excess first. Kept are the sums of deviations that no other one beats and whose bound is below the best choice so
   far; nearly always few. An item whose least excess is too much ends the search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_fcca.target import Doubles, Indices

_OPTIMAL = 1e-12  # a choice is searched for that costs less than the best one by more than this


class Options(NamedTuple):
    """The options of some items, item by item.

    start : (items + 1,) where the options of each item begin in `cost` and `gain`.
    """

    start: Indices
    cost: Doubles
    gain: Doubles


class Pool(NamedTuple):
    """Sums of deviations from the relaxed choice, each made of another one and one option of one item.

    gain, cost : above the relaxed choice.
    before : the sum it was made of; -1 for none.
    item, option : what was added.
    """

    gain: Doubles
    cost: Doubles
    before: Indices
    item: Indices
    option: Indices


@compiled(steps=lambda starts, cost, gain, lacking, most: 12 * int((starts[:, -1] - starts[:, 0]).sum()))
def choose(
    starts: Indices, cost: Doubles, gain: Doubles, lacking: Doubles, most: int
) -> tuple[Indices, Doubles, Doubles]:
    """The best options of n knapsacks, what they cost, and proven bounds on that.

    Parameters
    ----------
    starts : (n, items + 1) where the options of each item begin.
    cost, gain : of all options.
    lacking : (n,) what is to be gained; where it is not above 0, nothing is taken.
    most : number of sums of deviations after which the search for one knapsack gives up.

    Returns
    -------
    (n, items) option of each item, -1 where none is taken; (n,) costs and (n,) bounds, infinite where all items
    together gain too little.
    """
    chosen = np.full((len(starts), starts.shape[1] - 1), -1)
    total, bound, pool = np.zeros(len(starts)), np.zeros(len(starts)), _enlarged(_empty(0), 1024)
    for i in range(len(starts)):
        if lacking[i] > 0.0:
            options = Options(starts[i], cost, gain)
            total[i], bound[i], pool = _chosen(chosen[i], options, lacking[i], pool, most)
    return chosen, total, bound


@compiled_part
def _chosen(chosen: Indices, options: Options, lacking: float, pool: Pool, most: int) -> tuple[float, float, Pool]:
    """Fill in the best choice; its cost, a bound on it, and the pool."""
    taken, item, option, price = _relaxed(options, lacking)
    if item == -1:
        return np.inf, np.inf, pool
    lacking -= _added(options.gain, taken)
    relaxed = _added(options.cost, taken) + price * lacking
    last, proven, pool = _deviations(options, taken, lacking, price, item, option, pool, most)
    while pool.before[last] != -1:
        taken[pool.item[last]] = pool.option[last]
        last = pool.before[last]
    for i in range(len(taken)):
        chosen[i] = taken[i]
    cost = _added(options.cost, taken)
    return cost, cost if proven else min(cost, relaxed), pool


@compiled_part
def _added(values: Doubles, places: Indices) -> float:
    """The sum of the values in these places, one after another."""
    total = 0.0
    for place in places:
        total += values[place]
    return total


@compiled_part
def _relaxed(options: Options, lacking: float) -> tuple[Indices, int, int, float]:
    """The option of each item before the last step of the relaxed problem; that step's item, option and price.

    The item is -1 where all steps together gain too little.
    """
    items = len(options.start) - 1
    price, item = np.empty(options.start[-1]), np.empty(options.start[-1], np.int64)
    option = np.empty(options.start[-1], np.int64)
    steps = 0
    for each in range(items):
        first = steps
        for o in range(options.start[each] + 1, options.start[each + 1]):
            while True:
                before = option[steps - 1] if steps > first else options.start[each]
                slope = (options.cost[o] - options.cost[before]) / (options.gain[o] - options.gain[before])
                if steps == first or price[steps - 1] < slope:
                    break
                steps -= 1
            price[steps], item[steps], option[steps] = slope, each, o
            steps += 1
    taken = options.start[:-1].copy()
    for step in np.argsort(price[:steps], kind="mergesort"):
        gain = options.gain[option[step]] - options.gain[taken[item[step]]]
        if gain >= lacking:
            return taken, item[step], option[step], price[step]
        lacking -= gain
        taken[item[step]] = option[step]
    return taken, -1, -1, 0.0


@compiled_part
def _deviations(
    options: Options, taken: Indices, lacking: float, price: float, item: int, option: int, pool: Pool, most: int
) -> tuple[int, bool, Pool]:
    """The cheapest sum of deviations that gains what is still lacking, as this one option does.

    Its place in the pool, whether it is proven to be the cheapest, and the pool.
    """
    items = len(taken)
    least, bound = np.full(items, np.inf), price * lacking
    pool.gain[0], pool.cost[0], pool.before[0] = 0.0, 0.0, -1
    best = options.cost[option] - options.cost[taken[item]]
    for each in range(items):
        for o in range(options.start[each], options.start[each + 1]):
            gain, cost = options.gain[o] - options.gain[taken[each]], options.cost[o] - options.cost[taken[each]]
            if o != taken[each]:
                least[each] = min(least[each], cost - price * gain)
            if gain >= lacking and cost < best:
                best, item, option = cost, each, o
    pool.gain[1], pool.cost[1], pool.before[1] = lacking, best, 0
    pool.item[1], pool.option[1] = item, option
    last, made = 1, 2
    sums = np.zeros(1, np.int64)
    for each in np.argsort(least, kind="mergesort"):
        if bound + least[each] >= pool.cost[last] - _OPTIMAL:
            break
        fresh = sums
        for o in range(options.start[each], options.start[each + 1]):
            if o == taken[each]:
                continue
            if made + len(sums) > most:
                return last, False, pool
            gain, cost = options.gain[o] - options.gain[taken[each]], options.cost[o] - options.cost[taken[each]]
            first = made
            fresh, pool, made = _extended(fresh, sums, gain, cost, lacking, price, pool, made, last)
            for new in range(first, made):
                pool.item[new], pool.option[new] = each, o
                if pool.gain[new] >= lacking and pool.cost[new] < pool.cost[last]:
                    last = new
        sums = fresh
    return last, True, pool


@compiled_part
def _extended(
    fresh: Indices,
    sums: Indices,
    gain: float,
    cost: float,
    lacking: float,
    price: float,
    pool: Pool,
    made: int,
    last: int,
) -> tuple[Indices, Pool, int]:
    """Those of `fresh`, and of `sums` with a deviation added, that no other one beats, by falling gain."""
    pool = _enlarged(pool, made + len(sums))
    merged, size = np.empty(len(fresh) + len(sums), np.int64), 0
    lowest, limit = np.inf, pool.cost[last] - _OPTIMAL
    a, b = 0, 0
    while a < len(fresh) or b < len(sums):
        new = a == len(fresh)
        if not new and b < len(sums):
            difference = pool.gain[sums[b]] + gain - pool.gain[fresh[a]]
            new = difference > 0.0 or (difference == 0.0 and pool.cost[sums[b]] + cost < pool.cost[fresh[a]])
        before = sums[b] if new else fresh[a]
        gained = pool.gain[before] + (gain if new else 0.0)
        costs = pool.cost[before] + (cost if new else 0.0)
        if costs < lowest and costs + price * (lacking - gained) < limit:
            lowest, merged[size] = costs, made if new else before
            if new:
                pool.gain[made], pool.cost[made], pool.before[made] = gained, costs, before
                made += 1
            size += 1
        if new:
            b += 1
        else:
            a += 1
    return merged[:size], pool, made


@compiled_part
def _empty(size: int) -> Pool:
    return Pool(
        np.empty(size), np.empty(size), np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    )


@compiled_part
def _enlarged(pool: Pool, size: int) -> Pool:
    """The pool with room for this many sums."""
    if size <= len(pool.gain):
        return pool
    larger, made = _empty(2 * size), len(pool.gain)
    for i in range(made):
        larger.gain[i], larger.cost[i], larger.before[i] = pool.gain[i], pool.cost[i], pool.before[i]
        larger.item[i], larger.option[i] = pool.item[i], pool.option[i]
    return larger
