"""Where numbers are cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled

Floats = NDArray[np.float64]


def choose_cuts(values: Floats, counts: NDArray[np.int64], most: int) -> Floats:
    """Rising cuts between distinct numbers: `x < cut` holds for all numbers before the cut and for none after it.

    With at most `most` gaps between the numbers, each is cut. With more, the cuts lie at quantiles: the parts hold
    about as many rows as each other, except that a number with more rows than a part's share counts as one part.

    Parameters
    ----------
    values : (m,) rising distinct numbers, infinities included.
    counts : (m,) rows of each.
    most : largest number of cuts.

    Examples
    --------
    >>> choose_cuts(np.array([1.0, 2.0, 4.0, 9.0]), np.array([5, 1, 1, 1]), 9).tolist()
    [1.5, 3.0, 6.5]
    >>> choose_cuts(np.array([1.0, 2.0, 4.0, 9.0]), np.array([5, 1, 1, 1]), 1).tolist()
    [1.5]
    """
    gaps = np.arange(len(values) - 1) if len(values) - 1 <= most else _quantile_gaps(counts, most)
    cuts = short_midpoints(values[gaps], values[gaps + 1])
    return cuts[np.isfinite(cuts)]


def _searched_codes(values: Floats, cuts: Floats) -> NDArray[np.uint8]:
    """The same codes by NumPy's search."""
    codes = np.searchsorted(cuts, values, side="right").astype(np.uint8)
    codes[np.isnan(values)] = 0
    return codes


@compiled(steps=lambda values, cuts: len(values) // 8, small=_searched_codes)
def number_codes(values: Floats, cuts: Floats) -> NDArray[np.uint8]:
    """(n,) how many of the rising cuts, at most 255, are <= each value; 0 for NaN."""
    ladder = np.full(256, np.inf)  # 255 rungs; a value that reaches the infinite ones is put right below
    for i in range(len(cuts)):
        ladder[i] = cuts[i]
    codes = np.empty(len(values), np.uint8)
    for i in range(len(values)):
        at, step = 0, 128
        while step:
            at += step if ladder[at + step - 1] <= values[i] else 0
            step //= 2
        codes[i] = min(at, len(cuts))
    return codes


def short_midpoints(lower: Floats, upper: Floats) -> Floats:
    """A number c with lower < c <= upper for each pair: the shortest decimal near the midpoint.

    Near means within the middle tenth of the gap. Beside an infinity, the double next to the finite number does;
    infinity itself is the answer where there is none.

    Examples
    --------
    >>> short_midpoints(np.array([39.0, 0.1, -np.inf]), np.array([40.0, 0.2, 7.0])).tolist()
    [39.5, 0.15, 7.0]
    """
    with np.errstate(all="ignore"):
        gap = upper - lower
        middle = np.where(np.isfinite(gap), lower + gap / 2, lower / 2 + upper / 2)
        digits = -np.floor(np.log10(gap))
        cuts = middle
        for more in (1.0, 0.0):
            scale = 10.0 ** (digits + more)
            short = np.where(scale >= 1, np.rint(middle * scale) / scale, np.rint(middle * scale) * np.rint(1 / scale))
            near = (np.abs(short - middle) <= gap / 20) & (short > lower) & (short < upper)
            cuts = np.where(near & (np.abs(digits) <= 20), short, cuts)
        open_ended = np.where(np.isinf(lower), np.where(np.isinf(upper), 0.0, upper), np.nextafter(lower, np.inf))
    cuts = np.where(np.isinf(lower) | np.isinf(upper), open_ended, cuts)
    return np.where((cuts > lower) & (cuts <= upper), cuts, upper) + 0.0


def _quantile_gaps(counts: NDArray[np.int64], most: int) -> NDArray[np.intp]:
    """The gaps after which the next part begins."""
    share = counts.sum() / (most + 1)
    heavy = counts > share
    while True:
        share = counts[~heavy].sum() / max(most + 1 - np.count_nonzero(heavy), 1)
        more = counts > max(share, 1)
        if np.array_equal(more | heavy, heavy):
            break
        heavy = heavy | more
    reached = np.cumsum(np.where(heavy, share, counts))
    ends = np.searchsorted(reached, reached[-1] * np.arange(1, most + 1) / (most + 1))
    gaps: NDArray[Any] = np.unique(np.minimum(ends, len(counts) - 2))
    return gaps
