"""Columns of texts that were surely meant to be numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scrutable.errors import ScrutableWarning, warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: Share of a column's texts that have to look like numbers, and about how many of them are looked at.
NEARLY_ALL = 0.95
_SAMPLED = 1000

_PLAIN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_PERCENT = r"[+-]?[0-9]*[.,]?[0-9]+\s*%"
_COMMA = r"[+-]?[0-9]*,[0-9]+"
_GROUPED = r"[+-]?[0-9]{1,3}(?:[.,' \u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?"
_NUMBER = rf"\s*(?:{_PLAIN}|{_PERCENT}|{_COMMA}|{_GROUPED}|(?i:true|false))\s*"


class NumbersAsTextWarning(ScrutableWarning):
    """A column whose values nearly all look like numbers was read as text, and so becomes categories."""


def warn_of_lookalikes(frame: pd.DataFrame, text: frozenset[str]) -> None:
    """Warn of each column of texts that look like numbers, but for the columns that are `text` on purpose."""
    from pandas.api.types import is_string_dtype

    for name in frame.columns.difference(list(text), sort=False):
        texts = frame[name].dropna()
        if len(texts) and is_string_dtype(texts):
            some = texts.iloc[:: 1 + len(texts) // _SAMPLED]
            if some.str.fullmatch(_NUMBER).mean() >= NEARLY_ALL:
                _warn(name, texts)


def _warn(name: str, texts: pd.Series) -> None:
    plain = texts.str.fullmatch(rf"\s*{_PLAIN}\s*")
    at_fault = texts[~plain].iloc[0] if not plain.all() else texts.iloc[0]
    warn_caller(
        f"column {name!r}: its values look like numbers, but {int((~plain).sum()):,} of {len(texts):,}, for instance "
        f"{at_fault!r}, are none, so all are read as categories ({texts.nunique():,} different ones). "
        f"Fix: {_fix(name, at_fault)}; or keep the column, if it holds codes.",
        NumbersAsTextWarning,
    )


def _fix(name: str, at_fault: str) -> str:
    """What reads such numbers."""
    if re.fullmatch(rf"\s*{_PERCENT}\s*", at_fault):
        return f"--numbers {name} (in Python numbers=[{name!r}]) reads {at_fault} as {at_fault.rstrip('% ')}"
    if re.fullmatch(rf"\s*(?:{_COMMA}|{_GROUPED})\s*", at_fault):
        return (
            "--decimal . or --decimal , (in Python decimal='.' or decimal=',') says what separates decimals in the "
            "file, and the other separates thousands"
        )
    return (
        "write numbers with a decimal point and without separators of thousands, truth values all as words or all as "
        "0 and 1, and leave missing values empty"
    )
