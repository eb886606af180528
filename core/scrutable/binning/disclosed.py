"""Attributes of few rows, counted with others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Interval
from scrutable.model.conditions import AttributeCondition

Floats = NDArray[np.float64]
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Pools:
    """Which attributes of one characteristic are counted together, since they have few rows.

    Parameters
    ----------
    host : position of the attribute that the rows of each count with: its own where it has enough. Empty if all have.
    resembled : intervals of few rows with the host whose figures they have, as positions; other attributes of few rows
        have none: to a learner they are as if never seen.
    """

    host: tuple[int, ...] = ()
    resembled: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls,
        conditions: Sequence[AttributeCondition],
        rows: NDArray[np.intp],
        least: int,
        beside: Mapping[int, int] | None = None,
    ) -> Self:
        """The pools in which no attribute has fewer rows than that, where all together have as many.

        Neighbouring intervals are put together until they have enough. Categories, special codes and missing values of
        few rows count with the attribute of the most rows.

        Parameters
        ----------
        conditions : the attributes.
        rows : (attributes,) number of rows of each.
        least : see `scrutable.data.min_cell`.
        beside : the attributes that a policy counts others with, which it does where these have few rows, too.

        Examples
        --------
        >>> from scrutable.model import Missing
        >>> ages = [Interval(-np.inf, 30), Interval(30, 60), Interval(60, np.inf), Missing()]
        >>> pools = Pools.of(ages, np.array([40, 60, 3, 1]), 5)
        >>> pools.host, pools.resembled
        ((0, 1, 1, 1), ((2, 1),))
        """
        if not ((rows > 0) & (rows < least)).any():
            return cls()
        host, resembled = np.arange(len(rows)), []
        pools = _neighbours(conditions, rows, least)
        for pool in pools:
            first = max(pool, key=lambda place: rows[place])
            host[pool] = first
            resembled += [(place, first) for place in pool if place != first]
        alone = {*np.flatnonzero((rows > 0) & (rows < least)).tolist()}.difference(*pools)
        most = int(np.argmax(np.bincount(host, rows, len(rows))))
        for place in sorted(alone):
            host[place] = host[(beside or {}).get(place, most)]
        return cls(tuple(host.tolist()), tuple(resembled))

    def together(self, counts: Floats) -> Floats:
        """(attributes, k) sums over rows, those of attributes that count with others being there."""
        if not self.host:
            return counts
        pooled = np.zeros_like(counts)
        np.add.at(pooled, np.array(self.host), counts)
        return pooled

    def at(self, place: int) -> int:
        """The attribute that one counts with."""
        return self.host[place] if self.host else place

    def alike(self, values: Floats) -> Floats:
        """(attributes,) values, those of intervals of few rows being their hosts'."""
        alike = values.copy()
        for place, host in self.resembled:
            alike[place] = values[host]
        return alike


#: Every attribute counts by itself.
NO_POOLS = Pools()


def common_groups(
    groups: Sequence[tuple[V, ...]], values: Sequence[V], rows: NDArray[np.intp], least: int
) -> list[tuple[V, ...]]:
    """Groups of values without those of fewer than `least` rows, which no model may name.

    A group that is mostly of such rows goes as a whole: what was put together stays together, as any other value.

    Parameters
    ----------
    values, rows : the distinct values of the column, and (values,) how many rows have each. A value of no row is
        nobody's, and stays.

    >>> common_groups([("clerk", "astronaut"), ("ambassador",)], ["ambassador", "astronaut", "clerk"],
    ...               np.array([1, 2, 90]), 5)
    [('clerk',)]
    """
    counts = dict(zip(values, rows.tolist(), strict=True))
    common = []
    for group in groups:
        kept = tuple(value for value in group if not 0 < counts.get(value, 0) < least)
        total, told = (sum(counts.get(value, 0) for value in each) for each in (group, kept))
        if kept and 2 * told >= total:
            common.append(kept)
    return common


def _neighbours(conditions: Sequence[AttributeCondition], rows: NDArray[np.intp], least: int) -> list[list[int]]:
    """Intervals in the order of their values, together until they have enough rows; those that nobody has left out."""
    pools: list[list[int]] = []
    short: list[int] = []
    for place in np.flatnonzero(rows).tolist():
        if not isinstance(conditions[place], Interval):
            continue
        short.append(place)
        if rows[short].sum() >= least:
            pools.append(short)
            short = []
    if pools:
        pools[-1] += short
    return pools
