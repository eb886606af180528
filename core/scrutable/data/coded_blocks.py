"""Columns of a large file, block by block: what models read, and others by the places of their different values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Floats
from scrutable.data.config import ReadingConfig
from scrutable.data.frames.blocks import slices, table_of
from scrutable.data.frames.formats import suffix_of
from scrutable.data.frames.lookalikes import unlike_numbers
from scrutable.data.frames.plain_csv import are_numbers
from scrutable.data.frames.sampling import Progress
from scrutable.data.frames.table import Table
from scrutable.data.reading import read_blocks
from scrutable.writing.arrow_arrays import array_numbers
from scrutable.writing.csv_blocks import DoubtfulError

if TYPE_CHECKING:
    import pyarrow as pa

#: Rows of a block at most.
_ROWS = 65_536
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedBlock:
    """Some rows of a file.

    Parameters
    ----------
    table : what models read.
    places : (n,) of each coded column, the place of the row's value among `CodedBlocks.values`.
    amounts : (n,) doubles, NaN where one is missing.
    listed : the different texts of a column in this block, None among them, and (n,) the place of each row's.
    """

    table: Table
    places: Mapping[str, Places]
    amounts: Mapping[str, Floats]
    listed: Mapping[str, tuple[list[str | None], Places]]


class CodedBlocks:
    """Some columns of a file, block by block; memory grows by the different values of coded columns alone.

    Parameters
    ----------
    text, numbers : what models read, as in `read_rows`.
    coded : columns of which nobody says whether they are texts or numbers.
    amounts : columns of numbers.
    listed : columns to read as texts.
    progress : gives the blocks as they come, of about how many there are.

    Raises
    ------
    DoubtfulError : something is to be mended, told of or refused, now or in a later block; `read_rows` does that.
    InputError : a file that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = file.write_text("id,age,job,paid,w\\nA1,41,cook,1,0.5\\nA2,17,,0,2\\n")
    >>> blocks = CodedBlocks(file, ReadingConfig(), text=["job"], numbers=["age"], coded=["paid"], amounts=["w"])
    >>> [block] = blocks
    >>> block.table.column("job").values.tolist(), block.amounts["w"].tolist()
    (['cook', None], [0.5, 2.0])
    >>> blocks.values("paid").take(block.places["paid"]).tolist()
    [1, 0]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        told: ReadingConfig,
        *,
        text: Iterable[str],
        numbers: Iterable[str],
        coded: Iterable[str] = (),
        amounts: Iterable[str] = (),
        listed: Iterable[str] = (),
        progress: Progress = lambda blocks, _: blocks,
    ) -> None:
        self._read = [*dict.fromkeys((*text, *numbers))]
        self._coded = {name: _Different() for name in coded}
        self._amounts, self._listed = [*dict.fromkeys(amounts)], [*dict.fromkeys(listed)]
        self._texts = {*text, *self._listed}
        self._stands = suffix_of(Path(path)) == ".parquet"
        others = dict.fromkeys((*self._coded, *self._amounts, *self._listed))
        if not set(numbers).isdisjoint(others):
            raise DoubtfulError("numbers that are asked for as a frame has them")
        carried = [name for name in others if name not in self._texts] if self._stands else []
        as_texts = dict.fromkeys((*text, *(name for name in others if name not in carried)))
        self._blocks = read_blocks(path, told, text=as_texts, numbers=numbers, carried=carried)
        self._progress = progress
        self._worded: dict[str, bool] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns of the file."""
        return tuple(self._blocks.names)

    def expected_rows(self, block: CodedBlock) -> int:
        """About how many rows there are, by one of the blocks."""
        return block.table.n_rows * self._blocks.expected

    def __iter__(self) -> Iterator[CodedBlock]:
        for part in slices(self._progress(self._blocks, self._blocks.expected), _ROWS):
            yield CodedBlock(
                table=table_of({name: part[name] for name in self._read}),
                places={name: different.places(part[name]) for name, different in self._coded.items()},
                amounts={name: _amounts(part[name]) for name in self._amounts},
                listed={name: _used(part[name]) for name in self._listed},
            )

    def values(self, name: str) -> Any:
        """The different values of a coded column so far by place, as a frame of the whole file has them.

        The first one stands for what is missing.
        """
        coded, guessed = self._coded[name], not self._stands and name not in self._texts
        values = coded.values(guessed=guessed)
        if guessed and coded.has_gaps and values.dtype.kind not in "if" and self._has_missing_words(name):
            raise DoubtfulError(f"words such as NA among the categories of {name}")
        return values

    def _has_missing_words(self, name: str) -> bool:
        if name not in self._worded:
            self._worded[name] = self._blocks.has_missing_words(name)
        return self._worded[name]


class _Different:
    """Different values of a column, in the order in which they occur."""

    def __init__(self) -> None:
        self._place: dict[Any, int] = {}
        self._kind: type[Any] = object
        self._missing = False

    @property
    def has_gaps(self) -> bool:
        """Whether a value is missing."""
        return self._missing

    def places(self, array: pa.Array) -> Places:
        """(n,) the place of each value of a block, from 1 on; 0 where it is missing."""
        levels, codes = _used(array) if not _is_number(array) else self._numbers(array)
        self._missing |= None in levels
        known = [0 if level is None else self._place.setdefault(level, len(self._place) + 1) for level in levels]
        return np.array(known, dtype=np.int32)[codes]

    def values(self, *, guessed: bool) -> Any:
        """All of them, after what is missing."""
        import pandas as pd

        if self._kind is not object:
            return _with_first(list(self._place), self._kind)
        if guessed and are_numbers(self._place):
            whole = self._place and not self._missing and all("." not in text for text in self._place)
            kind = int if whole else float
            return _with_first([kind(text) for text in self._place], kind)
        if not self._place or (guessed and not unlike_numbers(self._place)):
            raise DoubtfulError("texts that may be several things, or all of which are missing")
        return pd.Series([None, *self._place]).array

    def _numbers(self, array: pa.Array) -> tuple[list[Any], Places]:
        numbers = array_numbers(array, np.nan)
        self._kind = float if numbers.dtype.kind == "f" else int
        levels, codes = np.unique(numbers, return_inverse=True)
        return [None if level != level else level for level in levels.tolist()], codes.astype(np.int32)


def _with_first(numbers: list[Any], kind: type[Any]) -> NDArray[Any]:
    """Numbers after what stands for a missing one, which there is none of among whole numbers."""
    return np.array([np.nan if kind is float else numbers[0], *numbers], dtype=kind)


def _is_number(array: pa.Array) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(array.type) or pa.types.is_integer(array.type))


def _used(array: pa.Array) -> tuple[list[str | None], Places]:
    """The different texts that occur, None among them, and (n,) their places."""
    coded = array if hasattr(array, "dictionary") else array.dictionary_encode()
    levels = [*coded.dictionary.to_pylist(), None]
    indices = coded.indices.cast("int64") if coded.indices.null_count else coded.indices
    places = array_numbers(indices, len(levels) - 1).astype(np.int64)
    used, codes = np.unique(places, return_inverse=True)
    return [levels[place] for place in used.tolist()], codes.astype(np.int32)


def _amounts(array: pa.Array) -> Floats:
    """(n,) doubles, of texts those that they are."""
    if _is_number(array):
        return array_numbers(array, np.nan).astype(np.float64)
    levels, codes = _used(array)
    if not are_numbers(level for level in levels if level is not None):
        raise DoubtfulError("texts that may be no numbers")
    return np.array([np.nan if level is None else float(level) for level in levels])[codes]
