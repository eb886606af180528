"""From the cuts of the stumps to the merged bins of one feature."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Trend
from scrutable.training import TrainingData
from scrutable_lda_xgb1.contrast import Contrast, weighed
from scrutable_lda_xgb1.merging import merge
from scrutable_lda_xgb1.prebins import Ranked
from scrutable_lda_xgb1.segments import PreBinned


def merged_borders(
    feature: Ranked,
    cuts: Sequence[int],
    data: TrainingData,
    contrasts: Sequence[Contrast],
    min_share: float,
    trend: Trend | None,
) -> list[int] | None:
    """Ranks that open the merged bins; None where missing and special values alone break a bound."""
    fixed = _fixed_attribute(feature, data)
    borders = merge(_pre_binned(feature, cuts, fixed, data, contrasts), min_share=min_share, trend=trend)
    return None if borders is None else [cuts[border - 1] for border in borders]


def _pre_binned(
    feature: Ranked, cuts: Sequence[int], fixed: NDArray[np.intp], data: TrainingData, contrasts: Sequence[Contrast]
) -> PreBinned:
    index, n = _index(feature, cuts, fixed), len(cuts) + 1
    size = n + int(fixed.max(initial=0)) + 1
    sides = [contrast.counts(index, size) for contrast in contrasts]
    return PreBinned(
        n=n,
        good=weighed(index, data.weight * data.good, size),
        bad=weighed(index, data.weight * ~data.good, size),
        protected=np.stack([protected for protected, _ in sides], axis=1) if sides else np.empty((size, 0)),
        reference=np.stack([reference for _, reference in sides], axis=1) if sides else np.empty((size, 0)),
        limits=np.array([contrast.bound for contrast in contrasts]),
    )


def _index(feature: Ranked, cuts: Sequence[int], fixed: NDArray[np.intp]) -> NDArray[np.intp]:
    """Pre-bin of each row; rows without an ordinary value follow after the pre-bins."""
    ordinary = np.searchsorted(cuts, feature.rank, side="right")
    return np.where(np.isnan(feature.rank), len(cuts) + 1 + fixed, ordinary)


def _fixed_attribute(feature: Ranked, data: TrainingData) -> NDArray[np.intp]:
    """For rows without an ordinary value: 0 where missing, else 1 + position of the special code."""
    values = data.columns[feature.feature.name].values
    fixed = np.zeros(len(values), dtype=np.intp)
    for position, code in enumerate(feature.feature.special_codes):
        fixed[values == code] = position + 1
    return fixed
