"""Numbers with a decimal comma."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

#: Separators of files in which a comma can be the decimal one.
SEPARATORS = (";", "\t")

_NUMBER = r"\s*[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?\s*"


def read_commas(frame: pd.DataFrame, text: frozenset[str]) -> pd.DataFrame:
    """The frame with each column of texts that are all numbers, some with a decimal comma, as the nearest doubles.

    Parameters
    ----------
    frame : as pandas reads a file.
    text : columns that stay texts.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"income": ["55,5", None, "60"], "code": ["1,5", "2,0", "x"]})
    >>> read_commas(frame, frozenset()).to_dict("list")
    {'income': [55.5, nan, 60.0], 'code': ['1,5', '2,0', 'x']}
    """
    import pandas as pd
    from pandas.api.types import is_string_dtype

    found = {}
    for name in frame.columns.difference(list(text), sort=False):
        texts = frame[name].dropna()
        if len(texts) and is_string_dtype(texts) and texts.str.fullmatch(_NUMBER).all():
            numbers = [float(each.replace(",", ".")) for each in texts]
            found[name] = pd.Series(numbers, index=texts.index, dtype="float64").reindex(frame.index)
    return frame.assign(**found)
