"""What is done with the texts of a file once they are columns, whatever the file's format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.data.frames.day_first import guessed_year_first, year_first
from scrutable.data.frames.headers import warn_of_data_in_header
from scrutable.data.frames.lookalikes import warn_of_lookalikes
from scrutable.data.frames.marks import with_decimal_mark
from scrutable.data.frames.numerals import read_numerals
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.texts import text_columns
from scrutable.data.frames.totals import without_totals

if TYPE_CHECKING:
    import pandas as pd

#: A separator of files in which a comma may be the decimal mark, as in cells of texts.
_ANY = ";"


def settled(frame: pd.DataFrame, separator: str, reading: Reading) -> pd.DataFrame:
    """The frame of a CSV file with texts that are numbers or dates as such; what looks like them is told.

    Parameters
    ----------
    separator : what stands between two values of the file; a comma is no decimal mark where that is one.
    """
    return _told(_dated(read_numerals(frame, separator, reading), reading), separator, reading)


def settled_cells(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """The frame of a sheet, whose numbers are numbers, with texts that are numbers or dates as such; errors as above.

    >>> import pandas as pd
    >>> settled_cells(pd.DataFrame({"age": [41.5, 17.0], "rate": ["5,5", "6"]}), Reading()).to_dict("list")
    {'age': [41.5, 17.0], 'rate': [5.5, 6.0]}
    """
    texts = [name for name, _ in text_columns(frame)]
    return _told(_dated(_with_numerals(frame, texts, reading), reading), _ANY, reading)


def settled_kinds(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """The frame of a file that states its own kinds: texts are numbers or dates only where that is told."""
    columns = {name: texts for name, texts in text_columns(frame) if name in reading.numbers}
    frame = _with_numerals(frame, list(columns), with_decimal_mark(columns, reading))
    return frame if reading.dates is None else year_first(frame, reading.dates)


def _with_numerals(frame: pd.DataFrame, names: list[str], reading: Reading) -> pd.DataFrame:
    read = read_numerals(frame[names], _ANY, reading)
    return frame.assign(**{name: read[name] for name in names})


def _dated(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    return guessed_year_first(frame, reading.text) if reading.dates is None else year_first(frame, reading.dates)


def _told(frame: pd.DataFrame, separator: str, reading: Reading) -> pd.DataFrame:
    warn_of_data_in_header(frame)
    warn_of_lookalikes(frame, separator, reading)
    return without_totals(frame, reading)
