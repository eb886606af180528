"""A card of a path that a person chose: in a review's file, and in the evidence of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from scrutable.data.values import text
from scrutable.errors import InputError, ModelError
from scrutable.model import Evidence
from scrutable.writing.toml import toml_value

#: The entry of the metrics that says who chose the card, and why.
CARD_CHOICE = "card_choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChoice:
    """The card of so many steps, and who wants it.

    Parameters
    ----------
    learner : the name of the learner that made the path.
    option : its option that chooses the card of so many steps.
    steps : those of the card.
    who, why : for the audit trail.

    Raises
    ------
    InputError : nobody who chose, no reason, or a number of steps that no card has.

    Examples
    --------
    >>> choice = CardChoice(learner="mine", option="steps", steps=40, who="ana", why="the board reads it")
    >>> choice.describe()
    '40 steps by ana, since: the board reads it'
    >>> print(choice.text(), end="")
    [choice]
    learner = "mine"
    option = "steps"
    steps = 40
    who = "ana"
    why = "the board reads it"
    """

    learner: str
    option: str
    steps: int
    who: str
    why: str

    def __post_init__(self) -> None:
        for name in ("learner", "option", "who", "why"):
            given = getattr(self, name)
            try:
                blank = not text(given, name).strip()
            except ModelError as error:
                raise InputError(error.what, where=name, got=given, fix=error.fix) from None
            if blank:
                raise InputError("a choice says who chose, and why", where=name, got=given, fix=f"say {name}")
        if type(self.steps) is not int or self.steps < 1:
            raise InputError("no number of steps", where="steps", got=self.steps, allowed="1 or more")

    @classmethod
    def read(cls, table: Any, where: str) -> Self:
        """The choice that the table [choice] of a review's file states.

        Raises
        ------
        InputError : another key or value than it has.
        """
        names = ("learner", "option", "steps", "who", "why")
        if not isinstance(table, Mapping) or set(table) != set(names):
            got = list(table) if isinstance(table, Mapping) else table
            fix = "correct the table [choice], or delete it"
            raise InputError("not a choice of a card", where=where, got=got, allowed=", ".join(names), fix=fix)
        try:
            return cls(**table)
        except InputError as error:
            error.where = f"{where}, {error.where}"
            raise

    @classmethod
    def of(cls, evidence: Evidence) -> Self | None:
        """The choice that evidence tells of; None where it tells of none."""
        entry: Any = evidence.metrics.get(CARD_CHOICE)
        return None if entry is None else cls.read(entry, f"metrics, {CARD_CHOICE}")

    def describe(self) -> str:
        """What was chosen, by whom and why."""
        return f"{self.steps:,} steps by {self.who}, since: {self.why}"

    def text(self) -> str:
        """The table [choice] as TOML."""
        return "\n".join(["[choice]", *(f"{name} = {toml_value(value)}" for name, value in asdict(self).items()), ""])
