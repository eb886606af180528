"""What the codes of a model mean, in a form that is kept when the model is not at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.errors import ModelError
from scrutable.model import Clause, Conjunction, encode

if TYPE_CHECKING:
    from scrutable.model.segments import DecisionModel

_PARTS = ("texts", "features", "rules")


@dataclass(frozen=True, slots=True)
class UsedCodes:
    """What codes mean: their texts, and the features or rules that have them.

    Parameters
    ----------
    texts : words by code, those of retired codes and of rules around the score among them.
    features : the features that each code of reasons is of, in any segment; none for a code of attributes alone.
    rules : by code, whom its rules around the score apply to, as `applies_to` says it; several where segments differ.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> codes = UsedCodes.of(models_named()["stumps"])
    >>> UsedCodes.read(codes.to_dict()) == codes
    True
    """

    texts: Mapping[str, str]
    features: Mapping[str, set[str]]
    rules: Mapping[str, set[str]]

    @classmethod
    def of(cls, model: DecisionModel) -> UsedCodes:
        """The codes of a model."""
        texts: dict[str, str] = {}
        features: dict[str, set[str]] = {}
        rules: dict[str, set[str]] = {}
        for part in model.parts:
            if part.reasons is not None:
                texts |= part.reasons.retired
        for part in model.parts:
            for rule in part.policy.rules:
                texts[rule.code] = rule.reason
                rules.setdefault(rule.code, set()).add(applies_to(rule.when))
        for part in model.parts:
            if part.reasons is not None:
                texts |= part.reasons.texts
                for code, names in part.reasons.features().items():
                    features.setdefault(code, set()).update(names)
        return cls(texts, features, rules)

    def of_features(self, features: set[str]) -> set[str]:
        """The codes that any of some features have."""
        return {code for code, names in self.features.items() if names & features}

    def of_rule(self, when: Conjunction) -> set[str]:
        """The codes that rules with these conditions have."""
        conditions = applies_to(when)
        return {code for code, known in self.rules.items() if conditions in known}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, in order."""
        return {
            "texts": dict(sorted(self.texts.items())),
            "features": {code: sorted(names) for code, names in sorted(self.features.items())},
            "rules": {code: sorted(names) for code, names in sorted(self.rules.items())},
        }

    @classmethod
    def read(cls, plain: Any, where: str = "codes") -> UsedCodes:
        """The codes that `to_dict` gave.

        Raises
        ------
        ModelError : they are something else.
        """
        fits = isinstance(plain, dict) and set(plain) == set(_PARTS) and all(isinstance(plain[p], dict) for p in _PARTS)
        if not fits or not all(map(_is_text, plain["texts"].values())):
            raise _unreadable(where)
        for names in (*plain["features"].values(), *plain["rules"].values()):
            if not isinstance(names, list) or not all(map(_is_text, names)):
                raise _unreadable(where)
        features, rules = ({code: set(names) for code, names in plain[part].items()} for part in _PARTS[1:])
        return cls(plain["texts"], features, rules)


def applies_to(when: Conjunction) -> str:
    """The conditions of a rule as one text, equal for those that differ in their order alone.

    >>> from scrutable.model import Missing
    >>> applies_to((Clause("income", (Missing(),)),))
    '[["income", [{"type": "missing"}]]]'
    """
    return json.dumps(sorted((clause.feature, _any_of(clause)) for clause in when), ensure_ascii=False)


def _any_of(clause: Clause) -> list[Any]:
    plain = (encode(condition, tagged=True) for condition in clause.any_of)
    ordered = (
        {key: sorted(value, key=repr) if isinstance(value, list) else value for key, value in sorted(each.items())}
        for each in plain
    )
    return sorted(ordered, key=repr)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _unreadable(where: str) -> ModelError:
    return ModelError(
        "no codes of a model", where=where, allowed=f"objects {', '.join(_PARTS)} as to_dict() gives them"
    )
