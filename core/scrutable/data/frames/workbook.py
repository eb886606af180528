"""Sheets of Excel's workbooks, old and new, and of LibreOffice's."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.cells import frame_of
from scrutable.data.frames.header_line import header_place, is_empty, warn_of_lines_passed_over
from scrutable.data.frames.leading_zeros import CODE, codes_among
from scrutable.data.frames.marks import with_decimal_mark
from scrutable.data.frames.missing_words import warn_of_missing_words, with_gaps
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.settling import settled_cells
from scrutable.data.frames.texts import text_columns
from scrutable.data.frames.totals import leaves_out_totals
from scrutable.errors import InputError, ScrutableWarning, did_you_mean, warn_caller
from scrutable.writing.shortlist import shortlist

if TYPE_CHECKING:
    import pandas as pd

Row = list[Any]
_ERROR_CELL = re.compile(rb'<c [^>]*\bt="e"')


class ErrorCellsWarning(ScrutableWarning):
    """Cells of a workbook hold errors such as #DIV/0!, and were read as missing."""


class OtherSheetsWarning(ScrutableWarning):
    """A workbook has several sheets, and the first of them was read, since none was named."""


def read(file: Path, reading: Reading) -> pd.DataFrame:
    """All rows of a sheet below the line of names; blank ones are passed over."""
    import pandas as pd

    rows = _rows(file, reading, warns=True)
    place, names = _names(file, rows, reading)
    filled = [row for row in rows[place + 1 :] if not _is_blank(row)]
    if not filled:
        raise InputError("no rows below the header", where=_where(file), fix="give a sheet with at least one row")
    places = [i for i, cell in enumerate(rows[place]) if not is_empty(cell)]
    for number, row in enumerate(rows[place + 1 :], place + 2):
        if any(not is_empty(cell) for i, cell in enumerate(row) if i not in places):
            raise InputError(
                "a cell without a column's name above it",
                where=f"{_where(file)}, line {number}",
                fix="name the column, or empty the cells beside the table",
            )
    _warn_of_errors(file)
    if reading.header is None:
        warn_of_lines_passed_over([row for row in rows[:place] if not _is_blank(row)], place + 1)
    columns = {name: [row[i] for row in filled] for name, i in zip(names, places, strict=True)}
    frame = frame_of(names, columns.values(), reading)
    if leaves_out_totals(frame, reading):
        columns = {name: cells[:-1] for name, cells in columns.items()}
        frame = frame_of(names, columns.values(), reading)
    reading = replace(reading, text=reading.text | codes_among(frame, _with_zeros(frame, reading)))
    reading = with_decimal_mark(dict(_written(frame, columns)), reading)
    frame = settled_cells(frame, reading)
    gaps = with_gaps(frame, reading)
    warn_of_missing_words({name: pd.Series(columns[name], dtype=object).map(_bare) for name in gaps}, reading)
    return frame


def read_names(file: Path, reading: Reading) -> tuple[str, ...]:
    """The names of a sheet's columns."""
    return _names(file, _rows(file, reading), reading)[1]


def _rows(file: Path, reading: Reading, *, warns: bool = False) -> list[Row]:
    import python_calamine as calamine

    try:
        with calamine.load_workbook(str(file)) as book:
            names = list(book.sheet_names)
            if reading.sheet is not None and reading.sheet not in names:
                raise InputError(
                    "no such sheet",
                    where=_where(file),
                    got=reading.sheet,
                    allowed=did_you_mean(reading.sheet, names),
                    fix="name one of the sheets",
                )
            if warns and reading.sheet is None:
                seen = [each.visible == calamine.SheetVisibleEnum.Visible for each in book.sheets_metadata]
                _warn_of_other_sheets(file, names[0], list(compress(names[1:], seen[1:])))
            sheet = book.get_sheet_by_name(names[0] if reading.sheet is None else reading.sheet)
            rows: list[Row] = sheet.to_python(skip_empty_area=False)
            return rows
    except InputError:
        raise
    except (calamine.CalamineError, OSError, IndexError, ValueError) as error:
        raise InputError(
            "cannot be read as a workbook",
            where=_where(file),
            got=type(error).__name__,
            fix="check that it is complete and has no password, or save it again",
        ) from None


def _warn_of_other_sheets(file: Path, first: str, others: Sequence[str]) -> None:
    if others:
        named = shortlist([*map(repr, others)])
        warn_caller(
            f"{_where(file)}: sheet {first!r} is read, being the first; not {named}. Fix: none if that is right, and "
            f"--sheet (in Python sheet={first!r}) says so.",
            OtherSheetsWarning,
        )


def _names(file: Path, rows: list[Row], reading: Reading) -> tuple[int, tuple[str, ...]]:
    """The place of the line of names, and the names; columns without any cell are none."""
    where = f"header of {_where(file)}"
    place = header_place(rows) if reading.header is None else reading.header - 1
    if place >= len(rows) or _is_blank(rows[place]):
        raise InputError("the sheet has no names there", where=where, fix="give --header LINE, the line of the names")
    header = rows[place]
    last = max(i for i, cell in enumerate(header) if not is_empty(cell))
    for i, cell in enumerate(header[:last]):
        if is_empty(cell) and any(not is_empty(row[i]) for row in rows[place + 1 :]):
            raise InputError(
                f"column {i + 1} has no name, as below merged cells",
                where=where,
                allowed="a name for every column",
                fix="give --header LINE (in Python header=LINE), the line that has a name for each column, or name it",
            )
    names = [_name(cell) for cell in header if not is_empty(cell)]
    return place, checked_names(names, where, fix="rename or drop the repeated columns")


def _written(frame: pd.DataFrame, columns: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, pd.Series]]:
    """Texts without those of cells that are fractions, in which no one wrote the point."""
    for name, texts in text_columns(frame):
        written = [not isinstance(cell, float) or cell.is_integer() for cell in columns[name]]
        yield name, frame[name][written].dropna() if not all(written) else texts


def _with_zeros(frame: pd.DataFrame, reading: Reading) -> dict[str, int]:
    """How many texts begin with a zero as codes do, by column that has any and of which nobody spoke."""
    columns = ((name, texts) for name, texts in text_columns(frame) if name not in reading.text | reading.numbers)
    counts = {name: int(texts.str.fullmatch(CODE).sum()) for name, texts in columns}
    return {name: count for name, count in counts.items() if count}


def _bare(cell: Any) -> Any:
    return cell.strip() if isinstance(cell, str) else cell


def _name(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def _warn_of_errors(file: Path) -> None:
    """Warn of cells with errors, which the sheets of a workbook of today's format mark."""
    if not zipfile.is_zipfile(file):
        return
    with zipfile.ZipFile(file) as parts:
        sheets = [name for name in parts.namelist() if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name)]
        count = sum(len(_ERROR_CELL.findall(parts.read(name))) for name in sheets)
    if count:
        warn_caller(
            f"file {file.name!r}: {count:,} cells of its sheets hold errors, such as #N/A or #DIV/0!, and those of "
            "the sheet that is read are missing. Fix: none if nothing is known there, else correct the formulas.",
            ErrorCellsWarning,
        )


def _is_blank(row: Row) -> bool:
    return all(map(is_empty, row))


def _where(file: Path) -> str:
    return f"file {str(file)!r}"
