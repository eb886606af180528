"""What known outcomes say of a model: how well it separates them, and whether its probabilities hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Bools, Floats, is_small
from scrutable.fairness import Performance
from scrutable.measures import Scored, effective_size, normal_quantile, performance, wilson_interval
from scrutable.writing import plain_fields

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
        self, sample: Scored, rows: Bools, *, place: int = 0, membership: Floats | None = None
    ) -> Performance | None:
        """AUC and KS on those of the rows whose outcome is known; None where one of the outcomes does not occur.

        Parameters
        ----------
        place : numbers what is measured, so that each has draws of its own.
        membership : (n,) probability of each row to be counted; None means 1 each.
        """
        rows, weight, members = _counted(sample, rows, membership)
        good = sample.cohort.good[rows]
        if not good.any() or good.all():
            return None
        return performance(
            good,
            sample.ranking[rows],
            n_boot=self.n_boot,
            seed=self.seed + place,
            confidence=self.confidence,
            sample_weight=weight,
            membership=members,
        )

    def calibration(self, sample: Scored, rows: Bools, *, membership: Floats | None = None) -> Calibrated | None:
        """Expected and observed bad rate; None without a known outcome, and for a model without probabilities."""
        rows, own, members = _counted(sample, rows, membership)
        weight = own * members
        total = float(weight.sum())
        if not self.calibrated or not total:
            return None
        pd, bad = 1.0 - sample.evaluation.probability[rows], ~sample.cohort.good[rows]
        expected, observed = float(weight @ pd), float(weight @ bad)
        spread = math.sqrt(float((weight**2 * pd * (1.0 - pd)).sum()))
        few = is_small(effective_size(own, members))
        ends = wilson_interval(observed / total, effective_size(weight), normal_quantile(self.confidence))
        low, high = (end * total / expected if expected and not few else math.nan for end in ends)
        return Calibrated(
            expected=expected / total,
            observed=observed / total,
            ratio=observed / expected if expected else math.nan,
            interval=(low, high),
            p_value=math.erfc(abs(observed - expected) / spread / math.sqrt(2.0)) if spread and not few else math.nan,
        )


def _counted(sample: Scored, rows: Bools, membership: Floats | None) -> tuple[Bools, Floats, Floats]:
    """The rows that count, whose outcome is known, their weights and their memberships."""
    members = np.ones(sample.cohort.rows) if membership is None else membership
    counted = np.asarray(rows & sample.cohort.known & (sample.cohort.weight * members > 0), dtype=bool)
    return counted, sample.cohort.weight[counted], members[counted]
