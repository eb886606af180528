"""Numbers as people write them: with a decimal comma, separators of thousands, a percent sign or leading zeros."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from scrutable.data.frames.reading import Decimal, Reading
from scrutable.data.frames.texts import text_columns
from scrutable.data.masking import Masked, shared
from scrutable.errors import InputError, KindError, ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: Separators of files in which a comma can be the decimal one.
COMMA_SEPARATORS = (";", "\t")

#: What any reader takes for a number.
_PLAIN = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
_COMMA = re.compile(r"\s*[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?\s*")
_BLANKS = " '\u00a0\u202f\u2019"
_PERCENT = re.compile(r"\s*%\s*$")


def _grammar(decimal: Decimal) -> re.Pattern[str]:
    group = f"[{_BLANKS}{'.' if decimal == ',' else ','}]"
    whole = rf"[0-9]{{1,3}}(?P<group>{group})[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*"
    mark = re.escape(decimal)
    number = rf"(?:(?:{whole}|[0-9]+)(?:{mark}[0-9]*)?|{mark}[0-9]+)(?:[eE][+-]?[0-9]+)?"
    return re.compile(rf"\s*[+-]?{number}\s*%?\s*")


#: What a number is where a mark separates decimals; the other mark, blanks or apostrophes may separate thousands.
GRAMMARS: dict[Decimal, re.Pattern[str]] = {".": _grammar("."), ",": _grammar(",")}


#: Which readings a mark before three digits has, and how the file's decimal mark is named.
EITHER_MARK = "1,234 is 1234 where a point separates decimals, 1.234 where a comma does"
NAME_MARK = "name the decimal mark of the file: --decimal . or --decimal , (in Python decimal='.' or decimal=',')"


class MixedDecimalsWarning(ScrutableWarning):
    """Numbers with a point or comma that may separate thousands or decimals, and how they were read."""


def missing_flag(*markers: str) -> str:
    """How texts are declared to say that nothing is known.

    >>> missing_flag("?", "tbd")
    "--missing '?' --missing tbd (in Python missing=['?', 'tbd'])"
    """
    flags = (f"--missing{'=' if each.startswith('-') else ' '}{shlex.quote(each)}" for each in markers)
    return f"{' '.join(flags)} (in Python missing={list(markers)!r})"


def read_numerals(frame: pd.DataFrame, separator: str, reading: Reading) -> pd.DataFrame:
    """The frame with columns of texts that are numbers as the nearest doubles.

    Where the file's decimal mark is told, a column is one if all of its values are numbers with that mark, the other
    one separating thousands at most. Where it is not, a lone comma is the decimal one in files that it does not
    separate. Columns that are told to be numbers may have percent signs, which are dropped: 36.9% is 36.9.

    Raises
    ------
    KindError : a column that is told to be numbers has a value that is none.
    InputError : values that one mark reads as other numbers than the other; some with a percent sign and some without.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"income": ["55,5", None, "60"], "code": ["1,5", "2,0", "x"]})
    >>> read_numerals(frame, ";", Reading()).to_dict("list")
    {'income': [55.5, nan, 60.0], 'code': ['1,5', '2,0', 'x']}
    >>> frame = pd.DataFrame({"income": ["1,055.5", "60"], "rate": ["36.9%", "4%"]})
    >>> read_numerals(frame, ",", Reading.of(decimal=".", numbers=["rate"])).to_dict("list")
    {'income': [1055.5, 60.0], 'rate': [36.9, 4.0]}
    """
    import pandas as pd

    columns = {}
    for name, texts in text_columns(frame):
        if name in reading.text:
            continue
        numbers = (
            _told(name, texts, separator, reading) if name in reading.numbers else _seen(texts, separator, reading)
        )
        if numbers is not None:
            columns[name] = pd.Series(numbers, index=texts.index, dtype="float64").reindex(frame.index)
    if columns and reading.decimal is None:
        _warn_of_points(frame, [name for name in columns if name not in reading.numbers])
    return frame.assign(**columns)


def readable(texts: pd.Series, separator: str, reading: Reading) -> pd.Series:
    """Which texts are numbers where nobody speaks of their column; of two marks, the one that reads more."""
    if reading.decimal is not None:
        return texts.str.fullmatch(GRAMMARS[reading.decimal]) & ~texts.str.contains("%", regex=False)
    forms = [_PLAIN, _COMMA] if separator in COMMA_SEPARATORS else [_PLAIN]
    return max((texts.str.fullmatch(form) for form in forms), key=lambda fits: fits.sum())


def _seen(texts: pd.Series, separator: str, reading: Reading) -> list[float] | None:
    """A column that nobody spoke of: all of its texts as numbers, or None."""
    if reading.decimal != "," and _all_fit(texts, _PLAIN):
        return [float(text) for text in texts]
    if reading.decimal is not None:
        fits = _all_fit(texts, GRAMMARS[reading.decimal]) and not texts.str.contains("%", regex=False).any()
        return [_double(text, reading.decimal) for text in texts] if fits else None
    if separator in COMMA_SEPARATORS and _all_fit(texts, _COMMA):
        return [_double(text, ",") for text in texts]
    return None


def _all_fit(texts: pd.Series, form: re.Pattern[str]) -> bool:
    """Whether all are numbers of a form; of a column of words the first text alone is looked at."""
    return form.fullmatch(texts.iloc[0]) is not None and bool(texts.str.fullmatch(form).all())


def _told(name: str, texts: pd.Series, separator: str, reading: Reading) -> list[float]:
    """A column that is told to be numbers."""
    where = f"column {name!r}"
    signed = texts.str.contains("%", regex=False)
    if signed.any() and not signed.all():
        raise InputError(
            "some values have a percent sign and some have none",
            where=where,
            got=(Masked(texts[signed].iloc[0]), Masked(texts[~signed].iloc[0])),
            fix="write all of them one way",
        )
    if reading.decimal is None:
        numbers = _seen(texts.str.replace(_PERCENT, "", regex=True), separator, reading)
        if numbers is not None:
            return numbers
    marks = [reading.decimal] if reading.decimal is not None else list(GRAMMARS)
    fitting = [mark for mark in marks if _all_fit(texts, GRAMMARS[mark])]
    if not fitting:
        raise _no_number(where, texts, marks)
    readings = [[_double(text, mark) for text in texts] for mark in fitting]
    if readings[0] != readings[-1]:
        at = next(i for i, (one, other) in enumerate(zip(*readings, strict=True)) if one != other)
        raise InputError(
            "a point or comma may separate decimals or thousands",
            where=where,
            got=Masked(texts.iloc[at]),
            allowed=EITHER_MARK,
            fix=NAME_MARK,
        )
    return readings[0]


def _no_number(where: str, texts: pd.Series, marks: list[Decimal]) -> KindError:
    """The error for a column of which not all values are numbers with one and the same mark."""
    best = max((texts.str.fullmatch(GRAMMARS[mark]) for mark in marks), key=lambda matches: matches.sum())
    others = texts[~best]
    often = others.value_counts()
    word = shared(often.index[0], often.iloc[0])
    declared = "--missing TEXT" if isinstance(word, Masked) else missing_flag(often.index[0])
    return KindError(
        f"read as numbers, but {len(others):,} of {len(texts):,} values are none",
        where=where,
        got=word,
        allowed="numbers or missing",
        fix=f"correct these values, or declare them where nothing is known: {declared}",
    )


def _double(text: str, decimal: Decimal) -> float:
    others = _BLANKS + ("." if decimal == "," else ",")
    plain = _PERCENT.sub("", text.strip()).translate({ord(each): None for each in others})
    return float(plain.replace(decimal, "."))


def _warn_of_points(frame: pd.DataFrame, commas: list[str]) -> None:
    """Warn of columns with a decimal point where others have commas: the point may separate thousands there."""
    points = [name for name in frame.columns if frame[name].dtype.kind == "f" and (frame[name].dropna() % 1 != 0).any()]
    for name in points if commas else ():
        column = frame[name].dropna()
        fraction = float(column[column % 1 != 0].iloc[0])
        warn_caller(
            f"column {name!r}: numbers with a decimal point, such as {Masked(fraction)!r}, where other columns, "
            f"such as {commas[0]!r}, have decimal commas. Fix: if points separate thousands here, name the decimal "
            "mark of the file: --decimal , (in Python decimal=',').",
            MixedDecimalsWarning,
        )
