"""Texts of a caller's columns: ids, times, and what is said of decisions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.frames import Column, Table
from scrutable.errors import InputError
from scrutable.model.program import Texts
from scrutable.writing import numbers_array, texts_array

if TYPE_CHECKING:
    import pyarrow as pa

#: The largest whole number up to which doubles tell each from the next.
_WHOLE = 2**53


def column_texts(column: Column) -> list[str | None]:
    """The texts of a column, whole numbers as their digits.

    Raises
    ------
    InputError : a number that is not whole, or half a character.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> column_texts(as_table({"id": [7, None]}).column("id"))
    ['7', None]
    """
    if column.kind != "numeric":
        check_texts(column)
        return list(column.values.tolist())
    values = column.values[~column.missing]
    if not (np.abs(values) < _WHOLE).all() or (values != np.floor(values)).any():
        fix = "convert the column to text"
        raise InputError("neither texts nor whole numbers", where=f"column {column.name!r}", fix=fix)
    return [None if missing else str(int(value)) for value, missing in zip(column.values, column.missing, strict=True)]


def check_texts(column: Column) -> None:
    """Refuse texts with half a character, which UTF-8 cannot hold.

    Raises
    ------
    InputError : naming the column and the row, and not the text.
    """
    if column.kind == "categorical" and not (encodable := column.encodable).all():
        row = int(np.flatnonzero(~encodable)[0]) + 1
        raise InputError(
            "a text that UTF-8 cannot hold: half of a character of UTF-16",
            where=f"column {column.name!r}, row {row:,}",
            fix="mend the text where it was read, for example its encoding",
        )


def by_place(column: Column) -> Texts:
    """The texts of a column without numbers, each by its place among the different ones; errors as of `check_texts`."""
    check_texts(column)
    coded = column.coded
    return Texts(tuple(coded.levels.tolist()), np.where(coded.codes < 0, len(coded.levels) - 1, coded.codes))


def encoded(texts: Texts) -> pa.DictionaryArray:
    """Texts as Arrow has them by their places, null where they are none.

    >>> encoded(Texts(("cook", None, "nurse"), np.array([2, 1, 2]))).to_pylist()
    ['nurse', None, 'nurse']
    """
    import pyarrow as pa

    known = np.array([text is not None for text in texts.table], dtype=bool)
    places = np.where(known, np.cumsum(known) - 1, 0)[texts.places].astype(np.int32)
    of_rows = known[texts.places]
    levels = texts_array(text for text in texts.table if text is not None)
    return pa.DictionaryArray.from_arrays(numbers_array(places, None if of_rows.all() else of_rows), levels)


def optional_texts(table: Table, name: str | None) -> list[str | None]:
    """The texts of a column, or None in each row where no column is named; errors as of `column_texts`."""
    return [None] * table.n_rows if name is None else column_texts(table.column(name))


def time_text(text: str | datetime, where: str) -> str:
    """A time in UTC, to the microsecond; one that names no time zone is in UTC.

    Raises
    ------
    InputError : no date or time of ISO 8601.

    Examples
    --------
    >>> time_text("2026-11-27 16:40+01:00", "time")
    '2026-11-27T15:40:00.000000Z'
    """
    try:
        time = text if isinstance(text, datetime) else datetime.fromisoformat(text)
        zoned = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError, TypeError):
        raise InputError(
            "not a time",
            where=where,
            allowed="a date or a time of ISO 8601, such as 2026-11-27 or 2026-11-27T15:40:00+01:00",
            fix="write it so",
        ) from None
    return zoned.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def with_time_as_text(X: Any, name: str | None) -> Any:
    """Rows whose column of times, where a frame has it as such and not as texts, is texts of ISO 8601.

    >>> import pandas as pd
    >>> with_time_as_text(pd.DataFrame({"at": pd.to_datetime(["2026-11-27 15:40"])}), "at")["at"].tolist()
    ['2026-11-27T15:40:00']
    """
    import narwhals as nw

    frame = nw.from_native(X, pass_through=True)
    if name is None or not isinstance(frame, nw.DataFrame) or name not in frame.columns:
        return X
    if frame[name].dtype not in (nw.Datetime, nw.Date):
        return X
    missing = frame[name].is_null().to_list()
    texts = [None if gone else time.isoformat() for time, gone in zip(frame[name].to_list(), missing, strict=True)]
    return frame.with_columns(nw.new_series(name, texts, nw.String, backend=frame.implementation)).to_native()


def times_of(table: Table, name: str | None, now: datetime | str | None) -> list[str]:
    """The time of each row: of a column, or one for all, by default the present.

    Raises
    ------
    InputError : a row without a time, or something that is none.
    """
    if name is None:
        return [time_text(datetime.now(UTC) if now is None else now, "time")] * table.n_rows
    texts = column_texts(table.column(name))
    where = f"column {name!r}"
    if None in texts:
        raise InputError("a row without a time", where=f"{where}, row {texts.index(None) + 1:,}", fix="give each one")
    known: Sequence[str] = [text for text in texts if text is not None]
    read = {text: time_text(text, where) for text in set(known)}
    return [read[text] for text in known]
