"""Rules as people state them: in a file, on the command line, or in Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from scrutable.errors import InputError
from scrutable.model import Adjustment, Conjunction, KnockOut, Override, read_conditions


@dataclass(frozen=True, kw_only=True)
class StatedRule:
    """What every rule states.

    Parameters
    ----------
    code : its reason code; no other rule or reason of the model may have it.
    reason : its reason in words, as the applicant is told it.
    when : whom it applies to, as `scrutable.model.read_conditions` reads it: "age < 18 or missing".
    translations : the reason by language, for each language that the model's reasons have.
    before : the code of the rule of its kind that it comes before; after all of them if not given.
    segments : of a model of segments, those that it is added to; all of them if none is named.
    who, why : for the record that the model keeps.
    """

    kind: ClassVar[str] = "rule"

    code: str
    reason: str
    when: str
    translations: Mapping[str, str] = field(default_factory=dict)
    before: str = ""
    segments: tuple[str, ...] = ()
    who: str = ""
    why: str = ""

    @property
    def where(self) -> str:
        """How errors name the rule."""
        return f"{self.kind} {self.code!r}"

    @property
    def clauses(self) -> Conjunction:
        """What `when` means.

        Raises
        ------
        InputError : it cannot be read, or no number satisfies it.
        """
        try:
            return read_conditions(self.when)
        except InputError as error:
            error.where = f"{self.where}, {error.where}"
            raise

    def is_for(self, segment: str | None) -> bool:
        """Whether it is added to a segment; None stands for a model without segments."""
        return not self.segments or segment in self.segments

    def made(self) -> KnockOut | Adjustment | Override:
        """The rule as a model holds it; errors as above, and ModelError for what no rule can have."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class KnockOutRule(StatedRule):
    """A rule that declines, whatever the score.

    Examples
    --------
    >>> KnockOutRule(code="K1", reason="Applicant is under age", when="age < 18").made().when[0].describe()
    'age < 18'
    """

    kind: ClassVar[str] = "knock-out"

    def made(self) -> KnockOut:
        """The knock-out as a model holds it."""
        return KnockOut(code=self.code, reason=self.reason, when=self.clauses)


@dataclass(frozen=True, kw_only=True)
class AdjustmentRule(StatedRule):
    """A rule that adds points to the score; below 0 they lower it.

    Examples
    --------
    >>> AdjustmentRule(code="A1", reason="Short time in employment", when="months < 6", points=-15).made().points
    -15.0
    """

    kind: ClassVar[str] = "score adjustment"

    points: float
    explained: bool = True

    def made(self) -> Adjustment:
        """The score adjustment as a model holds it."""
        return Adjustment(
            code=self.code, reason=self.reason, when=self.clauses, points=self.points, explained=self.explained
        )


@dataclass(frozen=True, kw_only=True)
class OverrideRule(StatedRule):
    """A rule that approves or declines in the place of the score, unless a knock-out declines.

    Examples
    --------
    >>> OverrideRule(code="O1", reason="Present customer", when="customer = 'yes'", decision="approve").made().declines
    False
    """

    kind: ClassVar[str] = "override"

    decision: Literal["approve", "decline"]
    explained: bool = True

    def made(self) -> Override:
        """The override as a model holds it."""
        return Override(
            code=self.code, reason=self.reason, when=self.clauses, decision=self.decision, explained=self.explained
        )
