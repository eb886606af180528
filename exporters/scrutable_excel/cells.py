"""References, formulas and values of cells, within what a workbook can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from xlsxwriter.utility import xl_cell_to_rowcol, xl_col_to_name, xl_rowcol_to_cell

from scrutable.errors import UnsupportedModel
from scrutable.writing import visible

_CELL = re.compile(r"\$[A-Z]+\{row\}")
_LONGEST_FORMULA = 8192
_LAST_ROW = 1_048_576
_MOST_ARGUMENTS = 255
_LONGEST_WORDS = 1000


class Exact(float):
    """A number that XlsxWriter writes with all its digits; it would write 16, and doubles have up to 17."""

    def __format__(self, spec: str) -> str:
        return repr(float(self))


def at(row: int, column: int, sheet: str = "") -> str:
    """An absolute reference; rows and columns count from 0.

    >>> at(4, 1, "Scorecard"), at(0, 27)
    ('Scorecard!$B$5', '$AB$1')
    """
    return (f"{sheet}!" if sheet else "") + str(xl_rowcol_to_cell(row, column, True, True))


def beside(column: int) -> str:
    """A reference within a row, which a person can fill down; `formula` puts the row's number in.

    >>> beside(1)
    '$B{row}'
    """
    return f"${xl_col_to_name(column)}{{row}}"


def call(name: str, arguments: Iterable[str]) -> str:
    """A function of several arguments.

    >>> call("MAX", ["1", "B2"])
    'MAX(1,B2)'
    """
    listed = list(arguments)
    if len(listed) > _MOST_ARGUMENTS:
        raise UnsupportedModel(
            "more arguments than a function of a spreadsheet takes",
            where=f"function {name}",
            got=len(listed),
            allowed=f"at most {_MOST_ARGUMENTS}",
            fix="merge attributes, or use the exporter python",
        )
    return f"{name}({','.join(listed)})"


def split_call(name: str, arguments: Iterable[str]) -> str:
    """A function of as many arguments as may be, that may be called of parts and then of what these give.

    Cells beside one another are given as one reference.

    >>> split_call("SUM", ["1", "$B{row}", "$C{row}", "2"])
    'SUM(1,$B{row}:$C{row},2)'
    """
    listed = _joined(arguments)
    while len(listed) > _MOST_ARGUMENTS:
        parts = range(0, len(listed), _MOST_ARGUMENTS)
        listed = [f"{name}({','.join(listed[start : start + _MOST_ARGUMENTS])})" for start in parts]
    return f"{name}({','.join(listed)})"


def formula(text: str, where: str) -> str:
    """A whole formula, after a refusal of one that is too long."""
    length = len(text.format(row=_LAST_ROW))
    if length >= _LONGEST_FORMULA:
        raise UnsupportedModel(
            "a formula that is too long for spreadsheets",
            where=where,
            got=f"{length:,} characters",
            allowed=f"at most {_LONGEST_FORMULA:,}",
            fix="merge attributes, or use the exporter python",
        )
    return f"={text}"


def runs(columns: Iterable[int]) -> list[str]:
    """Cells of a row, neighbours as one reference; columns ascend.

    >>> runs([1, 2, 3, 5])
    ['$B{row}:$D{row}', '$F{row}']
    """
    neighbours: list[list[int]] = []
    for column in columns:
        if neighbours and neighbours[-1][-1] == column - 1:
            neighbours[-1].append(column)
        else:
            neighbours.append([column])
    return [beside(run[0]) if len(run) == 1 else f"{beside(run[0])}:{beside(run[-1])}" for run in neighbours]


def _joined(arguments: Iterable[str]) -> list[str]:
    """Arguments, runs of cells beside one another as one."""
    listed: list[str] = []
    columns: dict[int, int] = {}
    for place, argument in enumerate(arguments):
        columns[place] = xl_cell_to_rowcol(argument.replace("{row}", "1"))[1] if _CELL.fullmatch(argument) else -2
        if columns[place] >= 0 and columns.get(place - 1) == columns[place] - 1:
            listed[-1] = f"{listed[-1].partition(':')[0]}:{argument}"
        else:
            listed.append(argument)
    return listed


def words(text: str) -> str:
    r"""Words for people: one line without control characters, not endless, and no markup.

    >>> words("a" + chr(10) + "b"), words("<r>b</r>")
    ('a\\nb', '<r>b</r> ')
    """
    short = text if len(text) <= _LONGEST_WORDS else text[: _LONGEST_WORDS - 1] + "…"
    clean = visible(short)
    # XlsxWriter writes what looks like its own markup of rich texts as markup
    return clean + " " if clean.startswith("<r>") else clean
