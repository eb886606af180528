"""The cheapest set out of a list: in the order of costs and, where that takes long, of costs less what cells are worth.

Where no two members may change a feature to the same cell, cheap proposals compete for the same cells, and the sum of
the cheapest says little of the cheapest set. The linear program of the list (a share of each proposal, together K, of
each cell at most 1) says much more: its duals price the cells. A set costs at least the program's optimum and its
members' reduced costs, so few proposals come into question.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from scrutable_counterfactual.arrays import Flags, Floats, Positions
from scrutable_counterfactual.cheapest_set import cheapest_set

#: Sets to look at in the order of costs, before cells are priced.
_QUICK = 50_000
#: Proposals in a list whose cells are priced: the linear program has a column for each, and takes no look at a clock.
_PRICED = 100_000
#: By how much the share of a set may fall short of a whole one before none is proven.
_SHORT = 1e-6
_INFEASIBLE = 2


class Chosen(NamedTuple):
    """A set: its cost, infinity where there is none; its rows; whether the search ended."""

    cost: float
    rows: Positions
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listed:
    """Proposals to choose sets from.

    Parameters
    ----------
    changes : (list, n) the cell that each changes a feature to, -1 where it changes nothing.
    costs : (list, terms), rising in the first term.
    common : (terms, 2) what two cost together for each feature, and each cell, that both change.
    apart : (2,) whether no two may change the same features; whether no two may change a feature to the same cell.
    """

    changes: Positions
    costs: Floats
    common: Floats
    apart: Flags

    def cheapest(self, number: int, sums: Floats, budget: int) -> Chosen:
        """The cheapest set of so many, whose terms sum to at most `sums`, from at most `budget` sets a search."""
        first = self._search(self.costs[:, 0], 0.0, number, sums, min(budget, _QUICK))
        if first.ended or budget <= _QUICK:
            return first
        if not self.apart.any() or len(self.costs) > _PRICED:
            return self._search(self.costs[:, 0], 0.0, number, sums, budget)
        priced = self._priced(number, sums)
        if priced is None:
            return Chosen(math.inf, first.rows, ended=True)
        below = np.array([min(sums[0], first.cost), *sums[1:]])
        better = self._deepened(*priced, number, below, budget - _QUICK)
        return better if better.cost < first.cost else first._replace(ended=better.ended)

    def _deepened(self, reduced: Floats, least: float, number: int, sums: Floats, budget: int) -> Chosen:
        """The cheapest set: first of proposals whose reduced costs are nothing, then of ever larger ones.

        Each search looks at so many sets at most; there are few, since each goes four times as far as the one before.
        """
        room = _SHORT * max(1.0, abs(least))
        while True:
            at_most = sums.copy()
            at_most[0] = min(sums[0], least + room)
            chosen = self._search(reduced, least, number, at_most, budget)
            if not chosen.ended or chosen.cost < math.inf or at_most[0] == sums[0]:
                return chosen
            room = 4 * room if room < number * np.ptp(reduced) else math.inf

    def _search(self, reduced: Floats, least: float, number: int, sums: Floats, budget: int) -> Chosen:
        order = np.argsort(reduced, kind="stable")
        rows = np.zeros(number, np.int64)
        cost, ended = cheapest_set(
            self.changes[order],
            self.costs[order],
            reduced[order],
            least,
            self.common,
            self.apart,
            sums.copy(),
            number,
            rows,
            budget,
        )
        return Chosen(cost, order[rows] if cost < math.inf else rows, ended)

    def _priced(self, number: int, sums: Floats) -> tuple[Floats, float] | None:
        """Reduced costs, and what a set costs besides; None where the duals prove that there is no set.

        Both follow from the duals by weak duality, whatever the solver's tolerances.
        """
        rows, most = self._rows(sums)
        ones = np.ones((1, len(self.costs)))
        solved = linprog(self.costs[:, 0], A_ub=rows, b_ub=most, A_eq=ones, b_eq=[number], method="highs")
        if solved.status == _INFEASIBLE and self._is_short(number):
            return None
        if solved.status:
            return self.costs[:, 0], 0.0
        prices = np.maximum(-solved.ineqlin.marginals, 0.0)
        reduced = self.costs[:, 0] + rows.T @ prices
        share = float(reduced.min())
        return reduced - share, number * share - float(prices @ most)

    def _is_short(self, number: int) -> bool:
        """Whether shares of proposals that keep to one of each cell sum to less than the number wanted."""
        rows, most = self._exclusive()
        solved = linprog(-np.ones(len(self.costs)), A_ub=rows, b_ub=most, method="highs")
        if solved.status:
            return False
        prices = np.maximum(-solved.ineqlin.marginals, 0.0)
        worth = float((rows.T @ prices).min())
        return worth > 0 and float(prices @ most) / worth < number - _SHORT

    def _rows(self, sums: Floats) -> tuple[Any, Floats]:
        """What shares of proposals keep to: one of each cell and set of features, and the limits of sums."""
        exclusive, ones = self._exclusive()
        limited = np.flatnonzero(np.isfinite(sums[1:])) + 1
        rows = sparse.vstack([exclusive, sparse.csr_array(self.costs[:, limited].T)], format="csr")
        return rows, np.concatenate([ones, sums[limited]])

    def _exclusive(self) -> tuple[Any, Floats]:
        """Proposals that exclude one another, a row for each reason, as a sparse matrix; and the 1 of each row."""
        columns, keys = [], []
        if self.apart[0]:
            _, features = np.unique(self.changes >= 0, axis=0, return_inverse=True)
            columns.append(np.arange(len(features)))
            keys.append(-1 - features.reshape(-1))
        if self.apart[1]:
            proposal, feature = np.nonzero(self.changes >= 0)
            columns.append(proposal)
            keys.append(feature + self.changes.shape[1] * self.changes[proposal, feature])
        _, row = np.unique(np.concatenate(keys), return_inverse=True)
        shape = (int(row.max(initial=-1)) + 1, len(self.changes))
        exclusive = sparse.csr_array((np.ones(len(row)), (row, np.concatenate(columns))), shape=shape)
        return exclusive, np.ones(shape[0])
