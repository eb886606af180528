"""Frames of the kind that a user works with: pandas, Polars, PyArrow and whatever else narwhals knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import narwhals as nw

from scrutable.data.frames.names import checked_names
from scrutable.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

#: A library of frames.
FrameKind = nw.Implementation
#: What is given where no frame went in.
PANDAS = FrameKind.PANDAS


def kind_of(data: Any) -> FrameKind:
    """The kind of a frame; pandas of whatever is none, such as a path or an array.

    >>> import polars as pl
    >>> kind_of(pl.DataFrame({"age": [41]})).name, kind_of("loans.csv").name
    ('POLARS', 'PANDAS')
    """
    frame = nw.from_native(data, pass_through=True)
    return frame.implementation if isinstance(frame, nw.DataFrame) else PANDAS


def as_pandas(data: Any) -> pd.DataFrame:
    """The rows of a frame of any kind, numbered from 0.

    Raises
    ------
    InputError : no frame, a lazy one, no rows, or names that repeat or are no texts.

    Examples
    --------
    >>> import polars as pl
    >>> as_pandas(pl.DataFrame({"age": [41, None]})).to_dict("list")
    {'age': [41.0, nan]}
    """
    import pandas as pd

    frame = nw.from_native(data, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        lazy = isinstance(frame, nw.LazyFrame)
        raise InputError(
            "a lazy frame has no values yet" if lazy else "neither a frame nor a path",
            where="data",
            got=type(data),
            allowed="a pandas, Polars or PyArrow frame, or the path of a data file",
            fix="call collect() on it first" if lazy else "give one of these",
        )
    if not len(frame):
        raise InputError("no rows", where="data", fix="give a frame with at least one row")
    rows = frame.to_pandas().copy(deep=False)  # columns that are added to it are not added to what the user has
    rows.columns = checked_names(rows.columns)
    rows.index = pd.RangeIndex(len(rows))
    return rows


def rows_like(rows: Iterable[Mapping[str, Any]], kind: FrameKind = PANDAS) -> Any:
    """A frame of the asked kind with these rows, each a value by column.

    >>> rows_like([{"sex": "f", "share": 0.5}, {"sex": "m", "share": None}])["share"].tolist()
    [0.5, nan]
    """
    import pandas as pd

    return like(pd.DataFrame(list(rows)), kind)


def like(frame: pd.DataFrame, kind: FrameKind) -> Any:
    """A frame of the asked kind with these columns; missing is null where the kind has it.

    >>> import pandas as pd
    >>> like(pd.DataFrame({"share": [0.5, None]}), FrameKind.POLARS)["share"].to_list()
    [0.5, None]
    """
    if kind is PANDAS:
        return frame
    return nw.from_arrow(nw.from_native(frame).to_arrow(), backend=kind.to_native_namespace()).to_native()
