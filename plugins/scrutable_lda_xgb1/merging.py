"""Merging of pre-bins: the highest information value under bounds on fairness information values.

Contiguous merging is a path through the borders of the pre-bins, and both IV and FIV are sums over its bins
(equations 4 to 7 of the paper). The search extends labels (IV, FIVs, rate of the last bin) border by border. It drops a
label that can no longer keep a bound, one that cannot beat the best merge known, and one that another label at the same
border beats or equals in everything that matters after it. Only IV is ever compared with a tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable_lda_xgb1.joined_prebins import Floats, PreBinned, Segments
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.relaxation import Follow, Priced, falling_bounds, nearby

Positions = NDArray[np.intp]

_TOLERANCE = 1e-10  # of IV
_ROUNDING = 1e-12  # by which a proof that a label breaks a bound must be clear
_WIDTHS = (16, 256, 4096, None)  # labels kept at a border, until all are


def merge(pre: PreBinned, options: MergeOptions, trend: Trend | None = None) -> list[int] | None:
    """Borders between merged bins, as positions of the pre-bins that open them.

    The merge has the highest IV, to 1e-10, among all whose bins hold protected and reference rows and what the options
    ask for, whose rates follow the trend and whose FIVs keep the limits. One bin over everything needs only to keep
    the limits.

    Returns
    -------
    rising positions; empty for one bin, None where even one bin breaks a bound.

    Examples
    --------
    >>> pre = PreBinned(n=3, good=np.array([2., 3, 5]), bad=np.array([6., 3, 1]), limits=np.array([9.0]),
    ...     protected=np.array([[6.], [2], [2]]), reference=np.array([[3.], [3], [4]]))
    >>> merge(pre, MergeOptions())
    [1, 2]
    >>> from dataclasses import replace
    >>> merge(replace(pre, limits=np.array([0.3])), MergeOptions())
    [2]
    """
    segments, room = Segments.of(pre, options, trend), pre.room
    most_bins = min(options.max_bins or pre.n, pre.n)
    if not (segments.allowed[0, pre.n] and (segments.fiv[0, pre.n] <= room).all()):
        return None
    binding = segments.most_fiv()[0] > room - _ROUNDING
    return _Search(segments.bounded_by(binding), room[binding], most_bins).run()


@dataclass(frozen=True, slots=True, eq=False)
class _Labels:
    """Ways to reach a border: IV, FIVs, borders of the last bin, number of bins, and the label that each extends."""

    iv: Floats
    fiv: Floats
    start: Positions
    border: Positions
    bins: Positions
    origin: Positions

    def take(self, which: Positions) -> _Labels:
        return _Labels(*(getattr(self, name)[which] for name in self.__slots__))

    def with_more(self, more: _Labels) -> _Labels:
        return _Labels(*(np.concatenate([getattr(self, name), getattr(more, name)]) for name in self.__slots__))


class _Search:
    """The best merge known, the proofs that most others are no better, and the search among the rest."""

    def __init__(self, segments: Segments, room: Floats, most_bins: int) -> None:
        self._segments, self._room, self._most_bins = segments, room, most_bins
        # One bin, which the caller knows to keep the bounds.
        self._best: list[int] = []
        self._iv = segments.totals([])[0]
        self._most_fiv = segments.most_fiv()
        self._proofs: list[Priced] = []

    def run(self) -> list[int]:
        follow = Follow(self._segments)
        for priced, bound in falling_bounds(self._segments, follow, self._room):
            self._proofs.insert(0, priced)
            self._offer(priced.borders())
            if bound <= self._iv + _TOLERANCE:
                return self._best
        if len(self._room) > 1:
            self._proofs += [Priced(self._segments, follow, price) for price in nearby(self._proofs[0].price)]
        # Narrow searches find a good merge fast, and the better it is, the fewer labels the next one keeps.
        for width in _WIDTHS:
            if self._is_whole(width):
                break
        return self._best

    def _offer(self, borders: list[int]) -> None:
        iv, fiv = self._segments.totals(borders)
        if iv > self._iv and (fiv <= self._room).all() and len(borders) < self._most_bins:
            self._best, self._iv = borders, iv

    def _is_whole(self, width: int | None) -> bool:
        """Search with so many labels a border; False where some were dropped for no better reason than that."""
        nothing = np.zeros(1, dtype=np.intp)
        labels = _Labels(np.zeros(1), np.zeros((1, len(self._room))), nothing, nothing, nothing, nothing)
        whole = True
        for border in range(1, self._segments.n):
            reached = self._undominated(self._reached(labels, border), border)
            if width is not None and len(reached.iv) > width:
                reached = reached.take(np.argsort(-self._limit(reached), kind="stable")[:width])
                whole = False
            self._complete(reached, labels)
            labels = labels.with_more(reached)
        ends = self._reached(labels, self._segments.n)
        ends = ends.take(np.flatnonzero((ends.fiv <= self._room).all(axis=1)))
        if len(ends.iv):
            self._offer(_way(labels, ends.origin[ends.iv.argmax()]))
        return whole

    def _reached(self, labels: _Labels, border: int) -> _Labels:
        """Labels extended by a bin that ends at a border, as far as they may lead to a better merge."""
        segments = self._segments
        rises = segments.rate[labels.start, labels.border] <= segments.rate[labels.border, border]
        origin = np.flatnonzero(
            (rises | (labels.border == 0)) & (labels.bins + (border < segments.n) < self._most_bins)
        )
        for priced in self._proofs:
            value = priced.value[labels.border[origin], border]
            limit = labels.iv[origin] + (self._room - labels.fiv[origin]) @ priced.price + value
            origin = origin[limit > self._iv + _TOLERANCE]
        start = labels.border[origin]
        reached = _Labels(
            labels.iv[origin] + segments.iv[start, border],
            labels.fiv[origin] + segments.fiv[start, border],
            start,
            np.full(len(origin), border),
            labels.bins[origin] + 1,
            origin,
        )
        # What follows has at least the FIV of one bin over all of it (log-sum inequality).
        least = segments.fiv[border, segments.n]
        return reached.take(np.flatnonzero((reached.fiv + least <= self._room + _ROUNDING).all(axis=1)))

    def _limit(self, labels: _Labels) -> Floats:
        """Highest IV of a merge that goes on from each label, by the strongest proof."""
        best, at = self._proofs[0], (labels.start, labels.border)
        limit: Floats = labels.iv + best.rest_iv[at] + (self._room - labels.fiv - best.rest_fiv[at]) @ best.price
        return limit

    def _complete(self, reached: _Labels, labels: _Labels) -> None:
        """Try the best rest of each proof after each new label."""
        for priced in self._proofs:
            iv = reached.iv + priced.rest_iv[reached.start, reached.border]
            fiv = reached.fiv + priced.rest_fiv[reached.start, reached.border]
            possible = np.flatnonzero((iv > self._iv + _TOLERANCE) & (fiv <= self._room).all(axis=1))
            if len(possible):
                at = possible[iv[possible].argmax()]
                rest = priced.rest(int(reached.start[at]), int(reached.border[at]))
                self._offer([*_way(labels, reached.origin[at]), *rest])

    def _undominated(self, labels: _Labels, border: int) -> _Labels:
        segments = self._segments
        # An FIV that no bins after this border can bring over the room matters no longer.
        fiv = np.maximum(labels.fiv, self._room - self._most_fiv[border] - _ROUNDING)
        # A rate matters by the bins that it keeps from following.
        following = np.sort(segments.rate[border, segments.allowed[border]])
        lost = np.searchsorted(following, segments.rate[labels.start, border])
        # The number of bins matters where what follows could make too many.
        bins = np.maximum(labels.bins, self._most_bins - (segments.n - border))
        cost = np.column_stack([fiv, lost, bins])
        order = np.lexsort((*cost.T, -labels.iv))
        return labels.take(order[undominated(cost[order])])


def _way(labels: _Labels, label: int) -> list[int]:
    """Borders that a label passed, its own the last."""
    borders = []
    while label:
        borders.append(int(labels.border[label]))
        label = labels.origin[label]
    return borders[::-1]


def undominated(cost: Floats, block: int = 128) -> NDArray[np.bool_]:
    """Which rows have no row before them that is at most as high in every column.

    >>> undominated(np.array([[3., 1], [1, 2], [2, 2], [0, 9]])).tolist()
    [True, True, False, True]
    """
    cost = cost[:, (cost != cost[:1]).any(axis=0)]
    if cost.shape[1] == 0:
        return np.arange(len(cost)) < 1
    if cost.shape[1] == 1:
        before = np.append(np.inf, np.minimum.accumulate(cost[:-1, 0]))
        least: NDArray[np.bool_] = cost[:, 0] < before
        return least
    kept = np.zeros(len(cost), dtype=bool)
    for first in range(0, len(cost), block):
        part = cost[first : first + block]
        known = cost[:first][kept[:first]]
        free = np.flatnonzero(~_beaten(part, known, np.ones((len(part), len(known)), dtype=bool)))
        rest = part[free]
        kept[first + free] = ~_beaten(rest, rest, np.tri(len(rest), k=-1, dtype=bool))
    return kept


def _beaten(rows: Floats, others: Floats, earlier: NDArray[np.bool_]) -> NDArray[np.bool_]:
    for column in range(rows.shape[1]):
        earlier = earlier & (others[None, :, column] <= rows[:, None, column])
    return np.asarray(earlier.any(axis=1))
