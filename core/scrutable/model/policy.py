"""The policy of a model: what is declined before the score, what is added to it, and who decides in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from scrutable.data.features import Feature
from scrutable.data.values import name, several, snap, unique
from scrutable.errors import ModelError
from scrutable.model.conditions import Conjunction
from scrutable.model.grades import Grade, check_grades

Decision = Literal["approve", "decline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockOut:
    """An automatic decline: its reason code, its reason in words, and when it applies (all clauses hold)."""

    kind: ClassVar[Literal["knock-out"]] = "knock-out"

    code: str
    reason: str
    when: Conjunction

    def __post_init__(self) -> None:
        where = _named(self)
        if not self.when:
            raise ModelError("a knock-out without a condition declines everybody", where=where)

    @property
    def declines(self) -> bool:
        """Whether it declines: always."""
        return True

    @property
    def is_reason(self) -> bool:
        """Whether it can be a reason of a decline: always."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Points that are added to the score of applicants for whom all clauses hold.

    Parameters
    ----------
    code : its reason code.
    reason : its reason in words.
    points : snapped to a multiple of 2^-30; below 0 they lower the score.
    explained : whether a lowered score may be given as a reason. Its shortfall is then the points it takes away.

    Examples
    --------
    >>> from scrutable.model import Clause, Interval
    >>> Adjustment(code="A1", reason="Short time at the present address", points=-15,
    ...     when=(Clause("months", (Interval(upper=6),)),)).points
    -15.0
    """

    kind: ClassVar[Literal["score adjustment"]] = "score adjustment"

    code: str
    reason: str
    when: Conjunction
    points: float
    explained: bool = True

    def __post_init__(self) -> None:
        where = _named(self)
        object.__setattr__(self, "points", snap(self.points))
        if not self.when:
            raise ModelError("it applies to everybody", where=where, fix="add its points to the base points")
        if not self.points:
            raise ModelError("it adds no points", where=where, got=self.points, fix="leave it out")

    @property
    def is_reason(self) -> bool:
        """Whether it can be a reason of a decline."""
        return self.explained and self.points < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A decision in the place of the score's, for applicants for whom all clauses hold.

    Parameters
    ----------
    code : its reason code.
    reason : its reason in words.
    decision : "decline" or "approve". No override approves what a knock-out declines.
    explained : whether it may be given as a reason of a decline. Where it may not and the score reaches the cutoff, the
        decline has no reason that can be told.

    Examples
    --------
    >>> from scrutable.model import Categories, Clause
    >>> Override(code="O1", reason="Present customer", decision="approve",
    ...     when=(Clause("customer", (Categories(("yes",)),)),)).decision
    'approve'
    """

    kind: ClassVar[Literal["override"]] = "override"

    code: str
    reason: str
    when: Conjunction
    decision: Decision
    explained: bool = True

    def __post_init__(self) -> None:
        where = _named(self)
        if self.decision not in ("approve", "decline"):
            raise ModelError("unknown decision", where=where, got=self.decision, allowed="approve, decline")
        if not self.when:
            raise ModelError("it applies to everybody", where=where, fix="give it a condition")

    @property
    def declines(self) -> bool:
        """Whether it declines."""
        return self.decision == "decline"

    @property
    def is_reason(self) -> bool:
        """Whether it can be a reason of a decline."""
        return self.explained and self.declines


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What stands around the score.

    Parameters
    ----------
    knock_outs : the first that applies declines, whatever the score, and gives the first reason.
    adjustments : of those that apply all points are added to the score, before it is held against the cutoff.
    overrides : the first that applies decides in the place of the score, unless a knock-out does.
    grades : names of bands of the score, from the highest to the lowest; they decide nothing.
    """

    knock_outs: tuple[KnockOut, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    overrides: tuple[Override, ...] = ()
    grades: tuple[Grade, ...] = ()

    def __post_init__(self) -> None:
        for part in ("knock_outs", "adjustments", "overrides", "grades"):
            object.__setattr__(self, part, several(getattr(self, part), f"policy: {part}"))
        unique(tuple(rule.code for rule in self.rules), "codes of knock-outs, score adjustments and overrides")
        check_grades(self.grades)

    @property
    def rules(self) -> tuple[KnockOut | Adjustment | Override, ...]:
        """Everything that applies to some and not to others: knock-outs, score adjustments, overrides."""
        return (*self.knock_outs, *self.adjustments, *self.overrides)

    @property
    def deciding(self) -> tuple[KnockOut | Override, ...]:
        """The rules of which the first that applies decides."""
        return (*self.knock_outs, *self.overrides)

    @property
    def reasons(self) -> dict[str, str]:
        """Each code that a decline can have because of a rule, with its words."""
        told = (rule for rule in self.rules if rule.is_reason)
        return {rule.code: rule.reason for rule in told}

    @property
    def features(self) -> set[str]:
        """Names of the features that the rules read."""
        return {clause.feature for rule in self.rules for clause in rule.when}

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but knock-outs."""
        return not (self.adjustments or self.overrides or self.grades)

    def check(self, features: dict[str, Feature]) -> None:
        """Refuse clauses on unknown features or with values of another kind."""
        for rule in self.rules:
            where = f"{rule.kind} {rule.code!r}"
            for clause in rule.when:
                clause.check(features, where)


def _named(rule: KnockOut | Adjustment | Override) -> str:
    """The rule in errors; it must have a code and a reason, and its clauses are several."""
    name(rule.code, f"{rule.kind} code")
    where = f"{rule.kind} {rule.code!r}"
    name(rule.reason, f"reason of {where}")
    object.__setattr__(rule, "when", several(rule.when, f"{where}: when"))
    return where
