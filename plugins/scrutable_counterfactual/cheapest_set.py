"""The cheapest set of proposals that differ as asked, out of a list: branch and bound, by falling promise."""

from __future__ import annotations

import math

import numpy as np

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_counterfactual.arrays import Flags, Floats, Positions


@compiled
def cheapest_set(
    changes: Positions,
    costs: Floats,
    reduced: Floats,
    least: float,
    common: Floats,
    apart: Flags,
    limits: Floats,
    number: int,
    best: Positions,
    budget: int,
) -> tuple[float, bool]:
    """The total cost of the cheapest set, infinity where there is none, and whether the search ended in the budget.

    Parameters
    ----------
    changes : (list, n) the cell that each proposal changes a feature to, -1 where it changes nothing.
    costs : (list, terms).
    reduced, least : (list,) rising; a set costs at least `least` and the sum of its members' reduced costs.
    common : (terms, 2) what two proposals cost together for each feature, and each cell, that both change.
    apart : (2,) whether no two may change the same features; whether no two may change a feature to the same cell.
    limits : (terms,) what the sums may cost; the first of them excludes sets that cost more or the same.
    best : (number,) rows of the set.
    """
    listed, terms = costs.shape
    at, total, bound = np.zeros(number, np.int64), np.zeros((number + 1, terms)), np.full(number + 1, least)
    smallest = np.empty(terms)
    for m in range(terms):
        smallest[m] = costs[:, m].min() if listed else 0.0
    cheapest, d, nodes = math.inf, 0, 0
    if number > listed:
        return cheapest, True
    while d >= 0:
        row = at[d]
        left = number - d
        if row > listed - left or bound[d] + left * reduced[row] >= limits[0]:
            d -= 1
            if d >= 0:
                at[d] += 1
            continue
        nodes += 1
        if nodes > budget:
            return cheapest, False
        fits = True
        bound[d + 1] = bound[d] + reduced[row]
        for m in range(terms):
            total[d + 1, m] = total[d, m] + costs[row, m]
        for e in range(d):
            same, equal, alike = _compare(changes[at[e]], changes[row])
            fits = fits and not (apart[0] and alike) and not (apart[1] and equal > 0)
            bound[d + 1] += common[0, 0] * same + common[0, 1] * equal
            for m in range(terms):
                total[d + 1, m] += common[m, 0] * same + common[m, 1] * equal
        fits = fits and bound[d + 1] + (left - 1) * reduced[row] <= limits[0] - 1e-12
        for m in range(terms):
            most = limits[m] if m else limits[0] - 1e-12
            fits = fits and total[d + 1, m] + (left - 1) * smallest[m] <= most
        if not fits:
            at[d] += 1
        elif left == 1:
            cheapest = total[d + 1, 0]
            limits[0] = cheapest
            best[:] = at
            at[d] += 1
        else:
            d += 1
            at[d] = row + 1
    return cheapest, True


@compiled_part
def _compare(one: Positions, other: Positions) -> tuple[int, int, bool]:
    """Features that both change, those that both change to the same cell, and whether they change the same features."""
    same = equal = 0
    alike = True
    for i in range(len(one)):
        if one[i] >= 0 and other[i] >= 0:
            same += 1
            equal += one[i] == other[i]
        elif one[i] >= 0 or other[i] >= 0:
            alike = False
    return same, equal, alike
