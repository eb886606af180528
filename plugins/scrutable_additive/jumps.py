"""Where points of a feature may change: candidates for a small card, and which of them may stand together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scrutable_additive.layout import Layout
from scrutable_additive.segments import NOBODY

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Special and missing values of which all ways are candidates.
_ALL_WAYS = 2
#: What a step has that somebody is in, if not more.
_SOMEBODY = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a set of jumps may have at most, and at least.

    Parameters
    ----------
    jumps : most of them.
    steps, characteristics : most different points and most blocks; None for any number.
    min_count : least weight of the rows of a step.
    """

    jumps: int
    steps: int | None
    characteristics: int | None
    min_count: float


@dataclass(frozen=True, slots=True, eq=False)
class Jumps:
    """All J candidates, each of which gives as many points more to some bins of one block.

    Ordered bins have it from some bin on; categories, too, in the order of their values in the dense fit. Special and
    missing values have it beside these or not: all ways where there are at most two, else none, each or all. Every
    category, special code and missing value has one by itself.

    Parameters
    ----------
    layouts : of the blocks.
    block : (J,) of each.
    members : (J, K) 1 where a bin has a jump.
    sign : (J,) 1 where points may not fall, -1 where they may not rise, 0 where they are free.
    start : those that part the steps of the card that was given.
    least : weight of the rows of the smallest step, by the jumps of a block, as far as that was asked.
    """

    layouts: Sequence[Layout]
    block: Ints
    members: csr_array
    sign: Ints
    start: Ints
    least: dict[tuple[int, ...], float] = field(default_factory=dict)

    @classmethod
    def of(cls, layouts: Sequence[Layout], dense: Floats, of_bin: Ints | None = None) -> Self:
        """The candidates of blocks.

        Parameters
        ----------
        dense : (K,) values of the dense fit.
        of_bin : (K,) step of each bin of a card whose jumps are among the candidates.
        """
        signs: dict[tuple[int, tuple[int, ...]], int] = {}
        start: list[int] = []
        for place, layout in enumerate(layouts):
            order = _order(layout, dense)
            for bins, sign in _runs(layout, order):
                signs.setdefault((place, bins), sign)
            for bins, sign in () if of_bin is None else _parting(layout, order, of_bin):
                signs.setdefault((place, bins), sign)
                start.append([*signs].index((place, bins)))
        block = np.array([place for place, _ in signs], dtype=np.intp)
        sizes = np.cumsum([0, *(len(bins) for _, bins in signs)])
        every = np.array([at for _, bins in signs for at in bins], dtype=np.intp)
        members = csr_array((np.ones(len(every)), every, sizes), shape=(len(signs), len(dense)))
        return cls(
            tuple(layouts), block, members, np.array([*signs.values()], dtype=np.intp), np.sort(start).astype(np.intp)
        )

    def sums(self, by_bin: Floats) -> Floats:
        """(J,) sums over the bins of each, of (K,) sums by bin."""
        sums: Floats = self.members @ by_bin
        return sums

    def within(self, chosen: Ints, limits: Limits) -> bool:
        """Whether these jumps may stand together, the order of points aside."""
        of_block: dict[int, tuple[int, ...]] = {}
        for jump, place in zip(chosen.tolist(), self.block[chosen].tolist(), strict=True):
            of_block[place] = (*of_block.get(place, ()), jump)
        if len(chosen) > limits.jumps or len(of_block) > (limits.characteristics or len(of_block)):
            return False
        if limits.steps is not None and len(chosen) + len(of_block) > limits.steps:
            return False
        return all(self._least(own) >= max(limits.min_count, _SOMEBODY) for own in of_block.values())

    def _least(self, own: tuple[int, ...]) -> float:
        """Weight of the rows of the smallest step of a block that has these jumps; 0 where there are fewer steps."""
        if own not in self.least:
            layout = self.layouts[self.block[own[0]]]
            members = self.of_bins(np.array(own, dtype=np.intp), layout.bins)
            _, step = np.unique(members, axis=0, return_inverse=True)
            count = np.bincount(step.reshape(-1), layout.count)
            count = count[count > 0]
            self.least[own] = float(count.min()) if len(count) == len(own) + 1 else 0.0
        return self.least[own]

    def of_bins(self, chosen: Ints, own: slice) -> Floats:
        """(bins, k) 1 where a bin of these has a jump."""
        table: Floats = self.members[chosen][:, own.start : own.stop].toarray().T
        return table

    def directed(self, chosen: Ints) -> Ints:
        """(k,) the sign that each has to have; two steps that are left may be in either order where nobody said so."""
        return self._directed(np.bincount(self.block[chosen], minlength=len(self.layouts)) > 1)[chosen]

    def directed_beside(self, chosen: Ints) -> Ints:
        """(J,) the sign that each would have to have beside those that are chosen."""
        return self._directed(np.bincount(self.block[chosen], minlength=len(self.layouts)) > 0)

    def _directed(self, several: NDArray[np.bool_]) -> Ints:
        """(J,) signs, where (blocks,) have several jumps."""
        asked = np.array([each.asked for each in self.layouts], dtype=bool)
        return np.where((several | asked)[self.block], self.sign, 0)

    def partition(self, chosen: Ints) -> tuple[Ints, Ints]:
        """(K,) step of each bin, or `NOBODY`, and (L,) block of each step; steps of a block are neighbours."""
        of_bin = np.full(self.layouts[-1].bins.stop, NOBODY, dtype=np.intp)
        block: list[int] = []
        for place, layout in enumerate(self.layouts):
            own = self.of_bins(chosen[self.block[chosen] == place], layout.bins)
            had = np.arange(len(own)) < layout.n_ordinary
            had |= layout.count > 0
            _, opened, step = np.unique(own[had], axis=0, return_index=True, return_inverse=True)
            rank = np.argsort(np.argsort(opened))  # in the order of their first bins
            of_bin[layout.bins.start + np.flatnonzero(had)] = len(block) + rank[step.reshape(-1)]
            block += [place] * len(opened)
        return of_bin, np.array(block, dtype=np.intp)


def _order(layout: Layout, dense: Floats) -> Ints:
    """The ordinary bins in the order in which they have jumps."""
    bins = np.arange(layout.ordinary.start, layout.ordinary.stop)
    return bins[np.argsort(dense[bins], kind="stable")] if layout.nominal else bins


def _runs(layout: Layout, order: Ints) -> Iterator[tuple[tuple[int, ...], int]]:
    """The bins of each jump of a block, and its sign."""
    ordered = order.tolist()
    apart = [at for at in range(layout.ordinary.stop, layout.bins.stop) if layout.count[at - layout.bins.start] > 0]
    sizes = range(len(apart) + 1) if len(apart) <= _ALL_WAYS else (0, 1, len(apart))
    beside = [ways for size in sizes for ways in combinations(apart, size)]
    for opening in range(1, len(ordered)):
        for ways in beside:
            yield tuple(sorted((*ordered[opening:], *ways))), layout.rising
    for alone in (*(ordered if layout.nominal else ()), *apart):
        yield (alone,), 0


def _parting(layout: Layout, order: Ints, of_bin: Ints) -> Iterator[tuple[tuple[int, ...], int]]:
    """The bins of the jumps between the steps of a card, and their signs."""
    steps = of_bin[order]
    opened = [at for at in range(1, len(order)) if steps[at] != steps[at - 1]]
    rank = {int(steps[at]): place for place, at in enumerate([0, *opened])}
    apart = [at for at in range(layout.ordinary.stop, layout.bins.stop) if of_bin[at] != NOBODY]
    for place, opening in enumerate(opened, 1):
        beside = [at for at in apart if rank.get(int(of_bin[at]), 0) >= place]
        yield tuple(sorted((*order[opening:].tolist(), *beside))), layout.rising
    own: dict[int, list[int]] = {}
    for at in apart:
        if int(of_bin[at]) not in rank:
            own.setdefault(int(of_bin[at]), []).append(at)
    yield from ((tuple(bins), 0) for bins in own.values())
