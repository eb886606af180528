"""Texts such as N/A among categories, which are read as missing, while other systems may take them for a category."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scrutable.data.frames.numerals import missing_flag
from scrutable.data.frames.reading import MISSING, Reading
from scrutable.data.frames.texts import text_columns
from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.writing.shortlist import shortlist

if TYPE_CHECKING:
    import pandas as pd


class MissingWordsWarning(ScrutableWarning):
    """Texts such as N/A among categories were read as missing."""


def with_gaps(frame: pd.DataFrame, reading: Reading) -> list[str]:
    """Columns of categories that have missing values, but for those whose words for nothing were told of before."""
    return [name for name, texts in text_columns(frame) if name not in reading.silent and len(texts) < len(frame)]


def undeclared_words(reading: Reading) -> list[str]:
    """Words that are read as missing though nobody said so."""
    return [word for word in MISSING if word and word not in reading.missing]


def warn_of_missing_words(written: Mapping[str, pd.Series], reading: Reading) -> None:
    """Warn once of words for nothing that were read as missing, but for those that are declared.

    Parameters
    ----------
    written : columns of categories as they stand in the file.
    """
    words = undeclared_words(reading)
    counts = {name: int(each.isin(words).sum()) for name, each in written.items()}
    counts = {name: count for name, count in counts.items() if count}
    if not counts:
        return
    said = [word for word in words if any((each == word).any() for each in written.values())]
    named = [f"{name!r} in {count:,} of {len(written[name]):,} rows" for name, count in counts.items()]
    warn_caller(
        f"{' and '.join(map(repr, said))} {'is' if len(said) == 1 else 'are'} read as missing among categories: column "
        f"{shortlist(named)}. Fix: none if nothing is known there, and {missing_flag(*said)} says so; rows in "
        "production need to be missing (NULL) there, too, or they are another category. To keep a category, write "
        "another word, such as 'not applicable', here and there.",
        MissingWordsWarning,
    )
