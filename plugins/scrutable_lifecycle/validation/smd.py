"""The standardised mean difference: how far apart the mean scores of two groups lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from scrutable.data import Floats, is_small, scores, share, weights
from scrutable.fairness import Groups
from scrutable.measures import Interval, effective_size, normal_quantile
from scrutable.writing import plain
from scrutable_lifecycle.validation.pairs import Pair, pairs_of

#: Standard deviations below this share of the largest score are rounding.
_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """A group's mean score beside its reference's; NaN where a group has no weight or the scores do not vary.

    Parameters
    ----------
    mean, reference_mean : weighted mean scores.
    deviation : the pooled standard deviation; 0 where it is not more than rounding.
    smd : (mean - reference_mean) / deviation. Negative where the group scores lower than its reference.
    interval : of `smd`, at the given confidence; NaN where either side has fewer than
        `scrutable.data.sizes.MIN_GROUP_SIZE` effective rows, because it holds for many.
    """

    attribute: str
    group: str
    reference: str
    mean: float
    reference_mean: float
    deviation: float
    smd: float
    interval: Interval
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)}


def mean_differences(
    score: Any, groups: Groups, *, sample_weight: Any = None, confidence: float = 0.95
) -> tuple[MeanDifference, ...]:
    """The standardised mean difference of the score, of each group to its reference.

    SMD = (mean of the group - mean of the reference) / s, with s^2 = (N v + N' v') / (N + N') pooled from the
    variances v and v' within the two, N and N' being their weights. Sample weights and memberships count as weights of
    rows, and in means and deviations a row given twice counts as weight 2.

    The interval is SMD +- z sqrt(sum of (a_i / N - b_i / N')^2 + SMD^2 / (2 n)), a_i and b_i being the weights of row i
    in the group and its reference, and n the effective number of rows of both. With known groups the first sum is 1
    over the effective number of rows of the one, plus 1 over that of the other: without weights this is the interval of
    Hedges and Olkin, "Statistical Methods for Meta-Analysis", 1985, chapter 5. With probabilities a row counts in both
    means, and moves their difference by less.

    Parameters
    ----------
    score : (n,) points, more being better for the applicant.
    groups : protected groups of the same n rows.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : lengths that differ, missing scores, negative weights, a confidence outside (0, 1).

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, reference={"sex": "m"}, min_group_size=0)
    >>> [found] = mean_differences([500, 520, 520, 540], groups)
    >>> found.mean, found.reference_mean, found.deviation, found.smd
    (510.0, 530.0, 10.0, -2.0)
    """
    Groups.check(groups)
    points = scores(score, groups.rows)
    weight = weights(sample_weight, groups.rows)
    level = share(confidence, "confidence")
    return tuple(_compared(points, pair, level) for pair in pairs_of(groups, weight))


def _compared(points: Floats, pair: Pair, confidence: float) -> MeanDifference:
    centre = float(points[0])  # equal scores are then equal means, to the bit
    centred = points - centre
    (ours, variance), (theirs, other) = _moments(centred, pair.ours), _moments(centred, pair.theirs)
    ours_total, theirs_total = float(pair.ours.sum()), float(pair.theirs.sum())
    deviation, smd, interval = math.nan, math.nan, (math.nan, math.nan)
    if ours_total and theirs_total:
        deviation = math.sqrt((ours_total * variance + theirs_total * other) / (ours_total + theirs_total))
        if deviation <= _ROUNDING * float(np.abs(points).max()):
            deviation = 0.0
    if deviation > 0:
        smd = (ours - theirs) / deviation
    if deviation > 0 and not any(map(is_small, pair.sizes)):
        half = normal_quantile(confidence) * _error(pair, smd)
        interval = (smd - half, smd + half)
    return MeanDifference(
        attribute=pair.attribute,
        group=pair.group,
        reference=pair.reference,
        mean=ours + centre,
        reference_mean=theirs + centre,
        deviation=deviation,
        smd=smd,
        interval=interval,
        confidence=confidence,
    )


def _error(pair: Pair, smd: float) -> float:
    difference = pair.ours / pair.ours.sum() - pair.theirs / pair.theirs.sum()
    rows = effective_size(pair.ours + pair.theirs)
    return math.sqrt(float(difference @ difference) + smd**2 / (2 * rows))


def _moments(points: Floats, weight: Floats) -> tuple[float, float]:
    """Weighted mean and variance; NaN without weight."""
    if not weight.any():
        return math.nan, math.nan
    mean = float(np.average(points, weights=weight))
    return mean, float(np.average((points - mean) ** 2, weights=weight))
