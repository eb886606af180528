"""Training rows in pre-bins, and characteristics made of neighbouring ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import AttributeCoding, AttributeTable, BentTrend, Bins, Replay
from scrutable.model import Feature
from scrutable_additive.recoded import Coded

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class PreBinned:
    """A feature in pre-bins.

    Parameters
    ----------
    bins : the cuts between the pre-bins or the groups of categories, and policies.
    replay : what counts rows in bins.
    coding : the pre-bin of each value; after the first `n_ordinary` come special codes, what else there may be, and
        missing values. Attributes of fewer rows than may be told of count with others, and so do those that a policy
        counts with others.
    place : of its block among those that are coded.
    trend : what its points have to follow.
    fixed : whether the user has said what its attributes are.
    """

    bins: Bins
    replay: Replay[Any, Any, Any]
    coding: AttributeCoding
    place: int
    trend: BentTrend | None = None
    fixed: bool = False

    @classmethod
    def of(cls, name: str, place: int, replay: Replay[Any, Any, Any], trend: BentTrend | None, *, fixed: bool) -> Self:
        """The pre-bins of a feature that a binner gives."""
        counter, bins = replay.counters[name], replay.bins[name]
        table = replay.table(name)
        if not (fixed or bins.nominal) and table.pools.host:  # intervals of few rows stay with those they count with
            parted = np.diff(table.pools.host[: len(bins.cuts) + 1]) != 0
            bins = replace(bins, cuts=tuple(cut for cut, parts in zip(bins.cuts, parted, strict=True) if parts))
            table = counter.table(bins)
        host = np.arange(len(table.conditions))
        for policy in table.policies:
            host[policy.position] = policy.position if policy.bin is None else policy.bin
        if table.pools.host:
            host = host[np.array(table.pools.host)]
        coding = AttributeCoding(bins.feature, table.conditions, host, len(host))
        return cls(bins, replay, coding, place, trend, fixed)

    @property
    def feature(self) -> Feature:
        """The feature."""
        return self.bins.feature

    @property
    def nominal(self) -> bool:
        """Whether its values are categories, of which any may be put together."""
        return self.bins.nominal

    @property
    def n_ordinary(self) -> int:
        """Number of pre-bins of ordinary values."""
        return len(self.bins.groups) if self.nominal else len(self.bins.cuts) + 1

    @property
    def size(self) -> int:
        """Number of all pre-bins."""
        return self.coding.size

    @property
    def block(self) -> Coded:
        """The block of its pre-bins."""
        return Coded(self.place, self.size)

    @property
    def apart(self) -> NDArray[np.bool_]:
        """(n_ordinary - 1,) whether neighbours count by themselves; those of few rows count with others."""
        apart = np.ones(max(self.n_ordinary - 1, 0), dtype=bool)
        for place, host in self.replay.counters[self.feature.name].table(self.bins).pools.resembled:
            apart[min(place, host) : max(place, host)] = False
        return apart

    def merged(self, step: Ints) -> tuple[AttributeTable, Ints]:
        """The table of the attributes that `parts` gives, and (size,) which attribute each pre-bin belongs to."""
        bins, attribute = self.parts(step)
        table = self.replay.counters[self.feature.name].table(bins)
        return replace(table, trend=self.trend), attribute

    def parts(self, step: Ints) -> tuple[Bins, Ints]:
        """Attributes made of pre-bins, and (size,) which attribute each pre-bin belongs to; no row is read.

        Parameters
        ----------
        step : (n_ordinary,) number of the step of each; intervals of one step are neighbours.
        """
        if self.nominal:
            place, groups = _grouped(step, self.bins.groups)
            bins = replace(self.bins, groups=groups)
        else:
            place = np.concatenate([[0], np.cumsum(np.diff(step) != 0)])
            cuts = tuple(self.bins.cuts[at] for at in np.flatnonzero(np.diff(step)))
            bins = replace(self.bins, cuts=cuts)
        n_steps = int(place.max(initial=-1)) + 1
        attribute = np.concatenate([place, n_steps + np.arange(self.size - self.n_ordinary)]).astype(np.intp)
        return bins, attribute


def _grouped(step: Ints, groups: tuple[tuple[Any, ...], ...]) -> tuple[Ints, tuple[tuple[Any, ...], ...]]:
    """The place of each group of categories among those put together by step, in the order in which they occur."""
    _, first, inverse = np.unique(step, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))[inverse]
    together: list[list[Any]] = [[] for _ in first]
    for at, group in zip(place.tolist(), groups, strict=True):
        together[at].extend(group)
    return place, tuple(tuple(each) for each in together)
