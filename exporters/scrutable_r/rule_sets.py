"""Rule sets: a rule a line, and the fallback where no rule applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.model import Rule, RuleSet
from scrutable.spelling import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number, valued


@dataclass(frozen=True, slots=True)
class Vote:
    """A rule: its condition as R, the position of its class from 1, its weight, and the rule in words."""

    when: str
    place: int
    weight: str
    note: str


def context(model: RuleSet, inputs: Inputs) -> dict[str, Any]:
    """What the template of rule sets writes."""
    good = model.outcome.favourable_index
    return {
        "classes": [one_line(repr(label)) for label in model.outcome.classes],
        "rules": _votes(model, model.rules, inputs),
        "fallback": _votes(model, model.fallback, inputs),
        "good": good + 1,
        "other": 2 - good,
    }


def _votes(model: RuleSet, rules: Sequence[Rule], inputs: Inputs) -> list[Vote]:
    return [
        Vote(
            when=inputs.conjunction(rule.when),
            place=model.outcome.classes.index(rule.outcome) + 1,
            weight=number(rule.weight),
            note=valued(rule.describe(dict(inputs.features)), rule.weight),
        )
        for rule in rules
    ]
