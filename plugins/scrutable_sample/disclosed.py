"""What may be told of counts of people: none that is few, nor what totals would leave of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.data import told_count

Counts = NDArray[np.int64]
#: A count, or None where it is kept back.
Told = int | None


def told_rows(counts: Counts, least: int) -> list[tuple[Told, ...]]:
    """(r, c) counts that add up to totals that are told: in each row those kept back are at least `least` people.

    A column is kept back in all rows or in none, so that neither totals of rows nor of columns give one away.

    Parameters
    ----------
    counts : (r, c) people.
    least : people that a figure is told of at least.

    Examples
    --------
    >>> told_rows(np.array([[90, 3, 7, 0]]), 5)
    [(90, None, None, 0)]
    """
    kept: NDArray[np.bool_] = np.asarray(((counts > 0) & (counts < least)).any(axis=0))
    while kept.any() and not kept.all():
        sums = counts[:, kept].sum(axis=1)
        if kept.sum() > 1 and (sums[sums > 0] >= least).all():
            break
        others = np.where(kept | (counts.sum(axis=0) == 0), np.iinfo(np.int64).max, counts.sum(axis=0))
        if others.min() == np.iinfo(np.int64).max:
            break
        kept[np.argmin(others)] = True
    return [tuple(None if back else int(count) for count, back in zip(row, kept, strict=True)) for row in counts]


def told_steps(counts: Sequence[int], total: int, least: int) -> tuple[Told, ...]:
    """Counts that grow: each is told where at least `least` people came since the last that was told, or nobody.

    >>> told_steps([0, 2, 6, 6, 7], 100, 5)
    (0, None, 6, 6, None)
    """
    last, told = 0, []
    for count in counts:
        shown = told_count(count - last, least) is not None and told_count(total - count, least) is not None
        told.append(count if shown else None)
        last = count if shown else last
    return tuple(told)
