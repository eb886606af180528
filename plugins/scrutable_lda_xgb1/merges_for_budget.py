"""The merges of a feature that a joint budget chooses from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrutable_lda_xgb1.prebins import PreBins
from scrutable_lda_xgb1.study import Study

Floats = NDArray[np.float64]

_GRID = 40  # bounds tried where there is no front, for several contrasts at once


class Points(Protocol):
    """Merges of one feature by information value (k,) and fairness information value (k,) or (k, contrasts)."""

    @property
    def iv(self) -> Floats:
        """Information values."""

    @property
    def fiv(self) -> Floats:
        """Fairness information values."""

    def borders(self, position: int) -> list[int]:
        """Borders of a merge."""


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Merges that were found one by one."""

    iv: Floats
    fiv: Floats
    merges: list[list[int]]

    def borders(self, position: int) -> list[int]:
        """Borders of a merge."""
        return self.merges[position]


def points_of(study: Study) -> Sequence[Points]:
    """Per feature the whole front where there is one contrast; else the best merges of a grid of bounds.

    The grid ends where no bound of any feature binds; the bounds of the study's contrasts play no part.
    """
    if len(study.contrasts) == 1:
        return study.fronts
    free = study.bounded(np.full(len(study.contrasts), np.inf)).merged()
    largest = max((contrast.fiv(each.counted) for each in free.binned for contrast in study.contrasts), default=0.0)
    grid = largest * np.geomspace(1, 1e-3, _GRID)
    rows = [study.bounded(np.full(len(study.contrasts), bound)).borders() for bound in grid]
    return [_listed(prebins, [row[i] for row in rows], study) for i, prebins in enumerate(study.prebins)]


def _listed(prebins: PreBins, borders_by_point: list[list[int] | None], study: Study) -> Listed:
    distinct = [list(each) for each in dict.fromkeys(tuple(b) for b in borders_by_point if b is not None)]
    merged = [prebins.merged(borders, study.data) for borders in distinct]
    fiv = [[contrast.fiv(each.counted) for contrast in study.contrasts] for each in merged]
    iv = [each.table.iv for each in merged]
    return Listed(np.array(iv), np.array(fiv).reshape(len(merged), len(study.contrasts)), distinct)
