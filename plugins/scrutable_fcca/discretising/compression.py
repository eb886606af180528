"""How far a discretisation joins applicants, and how often it joins good with bad ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from scrutable_fcca.discretising.thresholds import Thresholds
from scrutable_fcca.target import Doubles, Flags, Indices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompressionPath:
    """Compression and inconsistency for s selections of thresholds.

    Parameters
    ----------
    quantile : (s,) rising, the largest Q that makes each selection.
    n_thresholds : (s,) how many thresholds each selection has.
    compression : (s,) compression rates, the eta of section 3.2.
    inconsistency : (s,) inconsistency rates, equation (15).
    """

    quantile: Doubles
    n_thresholds: Indices
    compression: Doubles
    inconsistency: Doubles


def rates(binary: Flags, label: Flags, weight: Doubles) -> tuple[float, float]:
    """Compression rate and inconsistency rate of discretised rows.

    The compression rate is one less the share of distinct rows, whatever rows weigh; the inconsistency rate is the
    weight that the minority class has in each distinct row, over all weight.

    Parameters
    ----------
    binary : (n, k) rows, equation (12).
    label : (n,) rows of class 1.
    weight : (n,) above 0.

    Examples
    --------
    >>> binary = np.array([[True], [True], [True], [False]])
    >>> rates(binary, np.array([True, False, True, True]), np.ones(4))
    (0.5, 0.25)
    """
    cell = np.zeros(len(binary), np.int64)
    for bits in binary.T:
        cell = _refined(cell, bits)
    return _rates(cell, label, weight)


def compression_path(thresholds: Thresholds, points: Doubles, label: Flags, weight: Doubles) -> CompressionPath:
    """Both rates for all selections that a quantile can make, the finest first.

    Parameters
    ----------
    points : (n, m) rows as the target model reads them.
    label, weight : (n,) as in `rates`.
    """
    quantile, kept_until = thresholds.steps(), thresholds.kept_until()
    cell = np.zeros(len(points), np.int64)
    by_step = np.empty((len(quantile), 2))
    for step in reversed(range(len(quantile))):  # what a larger quantile keeps, a smaller one refines
        for at in np.flatnonzero(kept_until == quantile[step]):
            cell = _refined(cell, points[:, thresholds.column[at]] > thresholds.value[at])
        by_step[step] = _rates(cell, label, weight)
    return CompressionPath(
        quantile=quantile,
        n_thresholds=np.array([np.count_nonzero(kept_until >= q) for q in quantile], np.int64),
        compression=by_step[:, 0],
        inconsistency=by_step[:, 1],
    )


def _refined(cell: Indices, bits: Flags) -> Indices:
    """(n,) numbers of the distinct rows, parted by one more binary feature."""
    return pd.factorize(2 * cell + bits)[0].astype(np.int64)


def _rates(cell: Indices, label: Flags, weight: Doubles) -> tuple[float, float]:
    n_cells = int(cell.max()) + 1
    ones, zeros = np.bincount(cell, weight * label, n_cells), np.bincount(cell, weight * ~label, n_cells)
    return 1 - n_cells / len(cell), float(np.minimum(ones, zeros).sum() / weight.sum())
