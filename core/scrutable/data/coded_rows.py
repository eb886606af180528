"""Rows by the bin that each has of every characteristic: all that regressions ask of them, chunk by chunk."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scrutable.data.compiling import compiled
from scrutable.data.exact import exact_sum
from scrutable.data.features import Feature
from scrutable.data.frames import Column
from scrutable.data.whole_sums import BinSums, Codes, PairSums, Starts, Sums, Total, Unit, steps_of_blocks

Floats = NDArray[np.float64]

#: Rows of a chunk: few enough for their amounts to stay where they are fast.
CHUNK = 2**16
#: Of the least amount, what a fine total tells apart besides.
_FINE = 2.0**-20


class Coding(Protocol):
    """How the values of a feature become bins, from 0 to `size` - 1."""

    @property
    def feature(self) -> Feature:
        """The feature."""

    @property
    def size(self) -> int:
        """Number of bins."""

    @property
    def ends(self) -> Sequence[float]:
        """Rising numbers at which the bin may change; none where each value has to be looked up by itself."""

    def codes(self, column: Column) -> NDArray[np.intp]:
        """(k,) the bin of each of k values."""


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """m rows.

    Parameters
    ----------
    codes : (p, m) the bin of each row in each of p blocks, from 0 on.
    target : (m,) what is to be told: 1 or 0 for two classes, or a quantity.
    weight : (m,) weights.
    """

    codes: Codes
    target: Floats
    weight: Floats


class CodedRows(ABC):
    """n rows by the bin that each has in each of p blocks; the K bins of all blocks stand one after another.

    Wherever the rows live, they are read chunk by chunk, as often as they are asked for, and only to be added up. Sums
    are the same whatever the order of the rows and however they are shared out: see `Unit`.

    Parameters
    ----------
    sizes : (p,) numbers of bins.
    rows : how many there are.
    weights : least weight above 0, and largest.
    weight : total weight, the same in any order of the rows.
    """

    def __init__(self, sizes: Sequence[int], rows: int, weights: tuple[float, float], weight: float) -> None:
        self.starts: Starts = np.cumsum([0, *sizes], dtype=np.int64)
        self.rows, self.weights, self.total_weight = rows, weights, weight

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """All rows, in any order."""

    @abstractmethod
    def only(self, blocks: Sequence[int]) -> CodedRows:
        """The rows by the bins of these blocks alone, by position, in this order."""

    @property
    def size(self) -> int:
        """Number of bins, K."""
        return int(self.starts[-1])

    @property
    def slices(self) -> list[slice]:
        """The bins of each block."""
        return [slice(start, stop) for start, stop in pairwise(self.starts.tolist())]

    @cached_property
    def weight_by_bin(self) -> Floats:
        """(K,) weight of the rows of each bin."""
        sums = self.bin_sums()
        self.add_up([sums], lambda chunk: [chunk.weight])
        weight: Floats = sums.values
        return weight

    def unit(self, largest: float = 1.0) -> Unit:
        """Of what amounts are multiples, none of which is beyond `largest` for a row of weight 1.

        A weight of 2 has the unit that two rows have. What is multiplied with weights is cut to it before
        (`Unit.cut`), so that both add up to the same.
        """
        least = min(self.weights[0], 1.0) * min(largest, 1.0)
        return Unit.of(self.unit_rows, self.total_weight * largest, least)

    @property
    def unit_rows(self) -> int:
        """No fewer than there are rows of some weight; the same for a weight of 2 as for two rows."""
        return math.ceil(self.total_weight) if self.weights[0] >= 1.0 else self.rows

    def total(self, largest: float = 1.0) -> Total:
        """A sum over all rows, to add to."""
        return Total(self.unit(largest), ())

    def fine_total(self, largest: float) -> Total:
        """A sum over all rows that tells apart what is far less than `largest`, such as steps of a line search do."""
        least = _FINE * min(self.weights[0], 1.0) * min(largest, 1.0)
        return Total(Unit.of(self.unit_rows, self.total_weight * largest, least), ())

    def bin_sums(self, largest: float = 1.0) -> BinSums:
        """(K,) sums by bin, to add to."""
        return BinSums(self.unit(largest), (self.size,))

    def pair_sums(self, largest: float = 1.0) -> PairSums:
        """(K, K) sums by pair of bins, to add to."""
        return PairSums(self.unit(largest), (self.size, self.size))

    def add_up(self, sums: Sequence[Sums], amounts: Callable[[Chunk], Sequence[Floats]]) -> None:
        """Add amounts of all rows to sums, in one pass.

        Parameters
        ----------
        amounts : of a chunk (m,) amounts for each of the sums; of each row by itself.
        """
        for chunk in self.chunks():
            for each, own in zip(sums, amounts(chunk), strict=True):
                each.add(chunk.codes, self.starts, own)

    def score(self, chunk: Chunk, values: Floats, intercept: float) -> Floats:
        """(m,) sums of the intercept and of the (K,) values of the bins that each row is in."""
        score = np.full(len(chunk.target), intercept)
        add_values(chunk.codes, self.starts, values, score)
        return score

    def farthest(self, values: Floats, intercept: float) -> float:
        """What no score is beyond, whatever its sign."""
        return abs(intercept) + sum(float(np.abs(values[own]).max(initial=0.0)) for own in self.slices)


class CodedArrays(CodedRows):
    """Rows in memory.

    Parameters
    ----------
    blocks : (n,) for each block the bin of each row, from 0 on.
    sizes : numbers of bins.
    target : (n,) what is to be told.
    weight : (n,) weights, of which one is above 0.

    Examples
    --------
    >>> rows = CodedArrays([np.array([0, 1, 1])], [2], np.array([1.0, 0.0, 1.0]), np.array([1.0, 2.0, 0.5]))
    >>> weight, pairs = rows.bin_sums(), rows.pair_sums()
    >>> rows.add_up([weight, pairs], lambda chunk: [chunk.weight, chunk.weight * chunk.target])
    >>> weight.values.tolist(), pairs.values.tolist()
    ([1.0, 2.5], [[1.0, 0.0], [0.0, 0.5]])
    """

    def __init__(self, blocks: Iterable[NDArray[Any]], sizes: Sequence[int], target: Floats, weight: Floats) -> None:
        seen = weight[weight > 0]
        weights = float(seen.min()), float(seen.max())
        super().__init__(sizes, len(target), weights, exact_sum(weight))
        self.target, self.weight = target, weight
        self.codes = np.empty((len(sizes), len(target)), dtype=np.min_scalar_type(max([1, *sizes]) - 1))
        for own, block in zip(self.codes, blocks, strict=True):
            own[:] = block

    def chunks(self) -> Iterator[Chunk]:
        for start in range(0, self.rows, CHUNK):
            own = slice(start, start + CHUNK)
            yield Chunk(np.ascontiguousarray(self.codes[:, own]), self.target[own], self.weight[own])

    def only(self, blocks: Sequence[int]) -> CodedArrays:
        sizes = np.diff(self.starts)[list(blocks)].tolist()
        return CodedArrays((self.codes[block] for block in blocks), sizes, self.target, self.weight)


def _add_values(codes: Codes, starts: Starts, values: Floats, score: Floats) -> None:
    """Add values by bin, in NumPy."""
    for block, start, stop in zip(codes, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        score += values[start:stop][block]


@compiled(steps=lambda codes, *_: steps_of_blocks(codes), small=_add_values, nogil=True)
def add_values(codes: Codes, starts: Starts, values: Floats, score: Floats) -> None:
    """Add to (m,) scores the (K,) values of the bins that rows are in, block by block."""
    for block in range(codes.shape[0]):
        start = starts[block]
        for row in range(codes.shape[1]):
            score[row] += values[start + codes[block, row]]
