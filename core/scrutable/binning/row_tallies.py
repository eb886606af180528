"""Rows coded by attribute, read only to be added up: pairs of codes, and the regression on WoE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scrutable.binning.coded_likelihood import CodedLikelihood
from scrutable.data.coded_rows import Chunk, CodedRows
from scrutable.measures.numerics.blocks import woe_block

Floats = NDArray[np.float64]

#: Bins whose sums by pair are kept; of more, each pair of characteristics is added up by itself.
_MOST_BINS = 4000


class CodedTallies:
    """Rows coded by attribute, whatever their outcome is; every answer is the same for any order of the rows.

    Parameters
    ----------
    encoded : by characteristic (attributes,) what stands for each, such as their WoE.
    rows : by the attributes of all characteristics, in their order.
    """

    def __init__(self, encoded: Mapping[str, Floats], rows: CodedRows) -> None:
        self._encoded, self._rows = encoded, rows
        self._place = {name: place for place, name in enumerate(encoded)}

    def pairs(self, one: str, other: str) -> Floats:
        """(attributes of one, attributes of the other) weight of the rows that have both."""
        places = [self._place[one], self._place[other]]
        if self._rows.size <= _MOST_BINS:
            slices = self._rows.slices
            table: Floats = self._all_pairs[slices[places[0]], slices[places[1]]]
            return table
        rows = self._rows.only(places)
        left, right = rows.slices
        return weight_by_pair(rows)[left, right]

    @cached_property
    def _all_pairs(self) -> Floats:
        return weight_by_pair(self._rows)

    def _some(self, names: Sequence[str]) -> CodedRows:
        """The rows by the attributes of some characteristics."""
        return self._rows.only([self._place[name] for name in names])


def weight_by_pair(rows: CodedRows) -> Floats:
    """(K, K) weight of the rows that are in both bins of a pair."""
    sums = rows.pair_sums()
    rows.add_up([sums], lambda chunk: [chunk.weight])
    return sums.values


class RowTallies(CodedTallies):
    """What selectors ask of rows with two classes.

    Parameters
    ----------
    encoded : by characteristic (attributes,) the WoE that stands for each.
    rows : by the attributes of all characteristics, in their order, with outcomes of 1 (favourable) or 0.

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> codes, good = [np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])], np.array([0.0, 1.0, 1.0, 1.0])
    >>> rows = CodedArrays(codes, [2, 2], good, np.array([1.0, 2.0, 1.0, 0.5]))
    >>> tallies = RowTallies({"age": np.array([-1.0, 1.0]), "home": np.zeros(2)}, rows)
    >>> tallies.pairs("age", "home").tolist()
    [[1.0, 2.0], [0.0, 1.5]]
    >>> loss, gradient, hessian = tallies.likelihood(["age"]).at(0.0, np.zeros(1))
    >>> round(loss, 4), gradient.tolist()
    (3.1192, [-1.25, -0.25])
    """

    def likelihood(self, names: Sequence[str]) -> CodedLikelihood:
        """The regression on the WoE of some characteristics."""
        blocks = tuple(woe_block(self._encoded[name]) for name in names)
        return CodedLikelihood(tuple(names), blocks, self._some(names))

    def expected(self, names: Sequence[str], intercept: float, coefficients: Floats) -> dict[str, Floats]:
        """By characteristic, every one, (attributes,) weight of favourable rows that a regression on some expects."""
        slopes = dict(zip(names, coefficients.tolist(), strict=True))
        values = np.concatenate([slopes.get(name, 0.0) * own for name, own in self._encoded.items()])
        rows, sums = self._rows, self._rows.bin_sums()

        def amounts(chunk: Chunk) -> list[Floats]:
            return [expit(rows.score(chunk, values, intercept))]

        rows.weigh_up([sums], amounts)
        totals = sums.values
        return {name: totals[own] for name, own in zip(self._encoded, rows.slices, strict=True)}
