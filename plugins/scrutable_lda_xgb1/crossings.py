"""How the rows of bins of different features overlap, as far as some wide bins of each tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrutable.data import CodedRows, PairSums
from scrutable_lda_xgb1.best_stump import Stump
from scrutable_lda_xgb1.sketch import opening

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Wide bins that blocks have at most, and all of them together; with fewer than the last they tell too little.
_WIDE, _ALL_WIDE, _FEWEST_WIDE = 32, 2048, 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossings:
    """Which share of the rows of wide bins of one block is in wide bins of others; L wide bins in all.

    Parameters
    ----------
    place : (K,) the wide bin that holds each bin.
    part : (K,) share of its wide bin's rows that are in it or in bins of it before it.
    before, within : (L, L) [one, other] share of the rows of wide bin `other` that are in wide bins of the block of
        `one` before it, and in it.
    """

    place: Ints
    part: Floats
    before: Floats
    within: Floats

    @classmethod
    def of(cls, rows: CodedRows, weight: Floats) -> Crossings | None:
        """Those of wide bins of about equal weight, from (K,) weights; None where there are too many blocks for it."""
        most = min(_WIDE, _ALL_WIDE // len(rows.slices))
        if most < _FEWEST_WIDE:
            return None
        wide, parts = zip(*(_widened(weight[own], most - 1) for own in rows.slices), strict=True)
        sums = _WideSums(rows, wide)
        rows.add_up([sums], lambda chunk: [chunk.weight])
        pairs: Floats = sums.values
        within = pairs / np.maximum(np.diag(pairs), 1e-300)
        before = np.empty_like(within)
        for start, stop in pairwise(sums.ends):
            before[start:stop] = np.cumsum(within[start:stop], axis=0) - within[start:stop]
        place = np.concatenate([start + own for start, own in zip(sums.ends, wide, strict=False)])
        return cls(place=place, part=np.concatenate(parts), before=before, within=within)

    def moves(self, stump: Stump, own: slice) -> Floats:
        """(K,) how far a stump moves the rows of each bin in the mean, but for those of its own block's bins.

        Parameters
        ----------
        own : the bins of its block.
        """
        left = np.zeros(len(self.within))
        if stump.after >= own.start:
            wide = self.place[stump.after]
            left += self.before[wide] + self.part[stump.after] * self.within[wide]
        if stump.missing_left:
            left += self.within[self.place[own.stop - 1]]
        moves: Floats = (stump.right + (stump.left - stump.right) * left)[self.place]
        return moves


class _WideSums(PairSums):
    """Sums by pair of wide bins.

    Parameters
    ----------
    wide : for each block the wide bin of each of its bins, from 0 on.
    """

    def __init__(self, rows: CodedRows, wide: Sequence[Ints]) -> None:
        self._wide = [each.astype(np.uint8) for each in wide]
        self.ends = np.cumsum([0, *(int(each[-1]) + 1 for each in wide)], dtype=np.int64)
        super().__init__(rows.unit(), (int(self.ends[-1]), int(self.ends[-1])))

    def add(self, codes: NDArray[np.unsignedinteger], starts: Ints, amounts: Floats) -> None:
        coarse = np.stack([wide[block] for wide, block in zip(self._wide, codes, strict=True)])
        super().add(coarse, self.ends, amounts)


def _widened(weight: Floats, most: int) -> tuple[Ints, Floats]:
    """The wide bin of each bin of a block, and the share of its weight up to that bin; missing values stay alone."""
    ordinary = weight[:-1]
    opens = np.bincount(opening(ordinary, most), minlength=len(ordinary)) if len(ordinary) else np.empty(0, np.int64)
    wide = np.cumsum(opens)
    above = np.cumsum(ordinary)
    total = np.bincount(wide, ordinary)
    before = (np.cumsum(total) - total)[wide]
    part = np.clip((above - before) / np.maximum(total[wide], 1e-300), 0.0, 1.0)
    last = wide[-1] + 1 if len(wide) else 0
    return np.append(wide, last).astype(np.int64), np.append(part, 1.0)
