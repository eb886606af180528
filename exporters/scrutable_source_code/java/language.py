"""How Java spells values, variables and tables."""

from __future__ import annotations

import math
from typing import ClassVar

from scrutable_source_code.common.language import Kind, Table, Variable
from scrutable_source_code.common.row_language import RowLanguage
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


class Java(RowLanguage):
    """The spelling of one class; variables are fields of an object, so that any method may go on with them.

    >>> Java().number(0.1), Java().number(-math.inf)
    ('0.1', 'Double.NEGATIVE_INFINITY')
    """

    taken = frozenset(source("java", "taken.txt").split())
    exp = "Math.exp"
    infinities: ClassVar = {math.inf: "Double.POSITIVE_INFINITY", -math.inf: "Double.NEGATIVE_INFINITY"}
    nan = "Double.NaN"

    def __init__(self) -> None:
        self.classes: list[list[Table]] = []

    def escaped(self, letter: str) -> str:
        r"""A letter by its code units, of ASCII in octal.

        Java reads \u before all else, so that no quote or line feed may be written so.

        >>> print(Java().text('it is "' + chr(92) + 'u0022' + chr(10) + chr(0x1F600)))
        "it is \042\134u0022\012\ud83d\ude00"
        """
        return f"\\{ord(letter):03o}" if letter.isascii() else super().escaped(letter)

    def whole(self, number: str) -> str:
        """A cast."""
        return f"(int) ({number})"

    def read(self, variable: Variable) -> str:
        """A field."""
        return f"row.{variable.name}"

    def table(self, table: Table) -> str:
        """A field of a class of tables, which hold so much each that they can be initialised."""
        filled = sum(len(each.entries) for each in self.classes[-1]) if self.classes else ENTRIES
        if filled + len(table.entries) > ENTRIES:
            self.classes.append([])
        self.classes[-1].append(table)
        return f"Tables{len(self.classes)}.{table.name}"

    def declared(self, variable: Variable) -> str:
        """The line that declares a field."""
        kind = TYPES[variable.kind]
        if variable.size and variable.kind != "ranking":
            return f"final {kind}[] {variable.name} = new {kind}[{variable.size}];"
        return f"{kind} {variable.name};"
