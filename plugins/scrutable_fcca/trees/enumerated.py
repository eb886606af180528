"""The best tree within limits, of those whose price is within a budget: all of them are looked at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scrutable_fcca.target import Doubles, Flags
from scrutable_fcca.trees.counting import Planes, Words, as_whole, distinct_columns, distinct_rows, pair_sums
from scrutable_fcca.trees.grown import Plan
from scrutable_fcca.trees.priced import Pricing, Rows, Trees, best_pair, plan_of, room, trees_within

_ROOM = 1 << 20  # trees below a root, of one side


class Found(NamedTuple):
    """A tree with its objective and its gap."""

    objective: float
    gap: float
    plan: Plan


class Enumeration:
    """Trees of depth 0 to 3, by price.

    Parameters
    ----------
    features, good : (n, F) and (n,) of the rows.
    share, contrast : (n,) what a row adds to the objective if it is misclassified, to the gap if it is predicted good.
    pricing : what trees cost.
    depth : number of splits on a path at most.
    """

    def __init__(
        self, features: Flags, good: Flags, share: Doubles, contrast: Doubles, pricing: Pricing, depth: int
    ) -> None:
        self._features = distinct_columns(features)
        (weight, unit), (gap, unit_of_gap) = as_whole(share), as_whole(contrast)
        rows, numbers = distinct_rows(
            features[:, self._features], np.stack([np.where(good, 0, weight), np.where(good, weight, 0), gap])
        )
        self._planes, self._units = Planes.of(rows, numbers), np.array([unit, unit, unit_of_gap])
        self._whole = Rows(self._sums(self._planes.everything()), numbers.sum(axis=1) * self._units)
        self._pricing, self._depth = pricing, min(depth, len(self._features))
        self._cheapest = np.full(len(self._features), -np.inf)  # tree with each feature at its root, as far as known
        self._room = room(_ROOM), room(_ROOM)
        self.complete = True

    def best(self, budget: float, low: float, high: float, best: Found | None) -> Found | None:
        """The tree with the lowest objective and a gap of low to high, if it beats one known before.

        It need not look at trees whose price is beyond the budget. `complete` is False from when there was no room for
        all others.
        """
        best = self._best_whole(0 if self._depth == 3 else self._depth, budget, low, high, best)
        for root in self._cheapest.argsort(kind="stable") if self._depth == 3 else ():
            if best is not None:
                budget = min(budget, best.objective + self._pricing.rate * high)
            absent, present = self._below(root, budget)
            objective, i, j = best_pair(absent, present, low, high)
            if objective < (np.inf if best is None else best.objective):
                below = plan_of(int(absent.code[i]), self._features), plan_of(int(present.code[j]), self._features)
                best = Found(objective, absent.gap[i] + present.gap[j], (int(self._features[root]), *below))
        return best

    def _best_whole(self, depth: int, budget: float, low: float, high: float, best: Found | None) -> Found | None:
        """The best tree of depth 0 to 2 with a gap of low to high, or the one known before if none beats it."""
        trees = self._listed(self._whole, self._whole.least_prices(self._pricing), depth, budget, 0)
        inside = np.flatnonzero((low <= trees.gap) & (trees.gap <= high))
        if not len(inside):
            return best
        i = inside[trees.objective[inside].argmin()]
        if best is not None and best.objective <= trees.objective[i]:
            return best
        return Found(trees.objective[i], trees.gap[i], plan_of(int(trees.code[i]), self._features))

    def _below(self, root: int, budget: float) -> tuple[Trees, Trees]:
        """Trees of depth 2 of the rows without and with a feature, of which a pair may be within the budget."""
        nothing = self._room[0].sorted_by_gap(0)
        if self._cheapest[root] > budget:
            return nothing, nothing
        having = Rows(self._sums(self._planes.words[root]), self._whole.sums[:, root, root])
        without = Rows(self._whole.sums - having.sums, self._whole.total - having.total)
        least = without.least_prices(self._pricing), having.least_prices(self._pricing)
        price = [self._lowest(rows, below) for rows, below in zip((without, having), least, strict=True)]
        self._cheapest[root] = sum(price)
        if self._cheapest[root] > budget:
            return nothing, nothing
        return (
            self._listed(without, least[0], 2, budget - price[1], 0),
            self._listed(having, least[1], 2, budget - price[0], 1),
        )

    def _lowest(self, rows: Rows, least: Doubles) -> float:
        """The lowest price of a tree of depth 2, given that of trees with one split below each feature."""
        bad, good, contrast = rows.total
        leaf = min(good, bad + self._pricing.rate * contrast) + self._pricing.penalty
        return float(min(leaf, least.sum(axis=0).min()))

    def _listed(self, rows: Rows, least: Doubles, depth: int, budget: float, side: int) -> Trees:
        """Trees within the budget, by gap."""
        size = trees_within(rows, least, self._pricing, depth, budget, self._room[side])
        self.complete = self.complete and size >= 0
        return self._room[side].sorted_by_gap(max(size, 0))

    def _sums(self, mask: Words) -> Doubles:
        sums: Doubles = pair_sums(self._planes, mask) * self._units[:, None, None]
        return sums
