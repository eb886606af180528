"""Texts of columns whose points or commas may separate thousands, of a file that a reader took for numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from scrutable.data.frames.marks import doubtful_mark, with_decimal_mark
from scrutable.data.frames.numerals import COMMA_SEPARATORS, NAME_MARK, MixedDecimalsWarning
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.texts import text_columns
from scrutable.data.masking import Masked
from scrutable.errors import warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: Reads the first rows of columns by their names, or all where None, as texts.
ReadTexts = Callable[[list[str], int | None], "pd.DataFrame"]
#: Rows whose texts are looked at first.
SAMPLED = 10_000
#: Different numbers with a point that are told of in files in which commas separate values.
SEVERAL = 5


def marked_reading(frame: pd.DataFrame, separator: str, reading: Reading, read_texts: ReadTexts) -> Reading:
    """What is told of a CSV file, with its decimal mark; see `scrutable.data.frames.marks.with_decimal_mark`.

    In files that `;` or a tab separates a comma may be the decimal mark. In others a point is one, and is only told of
    where several different numbers have three digits behind it each, and others have none.

    Parameters
    ----------
    frame : the rows, with points as decimal marks.
    """
    if reading.decimal is not None:
        return reading
    floats = [name for name in frame.columns if frame[name].dtype.kind == "f" and name not in reading.text]
    finer = {name: _beyond_thousandths(frame[name]) for name in floats}
    doubtful = [name for name in floats if not len(finer[name])]
    first = {name: texts.dropna() for name, texts in _texts(read_texts, doubtful, SAMPLED).items()}
    if separator not in COMMA_SEPARATORS:
        for name, texts in first.items():
            _warn_of_points(name, texts)
        return reading
    unsure = [name for name, texts in first.items() if _may_be_doubtful(texts, frame[name])]
    numbers = {
        **{name: finer[name].iloc[:1].map(repr) for name in floats if len(finer[name])},
        **first,
        **{name: texts.dropna() for name, texts in _texts(read_texts, unsure, None).items()},
    }
    return with_decimal_mark({**dict(text_columns(frame)), **numbers}, reading)


def _texts(read_texts: ReadTexts, names: list[str], rows: int | None) -> dict[str, pd.Series]:
    return {str(name): texts for name, texts in read_texts(names, rows).items()} if names else {}


def _may_be_doubtful(first: pd.Series, column: pd.Series) -> bool:
    """Whether all texts of a column may have to be looked at: the first ones have only marks that are doubtful."""
    if not first.str.contains(".", regex=False).any():
        known = column.dropna()
        return bool((known % 1 != 0).any()) or len(first) < len(known) == len(column)  # doubles only because of marks
    return doubtful_mark(first) is not None


def _warn_of_points(name: str, texts: pd.Series) -> None:
    """Warn of points that are read as decimal ones, and are written as those of thousands are."""
    if len(texts) and doubtful_mark(texts) == ".":
        grouped = texts[texts.str.contains(".", regex=False)]
        if len(grouped) < len(texts) and grouped.nunique() >= SEVERAL:
            warn_caller(
                f"column {name!r}: {Masked(grouped.iloc[0].strip())!r} is read as a little more than what stands "
                "before its point, and all numbers with a point are written so, as thousands are where a comma is the "
                f"decimal mark. Fix: {NAME_MARK}.",
                MixedDecimalsWarning,
            )


def _beyond_thousandths(column: pd.Series) -> pd.Series:
    """The numbers that are no whole thousandths, or not whole from 1,000 on: no mark in them separates thousands."""
    values = column.to_numpy()
    small = np.abs(values) < 1000
    thousandths = np.where(small, values, 0) * 1000
    fine = np.abs(thousandths - np.round(thousandths)) > 1e-6  # 1.001 * 1000 is no whole double
    finer: pd.Series = column[fine | (np.isfinite(values) & ~small & (np.floor(values) != values))]
    return finer
