"""Where rules come from: the pool that the master problem weighs, and the search for what may enter it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from scrutable.errors import InputError
from scrutable.errors.checks import check_number, check_whole
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
        check_whole(self.iterations, "iterations", 0)
        check_whole(self.restarts, "restarts", 0)
        if self.time_limit is not None:
            check_number(self.time_limit, "time_limit", "seconds, 0 or more, or None")


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the clock of this process; None is never."""

    at: float | None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """So many seconds from now."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return self.at is not None and time.monotonic() >= self.at


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

    def __post_init__(self) -> None:
        if self.search.exact and callable(self.pricing.cost):
            raise InputError(
                "a cost that is a function cannot be searched for",
                where="exact, cost",
                allowed="'one', 'length', 'features' or 'coverage'",
                fix="leave exact out, or choose a named cost",
            )

    def beyond(self, solution: Solution, until: float | None = None) -> tuple[list[Candidate], float]:
        """What trees offer; where they offer nothing and it is asked for, what the exact search does.

        Parameters
        ----------
        until : moment of `time.monotonic` after which the exact search ends early; None means never.

        Returns
        -------
        candidates, and a lower bound of the optimum over all rules (0 where none is known).
        """
        if not solution.duals.any():
            return [], solution.bound
        offered = self.by_trees(solution)
        if offered or not self.search.exact:
            return offered, 0.0
        exact = ExactPricing(self.rows, self.trees.max_depth, self.pricing, max_nodes=self.search.max_nodes)
        priced = exact.price(solution.duals, until=until)
        if priced.certified and not self._least_price():
            return [], solution.bound  # where rules cost nothing no bound follows from prices, but none has a gain
        return priced.candidates, self._bound(solution, priced.reduced_cost)

    def by_trees(self, solution: Solution) -> list[Candidate]:
        """Candidates from the tree on all features, else from trees on some of them."""
        dual = solution.duals
        offered = offer(grow(self.rows, dual, self.trees), self.rows, dual, self.pricing)
        some = replace(self.trees, feature_share=min(0.5, self.trees.feature_share))
        for _ in range(self.search.restarts):
            if not offered:
                offered = offer(grow(self.rows, dual, some, self.random), self.rows, dual, self.pricing)
        return offered

    def weak_bound(self, solution: Solution) -> float:
        """The bound that follows from no rule gaining more than all duals of its class."""
        most = np.bincount(self.rows.label, solution.duals).max()
        return self._bound(solution, self._least_price() - float(most))

    def _bound(self, solution: Solution, reduced_cost: float) -> float:
        price = self._least_price()
        return farley_bound(solution.bound, reduced_cost, price) if price > 0 else 0.0

    def _least_price(self) -> float:
        """No rule costs less; 0 where that is not known."""
        if callable(self.pricing.cost):
            return 0.0
        return self.pricing.penalty / (self.rows.table.n_rows if self.pricing.cost == "coverage" else 1)
