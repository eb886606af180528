"""How Java spells values, variables and tables."""

from __future__ import annotations

import math
from typing import Literal

from scrutable_source_code.common.language import Kind, Language, Names, Statement, Table, Variable
from scrutable_source_code.common.spelling import plain
from scrutable_source_code.common.templates import source

#: Entries of the tables of one class, whose initialiser is a method of 64 KB at most.
ENTRIES = 2000
TYPES: dict[Kind, str] = {
    "number": "double",
    "place": "int",
    "truth": "boolean",
    "text": "String",
    "ranking": "Ranking",
}


class Java(Language):
    """The spelling of one class; variables are fields of an object, so that any method may go on with them."""

    taken = frozenset(source("java", "taken.txt").split())
    exp = "Math.exp"

    def __init__(self) -> None:
        self.classes: list[list[Table]] = []

    def number(self, value: float) -> str:
        """A double; the shortest decimal that is read back as the same bits.

        >>> Java().number(0.1), Java().number(-math.inf)
        ('0.1', 'Double.NEGATIVE_INFINITY')
        """
        infinite = {math.inf: "Double.POSITIVE_INFINITY", -math.inf: "Double.NEGATIVE_INFINITY"}
        return infinite.get(value) or repr(value)

    def text(self, text: str | None) -> str:
        r"""A text in quotes, or null; what is none of plain ASCII is escaped, the rest of ASCII in octal.

        Java reads \u before all else, so that no quote or line feed may be written so.

        >>> print(Java().text('it is "' + chr(92) + 'u0022' + chr(10) + chr(0x1F600)))
        "it is \042\134u0022\012\ud83d\ude00"
        """
        if text is None:
            return "null"
        return f'"{"".join(each if plain(each) else _escaped(each) for each in text)}"'

    def nothing(self, kind: Kind) -> str:
        """What stands for nothing."""
        return {"number": "Double.NaN", "text": "null", "truth": "false"}.get(kind, "0")

    def order(self, text: str) -> tuple[int, bytes]:
        """By code units, as the language compares texts."""
        return 0, text.encode("utf-16-be")

    def read(self, variable: Variable) -> str:
        """A field."""
        return f"row.{variable.name}"

    def item(self, variable: Variable, place: int) -> str:
        """An entry of an array."""
        return f"row.{variable.name}[{place}]"

    def ranked(self, variable: Variable, rank: int, what: Literal["codes", "shorts"]) -> str:
        """An entry of one of the two arrays of a ranking."""
        return f"row.{variable.name}.{what}[{rank}]"

    def table(self, table: Table) -> str:
        """A field of a class of tables, which hold so much each that they can be initialised."""
        filled = sum(len(each.entries) for each in self.classes[-1]) if self.classes else ENTRIES
        if filled + len(table.entries) > ENTRIES:
            self.classes.append([])
        self.classes[-1].append(table)
        return f"Tables{len(self.classes)}.{table.name}"

    def place_of_text(self, column: Variable, names: Names) -> str:
        """A search by halves."""
        x = self.read(column)
        return f"place_of_text({names.names}, {names.places}, {names.size}, {x}, {names.other}, {names.missing})"

    def spelled(self, words: str, truths: Variable) -> str:
        """A call; the empty text where there are no words."""
        return f"spelled({words}, {self.read(truths)}, {truths.size})" if words else '""'

    def blocks(self, statement: Statement) -> tuple[str, ...]:
        """The branches, as they are asked for."""
        return tuple(f"if ({self.holds(branch)})" for branch in statement.scope)

    def assigned(self, statement: Statement) -> str:
        """What a field is given."""
        target, text = statement.target, statement.text
        if target.kind == "ranking":
            text = f"ranked({text}, {target.size})"
        name = self.read(target) if statement.place is None else self.item(target, statement.place)
        return f"{name} = {text};"

    def declared(self, variable: Variable) -> str:
        """The line that declares a field."""
        kind = TYPES[variable.kind]
        if variable.size and variable.kind != "ranking":
            return f"final {kind}[] {variable.name} = new {kind}[{variable.size}];"
        return f"{kind} {variable.name};"


def _escaped(letter: str) -> str:
    if letter.isascii():
        return f"\\{ord(letter):03o}"
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
