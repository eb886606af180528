"""What tells no more than chance may have told: an information value beside its distribution under chance."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy
from scipy.stats import chi2

from scrutable.binning import MeanTable
from scrutable.plugins.bases import MOST_LEVELS, Candidate, Pool

Floats = NDArray[np.float64]

#: Degrees of freedom of numbers in bins that a binner found: where a number tells nothing, what the binner `optimal`
#: finds in it has about this distribution, whatever the number of bins; by trial, which a test repeats.
_FOUND = 8


def gain(candidate: Candidate) -> float:
    """Twice the log-likelihood that the attributes of a characteristic gain by themselves, 2 Σ n ln(n / expected).

    It is about the information value times good · bad / all rows, and finite for attributes of one outcome. Of a
    quantity it is −n ln(1 − share of the variance that is explained).
    """
    if isinstance(candidate.table, MeanTable):
        explained = min(max(candidate.table.explained, 0.0), 1.0 - 1e-15)
        return -float(candidate.table.counts_seen.sum()) * math.log1p(-explained)
    good, bad = candidate.table.counts
    cells = xlogy(good, good).sum() + xlogy(bad, bad).sum() - xlogy(good + bad, good + bad).sum()
    margins = xlogy(good.sum(), good.sum()) + xlogy(bad.sum(), bad.sum())
    total = good.sum() + bad.sum()
    return max(0.0, 2.0 * float(cells - margins + xlogy(total, total)))


def freedom(candidate: Candidate) -> int:
    """Degrees of freedom of what chance gains: of a category each value's, of numbers their cuts', at least `_FOUND`.

    Numbers of few different values have as many as values but one at the most.
    """
    size = candidate.levels - 1
    if candidate.table.ordered:
        cuts = int(np.count_nonzero(candidate.table.counts_seen)) - 1
        charged = max(round(candidate.cut_cost * cuts), _FOUND)
        size = charged if candidate.levels >= MOST_LEVELS else min(size, charged)
    return max(size, 1)


def by_chance(pool: Pool, most: float) -> None:
    """Drop what chance may have told: of those that stay a share of `most` at most is expected to tell nothing.

    Each gain has a p-value, the probability that chance gains as much (chi-squared with `freedom` degrees). Sorted, the
    k-th of m stays if it or a later one is at most `most` · k / m (Benjamini and Hochberg 1995, equation 1).
    """
    names = pool.names
    if not names:
        return
    gains = [gain(each) for each in pool.there]
    sizes = [freedom(each) for each in pool.there]
    p: Floats = np.asarray(chi2.sf(gains, sizes), dtype=np.float64)
    limit = threshold(p, most)
    for name, own, size, value in zip(names, gains, sizes, p.tolist(), strict=True):
        if value > limit:
            reason = (
                f"chance alone tells as much in {value:.1%} of cases: it gains {own:.1f} in twice the log-likelihood, "
                f"and chance gives {size} on average"
            )
            pool.drop(name, step="chance", reason=reason, figure=value, threshold=limit)


def threshold(p: Sequence[float] | Floats, most: float) -> float:
    """The largest p-value that stays; 0 where none does.

    >>> round(threshold([0.001, 0.03, 0.04, 0.9], 0.1), 3)
    0.075
    """
    ordered = np.sort(np.asarray(p))
    steps = most * np.arange(1, len(ordered) + 1) / len(ordered)
    passing = np.flatnonzero(ordered <= steps)
    return float(steps[passing[-1]]) if passing.size else 0.0
