"""Reading of CSV and Parquet files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrutable.data.frames import csvfile
from scrutable.data.frames.names import checked_names
from scrutable.data.frames.reading import DateOrder, Decimal, Reading
from scrutable.errors import InputError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".parquet")
_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")  # where pandas keeps an index without a name


def read_file(
    path: str | os.PathLike[str],
    *,
    separator: str | None = None,
    text: Iterable[str] = (),
    numbers: Iterable[str] = (),
    missing: Iterable[str] = (),
    encoding: str | None = None,
    decimal: Decimal | None = None,
    dates: DateOrder | None = None,
) -> pd.DataFrame:
    """Read a data file whole.

    In CSV files, a byte-order mark, spaces after separators and spaces around header names are dropped, numbers
    become the nearest double, and these markers are missing, quoted or not: empty, NA, NaN, nan, NULL, null, N/A,
    n/a, #N/A. Nothing else is unless it is told, so that a category None or none stays a category. Empty lines are
    passed over.
    In files separated by ; or tab, a column of numbers may have decimal commas. A column of digits some of which begin
    with a zero, such as 01001, holds codes, and is read as text.

    Parquet files state their own kinds; of all that follows nothing concerns them.

    Parameters
    ----------
    path : a file whose name ends in .csv, .csv.gz, .tsv or .parquet.
    separator : what stands between two values of a CSV file; guessed among , ; tab and | from its first lines when not
        given (tab for .tsv).
    text : columns of a CSV file to read as text even where every value looks like a number, such as a model's
        categorical ones; names that the file lacks are passed over.
    numbers : columns of a CSV file to read as numbers even where they are written with leading zeros, separators of
        thousands or percent signs, such as a model's numeric ones. 36.9% is read as 36.9.
    missing : further texts that say that nothing is known, as "?" may, in every column of a CSV file.
    encoding : of a CSV file, such as "cp1252"; UTF-8 when not given, or what a byte-order mark says.
    decimal : what separates decimals in a CSV file, "." or ","; columns of numbers may then have the other one, blanks
        or apostrophes between thousands.
    dates : how dates with their year last are written in a CSV file, "d/m/Y" or "m/d/Y", whatever stands between;
        columns of them become texts such as 2019-07-31.

    Warns
    -----
    LeadingZerosWarning : a column was read as text because of leading zeros.
    MixedDecimalsWarning : a column has decimal points, and others of the file have decimal commas; or in a file
        that ; or tab separates all points of a column may separate thousands, as in 1.234.
    NoHeaderWarning : the first line of a CSV file looks like a row of data, so that the file seems to have no header.
    NumbersAsTextWarning : nearly all values of a column of a CSV file that is read as text look like numbers.

    Raises
    ------
    InputError : a missing or broken file, another suffix, repeated or empty column names, rows of another length than
        the header, text of another encoding, no rows, a column that is told to be what it is not.
    KindError : a column that is told to be numbers has a value that is none.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = path.write_text("age; job\\n41; clerk\\nNA; none\\n")
    >>> read_file(path).to_dict("list")
    {'age': [41.0, nan], 'job': ['clerk', 'none']}
    """
    reading = Reading.of(text=text, numbers=numbers, missing=missing, encoding=encoding, decimal=decimal, dates=dates)
    file = existing_file(path)
    if suffix_of(file) == ".parquet":
        return _read_parquet(file)
    return csvfile.read(file, separator_of(file, separator), reading)


def read_header(
    path: str | os.PathLike[str], *, separator: str | None = None, encoding: str | None = None
) -> tuple[str, ...]:
    """Column names of a data file, without reading its rows; parameters and errors as for `read_file`."""
    file = existing_file(path)
    if suffix_of(file) == ".parquet":
        with opened_parquet(file) as parquet:
            return parquet_names(file, parquet)
    return csvfile.read_header(file, separator_of(file, separator), encoding)


def suffix_of(file: Path) -> str | None:
    """What kind of data file it is, by its name; None where it is none."""
    return next((suffix for suffix in SUFFIXES if file.name.lower().endswith(suffix)), None)


def existing_file(path: str | os.PathLike[str]) -> Path:
    """The path of a data file that is there; InputError where none is."""
    file = Path(path)
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
    if suffix_of(file) is None:
        raise InputError(
            "unknown kind of file",
            where=f"file {str(file)!r}",
            got=file.suffix,
            allowed=", ".join(SUFFIXES),
            fix="save the data in one of these formats and name the file accordingly",
        )
    return file


def _readable(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if suffix_of(file) is not None and file.is_file()]


def separator_of(file: Path, separator: str | None = None) -> str | None:
    """What stands between two values of a CSV file as it is given, or its name says; None where nothing does."""
    if separator is None:
        return "\t" if suffix_of(file) == ".tsv" else None
    if len(separator) != 1 or separator in '"\r\n':
        raise InputError(
            "a separator is one character",
            where="separator",
            got=separator,
            allowed="any character but a quote or a line end, such as ',' or ';'",
            fix="give the one character between two values, or leave it out to have it guessed",
        )
    return separator


def _read_parquet(file: Path) -> pd.DataFrame:
    with opened_parquet(file) as parquet:
        names = parquet_names(file, parquet)
        if not parquet.metadata.num_rows:
            raise InputError("no rows", where=f"file {str(file)!r}", fix="give a file with at least one row")
        # Without pandas' metadata, a named index is a column like any other, as the header says.
        frame: pd.DataFrame = parquet.read().select(list(names)).to_pandas(ignore_metadata=True)
        return frame


@contextmanager
def opened_parquet(file: Path, dictionaries: Sequence[str] = ()) -> Iterator[Any]:
    """A Parquet file, some columns of texts as dictionaries; InputError for what cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file, read_dictionary=list(dictionaries) or None, pre_buffer=False) as parquet:
            yield parquet
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            "cannot be read as Parquet",
            where=f"file {str(file)!r}",
            got=str(error),
            fix="check that the file is complete, or write it again",
        ) from None


def parquet_names(file: Path, parquet: Any) -> tuple[str, ...]:
    """The columns of a Parquet file but for an index without a name."""
    names = (name for name in parquet.schema_arrow.names if not _UNNAMED_INDEX.fullmatch(name))
    return checked_names(names, f"file {str(file)!r}")
