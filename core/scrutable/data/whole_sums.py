"""Sums of amounts over rows, by bin and by pair of bins: the same bits in every order of rows, chunks and threads."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.compiling import compiled
from scrutable.data.exact import times_power

Floats = NDArray[np.float64]
#: Parts of whole numbers, in doubles, and by how many bits they are to be shifted.
Part = tuple[Floats, int]
Wholes = NDArray[np.int64]
#: (p, m) the bin of each of m rows in each of p blocks.
Codes = NDArray[np.unsignedinteger]
#: (p + 1,) where the bins of each block begin, and how many there are, K.
Starts = NDArray[np.int64]

#: Bits below that of the sign that a sum of whole numbers may take.
_BITS = 62
#: Bits below the least amount that are kept.
_KEPT = 40
#: Bits of a whole number that a double certainly holds beside others of its kind.
_HALF = 31
#: Weights from here on are not taken as so many rows of weight 1.
HEAVY = 2.0**20
#: Bits of a whole number that are added by themselves where doubles have no room for the sum.
_LOW = 26
#: Rows times blocks that NumPy goes through at once.
_SIDE_BY_SIDE = 2**14
#: How many times as fast as steps in Python those in NumPy are.
FASTER = 16


@dataclass(frozen=True, slots=True)
class Unit:
    """Layers of powers of two, of which amounts are taken as whole multiples; no sum of them is beyond 64 bits.

    What rows are rounded to has to be known before the first of them is read, and must not depend on how they are
    shared out: so it follows from their number and from bounds.

    Parameters
    ----------
    exponents : of each layer, the coarsest first.
    """

    exponents: tuple[int, ...]

    @classmethod
    def of(cls, rows: int, largest: float, least: float, kept: int = _KEPT, most: float | None = None) -> Self:
        """The unit of so many amounts, none of them beyond `largest`, of which such as `least` have to count.

        Parameters
        ----------
        kept : bits below that of the least amount that count; with all 53 of a double nothing is rounded.
        most : what amounts add up to at most, where that is known to be less than so many times the largest.

        >>> Unit.of(1_000_000, 1.0, 1.0).exponents, Unit.of(1_000_000, 1.0, 1e-9).exponents
        ((-41,), (-41, -84))
        """
        spare = _BITS - max(rows, 1).bit_length()
        exponents = [math.frexp(largest)[1] - spare if most is None else math.frexp(most)[1] - _BITS]
        while exponents[-1] > math.frexp(least)[1] - kept:
            exponents.append(exponents[-1] - spare - 1)  # what a layer leaves is half its unit at most
        return cls(tuple(exponents))

    def layers(self, amounts: Floats) -> list[Wholes]:
        """(m,) whole numbers of each layer."""
        layers, rest = [], amounts
        for number, exponent in enumerate(self.exponents, start=1):
            whole = np.rint(times_power(rest, -exponent))
            layers.append(whole.astype(np.int64))
            if number < len(self.exponents):
                rest = rest - times_power(whole, exponent)
        return layers

    def weighed(self, amounts: Floats, weight: Floats) -> list[Wholes]:
        """(m,) whole numbers of each layer, of amounts times weights.

        A weight of 2 gives twice the whole number of a weight of 1: whole weights multiply what amounts are rounded to,
        and only the rest of a weight, or one that is very large, multiplies the amount itself.
        """
        layers = self.layers(amounts)
        if (weight == 1.0).all():
            return layers
        often = np.where(weight < HEAVY, np.floor(weight), 0.0)
        layers = [each * often.astype(np.int64) for each in layers]
        rest = weight - often
        if rest.any():
            layers = [each + own for each, own in zip(layers, self.layers(rest * amounts), strict=True)]
        return layers


class Sums(ABC):
    """Sums of amounts over rows, to which chunk after chunk of rows is added.

    Parameters
    ----------
    unit : of what amounts are multiples.
    shape : of the sums.
    """

    def __init__(self, unit: Unit, shape: tuple[int, ...]) -> None:
        self.unit = unit
        self.wholes = [np.zeros(shape, dtype=np.int64) for _ in unit.exponents]

    def add(self, codes: Codes, starts: Starts, amounts: Floats) -> None:
        """Add the (m,) amounts of rows with these bins."""
        self.add_layers(codes, starts, self.unit.layers(amounts))

    def add_layers(self, codes: Codes, starts: Starts, layers: Sequence[Wholes]) -> None:
        """Add the (m,) whole numbers of each layer of rows with these bins."""
        for whole, sums in zip(layers, self.wholes, strict=True):
            self._add(codes, starts, whole, sums)

    def merge(self, other: Self) -> None:
        """Add what was summed elsewhere, of the same unit."""
        for sums, theirs in zip(self.wholes, other.wholes, strict=True):
            sums += theirs

    @property
    def values(self) -> Any:
        """The sums, in doubles; those of the same amount are the same, however layers share it."""
        exponents, values = self.unit.exponents, []
        coarsest = self.wholes[0]
        if len(exponents) > 1:
            carried = np.zeros_like(coarsest)
            for sums, finer, coarser in zip(self.wholes[:0:-1], exponents[:0:-1], exponents[-2::-1], strict=True):
                shift = coarser - finer
                own = sums + carried
                carried = (own + (1 << shift - 1)) >> shift
                values.append(np.ldexp((own - (carried << shift)).astype(np.float64), finer))
            coarsest = coarsest + carried
        doubles = np.array(coarsest, dtype=np.float64)
        values.append(times_power(doubles, exponents[0], out=doubles))
        return sum(reversed(values[:-1]), start=values[-1])

    def nearest(self, *axes: int) -> Floats:
        """The doubles nearest to the sums, those along some axes added up, where nothing was rounded."""
        parts = []
        for summed, exponent in self._layers():
            whole = summed.sum(axis=axes) if axes else summed
            parts += [np.ldexp((whole >> _HALF).astype(np.float64), exponent + _HALF)]
            parts += [np.ldexp((whole & (2**_HALF - 1)).astype(np.float64), exponent)]
        sums = [math.fsum(each) for each in zip(*(part.ravel().tolist() for part in parts), strict=True)]
        return np.array(sums).reshape(parts[0].shape)

    def _layers(self) -> Any:
        return zip(self.wholes, self.unit.exponents, strict=True)

    @staticmethod
    @abstractmethod
    def _add(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
        """Add whole numbers."""


class Total(Sums):
    """One sum over all rows.

    >>> total = Total(Unit.of(3, 1.0, 1.0), ())
    >>> total.add(np.zeros((0, 2), np.uint8), np.zeros(1, np.int64), np.array([0.25, 0.5]))
    >>> float(total.values)
    0.75
    """

    @staticmethod
    def _add(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
        sums += whole.sum()


class BinSums(Sums):
    """(K,) sums over the rows of each bin of each block.

    >>> sums = BinSums(Unit.of(3, 1.0, 1.0), (4,))
    >>> codes, starts = np.array([[0, 1, 1], [1, 1, 1]], dtype=np.uint8), np.array([0, 2, 4])
    >>> sums.add(codes, starts, np.array([0.25, 0.5, 1.0]))
    >>> sums.values.tolist()
    [0.25, 1.5, 0.0, 1.75]
    """

    @staticmethod
    def _add(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
        add_by_bin(codes, starts, whole, sums)


class PairSums(Sums):
    """(K, K) sums over the rows that are in both bins of a pair.

    >>> sums = PairSums(Unit.of(3, 1.0, 1.0), (4, 4))
    >>> codes, starts = np.array([[0, 1, 1], [1, 1, 0]], dtype=np.uint8), np.array([0, 2, 4])
    >>> sums.add(codes, starts, np.array([0.25, 0.5, 1.0]))
    >>> sums.values.tolist()
    [[0.25, 0.0, 0.0, 0.25], [0.0, 1.5, 1.0, 0.5], [0.0, 1.0, 1.0, 0.0], [0.25, 0.5, 0.0, 0.75]]
    """

    @property
    def upper(self) -> Floats:
        """The sums of a bin and those after it, in doubles; others are 0."""
        upper: Floats = super().values
        return upper

    @property
    def values(self) -> Floats:
        """The sums, in doubles."""
        upper = self.upper
        whole: Floats = upper + np.triu(upper, 1).T
        return whole

    @staticmethod
    def _add(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
        add_by_pair(codes, starts, whole, sums)


def _add_by_bin(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
    """Add whole numbers by bin, in NumPy."""
    _add_side_by_side(codes, starts, _parts(whole), sums[None])


@compiled(steps=lambda codes, *_: codes.size // FASTER, small=_add_by_bin, nogil=True)
def add_by_bin(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
    """Add (m,) whole numbers to the (K,) sums of the bins that the rows are in."""
    for block in range(codes.shape[0]):
        start = starts[block]
        for row in range(codes.shape[1]):
            sums[start + codes[block, row]] += whole[row]


def _add_by_pair(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
    """Add whole numbers by pair of bins, in NumPy."""
    parts = _parts(whole)
    for one, (start, stop) in enumerate(pairwise(starts.tolist())):
        own, row = range(start, stop), codes[one].astype(np.int64)
        sums[own, own] += _counted(row, parts, stop - start)
        _add_side_by_side(codes[one + 1 :], starts[one + 1 :], parts, sums[start:stop], row)


@compiled(steps=lambda codes, *_: codes.size * len(codes) // (2 * FASTER), small=_add_by_pair, nogil=True)
def add_by_pair(codes: Codes, starts: Starts, whole: Wholes, sums: Wholes) -> None:
    """Add (m,) whole numbers to the (K, K) sums of pairs of bins, those of a block and of blocks after it.

    Blocks are taken pair by pair, so that the sums which are added to stay where they are fast.
    """
    for one in range(codes.shape[0]):
        start, stop = starts[one], starts[one + 1]
        for row in range(codes.shape[1]):
            sums[start + codes[one, row], start + codes[one, row]] += whole[row]
        for other in range(one + 1, codes.shape[0]):
            begin, end = starts[other], starts[other + 1]
            cells = np.zeros((stop - start, end - begin), np.int64)
            for row in range(codes.shape[1]):
                cells[codes[one, row], codes[other, row]] += whole[row]
            for left in range(stop - start):
                for right in range(end - begin):
                    sums[start + left, begin + right] += cells[left, right]


def _add_side_by_side(codes: Codes, starts: Starts, parts: Sequence[Part], sums: Wholes, row: Any = 0) -> None:
    """Add whole numbers to the bins of blocks, in the (rows, K) row of each; few rows for several blocks at once."""
    together = max(1, _SIDE_BY_SIDE // max(codes.shape[1], 1))
    for first in range(0, len(codes), together):
        start, stop = starts[first], starts[min(first + together, len(codes))]
        cells = row * (stop - start) + (codes[first : first + together] + (starts[first:-1][:together, None] - start))
        amounts = [(np.tile(part, len(cells)), bits) for part, bits in parts]
        sums[:, start:stop] += _counted(cells.ravel(), amounts, sums[:, start:stop].size).reshape(len(sums), -1)


def _parts(whole: Wholes) -> list[Part]:
    """Whole numbers as doubles that hold all sums of them."""
    if not len(whole) or float(np.abs(whole).max()) * len(whole) < 2.0**53:
        return [(whole.astype(np.float64), 0)]
    return [((whole >> _LOW).astype(np.float64), _LOW), ((whole & (2**_LOW - 1)).astype(np.float64), 0)]


def _counted(cells: Wholes, parts: Sequence[Part], size: int) -> Wholes:
    """Sums of whole numbers by cell."""
    first, *rest = (np.bincount(cells, part, size).astype(np.int64) << bits for part, bits in parts)
    return sum(rest, start=first)
