"""Rows coded by attribute, read only to be added up: pairs of codes, and the regression on WoE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from scrutable.data.exact import exact_bincount, exact_sum
from scrutable.measures.numerics.binned_problem import Patterns
from scrutable.measures.numerics.blocks import woe_block

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: Rows of the regression that are written out at a time, and the bytes up to which they are kept for the next pass.
_ROWS, _KEPT = 2**15, 2**27


class RowTallies:
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
        self._coded, self._good, self._weight = coded, good, weight

    def pairs(self, one: str, other: str) -> Floats:
        """(attributes of one, attributes of the other) weight of the rows that have both."""
        (rows, first), (columns, second) = self._coded[one], self._coded[other]
        cells = exact_bincount(rows * len(second) + columns, self._weight, len(first) * len(second))
        return cells.reshape(len(first), len(second))

    def likelihood(self, names: Sequence[str]) -> RowLikelihood:
        """The regression on the WoE of some characteristics."""
        return RowLikelihood({name: self._coded[name] for name in names}, self._good, self._weight)

    def expected(self, names: Sequence[str], intercept: float, coefficients: Floats) -> dict[str, Floats]:
        """By characteristic, every one, (attributes,) weight of favourable rows that a regression on some expects."""
        log_odds = np.full(len(self._weight), intercept)
        for name, slope in zip(names, coefficients.tolist(), strict=True):
            index, woe = self._coded[name]
            log_odds += (slope * woe)[index]
        amount = self._weight * _probability(log_odds)
        return {name: exact_bincount(index, amount, len(woe)) for name, (index, woe) in self._coded.items()}


class RowLikelihood:
    """The weighted log-loss of a regression of the favourable outcome on columns of WoE; see `RowTallies`.

    Rows that are alike are added up first, in the order of their codes, so that the order of the rows changes nothing.

    Attributes
    ----------
    names : the characteristics, each a column.
    weight : of all rows.
    """

    def __init__(self, coded: Mapping[str, tuple[Ints, Floats]], good: NDArray[np.bool_], weight: Floats) -> None:
        self.names, self.weight = tuple(coded), exact_sum(weight)
        patterns = Patterns.grouped([woe_block(index, woe) for index, woe in coded.values()], good, weight, ())
        self._adverse, self._favourable = self.weight * patterns.adverse, self.weight * patterns.favourable
        self._coded = [(index[patterns.rows], woe) for index, woe in coded.values()]

    @property
    def widths(self) -> tuple[int, ...]:
        """How many columns each characteristic is written as: one."""
        return (1,) * len(self.names)

    @cached_property
    def ranges(self) -> Floats:
        """(p, 2) least and greatest value of each column."""
        seen = [woe[np.unique(index)] for index, woe in self._coded]
        return np.array([(each.min(), each.max()) for each in seen]).reshape(len(seen), 2)

    def only(self, members: Sequence[int]) -> RowLikelihood:
        """That of some of the characteristics, by position, in this order; the rows stay as they were added up."""
        part = copy(self)
        part.__dict__.pop("ranges", None)
        part.__dict__.pop("_whole", None)
        part.names = tuple(self.names[at] for at in members)
        part._coded = [self._coded[at] for at in members]
        return part

    def gradient(self, intercept: float, coefficients: Floats) -> tuple[float, Floats]:
        """The loss and its gradient, which cost less than `at`."""
        point = np.concatenate([[intercept], coefficients])
        loss, gradient = 0.0, np.zeros(len(point))
        with threadpool_limits(limits=1, user_api="blas"):
            for rows, columns in self._written():
                own, slopes, _ = self._rows(rows, columns @ point)
                loss += own
                gradient += columns.T @ slopes
        return loss, gradient

    def at(self, intercept: float, coefficients: Floats) -> tuple[float, Floats, Floats]:
        """The loss, its gradient (p + 1,) and Hessian (p + 1, p + 1), intercept first."""
        point = np.concatenate([[intercept], coefficients])
        loss, gradient, hessian = 0.0, np.zeros(len(point)), np.zeros((len(point), len(point)))
        with threadpool_limits(limits=1, user_api="blas"):
            for rows, columns in self._written():
                own, slopes, curvature = self._rows(rows, columns @ point)
                loss += own
                gradient += columns.T @ slopes
                hessian += columns.T @ (columns * curvature[:, None])
        return loss, gradient, hessian

    def _rows(self, rows: slice, log_odds: Floats) -> tuple[float, Floats, Floats]:
        """The loss of some rows, and by row its first and second derivative by the log-odds."""
        bad, good = self._adverse[rows], self._favourable[rows]
        odds = np.exp(-np.abs(log_odds))
        likely, rare, tail = 1.0 / (1.0 + odds), odds / (1.0 + odds), np.log1p(odds)
        above = log_odds >= 0
        loss = float(bad @ (tail + np.maximum(log_odds, 0.0)) + good @ (tail - np.minimum(log_odds, 0.0)))
        slopes = bad * np.where(above, likely, rare) - good * np.where(above, rare, likely)
        return loss, slopes, (bad + good) * likely * rare

    def _written(self) -> Iterator[tuple[slice, Floats]]:
        if len(self._adverse) * (len(self.names) + 1) * 8 <= _KEPT:
            yield from self._whole
        else:
            yield from self._parts()

    @cached_property
    def _whole(self) -> list[tuple[slice, Floats]]:
        return list(self._parts())

    def _parts(self) -> Iterator[tuple[slice, Floats]]:
        """Rows of the regression, some at a time: a one, and the WoE of each characteristic."""
        for first in range(0, len(self._adverse), _ROWS):
            rows = slice(first, min(first + _ROWS, len(self._adverse)))
            columns = np.ones((rows.stop - rows.start, len(self.names) + 1), order="F")
            for at, (index, woe) in enumerate(self._coded, 1):
                columns[:, at] = woe[index[rows]]
            yield rows, columns


def _probability(log_odds: Floats) -> Floats:
    odds = np.exp(-np.abs(log_odds))
    probability: Floats = np.where(log_odds >= 0, 1.0, odds) / (1.0 + odds)
    return probability
