"""Last rows that are no applicant, but the totals of all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames.reading import Reading
from scrutable.errors import ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

_WORDS = frozenset(
    ("total", "totals", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "totaal", "totale")
)
#: Columns whose last value has to be the sum of the others, and values other than 0 that each sum is of.
_SUMS, _ADDED = 2, 3
#: What rounding may make of a sum, as a share of it.
_ROUNDING = 1e-6


class Sums:
    """Columns whose last value is the sum of the others; they may come block by block.

    >>> sums = Sums()
    >>> for values in ([5.0, 2.0], [3.0, 10.0]):
    ...     sums.add("loan", np.array(values))
    >>> sums.names
    ['loan']
    """

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, int, float]] = {}

    def add(self, name: str, values: NDArray[np.float64]) -> None:
        """Further values of a column, 0 where they are missing."""
        if len(values):
            total, added, _ = self._seen.get(name, (0.0, 0, 0.0))
            with np.errstate(over="ignore", invalid="ignore"):  # sums beyond every double are none
                self._seen[name] = float(total + values.sum()), added + int(np.count_nonzero(values)), float(values[-1])

    @property
    def names(self) -> list[str]:
        """The columns."""
        return [
            name
            for name, (total, added, last) in self._seen.items()
            if last and added > _ADDED and abs(total - last - last) <= _ROUNDING * abs(last) < math.inf
        ]


class TotalRowWarning(ScrutableWarning):
    """The last row of a file looks like totals, and counts as an applicant or is left out."""


def is_word_for_totals(texts: Iterable[str]) -> bool:
    """Whether any of the texts is a word for totals.

    >>> is_word_for_totals(["7", "Total:"]), is_word_for_totals(["total loss"])
    (True, False)
    """
    return any(text.strip().rstrip(":").casefold() in _WORDS for text in texts)


def said_totals(frame: pd.DataFrame) -> str:
    """Where the first text of the last row is a word for totals that no other row has in its column; else nothing."""
    last = frame.iloc[-1].dropna()
    name, word = next(((name, value) for name, value in last.items() if isinstance(value, str)), ("", ""))
    if is_word_for_totals([word]) and len(frame) > int((frame[name] == word).sum()) == 1:
        return f"{word.strip()!r} in column {name!r}"
    return ""


def leaves_out_totals(frame: pd.DataFrame, reading: Reading) -> bool:
    """Whether the last row says that it is totals, and is to be left out, which is told; columns of texts are texts."""
    why = said_totals(frame) if reading.totals == "drop" else ""
    if why:
        _tell(why, "is left out")
    return bool(why)


def without_totals(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """The frame without a last row that adds up the others, where that is to be left out; totals are told.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"id": ["a", "b", "c", None], "loan": [5, 2, 3, 10], "paid": [1, 2, 2, 5]})
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     len(without_totals(frame, Reading())), len(without_totals(frame, Reading(totals="drop")))
    (4, 3)
    """
    why = "" if reading.totals == "keep" else said_totals(frame) or _sums(frame)
    if not why:
        return frame
    if reading.totals == "drop":
        _tell(why, "is left out")
        return frame.iloc[:-1]
    _tell(why, "counts as an applicant")
    return frame


def _sums(frame: pd.DataFrame) -> str:
    """Columns in which the last row holds the sum of the others, where it has no text and several are; else nothing."""
    if any(isinstance(value, str) for value in frame.iloc[-1]):
        return ""
    sums = Sums()
    for name in frame.columns:
        if frame[name].dtype.kind in "iuf":
            sums.add(str(name), frame[name].to_numpy(dtype=float, na_value=0.0))
    return f"sums in columns {' and '.join(map(repr, sums.names[:_SUMS]))}" if len(sums.names) >= _SUMS else ""


def _tell(why: str, what: str) -> None:
    fix = (
        "none if it is no applicant, else --totals keep (in Python totals='keep')"
        if what == "is left out"
        else "--totals drop (in Python totals='drop') leaves it out, and --totals keep says that it is one"
    )
    warn_caller(f"the last row looks like totals of the others ({why}), and {what}. Fix: {fix}.", TotalRowWarning)
