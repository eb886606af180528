"""The master problem on clusters of patterns, which are taken apart until their optimum is that of the patterns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from scrutable_rug.program import Floats, Optimum, Positions, Program
from scrutable_rug.simplex import Simplex

_SAME = 1e-10  # relative difference of the clusters' objective and the patterns' at which to stop
_BEND = 1e-9  # margins that differ by less from 1 lie on either side


class Aggregated:
    """Aggregate and iteratively disaggregate (Park and Klabjan, Machine Learning 105, 2016), for programs without rows.

    A cluster votes with the mean of its patterns, by mass. Its hinge loss is at most theirs, so the optimum on clusters
    is a lower bound; the two are equal where the patterns of each cluster have margins on one side of 1. Clusters with
    margins on both sides are split there, and simplex goes on from its basis. A cluster's dual is spread by mass.

    There is one cluster at first. New rules split patterns and not clusters. With masses that span more than about nine
    orders of magnitude the objective can differ in the fifth digit.

    Parameters
    ----------
    simplex : what solves the programs on clusters.
    """

    def __init__(self, simplex: Simplex) -> None:
        self._simplex = simplex
        self._of: Positions | None = None

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; `parents` (P,) says which pattern of the last program each was part of."""
        of = np.zeros(len(parents), np.int64) if self._of is None else self._of[parents]
        cluster_parents = np.arange(int(of.max()) + 1)
        while True:
            clusters = Clusters(program, of, len(cluster_parents))
            joined = self._simplex.solve(clusters.program, cluster_parents)
            optimum = program.optimum(joined.weights, None, joined.duals[of] * clusters.share, joined.multipliers)
            of, split = clusters.split(optimum.weights)
            if not len(split) or optimum.objective - joined.objective <= _SAME * max(1.0, abs(optimum.objective)):
                self._of = clusters.of
                return optimum
            cluster_parents = np.concatenate([np.arange(len(cluster_parents)), split])


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Clusters:
    """Clusters of a program's patterns.

    Parameters
    ----------
    whole : the program on patterns.
    of : (P,) cluster of each pattern.
    count : C, the number of clusters.

    Attributes
    ----------
    share : (P,) each pattern's share of its cluster's mass.
    program : the program on clusters.
    """

    whole: Program
    of: Positions
    share: Floats
    program: Program

    def __init__(self, whole: Program, of: Positions, count: int) -> None:
        mass: Floats = np.bincount(of, whole.mass, minlength=count).astype(np.float64)
        share = np.divide(whole.mass, mass[of], out=np.zeros(len(of)), where=mass[of] > 0)
        votes = csr_array(csr_array((share, (of, np.arange(len(of)))), shape=(count, len(of))) @ whole.votes)
        votes.sort_indices()
        coarse = Program(
            votes=votes, costs=whole.costs, mass=mass, rates=np.zeros((0, count)), low=whole.low, high=whole.high
        )
        for name, value in (("whole", whole), ("of", of), ("share", share), ("program", coarse)):
            object.__setattr__(self, name, value)

    def split(self, weights: Floats) -> tuple[Positions, Positions]:
        """Clusters whose patterns have margins on both sides of 1 are split there.

        Returns
        -------
        (P,) cluster of each pattern, and the clusters that were split: the upper part of each is a new one.
        """
        margin = np.asarray(self.whole.votes @ weights, dtype=np.float64)
        below, above = (
            np.bincount(self.of[side], minlength=len(self.program.mass)) > 0
            for side in (margin < 1.0 - _BEND, margin > 1.0 + _BEND)
        )
        split = np.flatnonzero(below & above)
        new = np.full(len(below), -1)
        new[split] = len(below) + np.arange(len(split))
        moves = (margin >= 1.0) & (new[self.of] >= 0)
        return np.where(moves, new[self.of], self.of), split
