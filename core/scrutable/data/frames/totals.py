"""Last rows that are no applicant, but the totals of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.errors import ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

_WORDS = frozenset(
    ("total", "totals", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "totaal", "totale")
)


class TotalRowWarning(ScrutableWarning):
    """The last row of a file looks like totals, and counts as an applicant."""


def warn_of_totals(frame: pd.DataFrame) -> None:
    """Warn where the first text of the last row is a word for totals that no other row has in its column."""
    last = frame.iloc[-1].dropna()
    name, word = next(((name, value) for name, value in last.items() if isinstance(value, str)), ("", ""))
    if word.strip().rstrip(":").casefold() in _WORDS and int((frame[name] == word).sum()) == 1:
        warn_caller(
            f"the last row looks like totals of the others ({word.strip()!r} in column {name!r}), and counts as an "
            "applicant. Fix: delete it from the file, if it is none.",
            TotalRowWarning,
        )
