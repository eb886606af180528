"""Every merge of a feature that no other beats in information value and fairness information value both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable.errors import InputError
from scrutable_lda_xgb1.kernels import Known, Rests, Steps, best_rests, mark_rest, search_between, totals
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.segments import Floats, PreBinned, Segments
from scrutable_lda_xgb1.steps import steps_of

Marks = NDArray[np.bool_]

_LARGEST_PRICE = 1e8  # above it rounding errors of priced FIVs would hide what a search is for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Front:
    """Merges by rising information value, which is by rising fairness information value.

    Parameters
    ----------
    iv, fiv : (k,) strictly rising; `fiv` counts the bins that cannot be merged too.
    marks : (k, n) whether a merged bin starts at a pre-bin.
    """

    iv: Floats
    fiv: Floats
    marks: Marks

    def borders(self, position: int) -> list[int]:
        """Borders of a merge, as `merge` gives them."""
        return [int(border) for border in np.flatnonzero(self.marks[position])]

    def within(self, limit: float) -> int | None:
        """Position of the merge of highest information value whose fairness information value is at most a limit."""
        position = int(np.searchsorted(self.fiv, limit, side="right")) - 1
        return None if position < 0 else position


def front(pre: PreBinned, options: MergeOptions, *, trend: Trend | None = None) -> Front:
    """All merges worth choosing from, exact to 1e-9 of IV; the limit of the bound plays no part.

    First come the merges that are best at some price of FIV (the corners of the front's convex hull), then all between
    each two of them: a label-setting search, in which prices prove most labels useless. What a merge may be is said
    at `merge`.

    Returns
    -------
    the front; without a point where even one bin has an infinite FIV.

    Raises
    ------
    InputError : there is no contrast, or more than one.

    Examples
    --------
    >>> pre = PreBinned(n=3, good=np.array([2., 3, 5]), bad=np.array([6., 3, 1]), limits=np.array([np.inf]),
    ...     protected=np.array([[6.], [2], [2]]), reference=np.array([[3.], [3], [4]]))
    >>> found = front(pre, MergeOptions())
    >>> [found.borders(position) for position in range(len(found.iv))]
    [[], [2], [1, 2]]
    >>> found.fiv.round(3).tolist()
    [0.0, 0.196, 0.387]
    >>> found.within(0.3)
    1
    """
    if pre.protected.shape[1] != 1:
        raise InputError(
            "a front is drawn for one contrast", where="front", got=f"{pre.protected.shape[1]} contrasts", allowed="one"
        )
    segments, taken = Segments.of(pre, options, trend), pre.taken
    if not (segments.allowed[0, pre.n] and np.isfinite(taken).all()):
        return Front(iv=np.empty(0), fiv=np.empty(0), marks=np.empty((0, pre.n), dtype=np.bool_))
    most = pre.n if options.max_bins is None else options.max_bins
    layers = most + 1 if most < pre.n else 1
    marks = np.concatenate([*_parts(segments, steps_of(segments), layers)])
    iv, fiv = totals(marks, segments.iv, segments.fiv[:, :, 0])
    fiv += taken
    order = np.lexsort((-iv, fiv))
    best = np.append(-np.inf, np.maximum.accumulate(iv[order])[:-1])
    order = order[iv[order] > best]
    return Front(iv=iv[order], fiv=fiv[order], marks=marks[order])


@dataclass(frozen=True, slots=True, eq=False)
class _Corner:
    """A merge that is best at some price, and whether a bin starts at each pre-bin."""

    iv: float
    fiv: float
    marks: Marks


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """Two corners next to each other, the price at which they are equally good, and the best rests at that price."""

    low: _Corner
    high: _Corner
    price: float
    rests: Rests


def _parts(segments: Segments, steps: Steps, layers: int) -> Iterator[Marks]:
    """Borders of the merges of the front, from corner to corner."""
    one = _Corner(float(segments.iv[0, -1]), float(segments.fiv[0, -1, 0]), np.zeros(segments.n, dtype=np.bool_))
    top = _corner(best_rests(0.0, steps, layers), steps)
    yield np.stack([one.marks, top.marks])
    for before, edge, after in _with_neighbours(_edges(one, top, steps, layers)):
        # The prices of the edges beside it tell what else a label cannot reach.
        used = [each for each in (edge, before, after) if each is not None]
        low_fiv = -np.inf if before is None else edge.low.fiv  # by rounding, others may have less FIV than one bin
        known = Known(
            np.array([edge.low.iv, edge.high.iv]), np.array([low_fiv, edge.high.fiv]), np.full(2, -1, dtype=np.int64)
        )
        prices, values = np.array([each.price for each in used]), np.array([each.rests.value for each in used])
        yield search_between(known, prices, values, edge.rests, steps)[1]
        yield edge.high.marks[None]


def _with_neighbours(edges: Iterator[_Edge]) -> Iterator[tuple[_Edge | None, _Edge, _Edge | None]]:
    before, edge = None, next(edges, None)
    while edge is not None:
        after = next(edges, None)
        yield before, edge, after
        before, edge = edge, after


def _edges(one: _Corner, top: _Corner, steps: Steps, layers: int) -> Iterator[_Edge]:
    """Edges of the convex hull from one bin to the merge of highest IV, by rising FIV (dichotomic search)."""
    low, ahead = one, [top]
    while ahead:
        high = ahead[-1]
        if high.iv <= low.iv or high.fiv <= low.fiv:
            ahead.pop()
            continue
        price = min((high.iv - low.iv) / (high.fiv - low.fiv), _LARGEST_PRICE)
        rests = best_rests(price, steps, layers)
        between = _corner(rests, steps)
        above = between.iv - low.iv - price * (between.fiv - low.fiv)
        if low.iv < between.iv < high.iv and low.fiv < between.fiv < high.fiv and above > 1e-12 * (1 + price):
            ahead.append(between)
        else:
            yield _Edge(low, high, price, rests)
            low = ahead.pop()


def _corner(rests: Rests, steps: Steps) -> _Corner:
    layer = len(rests.value) - 1
    marks = np.zeros((1, len(steps.bins) - 1), dtype=np.bool_)
    mark_rest(marks, 0, 0, 0, layer, steps, rests)
    marks[0, 0] = False
    return _Corner(float(rests.iv[layer, 0, 0]), float(rests.fiv[layer, 0, 0]), marks[0])
