"""What evidence says of how a model was learned: why the learner ended, and what each rule did on the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError
from scrutable.model import Evidence, FrozenMapping, RuleSet
from scrutable.rulesets import read_rules

if TYPE_CHECKING:
    from scrutable.cli.applicants import Applicants

#: The entry of the metrics that says what each rule did.
RULES = "rules"
#: What stands below a table of rules that has them.
SEEN = "Coverage: share of the rows learned from that a rule applies to. Precision: share of these that have its class."

#: A larger gap is that of the weak bound, which says nothing of the optimum.
_WIDE = 0.5

_ENDINGS = {
    "optimal": "the optimum was reached, proven",
    "no rule found": "no further rule was found that pays",
    "iterations": "the iterations were used up; --option iterations=… allows more",
    "time": "the time limit was reached; --option time_limit=… allows more",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSeen:
    """What a rule did on the rows learned from: see `scrutable.rulesets.RuleReading`."""

    coverage: float | None
    precision: float | None


def rules_entry(model: RuleSet, rows: Applicants) -> FrozenMapping[Any]:
    """The entry of the metrics: coverage and precision of each rule, in the model's order."""
    read = read_rules(model, rows.X, rows.y)
    return FrozenMapping(
        {
            "rows": len(rows.y),
            "coverage": tuple(each.coverage for each in read),
            "precision": tuple(each.precision for each in read),
        }
    )


def rules_seen(evidence: Evidence, model: RuleSet) -> tuple[RuleSeen, ...]:
    """What each rule did, in the model's order.

    Raises
    ------
    InputError : the evidence does not say it.
    """
    entry = evidence.metrics.get(RULES)
    found = [entry.get(key) for key in ("coverage", "precision")] if isinstance(entry, Mapping) else []
    if len(found) != 2 or not all(_are_shares(each, len(model.rules)) for each in found):
        raise InputError(
            "the evidence does not say what each rule does",
            where="--evidence",
            allowed=f"metrics with the entry {RULES!r}",
            fix="fit the model again with --evidence, or leave it out",
        )
    return tuple(RuleSeen(coverage=one, precision=other) for one, other in zip(*found, strict=True))


def about_learning(evidence: Evidence) -> Iterator[str]:
    """Lines on how a learner that adds rules ended; none for another."""
    metrics = evidence.metrics
    ending, gap, weighed = (metrics.get(key) for key in ("ending", "gap", "rules_weighed"))
    if isinstance(ending, str) and isinstance(gap, float) and isinstance(weighed, int):
        yield f"Ending: {_ENDINGS.get(ending, ending)}. {weighed} rules were weighed{_beyond(ending, gap)}"


def _beyond(ending: str, gap: float) -> str:
    """What further rules could do, as far as that is known."""
    if ending == "optimal":
        return ""
    if gap > _WIDE:
        return "; how far from the optimum is not known, --option exact=true looks (small data only)"
    return f"; further ones could lower the objective by {gap:.1%} at most"


def _are_shares(values: object, count: int) -> bool:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != count:
        return False
    return all(value is None or isinstance(value, int | float) for value in values)
