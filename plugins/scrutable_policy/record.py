"""Who changed a model's policy and why: a list that the model's provenance keeps, and so its fingerprint covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar

from scrutable.model import DecisionModel, FrozenMapping, Model, freeze
from scrutable.writing import plain_fields

M = TypeVar("M", bound=DecisionModel)

#: The entry of the provenance's parameters.
POLICY_EDITS = "policy_edits"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyEdit:
    """A rule that was added or removed.

    Parameters
    ----------
    action : "added" or "removed".
    code : of the rule.
    rule : the rule in words.
    who, why : as they were given.
    model_sha256 : the fingerprint of the model before.
    segments : of a model of segments, those that it was added to or removed from.
    allowed_protected : columns that it reads although they are, or may be, protected attributes.
    """

    action: Literal["added", "removed"]
    code: str
    rule: str
    who: str
    why: str
    model_sha256: str
    segments: tuple[str, ...] = ()
    allowed_protected: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without what is empty."""
        return {name: value for name, value in plain_fields(self).items() if value != []}


def policy_edits(model: Model) -> tuple[PolicyEdit, ...]:
    """All changes of a model's policy that were recorded, the oldest first.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> policy_edits(models_named()["scorecard"])
    ()
    """
    recorded = model.provenance.parameters.get(POLICY_EDITS)
    entries = recorded if isinstance(recorded, tuple) else ()
    return tuple(_read(each) for each in entries if isinstance(each, Mapping))


def recorded(model: M, edits: Iterable[PolicyEdit]) -> M:
    """The model with further changes in its record."""
    every = [each.to_dict() for each in (*policy_edits(model), *edits)]
    parameters = {**model.provenance.parameters, POLICY_EDITS: freeze(every, POLICY_EDITS)}
    return replace(model, provenance=replace(model.provenance, parameters=FrozenMapping(parameters)))


def _read(entry: Mapping[str, Any]) -> PolicyEdit:
    known = {each.name: entry.get(each.name, () if each.name in _LISTS else "") for each in fields(PolicyEdit)}
    return PolicyEdit(**known)


_LISTS = ("segments", "allowed_protected")
