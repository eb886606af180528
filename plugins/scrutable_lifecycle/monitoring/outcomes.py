"""What known outcomes say of a model: how well it separates them, and whether its probabilities hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Bools, Floats, is_small
from scrutable.fairness import Performance
from scrutable.measures import normal_quantile, performance, wilson_interval
from scrutable.writing import plain_fields
from scrutable_lifecycle.monitoring.profiles import Profiles

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """The observed bad rate beside the one that the model expects, on rows whose outcome is known.

    Parameters
    ----------
    expected, observed : weighted mean of the probability of the unfavourable outcome, and share of such outcomes.
    ratio : observed divided by expected.
    interval : of the ratio: Wilson's of the observed rate, with the effective number of rows, divided by the expected.
    p_value : of a difference as large if every probability held: two-sided, normal, with variance sum w^2 p (1 - p).

    Both are NaN on fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` effective rows.
    """

    expected: float
    observed: float
    ratio: float
    interval: Interval
    p_value: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """How outcomes are measured.

    Parameters
    ----------
    calibrated : whether the model gives probabilities.
    confidence : of intervals.
    n_boot, seed : replicates and seed of the bootstrap.
    smallest_group : groups of fewer (effective) applicants, or outcomes, are marked as too small to judge.
    """

    calibrated: bool
    confidence: float
    n_boot: int
    seed: int
    smallest_group: float

    def is_small(self, size: float) -> bool:
        """Whether so many (effective) applicants or outcomes are too few; sums of weights are off by a rounding."""
        return is_small(size, self.smallest_group)

    def separation(
        self, sample: Profiles, rows: Bools, *, place: int = 0, membership: Floats | None = None
    ) -> Performance | None:
        """AUC and KS on those of the rows whose outcome is known; None where one of the outcomes does not occur.

        Parameters
        ----------
        place : numbers what is measured, so that each has draws of its own.
        membership : (n,) probability of each row to be counted; None means 1 each.
        """
        counted = _counted(sample, rows, membership)
        good = sample.good[counted]
        if not good.any() or good.all():
            return None
        return performance(
            good,
            sample.ranking[counted],
            n_boot=self.n_boot,
            seed=self.seed + place,
            confidence=self.confidence,
            sample_weight=sample.weight[counted],
            membership=None if membership is None else membership[counted],
            count=sample.count[counted],
        )

    def calibration(self, sample: Profiles, rows: Bools, *, membership: Floats | None = None) -> Calibrated | None:
        """Expected and observed bad rate; None without a known outcome, and for a model without probabilities."""
        counted = _counted(sample, rows, membership)
        total = sample.total(counted, membership=membership)
        if not self.calibrated or not total:
            return None
        pd, bad = 1.0 - sample.probability, ~sample.good
        expected, observed = (sample.total(counted, values, membership) for values in (pd, bad))
        own = sample.weight if membership is None else sample.weight * membership
        spread = math.sqrt(sample.total(counted, own * pd * (1.0 - pd), membership))
        few = is_small(sample.effective_size(counted, membership))
        squares = sample.total(counted, own if sample.weighted or membership is not None else None, membership)
        ends = wilson_interval(float(observed / total), float(total**2 / squares), normal_quantile(self.confidence))
        low, high = (end * float(total / expected) if expected and not few else math.nan for end in ends)
        return Calibrated(
            expected=float(expected / total),
            observed=float(observed / total),
            ratio=float(observed / expected) if expected else math.nan,
            interval=(low, high),
            p_value=math.erfc(float(abs(observed - expected)) / spread / math.sqrt(2.0))
            if spread and not few
            else math.nan,
        )


def _counted(sample: Profiles, rows: Bools, membership: Floats | None) -> Bools:
    """The rows that count, whose outcome is known."""
    weight = sample.weight if membership is None else sample.weight * membership
    return np.asarray(rows & sample.known & (weight > 0), dtype=bool)
