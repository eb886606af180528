"""Blocks of bins that are made of other blocks, by tables: fewer bins, or cells of two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Bins = NDArray[Any]


class Block(Protocol):
    """How rows get their bins of a block, from 0 on, from the bins that they have of the blocks that were coded."""

    @property
    def size(self) -> int:
        """Number of bins."""

    def of(self, codes: Bins) -> Bins:
        """(m,) the bin of each row.

        Parameters
        ----------
        codes : (p, m) bins of the coded blocks.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """One of the blocks that were coded, as it is.

    Parameters
    ----------
    place : of the block.
    size : number of its bins.
    """

    place: int
    size: int

    def of(self, codes: Bins) -> Bins:
        own: Bins = codes[self.place]
        return own


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Another block, with bins put together.

    Parameters
    ----------
    block : the other one.
    table : (bins,) the new bin of each.

    Examples
    --------
    >>> block = Merged(Coded(0, 3), np.array([0, 1, 1]))
    >>> block.size, block.of(np.array([[2, 0, 1]])).tolist()
    (2, [1, 0, 1])
    """

    block: Block
    table: Ints

    @property
    def size(self) -> int:
        return int(self.table.max(initial=-1)) + 1

    def of(self, codes: Bins) -> Bins:
        return narrow(self.table, self.size)[self.block.of(codes)]


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """The cells of two blocks, row by row.

    Examples
    --------
    >>> block = Crossed(Coded(0, 2), Coded(1, 3))
    >>> block.size, block.of(np.array([[0, 1], [2, 1]])).tolist()
    (6, [2, 4])
    """

    rows: Block
    columns: Block

    @property
    def size(self) -> int:
        return self.rows.size * self.columns.size

    def of(self, codes: Bins) -> Bins:
        cells: Bins = self.rows.of(codes).astype(np.min_scalar_type(self.size)) * self.columns.size
        cells += self.columns.of(codes).astype(cells.dtype, copy=False)
        return cells


def recoded(blocks: Sequence[Block], codes: Bins) -> NDArray[np.unsignedinteger]:
    """(q, m) the bins of rows in each of q blocks.

    Parameters
    ----------
    codes : (p, m) bins of the coded blocks.
    """
    kind = np.min_scalar_type(max([1, *(each.size for each in blocks)]) - 1)
    made: NDArray[np.unsignedinteger] = np.empty((len(blocks), codes.shape[1]), dtype=kind)
    for own, block in zip(made, blocks, strict=True):
        own[:] = block.of(codes)
    return made


def narrow(table: Ints, size: int) -> Bins:
    """A table of bins in as few bytes as hold them."""
    bins: Bins = table.astype(np.min_scalar_type(max(size, 1)))
    return bins
