"""Where a learned model decides: the cutoff asked for, the learner's own decision, or the share of good payers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.data.exact import exact_sum
from scrutable.data.values import Json
from scrutable.errors import InputError, ScrutableWarning, warn_caller
from scrutable.fairness import approval_threshold
from scrutable.measures.approving import closest_threshold
from scrutable.model import DecisionModel, Evidence, FrozenMapping, SegmentedModel
from scrutable.plugins.scored_rows import ScoredRows

Floats = NDArray[np.float64]
M = TypeVar("M", bound=DecisionModel)

#: The entry of the metrics that says what settled the decision.
DECISION = "decision"

#: "good-share": the cutoff approves the training share of good outcomes; "learner": the decision is what was learned.
SettledBy = Literal["cutoff", "approval-rate", "good-share", "learner"]

#: An approved share that lies further than this from the one that was aimed at is remarked upon.
_FAR = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What settled the decision of a model, and what it does to the rows learned from; all shares by weight.

    Parameters
    ----------
    by : what settled it.
    approved : share of the rows learned from that is approved.
    good : share of them with the favourable outcome.
    cutoff : None where segments have cutoffs of their own.
    asked : the approval rate that was asked for.
    learned : of "learner", what decides, in words.
    """

    by: SettledBy
    approved: float
    good: float
    cutoff: float | None
    asked: float | None = None
    learned: str = ""

    @classmethod
    def of(cls, evidence: Evidence) -> Self | None:
        """What evidence says of it; None where it says nothing."""
        entry: Any = evidence.metrics.get(DECISION)
        return cls(**entry) if isinstance(entry, Mapping) else None

    def to_json(self) -> FrozenMapping[Json]:
        """The entry of the metrics."""
        return FrozenMapping(asdict(self))

    def describe(self) -> str:
        """A line, without its full stop.

        >>> print(Decision(by="good-share", approved=0.7, good=0.7, cutoff=487.0).describe())
        The cutoff 487 approves 70.0% of the training applicants, the share of good outcomes
        """
        if self.by == "learner":
            return (
                f"Decided by {self.learned}: {self.approved:.1%} of the training applicants are approved, "
                f"{self.good:.1%} have a good outcome"
            )
        cut = f"The cutoff {self.cutoff:.6g} approves {self.approved:.1%} of the training applicants"
        if self.by == "cutoff":
            return f"{cut}; it was asked for, and {self.good:.1%} have a good outcome"
        if self.by == "approval-rate":
            return f"{cut}; {self.asked:.1%} were asked for, and {self.good:.1%} have a good outcome"
        if abs(self.approved - self.good) > _FAR:
            return f"{cut}; ties of the score allow nothing closer to {self.good:.1%}, the share of good outcomes"
        return f"{cut}, the share of good outcomes"


class CutoffWarning(ScrutableWarning):
    """A cutoff that was asked for approves every training applicant, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What settles the decision: a cutoff or an approval rate that is asked for, else what was learned, else nothing.

    Parameters
    ----------
    cutoff : in points.
    approval_rate : share of the rows to approve; the cutoff is the highest that approves at least as many.
    own : what decides where the decision itself was learned, in words; empty for scores that are to be cut.

    Raises
    ------
    InputError : a cutoff and an approval rate.
    """

    cutoff: float | None = None
    approval_rate: float | None = None
    own: str = ""

    def __post_init__(self) -> None:
        if self.cutoff is not None and self.approval_rate is not None:
            got = (self.cutoff, self.approval_rate)
            raise InputError("give one of the two", where="cutoff, approval_rate", got=got)

    def settled(self, own_cutoff: float, good: float, scored: ScoredRows) -> tuple[SettledBy, float]:
        """What settles the decision on rows with these scores, and the cutoff."""
        if self.cutoff is not None:
            return "cutoff", self.cutoff
        if self.approval_rate is not None:
            rate, out = self.approval_rate, scored.knocked_out
            return "approval-rate", approval_threshold(scored.score, rate, sample_weight=scored.weight, knocked_out=out)
        if self.own:
            return "learner", own_cutoff
        out = scored.knocked_out
        return "good-share", closest_threshold(scored.score, good, sample_weight=scored.weight, knocked_out=out)


def decided(model: M, asked: Asked, scored: ScoredRows | None) -> tuple[M, Decision | None]:
    """The model with the cutoff that is asked for, or else with the one that approves the share of good outcomes.

    Parameters
    ----------
    model : without reasons, which belong to a cutoff.
    scored : what the model says of the rows that it was learned from; None of more than two classes.

    Returns
    -------
    model, decision : None for a decision between more than two classes.

    Raises
    ------
    InputError : an approval rate out of range.
    """
    if scored is None:
        return model, None
    weight = scored.weight
    good = _share(scored.good, weight)
    if isinstance(model, SegmentedModel) or model.cutoff is None:
        share = _share(scored.approved, weight)
        return model, Decision(by="learner", approved=share, good=good, cutoff=None, learned=asked.own)
    by, cutoff = asked.settled(model.cutoff, good, scored)
    cut = replace(model, cutoff=cutoff)
    approved = (scored.score >= cutoff) & ~scored.knocked_out
    decision = Decision(
        by=by,
        approved=_share(approved, weight),
        good=good,
        cutoff=cutoff,
        asked=asked.approval_rate,
        learned=asked.own if by == "learner" else "",
    )
    if by == "cutoff" and decision.approved in (0, 1):
        low, high = float(scored.score.min()), float(scored.score.max())
        warn_caller(
            f"the cutoff {cutoff:.6g} approves {'everybody' if decision.approved else 'nobody'}: the training "
            f"applicants score from {low:.6g} to {high:.6g}. Fix: give a cutoff among these, or an approval rate.",
            CutoffWarning,
        )
    return cut, decision


def _share(rows: NDArray[np.bool_], weight: Floats) -> float:
    """The share of rows, by weight, the same in whatever order they are."""
    return exact_sum(weight[rows]) / exact_sum(weight)
