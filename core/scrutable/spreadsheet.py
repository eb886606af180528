"""Tables as CSV that spreadsheets read as they are meant: no text of the data becomes a formula."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

#: A spreadsheet takes a text that begins with one of these for a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula: a single quote is put before one that begins like a formula.

    >>> harmless("=1+1"), harmless("A-17"), harmless(-3.5)
    ("'=1+1", 'A-17', -3.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def csv_text(frame: pd.DataFrame) -> str:
    """A frame as CSV: doubles with every digit, missing values empty, no text that reads as a formula.

    >>> import pandas as pd
    >>> csv_text(pd.DataFrame({"id": ["A-17", "=1+1"], "score": [0.1, None]}))
    "id,score\\nA-17,0.1\\n'=1+1,\\n"
    """
    safe = frame.copy()
    for name in _text_columns(safe):
        safe[name] = safe[name].map(harmless, na_action="ignore")
    safe = safe.rename(columns=harmless)
    # Before Python 3.13 a lone carriage return is not quoted, and a reader would take it for the end of a row.
    returns = any("\r" in str(value) for value in (*safe.columns, *_texts(safe)))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
    return safe.to_csv(index=False, lineterminator="\n", quoting=quoting)


def _text_columns(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if frame[name].dtype.kind not in "biuf"]


def _texts(frame: pd.DataFrame) -> Iterable[object]:
    return itertools.chain.from_iterable(frame[name] for name in _text_columns(frame))
