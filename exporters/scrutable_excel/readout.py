"""A sheet from which a program reads results to the last bit, where the spreadsheet writes 15 digits.

A number stands there as a text of 15 digits and what it differs from that text by, which itself has few digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scrutable.errors import PluginError
from scrutable.model.evaluator import OutputFrame, kind_of
from scrutable_excel import score_sheet
from scrutable_excel.cells import beside
from scrutable_excel.formulas import RULES

SHEET = "Readout"

_DIGITS = '"0.00000000000000E+000"'


def write(sheet: Any, results: Mapping[str, int], n_rows: int) -> None:
    """Write the sheet: a column for a code or a decision, two for any other number; both are empty where it is."""
    for row in range(n_rows):
        column = 0
        for name, place in results.items():
            source = f"{score_sheet.SHEET}!{beside(place).format(row=score_sheet.TOP + row + 1)}"
            if _is_number(name):
                text = beside(column).format(row=row + 1)
                sheet.write_formula(row, column, _filled(source, f"TEXT({source},{_DIGITS})"), None, "")
                rest = f"SUM(1E-300,{source},-VALUE({text}),-1E-300)"
                more = f"IF(DELTA({source},VALUE({text}))=1,0,{rest})"
                sheet.write_formula(row, column + 1, _filled(source, more), None, "")
                column += 2
            else:
                sheet.write_formula(row, column, f"={source}", None, "")
                column += 1


def read(rows: Sequence[Sequence[str]], names: Sequence[str]) -> OutputFrame:
    """The results of the rows of the sheet.

    Raises
    ------
    PluginError : a cell is not what its column holds, for example an error of the spreadsheet.
    """
    results: dict[str, Any] = {}
    column = 0
    for name in names:
        cells = [row[column] for row in rows]
        column += 1
        try:
            if _is_number(name):
                rest = [row[column] for row in rows]
                column += 1
                results[name] = np.array([_sum(text, more) for text, more in zip(cells, rest, strict=True)])
            elif kind_of(name) is np.int64:
                results[name] = np.array([int(cell) for cell in cells], dtype=np.int64)
            elif name == "rules":
                results[name] = np.array([cell.removeprefix(RULES).strip() if cell else None for cell in cells], object)
            else:
                results[name] = np.array([cell or None for cell in cells], dtype=object)
        except ValueError as error:
            raise PluginError("LibreOffice gave no number", where=f"result {name!r}", got=str(error)) from None
    return OutputFrame(results)


def _is_number(name: str) -> bool:
    return kind_of(name) is np.float64


def _filled(source: str, text: str) -> str:
    return f'=IF({source}="","",{text})'


def _sum(text: str, more: str) -> float:
    return float(text) + float(more) if text or more else math.nan
