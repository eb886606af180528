"""Reading of data files of every format, one or several together."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames.formats import format_of, suffix_of
from scrutable.data.frames.reading import DateOrder, Decimal, Reading, Totals
from scrutable.data.frames.several import read_together
from scrutable.errors import InputError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

_WILD = frozenset("*?[")


def read_file(
    path: str | os.PathLike[str],
    *,
    text: Iterable[str] = (),
    silent: Iterable[str] = (),
    numbers: Iterable[str] = (),
    missing: Iterable[str] = (),
    encoding: str | None = None,
    decimal: Decimal | None = None,
    dates: DateOrder | None = None,
    separator: str | None = None,
    header: int | None = None,
    totals: Totals | None = None,
    sheet: str | None = None,
    database: str | None = None,
) -> pd.DataFrame:
    """Read a data file whole, or several that a pattern names, one below the other.

    In CSV files, a byte-order mark, spaces after separators and spaces around header names are dropped, numbers
    become the nearest double, and these markers are missing, quoted or not: empty, NA, NaN, nan, NULL, null, N/A,
    n/a, #N/A. Nothing else is unless it is told, so that a category None or none stays a category. Empty lines are
    passed over.
    In files separated by ; or tab, a column of numbers may have decimal commas. A column of digits some of which begin
    with a zero, such as 01001, holds codes, and is read as text.

    Sheets of workbooks are read likewise. Their dates become texts such as 2019-07-31, their cells with errors are
    missing, and columns of several kinds are text.

    Stata's and SAS's files, Parquet and databases state their own kinds, and texts stay texts; of what follows about
    CSV nothing concerns them, but that `text` and `numbers` do, except for Parquet. Codes stay where a file has labels
    for them, and special missing codes (.a to .z) are missing; both are told.

    Parameters
    ----------
    path : a file whose name ends in .csv, .csv.gz, .tsv, .parquet, .xlsx, .xlsm, .xlsb, .xls, .ods, .dta, .sas7bdat,
        .xpt or .sql, which holds a query; or a pattern such as loans-*.csv, of files with the same columns.
    text : columns of a CSV file to read as text even where every value looks like a number, such as a model's
        categorical ones; names that the file lacks are passed over.
    silent : columns of categories of which it was told before that words such as NA in them are missing, as it is of a
        model's when it learns.
    numbers : columns of a CSV file to read as numbers even where they are written with leading zeros, separators of
        thousands or percent signs, such as a model's numeric ones. 36.9% is read as 36.9.
    missing : further texts that say that nothing is known, as "?" may, in every column of a CSV file.
    encoding : of a CSV file, such as "cp1252"; UTF-8 when not given, or what a byte-order mark says.
    decimal : what separates decimals in a CSV file, "." or ","; columns of numbers may then have the other one, blanks
        or apostrophes between thousands.
    dates : how dates with their year last are written in a CSV file, "d/m/Y" or "m/d/Y", whatever stands between;
        columns of them become texts such as 2019-07-31.
    totals : what becomes of a last row of a CSV file or a sheet that looks like totals of the others, by a word such as
        Total or by sums in two columns: "drop" leaves it out, "keep" says that it is a row like any other.

    Warns
    -----
    MissingWordsWarning : words such as NA among categories are read as missing.
    LeadingZerosWarning : a column was read as text because of leading zeros.
    MixedDecimalsWarning : a column has decimal points, and others of the file have decimal commas; or all points or
        commas of a column may separate thousands, as in 1.234: how it is read, and how it is said.
    NoHeaderWarning : the first line of a CSV file looks like a row of data, so that the file seems to have no header.
    NumbersAsTextWarning : nearly all values of a column of a CSV file that is read as text look like numbers.

    TotalRowWarning : the last row looks like totals.
    HeaderLineWarning : lines above the columns' names were passed over as titles.
    OtherSheetsWarning : a workbook has several sheets, none was named, and the first was read.
    ErrorCellsWarning, CodesWarning : what a workbook or a file of statistics software says that columns cannot hold.

    Raises
    ------
    InputError : a missing or broken file, another suffix, repeated or empty column names, files of a pattern with
        other columns, rows of another length than the header, text of another encoding, no rows, a column that is told
        to be what it is not, or numbers of which nothing says whether a mark separates decimals or thousands.
    KindError : a column that is told to be numbers has a value that is none.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = path.write_text("age; job\\n41; clerk\\nNA; none\\n")
    >>> read_file(path).to_dict("list")
    {'age': [41.0, nan], 'job': ['clerk', 'none']}
    """
    reading = Reading.of(
        text=text,
        silent=silent,
        numbers=numbers,
        missing=missing,
        encoding=encoding,
        decimal=decimal,
        dates=dates,
        separator=separator,
        header=header,
        totals=totals,
        sheet=sheet,
        database=database,
    )
    files = existing_files(path)
    return format_of(files[0]).read(files[0], reading) if len(files) == 1 else read_together(files, reading)


def read_header(path: str | os.PathLike[str], **told: Any) -> tuple[str, ...]:
    """Column names of a data file, without reading its rows where its format allows that.

    Parameters
    ----------
    told : parameters of `read_file`; errors are those of it.
    """
    [file, *_] = existing_files(path)
    return format_of(file).read_names(file, Reading.of(**told))


def existing_files(path: str | os.PathLike[str]) -> list[Path]:
    """The path of a data file that is there, or the paths that a pattern names, by name; InputError where none is."""
    file = Path(path)
    if _WILD.intersection(file.name) and os.path.isdir(file.parent) and not os.path.exists(file):
        files = sorted(each for each in file.parent.glob(file.name) if each.is_file())
        if not files:
            raise InputError("no file is named so", where=f"files {str(file)!r}", fix="correct the pattern")
        for each in files:
            format_of(each)
        return files
    return [_existing_file(file)]


def _existing_file(file: Path) -> Path:
    if not os.path.isdir(file.parent):  # unlike Path.is_dir, it takes a path that no system takes
        raise InputError(
            "the folder does not exist", where=f"file {str(file)!r}", got=str(file.parent), fix="check the path"
        )
    if not os.path.isfile(file):
        is_folder = os.path.isdir(file)
        raise InputError(
            "is a folder, not a file" if is_folder else "does not exist",
            where=f"file {str(file)!r}",
            allowed=did_you_mean(file.name, _readable(file if is_folder else file.parent)),
            fix="give the path of a data file",
        )
    format_of(file)
    return file


def _readable(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if suffix_of(file) is not None and file.is_file()]
