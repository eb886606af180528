"""Cuts at quantiles, rare categories pooled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from scrutable.bases.binner import Binner, Cuts, Edits, Merges, Sample
from scrutable.errors import InputError
from scrutable.model.features import Value
from scrutable.training import SpecialCodes
from scrutable.trends import Trends


class QuantileBinner(Binner):
    """Attributes with about the same share of applicants each.

    Every cut is a value of the data. Categories stay apart, but those seen less often than `min_share` share one
    attribute. Other parameters as in `Binner`.

    Parameters
    ----------
    max_bins : most attributes of a numeric feature, missing and special ones not counted.
    min_share : smallest share of applicants for which a category keeps an attribute of its own.

    Examples
    --------
    >>> binner = QuantileBinner(max_bins=4).fit({"age": range(20, 60)}, [0, 1] * 20)
    >>> [condition.describe() for condition in binner.binning_["age"].conditions]
    ['< 30', '[30, 40)', '[40, 50)', '>= 50', 'missing']
    """

    def __init__(
        self,
        *,
        max_bins: int = 10,
        min_share: float = 0.02,
        trends: Trends | None = None,
        cuts: Cuts | None = None,
        merges: Merges | None = None,
        edits: Edits = (),
        special_codes: SpecialCodes | None = None,
        categorical: Iterable[str] = (),
        favourable: Any = None,
        encoding: str = "woe",
    ) -> None:
        super().__init__(
            trends=trends,
            cuts=cuts,
            merges=merges,
            edits=edits,
            special_codes=special_codes,
            categorical=categorical,
            favourable=favourable,
            encoding=encoding,
        )
        self.max_bins = max_bins
        self.min_share = min_share

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        if self.max_bins < 1:
            raise InputError("at least one attribute is needed", where="max_bins", got=self.max_bins)
        if not len(sample.values):
            return []
        order = np.argsort(sample.values, kind="stable")
        values, reached = sample.values[order], np.cumsum(sample.weight[order])
        wanted = reached[-1] * np.arange(1, self.max_bins) / self.max_bins
        at = np.minimum(np.searchsorted(reached, wanted, side="right"), len(values) - 1)
        cuts: list[float] = np.unique(values[at]).tolist()
        return [cut for cut in cuts if cut > values[0]]

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        values, position = np.unique(sample.values, return_inverse=True)
        share = np.bincount(position, weights=sample.weight, minlength=len(values)) / sample.total
        rare = tuple(values[share < self.min_share].tolist())
        common = [(value,) for value in values[share >= self.min_share].tolist()]
        return [*common, rare] if rare else common
