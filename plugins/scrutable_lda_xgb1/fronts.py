"""Every merge of a feature that no other beats in information value and fairness information value both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable.errors import InputError
from scrutable_lda_xgb1.joined_prebins import Floats, PreBinned, Segments
from scrutable_lda_xgb1.kernels import Bins, borders_of, search
from scrutable_lda_xgb1.options import MergeOptions

Marks = NDArray[np.bool_]

_LARGEST = 10_000_000  # labels in memory, of 40 bytes each


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

    A label-setting search goes from border to border and keeps, of the ways to reach each, those that no other beats
    in IV, FIV and the bins that a trend lets follow. What a merge may be is said at `merge`.

    Returns
    -------
    the front; without a point where even one bin has an infinite FIV.

    Raises
    ------
    InputError : there is no contrast, or more than one; or the front is too large to be held.

    Examples
    --------
    >>> pre = PreBinned(n=3, good=np.array([2., 3, 5]), bad=np.array([6., 3, 1]), limits=np.array([np.inf]),
    ...     protected=np.array([[6.], [2], [2]]), reference=np.array([[3.], [3], [4]]))
    >>> merges = front(pre, MergeOptions())
    >>> [merges.borders(position) for position in range(len(merges.iv))]
    [[], [2], [1, 2]]
    >>> merges.fiv.round(3).tolist()
    [0.0, 0.196, 0.387]
    >>> merges.within(0.3)
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
    labels, last = search(_bins(segments), most + 1 if most < pre.n else 1, _LARGEST)
    if not len(last):
        raise InputError(
            "too many merges are worth choosing from",
            where="merging",
            got=f"{pre.n} pre-bins",
            allowed=f"{_LARGEST:,} ways to reach a border",
            fix="raise min_share, set max_bins, or make fewer pre-bins (a smaller max_bin of xgb1)",
        )
    iv, fiv = labels.iv[last], labels.fiv[last] + taken
    order = np.lexsort((-iv, fiv))
    best = np.append(-np.inf, np.maximum.accumulate(iv[order])[:-1])
    order = order[iv[order] > best]
    return Front(iv=iv[order], fiv=fiv[order], marks=borders_of(labels, last[order], pre.n))


def _bins(segments: Segments) -> Bins:
    n, rate = segments.n, segments.rate
    number, first = np.zeros((2, n + 1, n + 1), dtype=np.int64)
    starts = np.full((n + 1, n), -1, dtype=np.int64)
    for border in range(n):
        stops = np.flatnonzero(segments.allowed[border])
        stops = stops[np.argsort(rate[border, stops], kind="stable")]
        number[border, stops] = np.arange(len(stops))
        first[:border, border] = np.searchsorted(rate[border, stops], rate[:border, border])
    for border in range(1, n + 1):
        allowed = np.flatnonzero(segments.allowed[:, border])
        starts[border, : len(allowed)] = allowed[np.argsort(first[allowed, border], kind="stable")]
    return Bins(starts, number, first, segments.iv, np.ascontiguousarray(segments.fiv[:, :, 0]))
