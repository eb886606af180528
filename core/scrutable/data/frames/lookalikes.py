"""Columns of texts that were surely meant to be numbers."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from scrutable.data.frames.numerals import GRAMMARS, missing_flag, readable
from scrutable.data.frames.reading import Reading
from scrutable.data.frames.texts import text_columns
from scrutable.data.masking import Masked, shared
from scrutable.errors import ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: Share of a column's texts, or of its different ones, that have to look like numbers; about how many are looked at.
NEARLY_ALL = 0.95
_SAMPLED = 1000
#: Different numbers beside which words for nothing are taken for that, however often they stand there.
_SEVERAL = 5
#: Words that are told of one by one, and offered as markers.
_HANDFUL = 5

_PLAIN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_PERCENT = r"[+-]?[0-9]*[.,]?[0-9]+\s*%"
_COMMA = r"[+-]?[0-9]*,[0-9]+"
_GROUPED = r"[+-]?[0-9]{1,3}(?:[.,' \u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?"
_MARKS = {".": "a decimal point", ",": "a decimal comma"}
_NUMBER = rf"\s*(?:{_PLAIN}|{_PERCENT}|{_COMMA}|{_GROUPED}|(?i:true|false))\s*"
#: What people write where nothing is known.
_NOTHING = (
    r"(?i)\s*(?:[^\w\s]{1,4}|n[./]?a[.n]?|<na>|none|nil|null|k\.?\s?a\.?|tb[acd]|unknown|unbekannt|missing|"
    r"not (?:known|given|available|applicable|reported|stated)|undefined|unspecified|blank|empty)\s*"
)


#: Money and other units before or after a number; different numbers from which on they are told of.
_SIGN = r"[$€£¥]|USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|BRL"
_BARE = rf"(?:{_PLAIN}|{_COMMA}|{_GROUPED})"
_UNIT = re.compile(rf"\s*(?P<before>(?:{_SIGN})?)\s*{_BARE}(?P<after>\s*(?:{_SIGN}|[kKmM])|)\s*")
_MANY = 20


class NumbersAsTextWarning(ScrutableWarning):
    """A column whose values nearly all look like numbers was read as text, and so becomes categories."""


def unlike_numbers(texts: Iterable[str]) -> bool:
    """Whether none is a number to any reader or looks like one: a column of them is text, and nothing is told of it.

    >>> unlike_numbers(["18 to 25", "60+"]), unlike_numbers(["18 to 25", "1.5 %"]), unlike_numbers(["inf"])
    (True, False, False)
    >>> unlike_numbers(["5,"]), unlike_numbers(["1,6E3"])
    (False, False)
    """
    forms = (re.compile(_NUMBER), _UNIT, *GRAMMARS.values())
    return not any(_is_number(text) or any(form.fullmatch(text) for form in forms) for text in texts)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def warn_of_lookalikes(frame: pd.DataFrame, separator: str, reading: Reading) -> None:
    """Warn of each column of texts that look like numbers, but for those that are read as text on purpose."""
    for name, texts in text_columns(frame):
        if name not in reading.text:
            some = texts.iloc[:: 1 + len(texts) // _SAMPLED]
            if _look_like_numbers(some):
                _warn(name, texts, separator, reading)
            elif (unit := _unit(some)) is not None:
                _warn_of_unit(name, texts, unit)


def _look_like_numbers(texts: pd.Series) -> bool:
    """Whether nearly all, or nearly all different ones, are numbers, or the others are words for nothing."""
    rows = Counter(texts)
    numbers = {text for text in rows if re.fullmatch(_NUMBER, text)}
    if sum(rows[text] for text in numbers) >= NEARLY_ALL * len(texts) or len(numbers) >= NEARLY_ALL * len(rows):
        return True
    return len(numbers) >= _SEVERAL and all(re.fullmatch(_NOTHING, text) for text in rows.keys() - numbers)


def _unit(texts: pd.Series) -> str | None:
    """The one unit, such as $, that nearly all of many different numbers have; None where there is no such unit."""
    matches = [_UNIT.fullmatch(text) for text in texts.unique()]
    units = {match["before"] + match["after"].strip() for match in matches if match is not None} - {""}
    numbers = {match.string for match in matches if match is not None}
    nearly_all = len(numbers) >= NEARLY_ALL * texts.nunique()
    return units.pop() if len(units) == 1 and nearly_all and len(numbers) >= _MANY else None


def _warn_of_unit(name: str, texts: pd.Series, unit: str) -> None:
    example = next(text for text in texts if unit in text)
    warn_caller(
        f"column {name!r}: its values look like numbers with {unit!r}, such as {Masked(example)!r}, and are read as "
        f"categories ({texts.nunique():,} different ones). Fix: write plain numbers, without {unit!r}; or keep the "
        "column, if it holds codes.",
        NumbersAsTextWarning,
    )


def _warn(name: str, texts: pd.Series, separator: str, reading: Reading) -> None:
    at_fault = texts[~readable(texts, separator, reading)]
    number = at_fault.str.fullmatch(_NUMBER)
    forms, words = at_fault[number], at_fault[~number].value_counts()
    said = [f"{len(forms):,} of {len(texts):,}, for instance {Masked(forms.iloc[0])!r}, are none"] if len(forms) else []
    said += [f"{shared(text, n)!r} in {n:,} of {len(texts):,} is none" for text, n in words.head(_HANDFUL).items()]
    if len(words) > _HANDFUL:
        said.append(f"{len(words) - _HANDFUL:,} further texts are none")
    fixes = [*(_fixes(name, forms, reading)), *_declared(words)]
    warn_caller(
        f"column {name!r}: its values look like numbers, but {' and '.join(said)}, so all are read as categories "
        f"({texts.nunique():,} different ones). Fix: {'; '.join(fixes)}; or keep the column, if it holds codes.",
        NumbersAsTextWarning,
    )


def _fixes(name: str, forms: pd.Series, reading: Reading) -> Iterator[str]:
    """What reads numbers of other forms, the first of each kind telling which."""
    percents = forms.str.fullmatch(rf"\s*{_PERCENT}\s*")
    marks = forms.str.fullmatch(rf"\s*(?:{_COMMA}|{_GROUPED})\s*")
    if percents.any():
        yield f"--numbers {shlex.quote(name)} (in Python numbers=[{name!r}]) reads 36.9% as 36.9"
    if marks.any() and reading.decimal is None:
        yield (
            "--decimal . or --decimal , (in Python decimal='.' or decimal=',') says what separates decimals in the "
            "file, and the other separates thousands"
        )
    elif marks.any() or (~percents).any():
        yield (
            f"write numbers with {_MARKS[reading.decimal or '.']} and without separators of thousands, truth values "
            "all as words or all as 0 and 1"
        )


def _declared(counts: pd.Series) -> Iterator[str]:
    """What reads words for nothing as missing, where each is so frequent that it is no single person's."""
    words = list(counts.index)
    rare = any(isinstance(shared(text, n), Masked) for text, n in counts.head(_HANDFUL + 1).items())
    if len(words) > _HANDFUL or rare or any("," in text for text in words):  # the option splits lists at commas
        yield "write nothing but numbers in it, and leave missing values empty"
    elif words:
        yield f"{missing_flag(*words)} where nothing is known, else correct {'it' if len(words) == 1 else 'them'}"
