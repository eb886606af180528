"""Rows by bin that came in batches: small integers are kept of them, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.coded_rows import CHUNK, Chunk, CodedRows
from scrutable.data.training_rows import AllRows

Floats = NDArray[np.float64]


class StreamedCodes(CodedRows):
    """Rows by the bin that each has in each of p blocks.

    Parameters
    ----------
    sizes : (p,) numbers of bins.
    every : sums over all rows.
    """

    def __init__(self, sizes: Sequence[int], every: AllRows) -> None:
        super().__init__(sizes, 0, (every.lightest, every.heaviest), every.weight)
        self._every = every
        self._kind = np.min_scalar_type(max([1, *sizes]) - 1)
        self._blocks = np.arange(len(sizes))
        self._parts: list[tuple[NDArray[Any], NDArray[np.bool_], Floats | None]] = []

    def add(self, blocks: Sequence[NDArray[np.intp]], good: NDArray[np.bool_], weight: Floats) -> None:
        """Add rows.

        Parameters
        ----------
        blocks : (m,) for each block the bin of each row.
        good : (m,) whether the outcome is favourable.
        weight : (m,) sample weights.
        """
        codes = np.empty((len(blocks), len(good)), dtype=self._kind)
        for own, block in zip(codes, blocks, strict=True):
            own[:] = block
        self._parts.append((codes, good, None if (weight == 1.0).all() else weight))
        self.rows += len(good)

    def only(self, blocks: Sequence[int]) -> StreamedCodes:
        own = list(blocks)
        some = StreamedCodes(np.diff(self.starts)[own].tolist(), self._every)
        some.rows, some._parts, some._blocks = self.rows, self._parts, self._blocks[own]
        return some

    def chunks(self) -> Iterator[Chunk]:
        for codes, good, weight in self._parts:
            for start in range(0, len(good), CHUNK):
                own = slice(start, start + CHUNK)
                target = good[own].astype(np.float64)
                weights = np.ones(len(target)) if weight is None else weight[own]
                yield Chunk(np.ascontiguousarray(codes[self._blocks, own]), target, weights)
