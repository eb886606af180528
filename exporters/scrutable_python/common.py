"""What the files of all kinds of model share: reading the inputs, knock-outs, decision and heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.model import Conjunction, Feature, Policy, Scorecard, TreeEnsemble, describe_all
from scrutable.plugins import one_line
from scrutable_python.conditions import Variable, Variables, conjunction
from scrutable_python.text import literal, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What is special to a kind of model.

    Parameters
    ----------
    template : file that lays it out.
    context : what the template reads; every text in it is a literal or a cleaned comment.
    columns : names of the results, in the order of `Evaluation.frame()`.
    own : what ends the names that a segment's model has for itself, "_1" for the first; empty for a whole model.
    """

    template: str
    context: Mapping[str, Any]
    columns: tuple[str, ...]
    own: str = ""


@dataclass(frozen=True, slots=True)
class Test:
    """A condition, what follows from it, and both in words."""

    when: str
    then: str
    note: str


def variables(features: Sequence[Feature]) -> dict[str, Variable]:
    """A local variable for every feature, x1, x2, …"""
    return {feature.name: Variable(feature, f"x{i}") for i, feature in enumerate(features, 1)}


def knock_outs(policy: Policy, names: Variables) -> list[Test]:
    """The knock-outs in order; the first that applies counts."""
    return [
        Test(
            conjunction(rule.when, names),
            literal(rule.code),
            one_line(f"{rule.reason}: {words(rule.when, names)}"),
        )
        for rule in policy.knock_outs
    ]


def words(clauses: Conjunction, names: Variables) -> str:
    """A conjunction in words."""
    return describe_all(clauses, {key: variable.feature for key, variable in names.items()})


def calibration(model: Scorecard | TreeEnsemble) -> dict[str, str]:
    """Constants of the probability, and of the decision."""
    return {
        "slope": number(model.calibration.slope),
        "intercept": number(model.calibration.intercept),
        "link": model.calibration.link,
        "cutoff": number(model.cutoff),
    }
