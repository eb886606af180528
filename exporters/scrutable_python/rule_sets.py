"""Rule sets: votes of each class, and the fallback where no rule applies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrutable.model import Rule, RuleSet
from scrutable.plugins import one_line
from scrutable_python.common import Body, knock_outs, variables
from scrutable_python.conditions import Variables, conjunction
from scrutable_python.reasons import Below, Reasons, belows
from scrutable_python.text import number


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A rule: when it applies, its position as the results tell it, its class, its weight, and its words.

    `below` are the variables of the features that it votes against.
    """

    when: str
    position: str
    outcome: int
    weight: str
    below: tuple[str, ...]
    note: str


def body(model: RuleSet, own: str = "") -> Body:
    """Votes, probabilities, decision, reasons, shortfalls and the rules that apply; `own` as in `Body`."""
    names = variables(model.features)
    policy, reasons = model.reasons, Reasons.of(model.reasons)
    below = {} if policy is None else belows(policy, dict.fromkeys(policy.codes, 0.0), model.features)
    classes = range(len(model.outcome.classes))
    good = model.outcome.favourable_index
    context = {
        "variables": list(names.values()),
        "knock_outs": knock_outs(model.policy, names),
        "rules": _votes(model, model.rules, "", names, below),
        "fallback": _votes(model, model.fallback, "F", names, below),
        "belows": list(below.values()),
        "reasons": reasons,
        "pairs": [(shortfall.name, shortfall.code) for shortfall in below.values()],
        "classes": list(classes),
        "good": good,
        "cutoff": None if model.cutoff is None else number(model.cutoff),
    }
    columns: tuple[str, ...] = ("score", "probability", "approved", "knock_out", *reasons.columns, "rules")
    if model.cutoff is None:
        each = [*(f"score_{i}" for i in classes), *(f"probability_{i}" for i in classes)]
        columns = (*each, "predicted", "rules")
    return Body(template="rule_set.jinja", context=context, columns=columns, own=own)


def _votes(
    model: RuleSet, rules: tuple[Rule, ...], prefix: str, names: Variables, below: Mapping[str, Below]
) -> list[Vote]:
    features = {key: variable.feature for key, variable in names.items()}
    return [
        Vote(
            when=conjunction(rule.when, names),
            position=f"{prefix}{position}",
            outcome=model.outcome.classes.index(rule.outcome),
            weight=number(rule.weight),
            below=tuple(below[clause.feature].name for clause in rule.when) if below and model.against(rule) else (),
            note=one_line(rule.describe(features)),
        )
        for position, rule in enumerate(rules, 1)
    ]
