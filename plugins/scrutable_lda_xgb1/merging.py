"""Merging of pre-bins: the highest information value under bounds on fairness information values.

Contiguous merging is a path through the borders of the pre-bins, and both IV and FIV are sums over its steps
(equations 4 to 7 of the paper). Labels (IV, FIVs) are extended border by border; one is dropped when another that ends
with the same step is at least as good in everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable.numerics.counts import information_value_by_bin

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreBinned:
    """Weighted counts of one feature in m bins: first the n pre-bins, then those that cannot be merged.

    Parameters
    ----------
    n : number of pre-bins; the bins after them hold missing values and special codes.
    good, bad : (m,) good and bad rows.
    protected, reference : (m, bounds) protected and reference rows of each bound.
    limits : (bounds,) largest fairness information values, over all m bins.
    """

    n: int
    good: Floats
    bad: Floats
    protected: Floats
    reference: Floats
    limits: Floats

    @property
    def room(self) -> Floats:
        """What each bound leaves after the bins that cannot be merged."""
        taken = [
            information_value_by_bin(p, r, zero="inf")[self.n :].sum()
            for p, r in zip(self.protected.T, self.reference.T, strict=True)
        ]
        room: Floats = self.limits - np.array(taken)
        return room


@dataclass(slots=True, eq=False)
class _Labels:
    """Best ways to reach a step: their IV, FIVs, and which label of which earlier step each extends."""

    iv: Floats
    fiv: Floats
    origin: list[tuple[int, int] | None]


def merge(pre: PreBinned, *, min_share: float = 0.0, trend: Trend | None = None) -> list[int] | None:
    """Borders between merged bins, as positions of the pre-bins that open them.

    Every merged bin holds good and bad, protected and reference rows, and at least `min_share` of all rows; one bin
    over everything is always allowed and has no FIV of its own.

    Returns
    -------
    rising positions; empty for one bin, None where even one bin breaks a bound.

    Examples
    --------
    >>> pre = PreBinned(n=3, good=np.array([2., 3, 5]), bad=np.array([6., 3, 1]), limits=np.array([9.0]),
    ...     protected=np.array([[6.], [2], [2]]), reference=np.array([[3.], [3], [4]]))
    >>> merge(pre)
    [1, 2]
    >>> from dataclasses import replace
    >>> merge(replace(pre, limits=np.array([0.3])))
    [2]
    """
    n, room = pre.n, pre.room
    steps = _Steps(pre, min_share)
    if (room < 0).any():
        return None
    reached: dict[tuple[int, int], _Labels] = {}
    for start in range(n):
        for stop in range(start + 1, n + 1):
            if steps.allowed(start, stop):
                labels = _extend(reached, steps, start, stop, room, trend)
                if labels is not None:
                    reached[start, stop] = labels
    return _best(reached, n)


class _Steps:
    """IV, FIVs and odds of every merged bin [start, stop), from cumulative counts.

    Counts are divided by their total last, so that one bin over everything has an FIV of exactly 0.
    """

    def __init__(self, pre: PreBinned, min_share: float) -> None:
        self._n, self._min_share = pre.n, min_share
        self._good, self._bad, self._all = (_cumulative(part) for part in (pre.good, pre.bad, pre.good + pre.bad))
        self._protected, self._reference = _cumulative(pre.protected), _cumulative(pre.reference)

    def allowed(self, start: int, stop: int) -> bool:
        if (start, stop) == (0, self._n):
            return True
        held = [self._over(part, start, stop) for part in (self._good, self._bad, self._protected, self._reference)]
        enough = float(self._share(self._all, start, stop)) >= self._min_share
        return enough and all(bool((np.asarray(part) > 0).all()) for part in held)

    def iv(self, start: int, stop: int) -> float:
        return float(_divergence(self._share(self._good, start, stop), self._share(self._bad, start, stop)))

    def fiv(self, start: int, stop: int) -> Floats:
        return _divergence(self._share(self._protected, start, stop), self._share(self._reference, start, stop))

    def odds(self, start: int, stop: int) -> float:
        good, bad = (float(self._share(part, start, stop)) for part in (self._good, self._bad))
        return good / bad if bad else np.inf

    @staticmethod
    def _over(cumulative: Floats, start: int, stop: int) -> Floats:
        difference: Floats = cumulative[stop] - cumulative[start]
        return difference

    def _share(self, cumulative: Floats, start: int, stop: int) -> Floats:
        share: Floats = self._over(cumulative, start, stop) / cumulative[-1]
        return share


def _extend(
    reached: dict[tuple[int, int], _Labels],
    steps: _Steps,
    start: int,
    stop: int,
    room: Floats,
    trend: Trend | None,
) -> _Labels | None:
    iv, fiv = steps.iv(start, stop), steps.fiv(start, stop)
    if start == 0:
        return _Labels(np.array([iv]), fiv[None, :], [None]) if (fiv <= room).all() else None
    ivs, fivs, origins = [], [], []
    for before in range(start):
        earlier = reached.get((before, start))
        if earlier is None or not _follows(steps, before, start, stop, trend):
            continue
        kept = np.flatnonzero((earlier.fiv + fiv <= room).all(axis=1))
        ivs.append(earlier.iv[kept] + iv)
        fivs.append(earlier.fiv[kept] + fiv)
        origins += [(before, int(k)) for k in kept]
    if not origins:
        return None
    return _undominated(np.concatenate(ivs), np.concatenate(fivs), origins)


def _follows(steps: _Steps, before: int, start: int, stop: int, trend: Trend | None) -> bool:
    if trend is None:
        return True
    lower, upper = steps.odds(before, start), steps.odds(start, stop)
    return lower <= upper if trend == "ascending" else lower >= upper


def _undominated(iv: Floats, fiv: Floats, origins: list[tuple[int, int]]) -> _Labels:
    kept: list[int] = []
    for label in np.lexsort((*fiv.T, -iv)):
        if not any((fiv[other] <= fiv[label]).all() for other in kept):
            kept.append(int(label))
    return _Labels(iv[kept], fiv[kept], [origins[k] for k in kept])


def _best(reached: dict[tuple[int, int], _Labels], n: int) -> list[int] | None:
    ends = [
        (labels.iv.max(), -start, int(labels.iv.argmax())) for (start, stop), labels in reached.items() if stop == n
    ]
    if not ends:
        return None
    _, negative_start, label = max(ends)
    borders, start, stop = [], -negative_start, n
    while start > 0:
        borders.append(start)
        origin = reached[start, stop].origin[label]
        if origin is None:
            break
        stop, (start, label) = start, origin
    return borders[::-1]


def _cumulative(counts: Floats) -> Floats:
    return np.concatenate([np.zeros((1, *counts.shape[1:])), np.cumsum(counts, axis=0)])


def _divergence(p: Floats, q: Floats) -> Floats:
    """(p - q) ln(p / q), 0 where either share is 0: such a bin is only allowed when it is the only one."""
    p, q = np.maximum(p, 0.0), np.maximum(q, 0.0)
    both = (p > 0) & (q > 0)
    ratio: Floats = np.divide(p, q, out=np.ones_like(p + q), where=both)
    return np.where(both, (p - q) * np.log(ratio), 0.0)


def coarsen(share: Sequence[float], min_share: float) -> list[int]:
    """Borders after which each piece holds at least `min_share`, pooling from the left; the last pools leftwards.

    >>> coarsen([0.02, 0.04, 0.5, 0.4, 0.04], 0.05)
    [2, 3]
    """
    borders, held = [], 0.0
    for position, part in enumerate(share[:-1]):
        held += part
        if held >= min_share:
            borders.append(position + 1)
            held = 0.0
    if borders and held + share[-1] < min_share:
        borders.pop()
    return borders
