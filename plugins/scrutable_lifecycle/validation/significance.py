"""Whether a difference between two groups' approval rates could be chance."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from scrutable.data import Bools, Floats, favourable, weights
from scrutable.fairness import Groups
from scrutable.measures import effective_size
from scrutable.writing import plain
from scrutable_lifecycle.validation.pairs import Pair, pairs_of

#: Standard errors of rates below this are rounding.
_ROUNDING = 1e-9

#: How z is taken; see `impact_tests`.
Method = Literal["two-proportion z", "score z"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactTest:
    """A test of equal approval rates, of a group and its reference: that the adverse impact ratio is 1.

    Parameters
    ----------
    adverse_impact_ratio : approval rate of the group over that of the reference.
    difference : the group's rate minus the reference's.
    z, p_value : of the method named, two-sided; NaN where a side has no rows, or where of all everybody or nobody is
        approved.
    fisher_p : p-value of Fisher's exact test, two-sided, which holds for few rows too; None for other than whole rows.
    """

    attribute: str
    group: str
    reference: str
    adverse_impact_ratio: float
    difference: float
    method: Method
    z: float
    p_value: float
    fisher_p: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)}


def impact_tests(decision: Any, groups: Groups, *, sample_weight: Any = None) -> tuple[ImpactTest, ...]:
    """Test each group's approval rate against its reference's.

    With known groups and no weights: the two-proportion z-test with the pooled rate, which is Pearson's chi-squared
    test without a correction, and Fisher's exact test beside it. With weights or membership probabilities counts are
    no numbers of rows, and neither test holds. Then z is that of a score test: residuals are taken around the pooled
    rate, since the groups' own rates, near 0 or 1 among few rows, would make the error far too small. With a_i and b_i
    the weights of row i in the group and its reference, each scaled to add up to its effective number of rows, A and B
    (Kish, "Survey Sampling", 1965), w_i = a_i + b_i, and p the mean of y by w: s^2 = sum of w_i^2 (y_i - p)^2 / sum of
    w_i^2, and the variance is s^2 times the sum of (a_i / A - b_i / B)^2. It takes into account that a row counts in
    both, and with weights of 1 it is the two-proportion z.

    A p-value says how surely rates differ, not by how much, and nothing about the reason.

    Parameters
    ----------
    decision : (n,) booleans, True where the decision is favourable.
    groups : protected groups of the same n rows.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : lengths that differ, or negative weights.
    KindError : decisions that are not booleans.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f"] * 50 + ["m"] * 50}, reference={"sex": "m"}, min_group_size=0)
    >>> [found] = impact_tests([True] * 20 + [False] * 30 + [True] * 30 + [False] * 20, groups)
    >>> round(found.adverse_impact_ratio, 4), round(found.z, 4), round(found.p_value, 4), round(found.fisher_p, 4)
    (0.6667, -2.0, 0.0455, 0.0713)
    """
    Groups.check(groups)
    approved = favourable(decision, "decision", groups.rows)
    weight = weights(sample_weight, groups.rows)
    return tuple(_tested(approved, pair, pair.hard and sample_weight is None) for pair in pairs_of(groups, weight))


def _tested(approved: Bools, pair: Pair, whole: bool) -> ImpactTest:
    ours, theirs = _rate(approved, pair.ours), _rate(approved, pair.theirs)
    error = _pooled_error(approved, pair)
    z = (ours - theirs) / error if error > _ROUNDING else math.nan
    return ImpactTest(
        attribute=pair.attribute,
        group=pair.group,
        reference=pair.reference,
        adverse_impact_ratio=ours / theirs if theirs else math.nan,
        difference=ours - theirs,
        method="two-proportion z" if whole else "score z",
        z=z,
        p_value=2 * NormalDist().cdf(-abs(z)) if z == z else math.nan,
        fisher_p=_fisher(approved, pair) if whole else None,
    )


def _rate(approved: Bools, weight: Floats) -> float:
    total = float(weight.sum())
    return float(weight[approved].sum()) / total if total else math.nan


def _pooled_error(approved: Bools, pair: Pair) -> float:
    """The standard error of the difference where the rates are equal; see `impact_tests`."""
    n, m = effective_size(pair.ours), effective_size(pair.theirs)
    if not n or not m:
        return math.nan
    ours, theirs = pair.ours / pair.ours.sum(), pair.theirs / pair.theirs.sum()
    weight = n * ours + m * theirs
    residual = weight * (approved - _rate(approved, weight))
    spread = float(residual @ residual) / float(weight @ weight)
    difference = ours - theirs
    return math.sqrt(spread * float(difference @ difference))


def _fisher(approved: Bools, pair: Pair) -> float:
    from scipy.stats import fisher_exact

    counts = np.array([[side[rows].sum() for rows in (approved, ~approved)] for side in (pair.ours, pair.theirs)])
    return float(fisher_exact(counts.astype(np.int64)).pvalue)
