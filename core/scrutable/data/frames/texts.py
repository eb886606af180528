"""The columns of a file's frame that hold texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def text_columns(frame: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """Each column of texts, without its missing values; those without any value are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [41.0, 17.0], "job": ["cook", None]})
    >>> {name: texts.tolist() for name, texts in text_columns(frame)}
    {'job': ['cook']}
    """
    from pandas.api.types import is_string_dtype

    for name, dtype in frame.dtypes.items():
        if dtype.kind not in "biuf":  # told without a look at the values, of which a wide file has many columns
            texts = frame[name].dropna()
            if len(texts) and is_string_dtype(texts):
                yield str(name), texts
