"""The decimal mark of a file, where a point or comma before three digits may separate decimals or thousands."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from scrutable.data.frames.numerals import EITHER_MARK, GRAMMARS, NAME_MARK, MixedDecimalsWarning
from scrutable.data.frames.reading import Decimal, Reading
from scrutable.errors import InputError, warn_caller
from scrutable.writing.shortlist import shortlist

if TYPE_CHECKING:
    import pandas as pd

#: Texts in which a mark may separate thousands, those without any mark, and those of them as long as a group at least.
GROUPED = r"\s*[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}\s*"
WHOLE = r"\s*[+-]?[0-9]+\s*"
_LONG = r"\s*[+-]?[0-9]{3,}\s*"
_NAMES: Mapping[Decimal, str] = {".": "point", ",": "comma"}
_OTHER: Mapping[Decimal, Decimal] = {".": ",", ",": "."}
_MARKS = re.compile(r"[.,]")


def with_decimal_mark(columns: Mapping[str, pd.Series], reading: Reading) -> Reading:
    """What is told of a file, with its decimal mark where it matters and the texts show it.

    A column is doubtful if one mark stands in it, each time before three digits and after one to three. Other columns
    show the decimal mark, by a value such as 0,7914 or 1.234,50. Where none does, a doubtful column with numbers of
    three digits or more without a mark shows that its mark separates thousands. Where nothing shows it, doubtful
    columns are text. Both are told.

    Parameters
    ----------
    columns : texts of columns, without missing values; those that are read as text on purpose are passed over.

    Raises
    ------
    InputError : a doubtful column is told to be numbers, and nothing shows the decimal mark.

    Examples
    --------
    >>> import warnings
    >>> import pandas as pd
    >>> columns = {"income": pd.Series(["1.600", "390"]), "rate": pd.Series(["0,7914", "1,25"])}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with_decimal_mark(columns, Reading()).decimal
    ','
    """
    if reading.decimal is not None:
        return reading
    looked_at = {name: texts for name, texts in columns.items() if name not in reading.text and len(texts)}
    doubtful = {name: mark for name, texts in looked_at.items() if (mark := doubtful_mark(texts)) is not None}
    if not doubtful:
        return reading
    shown = {name: mark for name, texts in looked_at.items() if name not in doubtful and (mark := _shown(texts))}
    decimal = _decided(set(shown.values()), {name: looked_at[name] for name in doubtful}, set(doubtful.values()))
    if decimal is None:
        return _left_as_text(doubtful, reading)
    grouped = [name for name, mark in doubtful.items() if mark != decimal]
    if grouped:
        _warn_of_groups(grouped, next(iter(shown), None), decimal)
    return replace(reading, decimal=decimal)


def doubtful_mark(texts: pd.Series) -> Decimal | None:
    """The one mark that may separate thousands in all texts that have a mark; None if there is no such mark."""
    if re.fullmatch(rf"{GROUPED}|{WHOLE}", texts.iloc[0]) is None:  # of a column of words the first one is enough
        return None
    grouped = texts.str.fullmatch(GROUPED)
    if not grouped.any() or not (grouped | texts.str.fullmatch(WHOLE)).all():
        return None
    marks = _marks_in(texts[grouped])
    return marks.pop() if len(marks) == 1 else None


def _marks_in(texts: pd.Series) -> set[Decimal]:
    return {mark for mark in _NAMES if texts.str.contains(mark, regex=False).any()}


def _shown(texts: pd.Series) -> Decimal | None:
    """The decimal mark of a column of numbers that is not doubtful; None if it has none, or is no such column."""
    fitting = [mark for mark, form in GRAMMARS.items() if form.fullmatch(texts.iloc[0])]
    fitting = [mark for mark in fitting if texts.str.fullmatch(GRAMMARS[mark]).all()]
    marks = _marks_in(texts) if fitting else set()
    if len(fitting) == 2:  # such as 0.500, which no one writes for 500
        return marks.pop() if len(marks) == 1 else None
    return fitting[0] if fitting and marks else None


def _decided(shown: set[Decimal], doubtful: Mapping[str, pd.Series], marks: set[Decimal]) -> Decimal | None:
    if len(shown) == 1:
        return next(iter(shown))
    if not shown and len(marks) == 1 and any(texts.str.fullmatch(_LONG).any() for texts in doubtful.values()):
        return _OTHER[next(iter(marks))]
    return None


def _left_as_text(doubtful: Mapping[str, Decimal], reading: Reading) -> Reading:
    for name, mark in doubtful.items():
        if name in reading.numbers:
            raise InputError(
                f"each {_NAMES[mark]} stands before three digits and may separate decimals or thousands, and nothing "
                "in the file shows which",
                where=f"column {name!r}",
                allowed=EITHER_MARK,
                fix=NAME_MARK,
            )
    warn_caller(
        f"{_columns(list(doubtful))}: a point or comma stands before three digits each time and may separate decimals "
        f"or thousands, and nothing in the file shows which, so that numbers are read as text. Fix: {NAME_MARK}.",
        MixedDecimalsWarning,
    )
    return replace(reading, text=reading.text.union(doubtful))


def _warn_of_groups(names: list[str], witness: str | None, decimal: Decimal) -> None:
    mark = _OTHER[decimal]
    cause = (
        "since others of their numbers have three digits or more and no mark"
        if witness is None
        else f"since the {_NAMES[decimal]} separates decimals in the file, as in column {witness!r}"
    )
    warn_caller(
        f"{_columns(names)}: each {_NAMES[mark]} is read as a separator of thousands, 1{mark}234 as 1234, {cause}. "
        f"Fix: none if so, else --decimal {mark} (in Python decimal={mark!r}); --decimal {decimal} says that it is so.",
        MixedDecimalsWarning,
    )


def _columns(names: Collection[str]) -> str:
    return f"column{'s' if len(names) > 1 else ''} {shortlist([*map(repr, names)])}"
