"""Rows coded by attribute, read only to be added up: pairs of codes, and the regression on WoE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scrutable.binning.coded_likelihood import CodedLikelihood
from scrutable.data.exact import exact_bincount
from scrutable.measures.numerics.blocks import woe_block

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class CodedTallies:
    """Rows coded by attribute, whatever their outcome is.

    Parameters
    ----------
    coded : by characteristic (n,) the attribute of each row, and (attributes,) what stands for it.
    weight : (n,) sample weights.
    """

    def __init__(self, coded: Mapping[str, tuple[Ints, Floats]], weight: Floats) -> None:
        self._coded, self._weight = coded, weight

    def pairs(self, one: str, other: str) -> Floats:
        """(attributes of one, attributes of the other) weight of the rows that have both."""
        (rows, first), (columns, second) = self._coded[one], self._coded[other]
        cells = exact_bincount(rows * len(second) + columns, self._weight, len(first) * len(second))
        return cells.reshape(len(first), len(second))


class RowTallies(CodedTallies):
    """What selectors ask of rows in memory; every answer is the same for any order of the rows.

    Parameters
    ----------
    coded : by characteristic (n,) the attribute of each row, and (attributes,) the WoE that stands for it.
    good : (n,) rows with the favourable outcome.
    weight : (n,) sample weights.

    Examples
    --------
    >>> coded = {"age": (np.array([0, 0, 1, 1]), np.array([-1.0, 1.0])), "home": (np.array([0, 1, 1, 1]), np.zeros(2))}
    >>> tallies = RowTallies(coded, np.array([False, True, True, True]), np.array([1.0, 2.0, 1.0, 0.5]))
    >>> tallies.pairs("age", "home").tolist()
    [[1.0, 2.0], [0.0, 1.5]]
    >>> loss, gradient, hessian = tallies.likelihood(["age"]).at(0.0, np.zeros(1))
    >>> round(loss, 4), gradient.tolist()
    (3.1192, [-1.25, -0.25])
    """

    def __init__(self, coded: Mapping[str, tuple[Ints, Floats]], good: NDArray[np.bool_], weight: Floats) -> None:
        super().__init__(coded, weight)
        self._good = good

    def likelihood(self, names: Sequence[str]) -> CodedLikelihood:
        """The regression on the WoE of some characteristics."""
        blocks = [woe_block(index, woe) for index, woe in (self._coded[name] for name in names)]
        return CodedLikelihood.of_rows(names, blocks, self._good, self._weight)

    def expected(self, names: Sequence[str], intercept: float, coefficients: Floats) -> dict[str, Floats]:
        """By characteristic, every one, (attributes,) weight of favourable rows that a regression on some expects."""
        log_odds = np.full(len(self._weight), intercept)
        for name, slope in zip(names, coefficients.tolist(), strict=True):
            index, woe = self._coded[name]
            log_odds += (slope * woe)[index]
        amount = self._weight * expit(log_odds)
        return {name: exact_bincount(index, amount, len(woe)) for name, (index, woe) in self._coded.items()}
