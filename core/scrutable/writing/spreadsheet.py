"""Tables as CSV that spreadsheets read as they are meant: no text of the data becomes a formula."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

_FORMULA_STARTS = "=+-@"
_SEPARATORS = ("B", "S")  # bidirectional classes, of paragraphs and segments
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def reads_as_formula(text: str) -> bool:
    r"""Whether a spreadsheet may take a text for a formula, after it has trimmed it and made letters alike.

    A formula begins with one of = + - @, or with a character that Unicode's compatibility decomposition (NFKC) makes
    one of them; blanks, controls and format characters may come before it. A text that begins with a tab, a line end or
    another separator is taken for one, too, since some programs split cells there. A number is none.

    >>> [reads_as_formula(text) for text in ("=1+1", " \n=1+1", "\uff1d1", "\ttext", "A=1", "-1.5e3", "-1-1", "")]
    [True, True, True, True, False, False, True, False]
    """
    if text[:1].isalnum() or not text or _NUMBER.fullmatch(text):
        return False
    if unicodedata.bidirectional(text[0]) in _SEPARATORS:
        return True
    letters = (letter for each in text for letter in unicodedata.normalize("NFKC", each))
    first = next((letter for letter in letters if unicodedata.category(letter)[0] not in "CZ"), "")
    return first != "" and first in _FORMULA_STARTS


def harmless(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula: a single quote is put before one that may be taken for one.

    >>> harmless("=1+1"), harmless("A-17"), harmless("-17"), harmless(-3.5)
    ("'=1+1", 'A-17', '-17', -3.5)
    """
    return f"'{value}" if isinstance(value, str) and reads_as_formula(value) else value


def csv_of(columns: Mapping[str, NDArray[Any]]) -> str:
    """Columns of equal length as CSV: doubles with every digit, missing values empty, no text that reads as a formula.

    >>> import numpy as np
    >>> csv_of({"id": np.array(["A-17", "=1+1"], dtype=object), "score": np.array([0.1, np.nan])})
    "id,score\\nA-17,0.1\\n'=1+1,\\n"
    """
    if not all(map(_is_plain, columns.values())):
        import pandas as pd

        return csv_text(pd.DataFrame(dict(columns)))
    values = [_written(column) for column in columns.values()]
    texts = {each for column in values for each in column if isinstance(each, str)}
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n", quoting=_quoting(texts.union(columns)))
    writer.writerow(map(harmless, columns))
    writer.writerows(zip(*values, strict=True))
    return made.getvalue()


def _is_plain(column: NDArray[Any]) -> bool:
    """Whether a column holds numbers, or texts and None."""
    return column.dtype.kind in "if" or (
        column.dtype == object and set(map(type, column.tolist())) <= {str, type(None)}
    )


def _written(column: NDArray[Any]) -> list[Any]:
    """The values of a plain column as they are written; each different text is looked at once."""
    values: list[Any] = column.tolist()
    if column.dtype.kind != "O":
        return ["" if value != value else value for value in values]
    written = {value: "" if value is None else harmless(value) for value in set(values)}
    return [written[value] for value in values]


def csv_text(frame: pd.DataFrame) -> str:
    """A frame as CSV: doubles with every digit, missing values empty, no text that reads as a formula.

    >>> import pandas as pd
    >>> csv_text(pd.DataFrame({"id": ["A-17", "=1+1"], "score": [0.1, None]}))
    "id,score\\nA-17,0.1\\n'=1+1,\\n"
    """
    safe = frame.copy(deep=False)
    texts = {str(name) for name in frame.columns}
    for name in frame.columns:
        if frame[name].dtype.kind in "biuf":
            continue
        values = frame[name] if frame[name].dtype == object else frame[name].unique()
        own = {value for value in values if isinstance(value, str)}
        quoted = {text: harmless(text) for text in own if reads_as_formula(text)}
        if quoted:
            safe[name] = frame[name].map(
                lambda value, own=quoted: own.get(value, value) if isinstance(value, str) else value
            )
        texts |= own
    safe = safe.rename(columns=harmless)
    return safe.to_csv(index=False, lineterminator="\n", quoting=_quoting(texts))


def _quoting(texts: Iterable[str]) -> Literal[0, 2]:
    """Before Python 3.13 a lone carriage return is not quoted, and a reader would take it for the end of a row."""
    return csv.QUOTE_NONNUMERIC if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL
