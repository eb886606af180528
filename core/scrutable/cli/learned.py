"""What evidence says of how a model was learned: why the learner ended, and what each rule did on the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError
from scrutable.model import Evidence, FrozenMapping, Model, RuleSet
from scrutable.model.rulesets import read_rules
from scrutable.plugins.bases.recorded_learner import recorded_learner

if TYPE_CHECKING:
    from scrutable.data.cohort import Cohort

#: The entry of the metrics that says what each rule did.
RULES = "rules"
#: What stands below a table of rules that has them.
SEEN = "Coverage: share of the rows learned from that a rule applies to. Precision: share of these that have its class."


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSeen:
    """What a rule did on the rows learned from: see `scrutable.model.rulesets.RuleReading`."""

    coverage: float | None
    precision: float | None


def rules_entry(model: RuleSet, rows: Cohort) -> FrozenMapping[Any]:
    """The entry of the metrics: coverage and precision of each rule, in the model's order."""
    read = read_rules(model, rows.columns, rows.values)
    return FrozenMapping(
        {
            "rows": rows.rows,
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


def about_learning(model: Model, evidence: Evidence) -> Iterable[str]:
    """Lines on how the learner ended, in its own words; none where it has none, or is not here."""
    learner = recorded_learner(model.provenance.learner)
    return () if learner is None else learner.about_learning(evidence)


def _are_shares(values: object, count: int) -> bool:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != count:
        return False
    return all(value is None or isinstance(value, int | float) for value in values)
