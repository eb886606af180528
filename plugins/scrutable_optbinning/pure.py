"""Attributes with rows of one outcome, which OptBinning drops: where they are, and how they fit among the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import outcome_information_by_bin, weight_of_evidence

Floats = NDArray[np.float64]


def pure_runs(counts: Floats, opening: NDArray[np.intp]) -> list[tuple[int, int]]:
    """Neighbouring pre-bins with rows of one and the same outcome, as the values from the first to before the last.

    Parameters
    ----------
    counts : (v, 2) weight of the bad and of the good rows of each value.
    opening : positions of the values that open the second and the later pre-bins.

    Examples
    --------
    >>> counts = np.array([[5.0, 0], [9, 0], [5, 5], [0, 3]])
    >>> pure_runs(counts, np.array([1, 2, 3]))
    [(0, 2), (3, 4)]
    """
    starts = [0, *opening.tolist()]
    sides = np.add.reduceat(counts, starts, axis=0) > 0
    runs: list[tuple[int, int]] = []
    last = None
    for (bad, good), start, stop in zip(sides.tolist(), starts, [*starts[1:], len(counts)], strict=True):
        if bad == good:
            last = None
            continue
        if last == good:
            runs[-1] = (runs[-1][0], stop)
        else:
            runs.append((start, stop))
        last = good
    return runs


def trimmed(opening: Sequence[int], counts: Floats, most: int, least: float) -> list[int]:
    """What is left of cuts when no attribute is too light and there are not too many.

    The cut goes whose loss costs the least information value: of those beside a light attribute, else of all.

    Examples
    --------
    >>> counts = np.array([[5.0, 1], [9, 2], [5, 5], [0, 30]])
    >>> trimmed([1, 2, 3], counts, most=3, least=0)
    [2, 3]
    """
    kept = list(opening)
    while kept:
        light = np.flatnonzero(_bins(kept, counts).sum(axis=1) < least)
        candidates = {cut for each in light.tolist() for cut in kept[max(0, each - 1) : each + 1]}
        if not candidates and len(kept) < most:
            break
        left = {cut: _information([each for each in kept if each != cut], counts) for cut in candidates or kept}
        kept.remove(max(sorted(left), key=left.__getitem__))
    return kept


def _bins(opening: Sequence[int], counts: Floats) -> Floats:
    bins: Floats = np.add.reduceat(counts, [0, *opening], axis=0)
    return bins


def _information(opening: Sequence[int], counts: Floats) -> float:
    bins = _bins(opening, counts)
    return float(outcome_information_by_bin(bins, weight_of_evidence(bins)).sum())
