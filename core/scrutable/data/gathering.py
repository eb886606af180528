"""Some columns of a large file, gathered block by block: no frame of all its columns is ever there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.config import ReadingConfig
from scrutable.data.frames.blocks import slices
from scrutable.data.frames.column import Coded, Column
from scrutable.data.frames.files import suffix_of
from scrutable.data.frames.lookalikes import unlike_numbers
from scrutable.data.frames.plain_csv import are_numbers
from scrutable.data.frames.table import Table
from scrutable.data.reading import read_blocks
from scrutable.writing.arrow_arrays import array_numbers
from scrutable.writing.csv_blocks import DoubtfulError

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

#: Rows that are gathered at once.
_ROWS = 131_072


def gathered(
    path: str | os.PathLike[str],
    told: ReadingConfig,
    *,
    text: Iterable[str],
    numbers: Iterable[str],
    others: Iterable[str],
) -> tuple[Table, pd.DataFrame]:
    """What models read of a file as a table, texts by their places, and some other columns as `read_rows` has them.

    Parameters
    ----------
    text, numbers : columns to read as in `read_rows`.
    others : columns of which nobody says whether they are texts or numbers, or which are in `text`, too.

    Raises
    ------
    DoubtfulError : something is to be mended, told of or refused; `read_rows` does that.
    InputError : a file that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = file.write_text("id,age,job,paid,sex\\nA1,41,cook,1,f\\nA2,17,,0,m\\n")
    >>> table, frame = gathered(file, ReadingConfig(), text=["job"], numbers=["age"], others=["paid", "sex"])
    >>> table.column("job").values.tolist(), frame["paid"].tolist(), frame["sex"].tolist()
    (['cook', None], [1, 0], ['f', 'm'])
    """
    texts, others, numbers = dict.fromkeys(text), dict.fromkeys(others), dict.fromkeys(numbers)
    parquet = suffix_of(Path(path)) == ".parquet"
    carried = [name for name in others if name not in texts] if parquet else []
    as_texts = [*dict.fromkeys((*texts, *(name for name in others if name not in carried)))]
    if not numbers.keys().isdisjoint(others):
        raise DoubtfulError("numbers that are asked for as a frame has them")
    blocks = read_blocks(path, told, text=as_texts, numbers=numbers, carried=carried)
    columns: dict[str, _Texts | _Numbers] = {}
    for part in slices(blocks, _ROWS):
        for name, array in part.items():
            columns.setdefault(name, _begun(array)).add(array)
    made = {name: column.column(name) for name, column in columns.items()}
    table = Table(
        next(iter(columns.values())).n_rows,
        {name: partial(made.__getitem__, name) for name in made if name in texts or name in numbers},
    )
    return table, _frame({name: columns[name] for name in others}, as_they_stand=parquet, told=texts)


class _Texts:
    """Texts, each by the place of it among the different ones."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._parts: list[NDArray[np.int32]] = []

    def add(self, array: Any) -> None:
        """Add the texts of a block."""
        coded = array if hasattr(array, "dictionary") else array.dictionary_encode()
        levels = coded.dictionary.to_pylist()
        places = np.array(
            [*(self._places.setdefault(level, len(self._places)) for level in levels), -1], dtype=np.int32
        )
        indices = coded.indices.cast("int64") if coded.indices.null_count else coded.indices
        self._parts.append(places[array_numbers(indices, len(levels))])

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return sum(map(len, self._parts))

    def column(self, name: str) -> Column:
        """All of them as a column."""
        levels = np.array([*self._places, None], dtype=object)
        self._parts = [np.concatenate(self._parts)]
        return Column(name, "categorical", Coded(levels, self._parts[0], declared=True))

    def values(self) -> Any:
        """All of them as pandas has texts, in whatever form it does."""
        import pandas as pd

        if not self._places:
            raise DoubtfulError("texts all of which are missing")
        levels = pd.Series([*self._places, None]).array
        return levels.take(np.concatenate(self._parts))

    def guessed(self) -> Any:
        """What a reader takes them for, who is told nothing of them."""
        if not are_numbers(self._places):
            if unlike_numbers(self._places):
                return self.values()
            raise DoubtfulError("texts that may be several things")
        codes = np.concatenate(self._parts)
        if self._places and not (codes < 0).any() and all("." not in text for text in self._places):
            return np.array([int(text) for text in self._places])[codes]
        return np.array([*map(float, self._places), np.nan])[codes]


class _Numbers:
    """Numbers of one kind."""

    def __init__(self) -> None:
        self._parts: list[NDArray[Any]] = []

    def add(self, array: Any) -> None:
        """Add the numbers of a block, none of which is held by it then."""
        self._parts.append(array_numbers(array, np.nan).copy())

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return sum(map(len, self._parts))

    def column(self, name: str) -> Column:
        """All of them as a column."""
        return Column(name, "numeric", self.values().astype(np.float64, copy=False))

    def values(self) -> NDArray[Any]:
        """All of them."""
        self._parts = [np.concatenate(self._parts)]
        return self._parts[0]


def _begun(array: Any) -> _Texts | _Numbers:
    import pyarrow as pa

    return _Numbers() if pa.types.is_floating(array.type) or pa.types.is_integer(array.type) else _Texts()


def _frame(columns: dict[str, _Texts | _Numbers], *, as_they_stand: bool, told: Iterable[str]) -> pd.DataFrame:
    """Columns as a frame of the whole file has them."""
    import pandas as pd

    series = {}
    for name, column in columns.items():
        if isinstance(column, _Numbers):
            series[name] = column.values()
        else:
            series[name] = column.values() if as_they_stand or name in told else column.guessed()
    return pd.DataFrame(series)
