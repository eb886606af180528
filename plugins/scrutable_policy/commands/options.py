"""Options that the commands share, as Typer reads them, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable.cli.options import DATA, OUTPUT, Panel, ReadByConditions
from scrutable.errors import InputError
from scrutable.plugins import parse_names

if TYPE_CHECKING:
    from scrutable_policy.stated import StatedRule

RULE = Panel("One rule")
RECORD = Panel("For the record")

Output = Annotated[Path, OUTPUT.option("--output", "-o", help="The new model file.")]
Who = Annotated[str | None, RECORD.option(help="Who wants it; the login name if not given.")]
Why = Annotated[str | None, RECORD.option(help="Why, for rules that do not say so themselves.")]
Segments = Annotated[
    list[str] | None,
    typer.Option("--segment", help="Of a model of segments, only this one. Repeatable; all if not given."),
]
Rules = Annotated[Path | None, typer.Option(metavar="RULES.toml", help="File of rules.")]
Dictionary = Annotated[
    Path | None,
    DATA.option(metavar="FILE.toml", help="Data dictionary, whose roles and special codes hold for the rules."),
]
AllowProtected = Annotated[
    list[str] | None,
    typer.Option(help="Column that rules may read although it is, or tells, a protected attribute. Repeatable."),
]


class Decided(StrEnum):
    """What an override decides."""

    APPROVE = "approve"
    DECLINE = "decline"


@dataclass(frozen=True, kw_only=True)
class OneRule:
    """A rule that the command line states."""

    knock_out: Annotated[str | None, RULE.option(metavar="CODE", help="A rule that declines.")] = None
    adjustment: Annotated[str | None, RULE.option(metavar="CODE", help="A rule that adds --points.")] = None
    override: Annotated[str | None, RULE.option(metavar="CODE", help="A rule that takes a --decision.")] = None
    when: Annotated[str | None, RULE.option(metavar="CONDITION", help="To whom it applies, as 'age < 18'.")] = None
    reason: Annotated[str | None, RULE.option(help="Its reason in words, as applicants are told it.")] = None
    translation: Annotated[
        list[str] | None, RULE.option(metavar="LANGUAGE=TEXT", help="The reason in another language. Repeatable.")
    ] = None
    points: Annotated[float | None, RULE.option(help="Points that an adjustment adds; below 0 they lower.")] = None
    decision: Annotated[Decided | None, RULE.option(help="What an override decides.")] = None
    never_told: Annotated[
        bool, RULE.option("--never-told", help="It is no reason that an applicant is told; not for knock-outs.")
    ] = False
    before: Annotated[str | None, RULE.option(metavar="CODE", help="The rule of its kind that it comes before.")] = None

    def rules(self, segments: tuple[str, ...]) -> list[StatedRule]:
        """The rule, if one is stated.

        Raises
        ------
        InputError : two codes, an option that the kind of rule does not have, or one that it lacks.
        """
        codes = {name: getattr(self, name) for name in _OWN if getattr(self, name) is not None}
        given = [name for name in _FURTHER if getattr(self, name) not in (None, False, [])]
        if not codes:
            if given:
                fix = "give --knock-out, --adjustment or --override with the rule's code"
                raise InputError("options of no rule", where="policy add", got=", ".join(map(_flag, given)), fix=fix)
            return []
        if len(codes) > 1:
            fix = "run the command once for each, or write them into a file for --rules"
            raise InputError("one rule at a time", where="policy add", got=", ".join(map(_flag, codes)), fix=fix)
        [(kind, code)] = codes.items()
        self._check(kind, given)
        return [self._made(kind, code, segments)]

    def _check(self, kind: str, given: list[str]) -> None:
        for name in given:
            if name not in (*_ALL, *_OWN[kind]):
                allowed = ", ".join(map(_flag, (*_ALL, *_OWN[kind])))
                raise InputError(
                    f"an option that {_flag(kind)} does not have",
                    where="policy add",
                    got=_flag(name),
                    allowed=allowed,
                    fix="leave it out",
                )
        for name in ("when", "reason", *(name for name in _OWN[kind] if name != "never_told")):
            if name not in given:
                raise InputError(
                    "an option is missing", where=f"policy add {_flag(kind)}", allowed=_flag(name), fix="give it"
                )

    def _made(self, kind: str, code: str, segments: tuple[str, ...]) -> StatedRule:
        from scrutable_policy.stated import AdjustmentRule, KnockOutRule, OverrideRule

        common: dict[str, Any] = {
            "code": code,
            "reason": self.reason,
            "when": self.when,
            "translations": dict(
                parse_names(self.translation or (), "--translation", "LANGUAGE=TEXT", once="the language")
            ),
            "before": self.before or "",
            "segments": segments,
        }
        if kind == "adjustment":
            return AdjustmentRule(**common, points=self.points or 0.0, explained=not self.never_told)
        if kind == "override":
            approves = self.decision == Decided.APPROVE
            common["decision"] = "approve" if approves else "decline"
            return OverrideRule(**common, explained=not self.never_told)
        return KnockOutRule(**common)


#: Options that each kind of rule has beside those of all.
_OWN: dict[str, tuple[str, ...]] = {
    "knock_out": (),
    "adjustment": ("points", "never_told"),
    "override": ("decision", "never_told"),
}
_ALL = ("when", "reason", "translation", "before")
_FURTHER = (*_ALL, "points", "decision", "never_told")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """What is said of the columns that rules read."""

    feature: ReadByConditions = None
    allow_protected: AllowProtected = None

    def said(self) -> dict[str, Any]:
        """Arguments of `add_rules`."""
        from scrutable.cli import parse_features

        return {"features": parse_features(self.feature), "allow_protected": self.allow_protected or ()}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
