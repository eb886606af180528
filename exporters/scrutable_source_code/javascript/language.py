"""How JavaScript spells values, variables and tables."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal

from scrutable_source_code.common.language import Kind, Language, Names, Statement, Table, Variable
from scrutable_source_code.common.spelling import plain
from scrutable_source_code.common.templates import source


class JavaScript(Language):
    """The spelling of one module.

    Parameters
    ----------
    before : variables that are declared before all statements.
    """

    taken = frozenset(source("javascript", "taken.txt").split())
    equals = "==="
    differs = "!=="
    exp = "Math.exp"

    def __init__(self, before: Collection[Variable] = ()) -> None:
        self.before = before

    def number(self, value: float) -> str:
        """A double; the shortest decimal that is read back as the same bits.

        >>> JavaScript().number(0.1), JavaScript().number(-math.inf)
        ('0.1', '-Infinity')
        """
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value) or repr(value)

    def text(self, text: str | None) -> str:
        r"""A text in quotes, or null; what is none of plain ASCII is escaped by its code unit.

        >>> print(JavaScript().text("it's </b> caf" + chr(233) + chr(0x1F600)))
        "it's \u003c/b\u003e caf\u00e9\ud83d\ude00"
        """
        if text is None:
            return "null"
        return f'"{"".join(each if plain(each) else _escaped(each) for each in text)}"'

    def nothing(self, kind: Kind) -> str:
        """What stands for nothing."""
        return {"number": "NaN", "text": "null", "truth": "false"}.get(kind, "0")

    def order(self, text: str) -> tuple[int, bytes]:
        """By code units, as the language compares texts."""
        return 0, text.encode("utf-16-be")

    def read(self, variable: Variable) -> str:
        """The name."""
        return variable.name

    def item(self, variable: Variable, place: int) -> str:
        """An entry of an array."""
        return f"{variable.name}[{place}]"

    def ranked(self, variable: Variable, rank: int, what: Literal["codes", "shorts"]) -> str:
        """An entry of one of the two arrays of a ranking."""
        return f"{variable.name}.{what}[{rank}]"

    def table(self, table: Table) -> str:
        """The name."""
        return table.name

    def declared(self, variable: Variable) -> str:
        """The line that declares a variable before all statements."""
        listed = variable.size > 0 and variable.kind != "ranking"
        return f"const {variable.name} = [];" if listed else f"let {variable.name};"

    def place_of_text(self, column: Variable, names: Names) -> str:
        """A search by halves."""
        given = (names.names, names.places, str(names.size), column.name, str(names.other), str(names.missing))
        return f"place_of_text({', '.join(given)})"

    def spelled(self, words: str, truths: Variable) -> str:
        """A call; the empty text where there are no words."""
        return f"spelled({words}, {truths.name}, {truths.size})" if words else '""'

    def blocks(self, statement: Statement) -> tuple[str, ...]:
        """The branches, as they are asked for."""
        return tuple(f"if ({self.holds(branch)})" for branch in statement.scope)

    def assigned(self, statement: Statement) -> str:
        """What a variable is given; one that is given something once, and read where it is, is declared there."""
        target, text = statement.target, statement.text
        if target.kind == "ranking":
            text = f"ranked({text}, {target.size})"
        name = target.name if statement.place is None else self.item(target, statement.place)
        return f"{'' if target in self.before else 'const '}{name} = {text};"


def _escaped(letter: str) -> str:
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
