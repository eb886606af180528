"""The swap set: whom a challenger would approve that the champion declines, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from scrutable.data import Cohort
from scrutable.data.frames import PANDAS, FrameKind, rows_like
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.measures import Basis, Scored, score_cohort
from scrutable.model import Model
from scrutable.writing import plain
from scrutable_lifecycle.measured_rows import in_roles
from scrutable_lifecycle.strategy.counts import CountedPart, part_rows, parts_of
from scrutable_lifecycle.strategy.cutoff import EqualCutoff, equal_cutoff
from scrutable_lifecycle.strategy.decided import Decided, GroupChange, decided

if TYPE_CHECKING:
    from matplotlib.figure import Figure

At = Literal["cutoff", "approval rate"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SwapSet:
    """All applicants by the decisions of two models.

    Parameters
    ----------
    at : whether the challenger decides at its own cutoff, or at the champion's approval rate, as nearly as it can.
    rows : number of rows; where they have weights, `weighted`, all else counts by these.
    equal : how nearly, and what equal scores of the challenger leave; None at its own cutoff.
    champion_cutoff, challenger_cutoff : of the decisions compared, on the basis beside each: the score, or of a model
        of segments the score minus the row's own cutoff.
    both_approve, swapped_in, swapped_out, both_decline : the four parts; swapped in are those whom the challenger alone
        approves.
    champion, challenger : the rates of each model.
    champion_knocked_out, challenger_knocked_out : those whom a knock-out or an override of the model declines; they
        are among the declined of the four parts.
    kind : of the frame that `frame` gives.
    """

    at: At
    rows: int
    weighted: bool
    equal: EqualCutoff | None
    champion_cutoff: float
    champion_basis: Basis
    challenger_cutoff: float
    challenger_basis: Basis
    both_approve: CountedPart
    swapped_in: CountedPart
    swapped_out: CountedPart
    both_decline: CountedPart
    champion: Decided
    challenger: Decided
    champion_knocked_out: CountedPart
    challenger_knocked_out: CountedPart
    kind: FrameKind = field(default=PANDAS, compare=False)

    def __repr__(self) -> str:
        into, out = (part.counts.share for part in (self.swapped_in, self.swapped_out))
        rates = f"{self.champion.approval_rate:.1%} to {self.challenger.approval_rate:.1%} approved"
        return f"SwapSet({self.rows:,} rows: {rates}, {into:.1%} swapped in, {out:.1%} swapped out)"

    @property
    def change(self) -> float:
        """Challenger's approval rate minus the champion's."""
        return self.challenger.approval_rate - self.champion.approval_rate

    def describe(self) -> str:
        """Where the two models decide, with the rates that they have there."""
        if self.equal is None:
            return "at their own cutoffs"
        rates = self.equal.describe()
        return f"at the approval rate closest to the champion's: the challenger approves {rates}"

    @property
    def parts(self) -> dict[str, CountedPart]:
        """The four parts by name."""
        names = ("both_approve", "swapped_in", "swapped_out", "both_decline")
        return {name: getattr(self, name) for name in names}

    @property
    def changes(self) -> tuple[GroupChange, ...]:
        """What changes for each group."""
        return tuple(
            GroupChange(
                attribute=before.attribute,
                group=before.group,
                champion_rate=before.approval_rate,
                challenger_rate=after.approval_rate,
                champion_ratio=before.adverse_impact_ratio,
                challenger_ratio=after.adverse_impact_ratio,
            )
            for before, after in zip(self.champion.groups, self.challenger.groups, strict=True)
        )

    def frame(self) -> Any:
        """A row for each of the four parts, and for each group in it, with counts, share and bad rate."""
        return rows_like(part_rows(self.parts.items()), self.kind)

    def plot(self) -> Figure:
        """The four parts as tiles; errors as in `plot_swap_set`."""
        from scrutable_lifecycle.plots.strategy import plot_swap_set

        return plot_swap_set(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        champion = {"cutoff": self.champion_cutoff, "basis": self.champion_basis, **self.champion.to_dict()}
        challenger = {"cutoff": self.challenger_cutoff, "basis": self.challenger_basis, **self.challenger.to_dict()}
        return {
            "at": self.at,
            "rows": self.rows,
            "weighted": self.weighted,
            "equal": None if self.equal is None else self.equal.to_dict(),
            **{name: part.to_dict() for name, part in self.parts.items()},
            "champion": {**champion, "knocked_out": self.champion_knocked_out.to_dict()},
            "challenger": {**challenger, "knocked_out": self.challenger_knocked_out.to_dict()},
            "change": plain(self.change),
            "changes": [change.to_dict() for change in self.changes],
        }


def swap_set(
    champion: Model,
    challenger: Model,
    X: Any,
    good: Any = None,
    *,
    at: At = "cutoff",
    groups: Groups | None = None,
    sample_weight: Any = None,
) -> SwapSet:
    """Compare the decisions of two models on the same applicants.

    A challenger that approves more swaps in more, and one that approves fewer has fewer bad payers, whatever its score
    is worth: at="approval rate" takes that away. The challenger then gets the cutoff whose approval rate is closest to
    the champion's, of two equally close ones the one that approves fewer; of a model of segments all cutoffs move by
    the same number of points. Equal scores are approved together, so that rates may differ: `equal` says by how much.

    Parameters
    ----------
    X : n applicants with the columns that both models read: a frame, or beside a config also a path.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known, as of most whom the champion
        declined; the unknown are counted as such, and no rate takes them for good or bad. Or a `DataConfig`: which
        columns of X are the outcome, the weight and the protected attributes.
    at : where the challenger decides.
    groups : protected groups of the same rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : as in `in_roles`; a model without a score, an unknown `at`, lengths that differ, a champion that
        approves nobody or more than the challenger's knock-outs and overrides let pass where approval rates are to be
        equal.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(400, seed=1)
    >>> one, other = (create("learner", "scorecard", binner=create("binner", "quantile", max_bins=bins), favourable=0)
    ...               .fit(data.X, data.y).model_ for bins in (3, 6))
    >>> swapped = swap_set(one, other, data.X, data.y == 0, at="approval rate")
    >>> sum(part.counts.applicants for part in swapped.parts.values())
    400.0
    """
    if at not in get_args(At):
        raise InputError("unknown way to compare", where="at", got=at, allowed=" or ".join(map(repr, get_args(At))))
    X, good = in_roles((champion, challenger), X, good)
    cohort = Cohort.read(X, good, groups=groups, sample_weight=sample_weight)
    before, after = (
        score_cohort(model, cohort, where=name) for name, model in (("champion", champion), ("challenger", challenger))
    )
    kept = decided(cohort, before.approved)
    cutoff, approved, equal = after.cutoff, after.approved, None
    if at == "approval rate":
        equal = equal_cutoff(after, kept.approval_rate, cohort.weight, where="champion")
        cutoff, approved = equal.cutoff, after.approved_from(equal.cutoff)
    both, into, out, neither = parts_of(cohort, np.where(before.approved, 0, 1) + np.where(approved, 0, 2), 4)
    # 0: both approve, 1: the challenger alone, 2: the champion alone, 3: neither
    return SwapSet(
        at=at,
        rows=cohort.rows,
        weighted=cohort.weighted,
        equal=equal,
        champion_cutoff=before.cutoff,
        champion_basis=before.basis,
        challenger_cutoff=cutoff,
        challenger_basis=after.basis,
        both_approve=both,
        swapped_in=into,
        swapped_out=out,
        both_decline=neither,
        champion=kept,
        challenger=decided(cohort, approved),
        champion_knocked_out=_knocked_out(cohort, before),
        challenger_knocked_out=_knocked_out(cohort, after),
        kind=cohort.kind,
    )


def _knocked_out(cohort: Cohort, scored: Scored) -> CountedPart:
    [part] = parts_of(cohort, np.where(scored.knocked_out, 0, -1), 1)
    return part
