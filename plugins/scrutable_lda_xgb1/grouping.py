"""Pre-bins with values of their own, grouped into the attributes that a card can show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable_lda_xgb1.joined_prebins import Floats, PreBinned, Segments
from scrutable_lda_xgb1.options import MergeOptions


def group_values(values: Floats, pre: PreBinned, options: MergeOptions, price: float) -> list[int]:
    """Borders of the merge of pre-bins that changes their values least, when every bin costs a price.

    What values that are averaged in a bin lose is the sum over its pre-bins of g · b / (g + b) · (value - mean)², for g
    good and b bad rows: nearly the deviance, so that a price of 2 is Akaike's criterion. Pure pre-bins have their
    pseudo-count added to g and b, and values no further beyond the others than it lets them be. Exact, by dynamic
    programming over all merges that the options allow.

    Parameters
    ----------
    values : (n,) log-odds of the pre-bins.

    Examples
    --------
    >>> pre = PreBinned(n=3, good=np.full(3, 50.0), bad=np.full(3, 50.0), limits=np.empty(0),
    ...     protected=np.empty((3, 0)), reference=np.empty((3, 0)))
    >>> group_values(np.array([0.0, 0.1, 1.0]), pre, MergeOptions(), price=1.0)
    [2]
    """
    n = pre.n
    loss = np.where(Segments.of(pre, options, None).allowed, _losses(values, pre) + price, np.inf)
    layers = n if options.max_bins is None else min(options.max_bins, n)
    least = np.full((layers + 1, n + 1), np.inf)
    least[0, 0] = 0.0
    start = np.zeros((layers + 1, n + 1), dtype=np.intp)
    for bins in range(1, layers + 1):
        reached = least[bins - 1, :, None] + loss
        start[bins] = reached.argmin(axis=0)
        least[bins] = reached.min(axis=0)
    borders, stop = [], n
    for bins in range(int(least[:, n].argmin()), 0, -1):
        stop = int(start[bins, stop])
        borders.append(stop)
    return borders[-2::-1]


def _losses(values: Floats, pre: PreBinned) -> Floats:
    """(n + 1, n + 1) what a bin [i, j) loses by one value for all."""
    halves = pre.halves[: pre.n]
    good, bad = pre.good[: pre.n] + halves, pre.bad[: pre.n] + halves
    weight = good * bad / np.maximum(good + bad, 1e-300)
    values = _held(values, good, bad, halves > 0)
    sums = np.concatenate([np.zeros((3, 1)), np.cumsum([weight, weight * values, weight * values**2], axis=1)], axis=1)
    total, first, second = sums[:, None, :] - sums[:, :, None]
    mean = np.divide(first, total, out=np.zeros_like(first), where=total > 0)
    losses: Floats = np.maximum(second - mean * first, 0.0)
    return losses


def _held(values: Floats, good: Floats, bad: Floats, pure: NDArray[np.bool_]) -> Floats:
    """Values where those of pure pre-bins, which only the ridge holds, lie beyond others by their own log-odds at most.

    Parameters
    ----------
    good, bad : (n,) rows, with the pseudo-count where they are pure.
    """
    if pure.all() or not pure.any():
        return values
    others, beyond = values[~pure], np.abs(np.log(good[pure] / bad[pure]))
    held = values.copy()
    held[pure] = np.clip(values[pure], others.min() - beyond, others.max() + beyond)
    return held
