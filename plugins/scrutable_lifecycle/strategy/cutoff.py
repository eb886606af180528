"""A cutoff for an approval rate, a bad rate or the largest profit, with every alternative beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from scrutable.data import Bools, Cohort, Floats, exact_sum, scores, share
from scrutable.errors import InputError
from scrutable.fairness import Groups, approval_threshold
from scrutable.measures import Scored
from scrutable.writing import number, plain, plain_fields
from scrutable_lifecycle.strategy.counts import quotient, read_knocked_out
from scrutable_lifecycle.strategy.curve import CutoffCurve, cutoff_curve
from scrutable_lifecycle.strategy.decided import Decided, decided
from scrutable_lifecycle.strategy.profit import Profit

Aim = Literal["approval rate", "bad rate", "profit"]

#: Absorbs the rounding of sums, far below the share of any row and the part of any amount.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffChoice:
    """A chosen cutoff, what it means, and what all others would have meant.

    Parameters
    ----------
    aim : what was asked for.
    wanted : the approval or bad rate asked for; None for a profit.
    decided : rates at the cutoff, overall and by group.
    profit, profit_per_applicant : at the cutoff, of all weighted applicants and on average; None without a profit.
    curve : the alternatives considered: every distinct score, and approving nobody.
    why : the choice in a sentence.
    """

    cutoff: float
    aim: Aim
    wanted: float | None
    decided: Decided
    profit: float | None
    profit_per_applicant: float | None
    curve: CutoffCurve
    why: str

    def to_dict(self, *, curve: bool = True) -> dict[str, Any]:
        """Plain values for JSON, None for what is undefined; without the curve if it is not asked for."""
        figures = {
            "cutoff": self.cutoff,
            "aim": self.aim,
            "wanted": self.wanted,
            **self.decided.to_dict(),
            "profit": plain(self.profit),
            "profit_per_applicant": plain(self.profit_per_applicant),
            "alternatives": int(self.curve.cutoff.size),
            "why": self.why,
        }
        return figures | ({"curve": self.curve.to_dict()} if curve else {})


def choose_cutoff(
    score: Any,
    good: Any = None,
    *,
    approval_rate: float | None = None,
    max_bad_rate: float | None = None,
    profit: Profit | None = None,
    groups: Groups | None = None,
    sample_weight: Any = None,
    knocked_out: Any = None,
) -> CutoffChoice:
    """The cutoff for one of three aims, exact over every distinct score and approving nobody.

    An approval rate gets the highest cutoff that approves at least so many; a bad rate the lowest one, which approves
    the most, among those whose approved keep it; a profit the cutoff with the largest, and of several with the same
    profit the highest, which approves the fewest.

    Parameters
    ----------
    score : (n,) points; `score >= cutoff` is approved.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known. A profit needs all of them.
    approval_rate : share of all applicants to approve, above 0 and at most 1.
    max_bad_rate : most bad payers among the approved whose outcome is known, from 0 to below 1.
    profit : what each applicant is worth.
    groups : protected groups of the same rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    knocked_out : (n,) booleans; no cutoff approves them, and they count among all applicants.

    Raises
    ------
    InputError : not one aim, an aim that no cutoff reaches, and as in `score_bands`.

    Examples
    --------
    >>> score, good = [1, 2, 3, 4], [False, True, False, True]
    >>> choose_cutoff(score, good, approval_rate=0.5).cutoff
    3.0
    >>> choice = choose_cutoff(score, good, profit=Profit(approved_good=10, approved_bad=-10))
    >>> choice.cutoff, choice.profit
    (4.0, 10.0)
    """
    aims = {"approval_rate": approval_rate, "max_bad_rate": max_bad_rate, "profit": profit}
    given = [name for name, value in aims.items() if value is not None]
    if len(given) != 1:
        raise InputError("give one aim", where="choose_cutoff", got=given, allowed=", ".join(aims))
    points = scores(score)
    cohort = Cohort.read(points.size, good, groups=groups, sample_weight=sample_weight)
    out = read_knocked_out(knocked_out, points.size)
    curve = cutoff_curve(points, out, cohort, profit)
    if approval_rate is not None:
        wanted = approval_threshold(points, approval_rate, sample_weight=cohort.sample_weight, knocked_out=out)
        place, aim = curve.place(wanted), "approval rate"
        why = f"the highest cutoff that approves at least {approval_rate:.2%} of the applicants"
    elif max_bad_rate is not None:
        place, aim = _for_bad_rate(curve, max_bad_rate), "bad rate"
        why = f"the cutoff that approves the most with at most {max_bad_rate:.2%} bad payers among them"
    else:
        assert profit is not None
        place, aim = _for_profit(curve, cohort, profit), "profit"
        why = f"the largest profit with {profit.describe()}; of equal ones the one that approves the fewest"
    approved = (points >= curve.cutoff[place]) & ~out
    return _chosen(cohort, approved, curve, place, aim, approval_rate or max_bad_rate, why)


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualCutoff:
    """The cutoff at which a model approves as nearly as many as another one as it can.

    Equal scores are approved together, so that few approval rates can be attained. The rule: the closest one that
    approves somebody; of two equally close ones the higher cutoff, which approves fewer.

    Parameters
    ----------
    wanted : approval rate of the other model.
    approval_rate : of the cutoff.
    below, above : the attainable rates next to the one wanted, from either side, both the rate itself where it is
        attained; NaN where there is none.
    """

    cutoff: float
    wanted: float
    approval_rate: float
    below: float
    above: float

    @property
    def tied(self) -> bool:
        """Whether equal scores keep the model from the rate that is wanted."""
        return abs(self.approval_rate - self.wanted) > _ROUNDING

    def describe(self) -> str:
        """The rates in words, and what equal scores do to them.

        >>> EqualCutoff(cutoff=510.0, wanted=0.8, approval_rate=0.851, below=0.703, above=0.851).describe()
        '85.10% to its 80.00%: equal scores leave no rate between 70.30% and 85.10%, and the closest is taken'
        >>> EqualCutoff(cutoff=510.0, wanted=0.8, approval_rate=0.8, below=0.8, above=0.8).describe()
        '80.00%, the same'
        """
        if not self.tied:
            return f"{self.approval_rate:.2%}, the same"
        between = f"between {self.below:.2%} and {self.above:.2%}"
        if math.isnan(self.below):
            between = f"below {self.above:.2%}"
        return (
            f"{self.approval_rate:.2%} to its {self.wanted:.2%}: equal scores leave no rate {between}, and the closest "
            "is taken"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return plain_fields(self) | {"tied": self.tied}


def equal_cutoff(scored: Scored, approval_rate: float, weight: Floats, *, where: str) -> EqualCutoff:
    """The cutoff at which a model approves most nearly as many as another one does; see `EqualCutoff` for the rule.

    Raises
    ------
    InputError : the other one approves nobody, or declines too many anyway; `where` names what compares.
    """
    if not approval_rate > 0:
        raise InputError(
            "nobody is approved, so there is no approval rate to compare at", where=where, fix="lower the cutoff first"
        )
    wanted = min(approval_rate, 1.0)  # sums of weights may round to slightly more
    at_least = approval_threshold(scored.score, wanted, sample_weight=weight, knocked_out=scored.declined_anyway)
    above = _share(scored.approved_from(at_least), weight)
    higher = scored.score[~scored.declined_anyway & (scored.score > at_least) & (weight > 0)]
    if abs(above - wanted) <= _ROUNDING or not higher.size:
        return EqualCutoff(
            cutoff=at_least,
            wanted=wanted,
            approval_rate=above,
            below=above if above == wanted else math.nan,
            above=above,
        )
    fewer = float(higher.min())
    below = _share(scored.approved_from(fewer), weight)
    closer = wanted - below <= above - wanted + _ROUNDING
    cutoff, rate = (fewer, below) if closer else (at_least, above)
    return EqualCutoff(cutoff=cutoff, wanted=wanted, approval_rate=rate, below=below, above=above)


def _share(approved: Bools, weight: Floats) -> float:
    return quotient(exact_sum(weight[approved]), exact_sum(weight))


def _chosen(
    cohort: Cohort, approved: Bools, curve: CutoffCurve, place: int, aim: Any, wanted: float | None, why: str
) -> CutoffChoice:
    cutoff = float(curve.cutoff[place])
    made = curve.profit_at(cutoff)
    return CutoffChoice(
        cutoff=cutoff,
        aim=aim,
        wanted=wanted,
        decided=decided(cohort, approved),
        profit=made,
        profit_per_applicant=None if made is None else made / cohort.total,
        curve=curve,
        why=f"{why}, out of {curve.cutoff.size:,} cutoffs",
    )


def _for_bad_rate(curve: CutoffCurve, max_bad_rate: float) -> int:
    wanted = share(max_bad_rate, "max_bad_rate", none=True)
    kept = np.flatnonzero(curve.bad_rate <= wanted + _ROUNDING)
    if kept.size:
        return int(kept[0])
    if np.isnan(curve.bad_rate).all():
        raise InputError("no outcome is known", where="max_bad_rate", got=wanted, fix="give the outcomes")
    lowest = int(np.nanargmin(curve.bad_rate))
    raise InputError(
        "no cutoff keeps the bad rate",
        where="max_bad_rate",
        got=wanted,
        allowed=f"at least {float(curve.bad_rate[lowest])!r}, at the cutoff {number(float(curve.cutoff[lowest]))}",
        fix="allow more",
    )


def _for_profit(curve: CutoffCurve, cohort: Cohort, profit: Profit) -> int:
    """Profits that differ by less than the rounding of their sums are equal."""
    assert curve.profit is not None
    amounts = np.abs(profit.by_row(cohort)).max(axis=0)
    size = exact_sum(cohort.weight * amounts)
    return int(np.flatnonzero(curve.profit >= curve.profit.max() - _ROUNDING * size)[-1])
