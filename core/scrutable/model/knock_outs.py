"""Knock-out rules: declines that come before the score."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.data.features import Feature
from scrutable.data.values import name, unique
from scrutable.errors import ModelError
from scrutable.model.conditions import Conjunction


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockOut:
    """An automatic decline: its reason code, its reason in words, and when it applies (all clauses hold)."""

    code: str
    reason: str
    when: Conjunction

    def __post_init__(self) -> None:
        name(self.code, "knock-out code")
        name(self.reason, f"reason of knock-out {self.code!r}")
        if not self.when:
            raise ModelError("a knock-out without a condition declines everybody", where=f"knock-out {self.code!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Knock-out rules in order; the first that applies declines and gives the first reason."""

    knock_outs: tuple[KnockOut, ...] = ()

    def __post_init__(self) -> None:
        unique(tuple(rule.code for rule in self.knock_outs), "knock-out codes")

    @property
    def features(self) -> set[str]:
        """Names of the features that the rules read."""
        return {clause.feature for rule in self.knock_outs for clause in rule.when}

    def check(self, features: dict[str, Feature]) -> None:
        """Refuse clauses on unknown features or with values of another kind."""
        for rule in self.knock_outs:
            where = f"knock-out {rule.code!r}"
            for clause in rule.when:
                clause.check(features, where)
