"""The rules of a model in their order, with who added each and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrutable.data.frames import rows_like
from scrutable.model import (
    Adjustment,
    KnockOut,
    Model,
    Override,
    RegressionScorecard,
    describe_all,
    fingerprint,
)
from scrutable.writing import number, plain_fields
from scrutable_policy.record import PolicyEdit, policy_edits
from scrutable_policy.single_models import parts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRule:
    """A rule of a model.

    Parameters
    ----------
    segment : None where the model has none.
    effect : what it does: "declines", "approves", or points such as "-15 points".
    when : whom it applies to, in words.
    explained : whether applicants may be told of it, where it lowers a score or declines.
    who, why : of whoever added it; empty where that is not recorded.
    """

    segment: str | None
    kind: str
    code: str
    effect: str
    when: str
    reason: str
    explained: bool
    who: str = ""
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListedPolicy:
    """The rules of a model, in the order in which they are tried, and all recorded changes of them."""

    model_sha256: str
    rules: tuple[ListedRule, ...]
    edits: tuple[PolicyEdit, ...]

    def frame(self) -> Any:
        """A row for each rule, as a pandas frame."""
        return rows_like(each.to_dict() for each in self.rules)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        rules, edits = ([each.to_dict() for each in some] for some in (self.rules, self.edits))
        return {"model_sha256": self.model_sha256, "rules": rules, "edits": edits}

    def __repr__(self) -> str:
        return f"ListedPolicy({', '.join(each.code for each in self.rules) or 'no rules'})"


def list_rules(model: Model) -> ListedPolicy:
    """The rules around a model's score; a model that decides nothing has none.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> listed = list_rules(models_named()["stumps"])
    >>> listed, listed.rules[0].when
    (ListedPolicy(K1), 'Income < 0')
    """
    edits = policy_edits(model)
    rules = () if isinstance(model, RegressionScorecard) else tuple(_rules(model, edits))
    return ListedPolicy(model_sha256=fingerprint(model), rules=rules, edits=edits)


def effect_of(rule: KnockOut | Adjustment | Override) -> str:
    """What a rule does, in words.

    >>> from scrutable.model import Clause, Missing
    >>> effect_of(Adjustment(code="A", reason="Age not known", points=-15, when=(Clause("age", (Missing(),)),)))
    '-15 points'
    """
    if isinstance(rule, Adjustment):
        return f"{'+' if rule.points > 0 else ''}{number(rule.points)} points"
    return "declines" if rule.declines else "approves"


def _rules(model: Any, edits: tuple[PolicyEdit, ...]) -> Iterator[ListedRule]:
    added = {each.code: each for each in edits if each.action == "added"}
    for segment, part in parts_of(model).items():
        features = {feature.name: feature for feature in part.features}
        for rule in part.policy.rules:
            edit = added.get(rule.code)
            yield ListedRule(
                segment=segment,
                kind=rule.kind,
                code=rule.code,
                effect=effect_of(rule),
                when=describe_all(rule.when, features),
                reason=rule.reason,
                explained=isinstance(rule, KnockOut) or rule.explained,
                who="" if edit is None else edit.who,
                why="" if edit is None else edit.why,
            )
