"""Numbers of files that may have decimal commas, in which every point, or every comma, may separate thousands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from scrutable.data.frames.numerals import COMMA_SEPARATORS, MixedDecimalsWarning
from scrutable.data.masking import Masked
from scrutable.errors import warn_caller

if TYPE_CHECKING:
    import pandas as pd

#: Rows whose texts are looked at.
SAMPLED = 10_000
#: Texts in which a mark may separate thousands, and those of too few digits for any.
GROUPED = r"\s*[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}\s*"
SHORT = r"\s*[+-]?[0-9]{1,3}\s*"
_NAMES, _OTHER = {".": "point", ",": "comma"}, {".": ",", ",": "."}
#: Different numbers with a point that are told of in files in which commas separate values.
SEVERAL = 5


def warn_of_thousands(
    frame: pd.DataFrame, columns: list[str], separator: str, read_texts: Callable[[list[str]], pd.DataFrame]
) -> None:
    """Warn of columns in which each point or comma has one to three digits before it and three after it, as in 1.234.

    In files that `;` or a tab separates a comma may be the decimal mark. In others a point is told of only where
    several different numbers have one, and others have none. Of commas nothing is told where one of another form, as
    in 0,5, shows that they separate decimals.

    Parameters
    ----------
    columns : those that hold commas, or all where none does.
    read_texts : reads the first `SAMPLED` rows of columns by their names, as texts.
    """
    doubtful = [name for name in columns if frame[name].dtype.kind == "f" and _in_thousandths(frame[name])]
    if not doubtful:
        return
    texts = read_texts(doubtful)
    several = 0 if separator in COMMA_SEPARATORS else SEVERAL
    grouped = {name: said for name in doubtful if (said := _in_groups(texts[name].dropna(), several)) is not None}
    if any("," in said for said in grouped.values()) and len(grouped) < len(columns):
        return
    for name, said in grouped.items():
        mark = "," if "," in said else "."
        warn_caller(
            f"column {name!r}: {Masked(said)!r} is read as a little more than what stands before its "
            f"{_NAMES[mark]}, and all numbers with a {_NAMES[mark]} are written so, as thousands are where a "
            f"{_NAMES[_OTHER[mark]]} is the decimal mark. Fix: name the file's decimal mark, --decimal , or --decimal "
            ". (in Python decimal=',' or decimal='.').",
            MixedDecimalsWarning,
        )


def _in_groups(texts: pd.Series, several: int) -> str | None:
    """The first text such as 1.234, if all others are so, or have three digits at most.

    Parameters
    ----------
    several : where above 0, as many have to be different, and others to have no point.
    """
    grouped = texts.str.fullmatch(GROUPED)
    if not grouped.any() or not (grouped | texts.str.fullmatch(SHORT)).all():
        return None
    if several and (grouped.all() or texts[grouped].nunique() < several):
        return None
    return str(texts[grouped].iloc[0].strip())


def _in_thousandths(column: pd.Series) -> bool:
    """Whether all numbers are below 1,000 and whole thousandths, and some are not whole."""
    values = column.to_numpy()
    present = values[~np.isnan(values)]
    if not (np.abs(present) < 1000).all():
        return False
    thousandths = present * 1000
    near = np.abs(thousandths - np.round(thousandths)) < 1e-6  # 1.001 * 1000 is no whole double
    return bool(near.all() and (present % 1 != 0).any())
