"""Codes such as 01001, which are no number: as one they would lose their zeros, and with them what they mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from scrutable.data.masking import Masked
from scrutable.errors import ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: A value such as 01001 anywhere in a line.
_IN_LINE = re.compile(r"(?<![^\s,;|\"'\t])0[0-9]+(?![^\s,;|\"'\t])")
#: A text such as 01001.
CODE = re.compile(r"\s*0[0-9]+\s*")
_WHOLE = r"\s*[0-9]+\s*"


class LeadingZerosWarning(ScrutableWarning):
    """A column whose values are digits, some with zeros before them, was read as text."""


class ZeroWatch:
    """Lines passed on as they are, and columns in which values with leading zeros stood.

    Lines are searched as a whole first, because looking at every value of a large file would take long.
    """

    def __init__(self, lines: Iterable[str], separator: str) -> None:
        self._lines = lines
        self._any_line = separator not in ",;|\t"
        self._seen = False
        self.counts: Counter[int] = Counter()

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self._seen = self._seen or self._any_line or _IN_LINE.search(line) is not None
            yield line

    def look(self, row: list[str]) -> None:
        """Count the columns of a row that was parsed from the last lines."""
        if self._seen:
            self._seen = False
            self.counts.update(i for i, value in enumerate(row) if CODE.fullmatch(value))


def codes_among(frame: pd.DataFrame, counts: Mapping[str, int]) -> frozenset[str]:
    """The columns that hold nothing but digits, which are codes, each told of; 007.50 is a padded number.

    Parameters
    ----------
    counts : values with leading zeros by column; the columns were read as text because of them.
    """
    present = {name: frame[name].dropna() for name in counts}
    codes = {name: texts for name, texts in present.items() if texts.str.fullmatch(_WHOLE).all()}
    for name, texts in codes.items():
        _warn(name, texts, counts[name])
    return frozenset(codes)


def _warn(name: str, texts: pd.Series, count: int) -> None:
    code = next(text for text in texts if CODE.fullmatch(text))
    warn_caller(
        f"column {name!r}: {count:,} of {len(texts):,} values begin with a zero, such as {Masked(code)!r}, as "
        f"codes do, so all are read as text. Fix: none if they are codes, and --text {name} (in Python "
        f"text=[{name!r}]) says so; --numbers {name} (numbers=[{name!r}]) reads them as numbers.",
        LeadingZerosWarning,
    )
