"""Characteristics of a regression as columns with coefficients, once what bounds hold is no coefficient any more."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RegressionTerm:
    """One characteristic of a fitted regression: columns by attribute, with the coefficients that were estimated.

    Parameters
    ----------
    columns : (attributes, k) value of each column by attribute; k is 0 where all coefficients are held by bounds.
    coefficients : (k,) of the columns.
    penalty : (k, k) second derivatives of what is paid for coefficients, in units of the sum that is minimised: minus
        the log-likelihood, or half the sum of squares.
    """

    columns: Floats
    coefficients: Floats
    penalty: Floats

    @classmethod
    def multiplied(cls, values: Floats, slope: float, penalty: float, *, held: bool) -> Self:
        """One coefficient that multiplies a value by attribute, or none where a bound holds it.

        Parameters
        ----------
        values : (attributes,) such as weights of evidence.
        penalty : second derivative of what is paid for the coefficient.
        held : whether it is on its bound.
        """
        k = 0 if held else 1
        columns = np.asarray(values, dtype=np.float64).reshape(-1, 1)[:, :k]
        return cls(columns, np.full(k, slope), np.full((k, k), penalty))

    @property
    def values(self) -> Floats:
        """(attributes,) what each attribute adds to the score."""
        values: Floats = self.columns @ self.coefficients
        return values


@dataclass(frozen=True, eq=False)
class TiedAttributes:
    """Attributes with values of their own, those that a trend ties together having one value.

    Parameters
    ----------
    group : (attributes,) the first attribute that each is tied to, itself where none is before it.
    values : (attributes,) fitted, the same within a group.
    weight : (attributes,) of their rows; a group without any has no coefficient.
    reference : the attribute that others are compared with.

    Examples
    --------
    >>> tied = TiedAttributes.of(np.array([0.1, 0.1, 0.4]), np.array([3.0, 4.0, 5.0]), [0, 1, 2], [0, 1, 2])
    >>> tied.group.tolist(), tied.reference
    ([0, 0, 2], 2)
    >>> term = tied.term(strength=1.0)
    >>> term.columns.tolist(), term.coefficients.round(6).tolist(), term.penalty.round(6).tolist()
    ([[1.0], [1.0], [0.0]], [-0.3], [[0.666667]])
    """

    group: Ints
    values: Floats
    weight: Floats
    reference: int

    @classmethod
    def of(cls, values: Floats, weight: Floats, ordered: Sequence[int], candidates: Sequence[int]) -> Self:
        """Ties of neighbours among the ordered attributes that have equal values, as under a trend.

        Parameters
        ----------
        ordered : positions of the attributes that a trend is about, in its order; none without a trend.
        candidates : positions among which the reference is the attribute with most rows; all where there are none.
        """
        group = np.arange(len(values))
        for before, after in itertools.pairwise(ordered):
            if values[before] == values[after]:
                group[after] = group[before]
        among = list(candidates) or list(range(len(values)))
        return cls(group, values, weight, max(among, key=lambda place: weight[place]))

    @property
    def with_rows(self) -> Ints:
        """The groups that have rows."""
        totals = np.bincount(self.group, self.weight, len(self.group))
        return np.flatnonzero(totals > 0)

    @property
    def told_by(self) -> Ints:
        """(attributes,) the coefficient of each; -1 where it has none: in the reference's group, or without rows."""
        others = [each for each in self.with_rows.tolist() if each != self.group[self.reference]]
        places = {each: place for place, each in enumerate(others)}
        return np.array([places.get(each, -1) for each in self.group.tolist()], dtype=np.intp)

    def term(self, strength: float) -> RegressionTerm:
        """Differences from the reference as coefficients of columns of zeros and ones.

        Where the sum of all squared values is paid for, and the level of a characteristic is free to go to the
        intercept, what is left to pay for is the sum of squares about their mean.

        Parameters
        ----------
        strength : second derivative of what is paid for the value of an attribute.
        """
        coefficient = self.told_by
        many = coefficient.max(initial=-1) + 1
        columns = np.zeros((len(self.group), many))
        own = coefficient >= 0
        columns[own, coefficient[own]] = 1.0
        values = np.zeros(many)
        values[coefficient[own]] = (self.values - self.values[self.reference])[own]
        sizes = np.bincount(coefficient[own], minlength=many).astype(np.float64)
        everyone = np.count_nonzero(np.isin(self.group, self.with_rows))
        penalty = strength * (np.diag(sizes) - np.outer(sizes, sizes) / everyone)
        return RegressionTerm(columns, values, penalty)
