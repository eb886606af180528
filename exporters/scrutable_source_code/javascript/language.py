"""How JavaScript spells values, variables and tables."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import ClassVar

from scrutable_source_code.common.language import Statement, Table, Variable
from scrutable_source_code.common.row_language import RowLanguage
from scrutable_source_code.common.templates import source


class JavaScript(RowLanguage):
    r"""The spelling of one module.

    Parameters
    ----------
    before : variables that are declared before all statements.

    Examples
    --------
    >>> JavaScript().number(0.1), JavaScript().number(-math.inf)
    ('0.1', '-Infinity')
    >>> print(JavaScript().text("it's </b> caf" + chr(233) + chr(0x1F600)))
    "it's \u003c/b\u003e caf\u00e9\ud83d\ude00"
    """

    taken = frozenset(source("javascript", "taken.txt").split())
    equals = "==="
    differs = "!=="
    exp = "Math.exp"
    infinities: ClassVar = {math.inf: "Infinity", -math.inf: "-Infinity"}
    nan = "NaN"

    def __init__(self, before: Collection[Variable] = ()) -> None:
        self.before = before

    def read(self, variable: Variable) -> str:
        """The name."""
        return variable.name

    def table(self, table: Table) -> str:
        """The name."""
        return table.name

    def declared(self, variable: Variable) -> str:
        """The line that declares a variable before all statements."""
        listed = variable.size > 0 and variable.kind != "ranking"
        return f"const {variable.name} = [];" if listed else f"let {variable.name};"

    def assigned(self, statement: Statement) -> str:
        """What a variable is given; one that is given something once, and read where it is, is declared there."""
        return f"{'' if statement.target in self.before else 'const '}{super().assigned(statement)}"
