"""Numbers of files with decimal commas, in which every point may separate thousands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scrutable.errors import warn_caller
from scrutable.frames.numerals import COMMA_SEPARATORS, MixedDecimalsWarning

if TYPE_CHECKING:
    import pandas as pd

#: Rows whose texts are looked at.
SAMPLED = 10_000
_GROUPED = r"\s*[+-]?[1-9][0-9]{0,2}\.[0-9]{3}\s*"
_SHORT = r"\s*[+-]?[0-9]{1,3}\s*"


def warn_of_thousands(frame: pd.DataFrame, separator: str, read_texts: Callable[[list[str]], pd.DataFrame]) -> None:
    """Warn of columns in which each point has one to three digits before it and three after it, as in 1.234.

    Only files that `;` or a tab separates are looked at: there a comma may be the decimal mark.

    Parameters
    ----------
    read_texts : reads the first `SAMPLED` rows of columns by their names, as texts.
    """
    if separator not in COMMA_SEPARATORS:
        return
    doubtful = [name for name in frame.columns if frame[name].dtype.kind == "f" and _in_thousandths(frame[name])]
    if not doubtful:
        return
    texts = read_texts(doubtful)
    for name in doubtful:
        present = texts[name].dropna()
        grouped = present.str.fullmatch(_GROUPED)
        if grouped.any() and (grouped | present.str.fullmatch(_SHORT)).all():
            said = present[grouped].iloc[0].strip()
            warn_caller(
                f"column {name!r}: {said} is read as a little more than {said.partition('.')[0]}, and all numbers with "
                "a point are written so, as thousands are where a comma is the decimal mark. Fix: name the file's "
                "decimal mark, --decimal , or --decimal . (in Python decimal=',' or decimal='.').",
                MixedDecimalsWarning,
            )


def _in_thousandths(column: pd.Series) -> bool:
    """Whether all numbers are below 1,000 and whole thousandths, and some are not whole."""
    present = column.dropna()
    thousandths = present * 1000
    near = (thousandths - thousandths.round()).abs() < 1e-6  # 1.001 * 1000 is no whole double
    return bool((present.abs() < 1000).all() and near.all() and (present % 1 != 0).any())
