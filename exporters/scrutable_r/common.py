"""What the R code of all kinds of model shares: the columns read, knock-outs, probability and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrutable.model import Clause, Feature, Policy, describe_all
from scrutable.plugins import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import quoted


@dataclass(frozen=True, slots=True)
class Read:
    """A column that the function reads: `numbers` or `texts`, its name, quoted, and the variable that holds it."""

    variable: str
    reader: str
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Case:
    """A condition as R, the literal of what it gives, and a note for whoever reads it."""

    when: str
    then: str
    note: str


def reads(features: Sequence[Feature], inputs: Inputs) -> list[Read]:
    """The columns in the order of the features."""
    readers = {"numeric": "numbers", "categorical": "texts"}
    return [
        Read(inputs.variables[feature.name], readers[feature.kind], quoted(feature.name), _about(feature))
        for feature in features
    ]


def knock_outs(policy: Policy, inputs: Inputs) -> list[Case]:
    """The knock-out rules in order, of which the first that applies has its way."""
    return [
        Case(
            inputs.conjunction(rule.when),
            quoted(rule.code),
            f"{words(rule.when, inputs)}: {one_line(rule.reason)}",
        )
        for rule in policy.knock_outs
    ]


def words(clauses: tuple[Clause, ...], inputs: Inputs) -> str:
    """A conjunction for a comment."""
    return one_line(describe_all(clauses, dict(inputs.features)))


def _about(feature: Feature) -> str:
    if not feature.special_codes:
        return one_line(feature.label)
    return one_line(f"{feature.title}; special codes {', '.join(map(repr, feature.special_codes))}")
