"""Where rules come from: the pool that the master problem weighs, and the search for what may enter it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from scrutable.errors import InputError
from scrutable_rug.bounds import farley_bound
from scrutable_rug.exact import ExactPricing
from scrutable_rug.master import Master, Solution
from scrutable_rug.pricing import Candidate, PricingOptions, offer
from scrutable_rug.rows import Rows
from scrutable_rug.trees import TreeOptions, grow


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How long rules are looked for, and how hard.

    Parameters
    ----------
    iterations : most times that rules are added after the first tree's.
    restarts : trees on half of the features, drawn by chance, where the tree on all of them offers nothing.
    exact : whether all conjunctions of up to the trees' depth are searched where trees offer nothing, so that the end
        can be the optimum, proven.
    time_limit : seconds after which no more rules are looked for; None means no limit.
    max_nodes : conjunctions that one exact search extends for a class.

    Raises
    ------
    InputError : a value out of range.
    """

    iterations: int = 10
    restarts: int = 3
    exact: bool = False
    time_limit: float | None = None
    max_nodes: int = 10_000_000

    def __post_init__(self) -> None:
        for name in ("iterations", "restarts"):
            if getattr(self, name) < 0:
                raise InputError("a number out of range", where=name, got=getattr(self, name), allowed="0 or more")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise InputError("a number out of range", where="time_limit", got=self.time_limit, allowed="0 or more")


@dataclass(slots=True)
class Pool:
    """The rules of the master problem."""

    master: Master
    penalty: float
    rules: list[Candidate] = field(default_factory=list)
    least: dict[tuple[int, bytes], float] = field(default_factory=dict)

    def add(self, candidates: Iterable[Candidate]) -> int:
        """Add those that say something new, or the same for less, and say how many."""
        new = []
        for each in candidates:
            key = (each.label, np.packbits(each.cover).tobytes())
            if each.cost < self.least.get(key, np.inf):
                self.least[key] = each.cost
                new.append(each)
        if new:
            costs = np.array([self.penalty * each.cost for each in new])
            self.master.add(np.stack([each.cover for each in new]), np.array([each.label for each in new]), costs)
            self.rules += new
        return len(new)


@dataclass(frozen=True, slots=True)
class Look:
    """Where rules of negative reduced cost are looked for: the tree on all features, then others, then everywhere."""

    rows: Rows
    trees: TreeOptions
    pricing: PricingOptions
    search: Search
    random: np.random.Generator

    def beyond(self, solution: Solution) -> tuple[list[Candidate], float]:
        """Candidates, and a lower bound of the optimum over all rules (0 where none is known)."""
        dual = solution.duals
        if not dual.any():
            return [], solution.bound
        found = offer(grow(self.rows, dual, self.trees), self.rows, dual, self.pricing)
        some = replace(self.trees, feature_share=min(0.5, self.trees.feature_share))
        for _ in range(self.search.restarts):
            if not found:
                found = offer(grow(self.rows, dual, some, self.random), self.rows, dual, self.pricing)
        if found or not self.search.exact:
            return found, 0.0
        exact = ExactPricing(self.rows, self.trees.max_depth, self.pricing, max_nodes=self.search.max_nodes)
        priced = exact.price(dual)
        if priced.certified:
            return [], solution.bound
        return priced.candidates, self._bound(solution, priced.reduced_cost)

    def weak_bound(self, solution: Solution) -> float:
        """The bound that follows from no rule gaining more than all duals of its class."""
        most = np.bincount(self.rows.label, solution.duals).max()
        return self._bound(solution, self._least_price() - float(most))

    def _bound(self, solution: Solution, reduced_cost: float) -> float:
        price = self._least_price()
        return farley_bound(solution.bound, reduced_cost, price) if price > 0 else 0.0

    def _least_price(self) -> float:
        """No rule costs less; 0 where that is not known."""
        return self.pricing.penalty if self.pricing.cost in ("one", "length", "features") else 0.0
