"""Trees of depth 2 at most whose price is within a budget, and the best pair of such trees: the loops.

A leaf that predicts good misclassifies its bad rows and adds their contrast to the gap, one that predicts bad
misclassifies its good rows. The price of a tree is its objective plus `rate` for each unit of gap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.target import Doubles, Indices
from scrutable_fcca.trees.grown import Plan
from scrutable_fcca.trees.stumps import stumps


class Pricing(NamedTuple):
    """What leaves cost: `penalty` each, and `rate` for each unit of gap."""

    penalty: float
    rate: float


class Rows(NamedTuple):
    """Rows that reach a node.

    sums : (3, F, F) weight of bad ones, weight of good ones, and contrast, of those that have two features.
    total : (3,) the same of all.
    """

    sums: Doubles
    total: Doubles

    def least_prices(self, pricing: Pricing) -> Doubles:
        """(2, F) price of the rows without and with each feature, in the cheapest tree with at most one split."""
        costs, total = (np.stack([each[0] + pricing.rate * each[2], each[1]]) for each in (self.sums, self.total))
        return stumps(costs, total, pricing.penalty)


class Trees(NamedTuple):
    """T trees of depth 2 at most.

    objective, gap : (T,) of each.
    code : (T,) which tree it is; `plan_of` reads it.
    """

    objective: Doubles
    gap: Doubles
    code: Indices

    def sorted_by_gap(self, size: int) -> Trees:
        """The first so many, by rising gap; of those with equal gaps the one with the lowest objective."""
        order = np.lexsort((self.objective[:size], self.gap[:size]))
        gap = self.gap[order]
        order = order[np.append(True, gap[1:] != gap[:-1])[: len(order)]]
        return Trees(self.objective[order], self.gap[order], self.code[order])


@compiled
def room(size: int) -> Trees:
    """Room for as many trees."""
    return Trees(np.empty(size), np.empty(size), np.empty(size, np.int64))


def plan_of(code: int, features: Indices) -> Plan:
    """The tree of a code, with the places of features among those given."""
    if code < 0:
        return code == -2
    codes = 2 + 2 * len(features)
    root, absent, present = code // codes**2, code // codes % codes, code % codes
    return int(features[root]), _stump(absent, features), _stump(present, features)


def _stump(code: int, features: Indices) -> Plan:
    if code < 2:
        return code == 1
    return int(features[code // 2 - 1]), code % 2 == 1, code % 2 == 0


@compiled
def trees_within(rows: Rows, least: Doubles, pricing: Pricing, depth: int, budget: float, trees: Trees) -> int:
    """Number of trees of a depth, 0 to 2, with a price within the budget; -1 if there is no room for them."""
    total, n_features = rows.total, rows.sums.shape[1] if depth else 0
    size = _add_leaves(total[0], total[1], total[2], pricing, budget, trees)
    for leaf in range(size):
        trees.code[leaf] = -1 - trees.code[leaf]
    codes = 2 + 2 * rows.sums.shape[1]
    absent, present = room(codes), room(codes)
    for g in range(n_features):
        if least[0, g] + least[1, g] > budget:
            continue
        n_absent = _stumps_within(rows, g, False, pricing, depth, budget - least[1, g], absent)
        n_present = _stumps_within(rows, g, True, pricing, depth, budget - least[0, g], present)
        for i in range(n_absent):
            for j in range(n_present):
                objective, gap = absent.objective[i] + present.objective[j], absent.gap[i] + present.gap[j]
                if objective + pricing.rate * gap <= budget:
                    if size == len(trees.code):
                        return -1
                    trees.objective[size], trees.gap[size] = objective, gap
                    trees.code[size] = (g * codes + absent.code[i]) * codes + present.code[j]
                    size += 1
    return size


@compiled
def _stumps_within(rows: Rows, g: int, having: bool, pricing: Pricing, depth: int, budget: float, trees: Trees) -> int:
    """Number of trees with at most one split, or none at depth 1, of the rows with or without feature g."""
    sums, total = rows
    bad, good, contrast = sums[0, g, g], sums[1, g, g], sums[2, g, g]
    if not having:
        bad, good, contrast = total[0] - bad, total[1] - good, total[2] - contrast
    size = _add_leaves(bad, good, contrast, pricing, budget, trees)
    for h in range(sums.shape[1] if depth > 1 else 0):
        h_bad, h_good, h_contrast = sums[0, g, h], sums[1, g, h], sums[2, g, h]
        if not having:
            h_bad, h_good, h_contrast = sums[0, h, h] - h_bad, sums[1, h, h] - h_good, sums[2, h, h] - h_contrast
        wrong = (good - h_good + h_bad, bad - h_bad + h_good)  # where those with h are good, where they are bad
        gaps = (h_contrast, contrast - h_contrast)
        for kind in range(2):
            objective = wrong[kind] + 2 * pricing.penalty
            if h != g and objective + pricing.rate * gaps[kind] <= budget:
                trees.objective[size], trees.gap[size], trees.code[size] = objective, gaps[kind], 2 + 2 * h + kind
                size += 1
    return size


@compiled
def _add_leaves(bad: float, good: float, contrast: float, pricing: Pricing, budget: float, trees: Trees) -> int:
    """Put the leaf that predicts bad (code 0) and the one that predicts good (code 1) first, if within the budget."""
    size = 0
    if good + pricing.penalty <= budget:
        trees.objective[size], trees.gap[size], trees.code[size] = good + pricing.penalty, 0.0, 0
        size += 1
    if bad + pricing.penalty + pricing.rate * contrast <= budget:
        trees.objective[size], trees.gap[size], trees.code[size] = bad + pricing.penalty, contrast, 1
        size += 1
    return size


@compiled
def best_pair(one: Trees, other: Trees, low: float, high: float) -> tuple[float, int, int]:
    """The lowest sum of objectives of two trees whose gaps add up to low to high, and which; infinite if none do.

    Both are sorted by gap. As gaps of the first fall, those that fit of the second rise; of these, in a queue, only
    trees remain that no later one beats.
    """
    best, first, second = np.inf, -1, -1
    queue = np.empty(len(other.gap), np.int64)
    head, tail, entering = 0, 0, 0
    for i in range(len(one.gap) - 1, -1, -1):
        while entering < len(other.gap) and other.gap[entering] <= high - one.gap[i]:
            while tail > head and other.objective[queue[tail - 1]] >= other.objective[entering]:
                tail -= 1
            queue[tail] = entering
            tail += 1
            entering += 1
        while head < tail and other.gap[queue[head]] < low - one.gap[i]:
            head += 1
        if head < tail and one.objective[i] + other.objective[queue[head]] < best:
            best, first, second = one.objective[i] + other.objective[queue[head]], i, queue[head]
    return best, first, second
