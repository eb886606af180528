"""Attributes of highest information value, found by OptBinning."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from optbinning import ContinuousOptimalBinning, OptimalBinning
from optbinning.binning.prebinning import PreBinning

from scrutable.binning import Sample, SampleRows, summed
from scrutable.model import Value
from scrutable.plugins import Count, Limits, Share
from scrutable.plugins.bases import Binner, estimator
from scrutable_optbinning.pure import pure_runs, trimmed

Shape = Literal["auto", "ascending", "descending", "peak", "valley", "convex", "concave", "free"]

_MOST_PREBINS = 20  # of OptBinning's tree, as it comes


@estimator
class OptBinningBinner(Binner):
    """Attributes of highest information value by OptBinning, each with at least `min_share` of the applicants.

    Other parameters as in `Binner`. Sample weights reach OptBinning's pre-binning tree; its merging counts rows.

    OptBinning takes pre-bins with only good or only bad rows apart and gives their rows to neighbours. Here they are
    attributes again: OptBinning solves for the other rows, and pure pre-bins are cut out of what it finds, as far as
    `max_bins` and `min_share` have room for them; categories of one outcome are one attribute.

    Parameters
    ----------
    max_bins : most attributes of a feature, missing and special ones not counted.
    min_share : smallest share of applicants in an attribute, from 0 to 0.5.
    rare_share : categories seen less often than this share of the applicants are kept together.
    shape : of numeric features that `trends` does not name, as OptBinning understands it; "auto" picks a monotone,
        peaked or valley shape by the data, "free" none.

    References
    ----------
    Navas-Palencia, G. (2020). Optimal binning: mathematical programming formulation. arXiv:2001.08025.

    Examples
    --------
    >>> income = list(range(400))
    >>> paid = [int(i > 150 or i % 7 == 0) for i in income]
    >>> binner = OptBinningBinner(trends={"income": "ascending"}).fit({"income": income}, paid)
    >>> round(binner.binning_["income"].iv, 1) > 3
    True
    """

    max_bins: Count = 8
    min_share: Annotated[float, Limits(0, 0.5)] = 0.05
    rare_share: Share = 0.01
    shape: Shape = "auto"

    def versions(self) -> dict[str, str]:
        return {name: metadata.version(name) for name in ("optbinning", "ortools")}

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        # OptBinning sees ranks: infinities are ordinary values, and every cut becomes a value of the data.
        values, rows = sample.values, sample.by_row()
        shape = sample.trend or (None if self.shape == "free" else self.shape)
        mixed = np.ones(len(values), dtype=bool)
        ends: set[int] = set()
        if not sample.continuous and len(values) > 1 and sample.outcomes.any(axis=0).all():
            counts = sample.outcomes
            for start, stop in pure_runs(counts, self._prebins(sample, rows)):
                mixed[start:stop] = False
                ends |= {start, stop} - {0, len(values)}
        some = rows.only(mixed[rows.place])
        x = some.place.astype(float)
        solved = self._solve(sample, some, x, self.max_bins, dtype="numerical", monotonic_trend=shape)
        opening = [] if solved is None else np.ceil(solved.splits).astype(np.intp).tolist()
        if ends:
            opening = trimmed(sorted({*ends, *opening}), counts, self.max_bins, self.min_share * sample.total)
        cuts: list[float] = values[opening].tolist()
        return cuts

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        pieces = self._pieces(sample)
        if not pieces:
            return []
        piece_of = {value: piece for piece, values in enumerate(pieces) for value in values}
        piece = np.array([piece_of[value] for value in sample.values.tolist()], dtype=np.intp)
        pure = [] if sample.continuous else self._pure_groups(sample, summed(piece, sample.outcomes, len(pieces)))
        rest = [each for each in range(len(pieces)) if not any(each in group for group in pure)]
        rows = sample.by_row()
        rows = rows.only(np.isin(piece, rest)[rows.place])
        # OptBinning sees positions, as text, so that no value of the data can be mistaken for anything else.
        words = np.array([str(each) for each in range(len(pieces))], dtype=object)[piece[rows.place]]
        most = self.max_bins - len(pure)
        solved = self._solve(sample, rows, words, most, dtype="categorical", cat_cutoff=None)
        groups = [rest] if solved is None else [sorted(map(int, group)) for group in solved.splits]
        return [tuple(value for each in group for value in pieces[each]) for group in (*groups, *pure) if group]

    def _pieces(self, sample: Sample) -> list[tuple[Value, ...]]:
        """Categories; those too rare for a rate of their own stay together, or they would be grouped by chance."""
        values, rare = sample.values, sample.weight / sample.total < self.rare_share
        common: list[tuple[Value, ...]] = [(value,) for value in values[~rare].tolist()]
        return [*common, tuple(values[rare].tolist())] if rare.any() else common

    def _pure_groups(self, sample: Sample, counts: NDArray[np.float64]) -> list[list[int]]:
        """Pieces with only bad rows, and those with only good ones, where such are heavy enough for an attribute.

        So is what they leave; where it is not, the lighter of the two stays with it.
        """
        least = max(self.min_share * sample.total, sample.every.lightest)
        sides = [np.flatnonzero(counts[:, other] == 0) for other in (1, 0)]
        heavy = [side for side in sides if counts[side].sum() >= least][: self.max_bins - 1]
        heavy.sort(key=lambda side: -float(counts[side].sum()))
        while heavy and 0 < counts.sum() - sum(counts[side].sum() for side in heavy) < least:
            heavy.pop()
        return [side.tolist() for side in heavy]

    def _prebins(self, sample: Sample, rows: SampleRows) -> NDArray[np.intp]:
        """Positions of the values that open OptBinning's pre-bins, before it takes pure ones away."""
        weight = float(rows.weight.sum())
        least = np.ceil(weight * max(min(0.5, self.min_share * sample.total / weight), 1e-9))
        tree = PreBinning("classification", "cart", _MOST_PREBINS, least, random_state=0)
        tree.fit(rows.place.astype(float), rows.target.astype(int), sample_weight=rows.weight)
        openings: NDArray[np.intp] = np.ceil(tree.splits).astype(np.intp)
        return openings

    def _solve(self, sample: Sample, rows: SampleRows, values: Any, most: int, **options: Any) -> Any:
        """OptBinning's solution for some rows; None where there is nothing to separate."""
        target, weight = rows.target, rows.weight
        if len(np.unique(values)) < 2 or most < 2 or len(np.unique(target)) < 2:
            return None
        share = self.min_share * sample.total / float(weight.sum())
        if share > 0.5:  # of these rows, which the option's share of all rows may be: there is no room for two
            return None
        solver = ContinuousOptimalBinning if sample.continuous else OptimalBinning
        optimal = solver(
            name=sample.feature.name,
            max_n_bins=most,
            min_prebin_size=max(share, 1e-9),
            min_bin_size=share or None,
            random_state=0,  # of its tree, which would draw from NumPy's global state
            **options,
        )
        with np.errstate(invalid="ignore"):  # OptBinning divides 0 by 0 where all event rates are equal
            optimal.fit(values, target if sample.continuous else target.astype(int), sample_weight=weight)
        if optimal.status not in ("OPTIMAL", "FEASIBLE") or not len(optimal.splits):
            return None
        return optimal
