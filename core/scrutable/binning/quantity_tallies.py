"""What selectors ask of rows with a quantity: pairs of codes, and the linear regression on what stands for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.row_tallies import CodedTallies
from scrutable.data.exact import exact_bincount, exact_sum
from scrutable.measures.numerics.binned_problem import joint_code
from scrutable.measures.numerics.pattern_sums import PatternSums

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: The least variance of residuals, of that of the quantity: of what is told exactly, gains stay finite.
_LEAST = 1e-12
#: Added to the diagonal of the moments, of what stands there: columns that say the same share what they say.
_SHARING = 1e-11


@dataclass(frozen=True, eq=False)
class LinearLikelihood:
    """Minus the log-likelihood of a quantity that is normal around a linear regression, with a variance that is known.

    That is the sum of squares over twice the variance, the same quadratic everywhere. The variance is that of the
    residuals of the regression on all characteristics which the likelihood was made with, so that twice what one gains
    is about chi-squared with a degree of freedom where it tells nothing.

    Attributes
    ----------
    names : the p characteristics, one column each.
    ranges : (p, 2) least and greatest value of each.
    weight : total weight of the rows.
    moments, cross : (p + 1, p + 1) and (p + 1,) weighted sums of products of the columns, the constant first, with one
        another and with the quantity less its mean.
    square : weighted sum of squares of the quantity less its mean.
    variance : of the residuals.

    Examples
    --------
    >>> coded = {"ltv": (np.array([0, 0, 1, 1]), np.array([-1.0, 1.0]))}
    >>> tallies = QuantityTallies(coded, np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4))
    >>> likelihood = tallies.likelihood(["ltv"])
    >>> [round(each, 9) for each in (likelihood.variance, *(likelihood.at(0.0, np.array([b]))[0] for b in (0.0, 1.0)))]
    [0.5, 5.0, 1.0]
    """

    names: tuple[str, ...]
    ranges: Floats
    weight: float
    moments: Floats
    cross: Floats
    square: float
    variance: float

    @property
    def widths(self) -> tuple[int, ...]:
        """One column a characteristic."""
        return (1,) * len(self.names)

    def at(self, intercept: float, coefficients: Floats) -> tuple[float, Floats, Floats]:
        """Log-loss, gradient and Hessian, as `Likelihood` says."""
        loss, gradient = self.gradient(intercept, coefficients)
        return loss, gradient, self.moments / self.variance

    def gradient(self, intercept: float, coefficients: Floats) -> tuple[float, Floats]:
        """Log-loss and gradient."""
        point = np.concatenate([[intercept], coefficients])
        pushed = self.moments @ point
        squares = self.square + float(point @ (pushed - 2.0 * self.cross))
        return max(0.0, squares) / (2.0 * self.variance), (pushed - self.cross) / self.variance

    def only(self, members: Sequence[int]) -> LinearLikelihood:
        """The likelihood of these characteristics alone, with the variance as it is."""
        at = [0, *(1 + each for each in members)]
        return LinearLikelihood(
            names=tuple(self.names[each] for each in members),
            ranges=self.ranges[list(members)],
            weight=self.weight,
            moments=self.moments[np.ix_(at, at)],
            cross=self.cross[at],
            square=self.square,
            variance=self.variance,
        )


class QuantityTallies(CodedTallies):
    """What selectors ask of rows in memory with a quantity; every answer is the same for any order of the rows.

    Parameters
    ----------
    coded : by characteristic (n,) the attribute of each row, and (attributes,) what stands for it, such as its mean.
    values : (n,) the quantity.
    weight : (n,) sample weights.
    """

    def __init__(self, coded: Mapping[str, tuple[Ints, Floats]], values: Floats, weight: Floats) -> None:
        super().__init__(coded, weight)
        self._values = values - exact_sum(weight * values) / exact_sum(weight)

    def likelihood(self, names: Sequence[str]) -> LinearLikelihood:
        """The regression of the quantity on some characteristics.

        Rows are merged by their codes, so that what is added up stands in one order however the rows do.
        """
        coded = [self._coded[name] for name in names]
        code = joint_code(((index, len(own)) for index, own in coded), len(self._weight))
        _, first, pattern = np.unique(code, return_index=True, return_inverse=True)
        weight, total = (
            exact_bincount(pattern, each, len(first)) for each in (self._weight, self._weight * self._values)
        )
        sums = PatternSums((index[first] for index, _ in coded), [own[:, None] for _, own in coded])
        moments, cross = sums.by_pair(weight), sums.by_coefficient(total)
        square = exact_sum(self._weight * self._values**2)
        seen = [own[np.unique(index[self._weight > 0])] for index, own in coded]
        return LinearLikelihood(
            names=tuple(names),
            ranges=np.array([[each.min(), each.max()] for each in seen]).reshape(len(names), 2),
            weight=exact_sum(self._weight),
            moments=moments,
            cross=cross,
            square=square,
            variance=_residual_variance(moments, cross, square),
        )


def _residual_variance(moments: Floats, cross: Floats, square: float) -> float:
    """Variance of what the regression on all columns leaves; 1 where the quantity does not vary."""
    if not square > 0:
        return 1.0
    weight = float(moments[0, 0])
    diagonal = np.diag(moments)
    definite = moments + np.diag(np.where(diagonal > 0, _SHARING * diagonal, 1.0))
    left = square - float(cross @ np.linalg.solve(definite, cross))
    return max(left, _LEAST * square) / max(weight - len(cross), 1.0)
