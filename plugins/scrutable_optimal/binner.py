"""Attributes of highest information value, exact over counts of pre-bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Sample
from scrutable.data import TrainingRows, exact_bincount
from scrutable.errors import InputError, did_you_mean
from scrutable.model import Value
from scrutable.plugins import Count, Limits, NotNegative, Share
from scrutable.plugins.bases import Binner, Needs, estimator
from scrutable_optimal.partition import Partition, Partitions, Shape
from scrutable_optimal.prebins import prebins
from scrutable_optimal.shapes import monotone_or_free
from scrutable_optimal.tallies import OutcomeTally, QuantityTally, Sizes, Tally

LeastShare = Annotated[float, Limits(0, 0.5)]
ShapeOption = Literal["auto"] | Shape

#: Buckets and splits that make the pre-bins; those of bent shapes are fewer, since the search among them is cubic.
_FINE, _COARSE = (32, 19), (24, 19)
#: What a monotone shape may lose in any case: half of the information value that counts as weak, or this share of the
#: variance of a quantity.
_LEAST_IV, _LEAST_EXPLAINED = 0.01, 0.005


@estimator
class OptimalBinner(Binner):
    """Attributes of highest information value, each with at least `min_count` rows; exact over counts of pre-bins.

    For a quantity the objective is the variance that the means of the attributes explain. Pre-bins are the values of
    the data where there are up to 51, else buckets at quantiles and the splits of a tree; categories are sorted by
    their good rate (or mean), and neighbours among them put together. The best attributes that can be made of
    neighbouring pre-bins are found by dynamic programming, not by a solver. Attributes with only good or only bad rows
    are attributes like others: half of the lightest row is added to both of their counts, and to no others, for their
    WoE and for what they add to the information value, (good share − bad share) · WoE. Equal values are resolved for
    fewer attributes, then for those that open further left.

    Other parameters as in `Binner`. Those marked * are one value, or a mapping with values for some features.

    Parameters
    ----------
    max_bins : * most attributes of a feature, missing and special ones not counted.
    min_count : * least rows of an attribute; with sample weights, in rows of average weight.
    min_share : * least share of the applicants in an attribute, from 0 to 0.5.
    min_events : * least good rows of an attribute, and least bad ones, counted as for `min_count`; 0 allows attributes
        that are all good or all bad.
    rare_share : categories seen less often than this share of the applicants, or in fewer than `min_count` rows, are
        kept together.
    shape : * of the good rate (or mean) along a numeric feature that `trends` does not name. "auto" is the better of
        "ascending" and "descending", or "free" where these lose too much: at least a tenth of the information value and
        at least 0.01, and by the Bayesian information criterion not by chance. "peak", "valley", "convex" and "concave"
        are for who asks for them; convex means that no difference between neighbours' rates is smaller than the one
        before it.

    Examples
    --------
    >>> income = list(range(400))
    >>> paid = [int(i > 150 or i % 7 == 0) for i in income]
    >>> binner = OptimalBinner(trends={"income": "ascending"}).fit({"income": income}, paid)
    >>> binner.binning_["income"].words
    ['< 112', '[112, 151)', '>= 151', 'missing']
    >>> round(binner.binning_["income"].iv, 1)
    7.3
    """

    needs: ClassVar[Needs] = "values"

    max_bins: Count | Mapping[str, Count] = 15
    min_count: NotNegative | Mapping[str, NotNegative] = 30
    min_share: LeastShare | Mapping[str, LeastShare] = 0.0
    min_events: NotNegative | Mapping[str, NotNegative] = 0
    rare_share: Share = 0.01
    shape: ShapeOption | Mapping[str, ShapeOption] = "auto"

    def check_options(self, data: TrainingRows) -> None:
        super().check_options(data)
        known = [feature.name for feature in data.features]
        for option in ("max_bins", "min_count", "min_share", "min_events", "shape"):
            value = getattr(self, option)
            for name in value if isinstance(value, Mapping) else ():
                if name not in known:
                    raise InputError("unknown column", where=option, got=name, fix=did_you_mean(name, known))

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        if not len(sample.values):
            return []
        shape, sizes = sample.trend or self._of("shape", sample), self._sizes(sample)
        values, tally = _by_value(sample)
        buckets, splits = _COARSE if shape in ("convex", "concave") else _FINE
        opening = prebins(tally.weight(tally.sums), tally.sums[:, 1], sizes.weight, buckets=buckets, splits=splits)
        borders = _searched(tally.merged(opening), sizes, shape).borders
        cuts: list[float] = values[opening[borders - 1]].tolist()
        return cuts

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        if not len(sample.values):
            return []
        values, tally = _by_value(sample)
        least = max(self.rare_share * sample.total, self._of("min_count", sample) * tally.unit)
        rare = tally.weight(tally.sums) < least
        order = np.argsort(rare, kind="stable")
        pieces: list[tuple[Value, ...]] = [(value,) for value in values[~rare].tolist()]
        pieces += [tuple(values[rare].tolist())] if rare.any() else []
        tally = tally.ordered(order).merged(np.arange(1, len(pieces)))
        by_rate = np.argsort(tally.rates(), kind="stable")
        groups = np.split(by_rate, Partitions(tally.ordered(by_rate), self._sizes(sample)).best("free").borders)
        return [tuple(value for piece in sorted(group.tolist()) for value in pieces[piece]) for group in groups]

    def _sizes(self, sample: Sample) -> Sizes:
        least = (self._of("min_count", sample) * sample.every.row, self._of("min_share", sample) * sample.total)
        events = self._of("min_events", sample) * sample.every.row
        return Sizes(max_bins=self._of("max_bins", sample), weight=max(least), events=events)

    def _of(self, option: str, sample: Sample) -> Any:
        """The value of an option for a feature: its own, the one for all, or the default."""
        value = getattr(self, option)
        if not isinstance(value, Mapping):
            return value
        return value.get(sample.feature.name, signature(OptimalBinner).parameters[option].default)


def _by_value(sample: Sample) -> tuple[NDArray[Any], Tally]:
    """The distinct values, sorted, and what is counted of each; from here on there are no rows."""
    values, every = sample.values, sample.every
    if not sample.continuous:
        totals = (every.weight - every.target, every.target)
        return values, OutcomeTally(sums=sample.outcomes, unit=every.row, totals=totals, pseudo=0.5 * every.lightest)
    rows = sample.by_row()
    position, weight = rows.place, rows.weight
    deviation = rows.target - every.target / every.weight
    deviation = deviation / (np.abs(deviation).max() or 1.0)  # no square overflows
    first, second = (exact_bincount(position, each, len(values)) for each in (weight, weight * deviation))
    squares = float(exact_bincount(np.zeros_like(position), weight * deviation**2, 1)[0])
    return values, QuantityTally(sums=np.stack([first, second], axis=1), unit=every.row, squares=squares)


def _searched(tally: Tally, sizes: Sizes, shape: ShapeOption) -> Partition:
    partitions = Partitions(tally, sizes)
    if shape != "auto":
        return partitions.best(shape)
    least = _LEAST_EXPLAINED * tally.squares if isinstance(tally, QuantityTally) else _LEAST_IV
    return monotone_or_free(partitions, least)
