"""Rule sets: a rule a line, and the fallback where no rule applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.model import Rule, RuleSet
from scrutable.plugins import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number, valued
from scrutable_r.reasons import codes, reasoned


@dataclass(frozen=True, slots=True)
class Vote:
    """A rule.

    Parameters
    ----------
    when : its condition as R.
    place : the position of its class, from 1.
    weight : as a literal.
    against : positions, from 1, of the features that it reads, if it votes against the applicant and there are reasons.
    note : the rule in words.
    """

    when: str
    place: int
    weight: str
    against: tuple[int, ...]
    note: str


def context(model: RuleSet, inputs: Inputs) -> dict[str, Any]:
    """What the template of rule sets writes."""
    good = model.outcome.favourable_index
    policy = model.reasons
    features = [] if policy is None else [feature.name for feature in model.features if feature.name in policy.codes]
    starts = dict.fromkeys(features, 0.0)
    return {
        "classes": [one_line(repr(label)) for label in model.outcome.classes],
        "rules": _votes(model, model.rules, inputs, features),
        "fallback": _votes(model, model.fallback, inputs, features),
        "good": good + 1,
        "other": 2 - good,
        "reasoned": [] if policy is None else reasoned(policy, starts, features, inputs),
        **codes(policy),
    }


def _votes(model: RuleSet, rules: Sequence[Rule], inputs: Inputs, features: Sequence[str]) -> list[Vote]:
    return [
        Vote(
            when=inputs.conjunction(rule.when),
            place=model.outcome.classes.index(rule.outcome) + 1,
            weight=number(rule.weight),
            against=tuple(features.index(clause.feature) + 1 for clause in rule.when)
            if features and model.against(rule)
            else (),
            note=valued(rule.describe(dict(inputs.features)), rule.weight),
        )
        for rule in rules
    ]
