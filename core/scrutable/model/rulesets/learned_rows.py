"""What each rule did on the rows learned from, as evidence states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Evidence, FrozenMapping, RuleSet
from scrutable.model.rulesets.reading import read_rules

#: The entry of the metrics that says what each rule did.
RULES = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSeen:
    """What a rule did on the rows learned from: see `RuleReading`."""

    coverage: float | None
    precision: float | None


def rules_entry(model: RuleSet, X: Any, y: Any) -> FrozenMapping[Any]:
    """The entry of the metrics: coverage and precision of each rule on n rows, in the model's order."""
    read = read_rules(model, X, y)
    return FrozenMapping(
        {
            "rows": len(y),
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
    shares = [entry.get(key) for key in ("coverage", "precision")] if isinstance(entry, Mapping) else []
    if len(shares) != 2 or not all(_are_shares(each, len(model.rules)) for each in shares):
        raise InputError(
            "the evidence does not say what each rule does",
            where="--evidence",
            allowed=f"metrics with the entry {RULES!r}",
            fix="fit the model again with --evidence, or leave it out",
        )
    return tuple(RuleSeen(coverage=one, precision=other) for one, other in zip(*shares, strict=True))


def _are_shares(values: object, count: int) -> bool:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != count:
        return False
    return all(value is None or isinstance(value, int | float) for value in values)
