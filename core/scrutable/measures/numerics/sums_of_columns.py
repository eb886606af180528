"""Sums of columns that have a value in each bin, from sums by bin and by pair of bins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from scrutable.data.coded_rows import CodedRows
from scrutable.data.whole_sums import PairSums, Total

Floats = npt.NDArray[np.float64]


class ProductSums(NamedTuple):
    """What sums of products of columns are made of: a sum over all rows, and those by pair of bins.

    >>> from scrutable.data import CodedArrays
    >>> ProductSums.of(CodedArrays([np.array([0, 1])], [2], np.ones(2), np.ones(2))).pairs.upper.shape
    (2, 2)
    """

    total: Total
    pairs: PairSums

    @classmethod
    def of(cls, rows: CodedRows, largest: float = 1.0) -> Self:
        """Those of rows, to add to."""
        return cls(rows.total(largest), rows.pair_sums(largest))


class SumsOfColumns:
    """Weighted sums over rows of q columns and of their products; the first column is a one.

    Parameters
    ----------
    bases : per block the (bins, columns) value of each column by bin.

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> columns = SumsOfColumns([np.array([[0.0], [2.0]])])
    >>> rows = CodedArrays([np.array([0, 1])], [2], np.ones(2), np.array([1.0, 5.0]))
    >>> columns.by_column(rows.total_weight, rows.weight_by_bin).tolist()
    [6.0, 10.0]
    >>> products = ProductSums.of(rows)
    >>> rows.add_up(products, lambda chunk: [chunk.weight, chunk.weight])
    >>> columns.by_pair(products).tolist()
    [[6.0, 10.0], [10.0, 20.0]]
    """

    def __init__(self, bases: Sequence[Floats]) -> None:
        size = sum(basis.shape[1] for basis in bases)
        by_bin = sparse.block_diag(bases) if size else sparse.coo_array((sum(map(len, bases)), 0))
        self._by_bin = sparse.csr_array(by_bin.T)

    def by_column(self, total: float, by_bin: Floats) -> Floats:
        """(1 + q,) sums, from that over all rows and (K,) those by bin."""
        return np.concatenate([[total], self._by_bin @ by_bin])

    def by_pair(self, products: ProductSums) -> Floats:
        """(1 + q, 1 + q) sums of products."""
        upper = products.pairs.upper
        by_bin = np.diag(upper).copy()
        np.fill_diagonal(upper, 0.5 * by_bin)  # so that the half and its mirror image are the whole
        half = np.asarray(self._by_bin @ (self._by_bin @ upper).T)
        sums = np.empty((len(half) + 1, len(half) + 1))
        sums[0] = sums[:, 0] = self.by_column(float(products.total.values), by_bin)
        np.add(half, half.T, out=sums[1:, 1:])
        return sums
