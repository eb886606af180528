"""What the rules of a policy do to applicants, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from scrutable.data.frames import PANDAS, FrameKind, rows_like
from scrutable.writing import plain_fields
from scrutable_policy.rates import Rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What is told of a rule beside its figures.
Remark = Literal["hits nobody", "covered", "changes no decision"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEffect:
    """What one rule does. Counts are of rows, and None where they are kept back.

    Parameters
    ----------
    effect : "declines", "approves" or points.
    alone : rows that satisfy its conditions, and `alone_share` of all by weight.
    in_order : rows for which it comes to bear: of knock-outs and overrides those for which it is the first that applies
        and so decides; of score adjustments those that no knock-out declines.
    changed : rows whose decision is another than without it, after the rules before it.
    after : rates with this rule and all before it.
    remarks : see `Remark`.
    covered_by : earlier rules that decide about everybody whom it hits here.
    always : whether one of these does so whoever applies, because of its conditions.
    """

    code: str
    kind: str
    effect: str
    when: str
    reason: str
    alone: int | None
    alone_share: float | None
    in_order: int | None
    in_order_share: float | None
    changed: int | None
    after: Rates
    remarks: tuple[Remark, ...] = ()
    covered_by: tuple[str, ...] = ()
    always: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined or kept back."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two rules with opposite decisions about the same applicants.

    Parameters
    ----------
    decides : the code of the one that comes first, and so decides.
    against : the code of the other.
    rows : applicants whom both are about; None where they are few, or those whom only one of the two is about.
    """

    decides: str
    against: str
    rows: int | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PolicyEffect:
    """What the rules around a model's score do to applicants.

    Parameters
    ----------
    rows : number of rows; where they have weights, `weighted`, rates and shares count by these.
    least : no count of fewer rows is told, and no two rates that differ by fewer decisions.
    before : rates by the score alone.
    rules : in the order in which they come to bear: knock-outs, score adjustments, overrides.
    contradictions : pairs of rules.
    kind : of the frame that `frame` gives.
    """

    rows: int
    weighted: bool
    least: int
    before: Rates
    rules: tuple[RuleEffect, ...]
    contradictions: tuple[Contradiction, ...] = ()
    kind: FrameKind = field(default=PANDAS, compare=False)

    @property
    def after(self) -> Rates:
        """Rates with all rules, which are the model's own decisions."""
        return self.rules[-1].after if self.rules else self.before

    def frame(self) -> Any:
        """A row for each rule, and for each group after it; everybody's have no attribute and no group."""
        return rows_like(self._lines(), self.kind)

    def lines(self) -> Iterator[str]:
        """What is remarkable about the rules, in sentences."""
        for rule in self.rules:
            if "hits nobody" in rule.remarks:
                yield f"{rule.code} hits none of these applicants."
            elif "covered" in rule.remarks:
                names = " and ".join(rule.covered_by)
                always = ", whoever applies" if rule.always else ""
                yield f"{rule.code} decides about nobody: {names} {_before(rule)} for everybody it hits{always}."
            elif "changes no decision" in rule.remarks:
                yield f"{rule.code} changes no decision: the score and the rules before it decide alike."
        if any(rates.hides_some for rates in (self.before, *(rule.after for rule in self.rules))):
            yield (
                f"A step's rates are kept back where fewer than {self.least} people, of all or of a group, tell it "
                "from a step that is shown; the score alone and all rules together come first."
            )
        for pair in self.contradictions:
            many = "some" if pair.rows is None else f"{pair.rows:,}"
            names = f"{pair.decides} and {pair.against}"
            yield f"{names} contradict each other for {many} applicants; {pair.decides} decides."

    def plot(self) -> Figure:
        """Approval rate, bad rate and adverse impact ratios, rule by rule; errors as in `plot_effect`."""
        from scrutable_policy.plot import plot_effect

        return plot_effect(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined or kept back."""
        return {
            "rows": self.rows,
            "weighted": self.weighted,
            "least": self.least,
            "before": self.before.to_dict(),
            "rules": [rule.to_dict() for rule in self.rules],
            "after": self.after.to_dict(),
            "contradictions": [pair.to_dict() for pair in self.contradictions],
            "remarks": list(self.lines()),
        }

    def __repr__(self) -> str:
        ends = (self.before.approval_rate, self.after.approval_rate)
        told = ["kept back" if rate is None else f"{rate:.1%}" for rate in ends]
        return f"PolicyEffect({self.rows:,} rows, {len(self.rules)} rules: {told[0]} to {told[1]} approved)"

    def _lines(self) -> Iterator[dict[str, Any]]:
        nothing: dict[str, Any] = {"alone": None, "in_order": None, "changed": None}
        steps = [("", nothing, self.before)]
        steps += [(each.code, {name: getattr(each, name) for name in nothing}, each.after) for each in self.rules]
        for code, counts, rates in steps:
            shown = {"approval_rate": rates.approval_rate, "bad_rate": rates.bad_rate, "adverse_impact_ratio": None}
            yield {"code": code, "attribute": "", "group": "", **counts, **shown}
            for group in rates.groups:
                figures = {name: getattr(group, name) for name in shown}
                yield {"code": code, "attribute": group.attribute, "group": group.group, **nothing, **figures}


def _before(rule: RuleEffect) -> str:
    return "come first" if len(rule.covered_by) > 1 else "comes first"
