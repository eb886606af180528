"""Attributes of highest information value, found by OptBinning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any

import numpy as np
from optbinning import ContinuousOptimalBinning, OptimalBinning

from scrutable.bases.binner import Binner, Cuts, Edits, Merges, Sample, distinct
from scrutable.errors import InputError
from scrutable.model.features import Value
from scrutable.training import SpecialCodes
from scrutable.trends import Trends


class OptimalBinner(Binner):
    """Attributes of highest information value, each with at least `min_share` of the applicants.

    Other parameters as in `Binner`. Sample weights reach OptBinning's pre-binning tree; its merging counts rows.

    Parameters
    ----------
    max_bins : most attributes of a feature, missing and special ones not counted.
    min_share : smallest share of applicants in an attribute, from 0 to 0.5.
    rare_share : categories seen less often than this share of the applicants are kept together.
    default_trend : trend of numeric features that `trends` does not name, in OptBinning's words; "auto" picks a
        monotone, peaked or valley shape by the data, None leaves it free.

    References
    ----------
    Navas-Palencia, G. (2020). Optimal binning: mathematical programming formulation. arXiv:2001.08025.

    Examples
    --------
    >>> income = list(range(400))
    >>> paid = [int(i > 150 or i % 7 == 0) for i in income]
    >>> binner = OptimalBinner(trends={"income": "ascending"}).fit({"income": income}, paid)
    >>> round(binner.binning_["income"].iv, 1) > 3
    True
    """

    def __init__(
        self,
        *,
        max_bins: int = 8,
        min_share: float = 0.05,
        rare_share: float = 0.01,
        default_trend: str | None = "auto",
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
        self.rare_share = rare_share
        self.default_trend = default_trend

    def versions(self) -> dict[str, str]:
        return {name: metadata.version(name) for name in ("optbinning", "ortools")}

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        # OptBinning sees ranks: infinities are ordinary values, and every cut becomes a value of the data.
        values, rank = np.unique(sample.values, return_inverse=True)
        trend = sample.trend or self.default_trend
        found = self._solve(sample, rank.astype(float), dtype="numerical", monotonic_trend=trend)
        return [] if found is None else values[np.ceil(found.splits).astype(np.intp)].tolist()

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        pieces = self._pieces(sample)
        if not pieces:
            return []
        piece_of = {value: piece for piece, values in enumerate(pieces) for value in values}
        # OptBinning sees positions, as text, so that no value of the data can be mistaken for anything else.
        position = np.array([str(piece_of[value]) for value in sample.values.tolist()], dtype=object)
        found = self._solve(sample, position, dtype="categorical", cat_cutoff=None)
        if found is None:
            return [tuple(value for piece in pieces for value in piece)]
        groups = [[pieces[i] for i in sorted(map(int, group))] for group in found.splits]
        return [tuple(value for piece in group for value in piece) for group in groups]

    def _pieces(self, sample: Sample) -> list[tuple[Value, ...]]:
        """Categories; those too rare for a rate of their own stay together, or they would be grouped by chance."""
        values, position = np.unique(sample.values, return_inverse=True)
        share = np.bincount(position, weights=sample.weight, minlength=len(values)) / sample.total
        rare = share < self.rare_share
        common: list[tuple[Value, ...]] = [(value,) for value in values[~rare].tolist()]
        return [*common, tuple(values[rare].tolist())] if rare.any() else common

    def _solve(self, sample: Sample, values: Any, **options: Any) -> Any:
        """OptBinning's solution; None where there is nothing to separate."""
        if not 0 <= self.min_share <= 0.5:
            raise InputError("unusable share", where="min_share", got=self.min_share, allowed="0 to 0.5")
        if self.max_bins < 1:
            raise InputError("at least one attribute is needed", where="max_bins", got=self.max_bins)
        if len(distinct(sample)) < 2 or self.max_bins == 1 or len(np.unique(sample.target)) < 2:
            return None
        share = min(0.5, self.min_share * sample.total / float(sample.weight.sum()))
        solver = ContinuousOptimalBinning if sample.continuous else OptimalBinning
        optimal = solver(
            name=sample.feature.name,
            max_n_bins=self.max_bins,
            min_prebin_size=max(min(share, 0.5), 1e-9),
            min_bin_size=share or None,
            random_state=0,  # of its tree, which would draw from NumPy's global state
            **options,
        )
        target = sample.target if sample.continuous else sample.good.astype(int)
        with np.errstate(invalid="ignore"):  # OptBinning divides 0 by 0 where all event rates are equal
            optimal.fit(values, target, sample_weight=sample.weight)
        if optimal.status not in ("OPTIMAL", "FEASIBLE") or not len(optimal.splits):
            return None
        return optimal
