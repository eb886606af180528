"""A good proposal to start with: from no change, exchange or add one move at a time while that helps."""

from __future__ import annotations

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_counterfactual.arrays import Moves, Positions
from scrutable_counterfactual.duality import distance

_TRIES = 4


@compiled
def start_from(moves: Moves, price: float, taken: Positions) -> int:
    """Moves whose score lies in the window, at a low cost of the first term, in `taken`; how many, -1 for none found.

    A score outside of the window is paid for by the point: at some times the dual price first, then at more and more,
    until it lies inside.
    """
    toll = 2.0 * abs(price) + 1e-9
    for _ in range(_TRIES):
        count, short = _improve(moves, toll, taken)
        if short == 0.0:
            return count
        toll *= 8.0
    return -1


@compiled
def _improve(moves: Moves, toll: float, taken: Positions) -> tuple[int, float]:
    """Descend until no exchange, addition or removal helps; the number of moves and how far the score is off."""
    shape, feature, gain, columns, cost = moves.shape, moves.feature, moves.gain, moves.columns, moves.cost[0]
    start, closeness, outcome, low, high = moves.start, moves.closeness[0], moves.outcome[0], moves.low, moves.high
    residual, score, paid, count, n = moves.residual.copy(), moves.score, 0.0, 0, len(moves.residual)
    held = np.full(len(feature), -1)
    base = np.empty(n)
    merit = closeness * np.abs(residual).sum() + outcome * distance(shape, score)
    merit += toll * max(0.0, low - score, score - high)
    while True:
        best, away, to = merit - 1e-9, -1, -1
        for out in range(-1, len(feature)):
            if out >= 0 and held[out] < 0:
                continue
            base[:] = residual
            points, price = score, paid
            if out >= 0:
                o = held[out]
                points, price = points - gain[o], price - cost[o]
                for i in range(feature[out] + 1):
                    base[i] -= gain[o] * columns[feature[out], i]
            for t in range(-1, len(feature)):
                if (t >= 0 and ((held[t] >= 0 and t != out) or (out < 0 and count == moves.most))) or (
                    t < 0 and out < 0
                ):
                    continue
                for o in range(start[t], start[t + 1]) if t >= 0 else range(1):
                    step = gain[o] if t >= 0 else 0.0
                    reached = points + step
                    value = price + (cost[o] if t >= 0 else 0.0) + outcome * distance(shape, reached)
                    value += toll * max(0.0, low - reached, reached - high)
                    if value >= best:
                        continue
                    if closeness > 0:
                        j = feature[t] if t >= 0 else -1
                        for i in range(n):
                            value += closeness * abs(base[i] + (step * columns[j, i] if i <= j else 0.0))
                    if value < best:
                        best, away, to = value, out, (o if t >= 0 else -2)
        if to == -1:
            break
        merit = best
        if away >= 0:
            score, paid, count = score - gain[held[away]], paid - cost[held[away]], count - 1
            for i in range(feature[away] + 1):
                residual[i] -= gain[held[away]] * columns[feature[away], i]
            held[away] = -1
        if to >= 0:
            t = int(np.searchsorted(start, to, side="right")) - 1
            held[t] = to
            score, paid, count = score + gain[to], paid + cost[to], count + 1
            for i in range(feature[t] + 1):
                residual[i] += gain[to] * columns[feature[t], i]
    count = 0
    for o in held:
        if o >= 0:
            taken[count] = o
            count += 1
    return count, max(0.0, low - score, score - high)
