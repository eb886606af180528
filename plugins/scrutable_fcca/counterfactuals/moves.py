"""Where a single point may move: the cell each value lies in, and what each other cell would cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.problem import Problem
from scrutable_fcca.target import Doubles, Indices, Trees

#: A score reaches the margin where it does so up to this, in units of the largest score there can be.
ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moves:
    """The cells of all columns, one column after another as in `Cells`, as a point may choose one of each column.

    Parameters
    ----------
    own : (m,) the cell of each of the point's values, counted from the first cell of its column.
    value : (cells,) the value that the point would have there.
    cost : (cells,) of that change; 0 in its own cells, infinity where it may not move.
    """

    own: Indices
    value: Doubles
    cost: Doubles

    @classmethod
    def of(cls, cells: Cells, point: Doubles, problem: Problem) -> Moves:
        """The moves of an (m,) point."""
        sizes = np.diff(cells.start)
        [own] = cells.place(point[None])
        here, cell = np.repeat(point, sizes), np.arange(cells.start[-1])
        at = np.repeat(cells.start[:-1] + own, sizes)
        plausible = problem.plausible
        allowed = np.where(cell > at, np.repeat(plausible.rises, sizes), np.repeat(plausible.falls, sizes))
        value = np.where(cell == at, here, np.clip(here, cells.low, cells.high))
        possible = (cell == at) | (allowed & (cells.low <= cells.high))
        return cls(own=own, value=value, cost=np.where(possible, problem.costs.of(np.abs(value - here)), np.inf))

    def changed(self, cells: Cells, reached: Indices) -> tuple[Doubles, Doubles]:
        """(m,) values in one cell of each column, and the thresholds just beyond which those lie that changed."""
        crossed = np.full(len(reached), np.nan)
        for j in np.flatnonzero(reached != self.own).tolist():
            crossed[j] = cells.crossed(j, int(self.own[j]), int(reached[j]))
        return self.value[cells.start[:-1] + reached], crossed


def least_score(target: Trees, problem: Problem) -> float:
    """The margin, less what rounding may take from a score."""
    return problem.margin - ROUNDING * (abs(target.base) + float(np.abs(target.value).sum()))
