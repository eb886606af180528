"""What rounding the points of a scorecard does to its ranking, its decisions and its groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from scrutable.data import Bools, Cohort, Floats
from scrutable.data.frames import PANDAS, FrameKind, rows_like
from scrutable.errors import InputError
from scrutable.errors.checks import check_whole
from scrutable.fairness import Groups, auc, ks
from scrutable.measures import score_cohort
from scrutable.model import UNIT, Model, Scorecard, rounded
from scrutable.writing import plain
from scrutable_lifecycle.measured_rows import in_roles
from scrutable_lifecycle.strategy.counts import CountedPart, parts_of
from scrutable_lifecycle.strategy.cutoff import equal_cutoff
from scrutable_lifecycle.strategy.decided import Decided, decided, decision_rows
from scrutable_lifecycle.strategy.moved_cutoff import with_cutoff, with_reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounded:
    """A rounded scorecard at a cutoff, and whose decisions it changes.

    Parameters
    ----------
    newly_declined, newly_approved : those with another decision than by the scorecard as it is.
    """

    model: Scorecard
    decided: Decided
    newly_declined: CountedPart
    newly_approved: CountedPart

    @property
    def flipped(self) -> float:
        """Share of all applicants with another decision."""
        return self.newly_declined.counts.share + self.newly_approved.counts.share

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the model."""
        return {
            "cutoff": self.model.cutoff,
            **self.decided.to_dict(),
            "flipped": plain(self.flipped),
            "newly_declined": self.newly_declined.to_dict(),
            "newly_approved": self.newly_approved.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RoundingEffect:
    """A scorecard beside the same with rounded points.

    Parameters
    ----------
    auc, ks, distinct_scores : of the scorecard as it is, and of the rounded one.
    largest_change, bound : of a score, measured, and the most that any applicant could see: half a unit of the last
        decimal for each characteristic, and half a unit for the base points.
    as_is : rates of the scorecard as it is.
    same_cutoff, same_approval_rate : the rounded scorecard at the same cutoff, and at the one whose approval rate is
        closest, by the rule of `EqualCutoff`.
    kind : of the frame that `frame` gives.
    """

    decimals: int
    rows: int
    auc: tuple[float, float]
    ks: tuple[float, float]
    distinct_scores: tuple[int, int]
    largest_change: float
    bound: float
    cutoff: float
    as_is: Decided
    same_cutoff: Rounded
    same_approval_rate: Rounded
    kind: FrameKind = field(default=PANDAS, compare=False)

    def __repr__(self) -> str:
        before, after = self.auc
        flipped = f"{self.same_cutoff.flipped:.2%} of the decisions change"
        return f"RoundingEffect({self.decimals} decimals: AUC {before:.4f} to {after:.4f}, {flipped})"

    @property
    def rows_per_score(self) -> tuple[float, float]:
        """Rows for each distinct score: how coarsely the score ranks."""
        return self.rows / self.distinct_scores[0], self.rows / self.distinct_scores[1]

    def frame(self) -> Any:
        """A row for each figure: as it is, and rounded at the same cutoff and at the same approval rate."""
        rounded = {"same_cutoff": self.same_cutoff.decided, "same_approval_rate": self.same_approval_rate.decided}
        rows = [*self._ranking_rows(), *decision_rows({"as_is": self.as_is, **rounded})]
        return rows_like(rows, self.kind)

    def _ranking_rows(self) -> Iterator[dict[str, Any]]:
        """Figures of the score, which are the same at every cutoff."""
        for name in ("auc", "ks", "distinct_scores"):
            before, after = map(float, getattr(self, name))
            values = {"as_is": before, "same_cutoff": after, "same_approval_rate": after}
            yield {"measure": name, "attribute": "", "group": "", **values}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the models; pairs are as it is, then rounded."""
        return {
            "decimals": self.decimals,
            "rows": self.rows,
            "auc": plain(self.auc),
            "ks": plain(self.ks),
            "distinct_scores": list(self.distinct_scores),
            "rows_per_score": plain(self.rows_per_score),
            "largest_change": self.largest_change,
            "bound": self.bound,
            "as_is": {"cutoff": self.cutoff, **self.as_is.to_dict()},
            "same_cutoff": self.same_cutoff.to_dict(),
            "same_approval_rate": self.same_approval_rate.to_dict(),
        }


def rounding_effect(
    model: Model,
    X: Any,
    good: Any = None,
    *,
    decimals: int = 0,
    groups: Groups | None = None,
    sample_weight: Any = None,
    population: str = "all applicants that the rounding was measured on",
) -> RoundingEffect:
    """Round every attribute's points and the base points, and measure what that changes.

    The rounded scorecard is what a scaling with as many decimals would have given. Its reasons, if it has any, have
    baselines of their own, because those of the other points are no longer what anybody has; methods that take
    averages take them from X.

    Parameters
    ----------
    X : n applicants, best not those learned from: a frame, or beside a config also a path.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known; AUC and KS are of the known. Or a
        `DataConfig`: which columns of X are the outcome, the weight and the protected attributes.
    decimals : 0 for whole points, to 6.
    groups : protected groups of the same rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    population : what X is, in words, for the reason policy.

    Raises
    ------
    InputError : as in `in_roles`; no scorecard, one that approves nobody, outcomes of one class only, lengths that
        differ; a reason policy whose method no explainer here has.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(400, seed=1)
    >>> model = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y).model_
    >>> effect = rounding_effect(model, data.X, data.y == 0)
    >>> effect.largest_change <= effect.bound, effect.same_cutoff.model.score_range[0].is_integer()
    (True, True)
    """
    card = _card(model)
    check_whole(decimals, "decimals", 0, 6)
    coarse = rounded_points(card, decimals)
    X, good = in_roles((card,), X, good)
    cohort = Cohort.read(X, good, groups=groups, sample_weight=sample_weight)
    weight = cohort.sample_weight
    if card.reasons is not None:
        coarse = _card(with_reasons(coarse, card.reasons, cohort.table, weight, population))
    fine, rough = score_cohort(card, cohort), score_cohort(coarse, cohort)
    as_is = decided(cohort, fine.approved)
    cutoff = equal_cutoff(rough, as_is.approval_rate, cohort.weight, where="rounding").cutoff
    recut = _card(with_cutoff(coarse, cutoff, reference=cohort.table, sample_weight=weight, population=population))
    return RoundingEffect(
        decimals=decimals,
        rows=cohort.rows,
        auc=(_separation(auc, cohort, fine.score), _separation(auc, cohort, rough.score)),
        ks=(_separation(ks, cohort, fine.score), _separation(ks, cohort, rough.score)),
        distinct_scores=(np.unique(fine.score).size, np.unique(rough.score).size),
        largest_change=float(np.abs(rough.score - fine.score).max()),
        bound=(len(card.summands) + 1) * _largest_error(decimals),
        cutoff=card.cutoff,
        as_is=as_is,
        same_cutoff=_rounded(coarse, cohort, fine.approved, rough.approved),
        same_approval_rate=_rounded(recut, cohort, fine.approved, rough.approved_from(recut.cutoff)),
        kind=cohort.kind,
    )


def rounded_points(card: Scorecard, decimals: int) -> Scorecard:
    """The scorecard with rounded points and without reasons, which belong to the points; the cutoff stays."""
    return replace(
        replace(card, reasons=None).with_points(lambda points: rounded(points, decimals)),
        base_points=rounded(card.base_points, decimals),
        scaling=None if card.scaling is None else replace(card.scaling, decimals=decimals),
    )


def _card(model: Model) -> Scorecard:
    if isinstance(model, Scorecard):
        return model
    raise InputError(
        "points are those of a scorecard",
        where="rounding",
        got=repr(model),
        allowed="a scorecard",
        fix="of segments, round each segment's scorecard on its own applicants",
    )


def _largest_error(decimals: int) -> float:
    """Of one rounded number; decimals are snapped to the multiples that a model holds, whole points are among them."""
    return 0.5 * 10.0**-decimals + (UNIT / 2 if decimals else 0.0)


def _rounded(model: Scorecard, cohort: Cohort, before: Bools, after: Bools) -> Rounded:
    declined, approved = parts_of(cohort, np.where(before == after, -1, np.where(after, 1, 0)), 2)
    return Rounded(model=model, decided=decided(cohort, after), newly_declined=declined, newly_approved=approved)


def _separation(measure: Any, cohort: Cohort, score: Floats) -> float:
    """A measure of the rows with a known outcome; NaN where there are none of one of the two."""
    known = cohort.known & (cohort.weight > 0)
    outcome = cohort.good[known]
    if outcome.all() or not outcome.any():
        return math.nan
    return float(measure(outcome, score[known], sample_weight=cohort.weight[known]))
