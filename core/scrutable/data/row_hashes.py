"""Fingerprints of rows that no order changes: each row becomes a number, and the numbers are added up."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column

Words = NDArray[np.uint64]

_ODD = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
#: What the two sums begin to differ by.
_LANES = (np.uint64(0x2545F4914F6CDD1D), np.uint64(0xD1342543DE82EF95))


class RowHashes:
    """The sum of what rows become, to which batch after batch is added.

    Parameters
    ----------
    about : what else the fingerprint is of, such as the names of the columns.

    Examples
    --------
    >>> one, other = RowHashes("age"), RowHashes("age")
    >>> one.add([Column("age", "numeric", np.array([20.0, 40.0]))])
    >>> other.add([Column("age", "numeric", np.array([40.0]))])
    >>> other.add([Column("age", "numeric", np.array([20.0]))])
    >>> one.digest() == other.digest()
    True
    """

    def __init__(self, about: str) -> None:
        self._about, self._rows = about, 0
        self._sums = [0 for _ in _LANES]

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, all columns of which are always given in one order."""
        state, *others = (_words(column) for column in columns)
        for words in others:
            state = _mixed(state * _STEP + words)
        self._rows += len(state)
        for lane, own in enumerate(_LANES):
            self._sums[lane] += int(_mixed(state ^ own).sum(dtype=np.uint64))

    def digest(self) -> str:
        """SHA-256 of the number of rows, of the sums, and of what else it is of."""
        told = [self._about, self._rows, *(each % 2**64 for each in self._sums)]
        return hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()


def numbers(name: str, values: Iterable[float] | NDArray[np.floating]) -> Column:
    """A column of numbers beside those of the inputs, such as weights."""
    return Column(name, "numeric", np.asarray(values, dtype=np.float64))


def _words(column: Column) -> Words:
    """(m,) a number for each value; all that is missing is one, and so are both zeros."""
    if column.kind == "numeric":
        values = np.where(np.isnan(column.values), np.nan, column.values) + 0.0
        return _mixed(values.view(np.uint64))
    words = np.array([_word(text) for text in column.coding.levels.tolist()], dtype=np.uint64)
    chosen: Words = words[column.coding.codes]
    return chosen


def _word(text: str | None) -> int:
    told = b"" if text is None else b"=" + text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "little")


def _mixed(state: Words) -> Words:
    """Numbers of which every bit depends on every bit (Steele, Lea and Flood, "Fast splittable pseudorandom number
    generators", OOPSLA 2014: the finishing steps of its generator).
    """
    state = (state ^ (state >> np.uint64(30))) * np.uint64(_ODD[0])
    state = (state ^ (state >> np.uint64(27))) * np.uint64(_ODD[1])
    mixed: Words = state ^ (state >> np.uint64(31))
    return mixed
