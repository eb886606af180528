"""Lower bounds of what proposals cost, by Lagrangian duality.

A residual r costs |r| >= y r for every y in [-1, 1], and an outcome's distance h(s) >= min_s (h(s) + mu s) - mu s for
every mu, so with both given a term is a sum over features, whose least value under a limit of changes is easily found.
Supergradient steps with Polyak's length find y and mu at the root; the search uses them at every node, since residuals
of decided features are exact there (the whitening is triangular).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable.model import CLAMP
from scrutable_counterfactual.arrays import Floats, Moves, Positions, Shape, most_of


class Duals(NamedTuple):
    """What bounds the terms; a row a term.

    slope : (terms, n) y.
    price : (terms,) mu, the worth of a point.
    level : (terms,) least value of outcome * h(s) + mu s over the window.
    rest : (terms, moves) reduced cost of a move without the residual of its own feature.
    least : (terms, t + 1, most + 1) least sum of reduced costs of q changes among the first t features.
    """

    slope: Floats
    price: Floats
    level: Floats
    rest: Floats
    least: Floats


@compiled
def distance(shape: Shape, score: float) -> float:
    """How far the outcome of a score is from the target."""
    if shape.kind == 0:
        return 0.0
    if shape.kind == 1:
        return abs(score - shape.target)
    z = shape.intercept + shape.slope * score
    if shape.kind == 2:
        return abs(1.0 / (1.0 + math.exp(-min(CLAMP, max(-CLAMP, z)))) - shape.target)
    return abs(min(1.0, max(0.0, z)) - shape.target)


@compiled
def lowest(shape: Shape, weight: float, low: float, high: float, price: float) -> tuple[float, float]:
    """Least value of weight * distance(s) + price * s for s from low to high, and a score where it is reached.

    The curve turns only where the distance is 0, at the ends, where the probability leaves 0 or 1, and where its
    derivative weight * slope * p * (1 - p) equals the price.
    """
    turns = np.empty(6)
    turns[0], turns[1] = low, high
    turns[2:] = low
    if weight > 0 and shape.kind == 1:
        turns[2] = shape.target
    elif weight > 0 and shape.kind >= 2 and shape.slope > 0:
        for k, p in enumerate((shape.target, 0.0, 1.0)):
            z = p if shape.kind == 3 else _logit(p)
            turns[2 + k] = (z - shape.intercept) / shape.slope
        steep = abs(price) / (weight * shape.slope)
        if shape.kind == 2 and steep <= 0.25:
            root = math.sqrt(1.0 - 4.0 * steep) / 2.0
            turns[4] = (_logit(0.5 + root) - shape.intercept) / shape.slope
            turns[5] = (_logit(0.5 - root) - shape.intercept) / shape.slope
    value, score = math.inf, low
    for turn in turns:
        at = min(high, max(low, turn))
        cost = weight * distance(shape, at) + price * at
        if cost < value:
            value, score = cost, at
    return value, score


@compiled
def _logit(p: float) -> float:
    if p <= 0.0:
        return -CLAMP
    return CLAMP if p >= 1.0 else min(CLAMP, max(-CLAMP, math.log(p / (1.0 - p))))


@compiled
def duals_of(moves: Moves, limits: Floats, rounds: int) -> Duals:
    """The duals of a problem's terms; `limits` is (terms,) what each may cost."""
    terms, options = moves.cost.shape
    duals = Duals(
        np.zeros((terms, len(moves.residual))),
        np.zeros(terms),
        np.zeros(terms),
        np.zeros((terms, options)),
        np.zeros((terms, len(moves.feature) + 1, moves.most + 1)),
    )
    for term in range(terms):
        _ascend(moves, term, limits[term], rounds, duals)
        _settle(moves, term, duals)
    return duals


@compiled
def _ascend(moves: Moves, term: int, goal: float, rounds: int, duals: Duals) -> None:
    """Raise the bound of a term for some rounds, towards the goal or a step above the best so far; keep the best."""
    n, many = len(moves.residual), len(moves.feature)
    slope, price, unit = np.sign(moves.residual), 0.0, _unit(moves)
    closeness, outcome = moves.closeness[term], moves.outcome[term]
    best, reach, stale = -math.inf, _reach(moves, term), 0
    least, at, chosen = np.zeros(many), np.zeros(many, np.int64), np.zeros(moves.most, np.int64)
    residual, rise = np.empty(n), np.empty(n)
    for _ in range(rounds):
        _relax(moves, term, slope, price, least, at)
        value, score = lowest(moves.shape, outcome, moves.low, moves.high, price)
        residual[:] = moves.residual
        value += _pick(least, at, chosen) - price * moves.score
        for i in range(n):
            value += closeness * slope[i] * residual[i]
        reached = moves.score
        for o in chosen:
            if o >= 0:
                j = moves.feature[np.searchsorted(moves.start, o, side="right") - 1]
                reached += moves.gain[o]
                for i in range(j + 1):
                    residual[i] += moves.gain[o] * moves.columns[j, i]
        if best == -math.inf or value > best + 1e-9 * abs(best):
            best, stale = value, 0
            duals.slope[term], duals.price[term] = slope, price
        else:
            stale += 1
            if stale == 5:
                reach, stale = reach / 2, 0
        rise_of_price = (score - reached) * unit
        norm = rise_of_price * rise_of_price
        for i in range(n):
            rise[i] = closeness * residual[i]
            norm += rise[i] * rise[i]
        gap = min(goal, best + reach) - value
        if norm < 1e-18 or gap <= 1e-9 * max(1.0, abs(best)):
            break
        length = gap / norm
        for i in range(n):
            slope[i] = min(1.0, max(-1.0, slope[i] + length * rise[i]))
        price = _signed(moves, term, price + length * rise_of_price * unit)


@compiled
def _signed(moves: Moves, term: int, price: float) -> float:
    """A price below 0 pays for an upper end of the window, one above 0 for a lower end; a distance may want either."""
    if moves.outcome[term] > 0 and moves.shape.kind > 0:
        return price
    return min(price if moves.must_fall else max(0.0, price), price if moves.must_rise else 0.0)


@compiled
def _reach(moves: Moves, term: int) -> float:
    """How far above the best bound the steps aim at first, where no proposal is known."""
    dear = moves.cost[term].max() if moves.cost.shape[1] else 0.0
    return float(moves.most * dear + moves.closeness[term] * np.abs(moves.residual).sum() + moves.outcome[term])


@compiled
def _unit(moves: Moves) -> float:
    """The price moves in units of the mean gain, so that it and the slopes make steps of one size."""
    total = float(np.abs(moves.gain).sum())
    return len(moves.gain) / total if total > 0 else 0.0


@compiled
def _relax(moves: Moves, term: int, slope: Floats, price: float, least: Floats, at: Positions) -> None:
    """The least reduced cost of each feature, at most 0, and its move."""
    gain, cost, start, columns, closeness = moves.gain, moves.cost, moves.start, moves.columns, moves.closeness[term]
    for t in range(len(least)):
        j = moves.feature[t]
        worth = -price
        for i in range(j + 1):
            worth += closeness * slope[i] * columns[j, i]
        least[t], at[t] = 0.0, -1
        for o in range(start[t], start[t + 1]):
            reduced = cost[term, o] + worth * gain[o]
            if reduced < least[t]:
                least[t], at[t] = reduced, o


@compiled
def _pick(least: Floats, at: Positions, chosen: Positions) -> float:
    """The moves of the lowest reduced costs, as many as may change, -1 for none, and their sum."""
    costs = np.zeros(len(chosen))
    chosen[:] = -1
    for t in range(len(least)):
        cost, o = least[t], at[t]
        for q in range(len(chosen)):
            if cost < costs[q]:
                cost, costs[q] = costs[q], cost
                o, chosen[q] = chosen[q], o
    return float(costs.sum())


@compiled
def _settle(moves: Moves, term: int, duals: Duals) -> None:
    """What the search reads, for the duals that were kept."""
    slope, price, columns, rest = duals.slope[term], duals.price[term], moves.columns, duals.rest
    cost, gain, start, closeness = moves.cost, moves.gain, moves.start, moves.closeness[term]
    duals.level[term] = lowest(moves.shape, moves.outcome[term], moves.low, moves.high, price)[0]
    best = np.zeros(len(moves.feature))
    for t in range(len(best)):
        j = moves.feature[t]
        above = 0.0
        for i in range(j):
            above += slope[i] * columns[j, i]
        own = closeness * slope[j] * columns[j, j]
        worth = closeness * above - price
        for o in range(start[t], start[t + 1]):
            reduced = cost[term, o] + worth * gain[o]
            rest[term, o] = reduced
            best[t] = max(best[t], -reduced - own * gain[o])
    duals.least[term] = -most_of(best, moves.most)
