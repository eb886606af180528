"""What selectors ask of rows with a quantity: pairs of codes, and the linear regression on what stands for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.row_tallies import CodedTallies
from scrutable.data.coded_rows import CodedRows
from scrutable.measures.numerics.quantity_spread import QuantitySpread, spread_of
from scrutable.measures.numerics.sums_of_columns import ProductSums, SumsOfColumns

Floats = NDArray[np.float64]

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
    >>> from scrutable.data import CodedArrays
    >>> rows = CodedArrays([np.array([0, 0, 1, 1])], [2], np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4))
    >>> tallies = QuantityTallies({"ltv": np.array([-1.0, 1.0])}, rows)
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
    """What selectors ask of rows with a quantity.

    Parameters
    ----------
    encoded : by characteristic (attributes,) what stands for each, such as its mean.
    rows : by the attributes of all characteristics, in their order, with the quantity.
    """

    @cached_property
    def _spread(self) -> QuantitySpread:
        return spread_of(self._rows)

    def likelihood(self, names: Sequence[str]) -> LinearLikelihood:
        """The regression of the quantity on some characteristics."""
        rows, encoded = self._some(names), [self._encoded[name] for name in names]
        moments, cross = moments_of(rows, encoded, self._spread)
        by_bin = rows.weight_by_bin
        seen = [own[by_bin[bins] > 0] for own, bins in zip(encoded, rows.slices, strict=True)]
        return LinearLikelihood(
            names=tuple(names),
            ranges=np.array([[each.min(), each.max()] for each in seen]).reshape(len(names), 2),
            weight=rows.total_weight,
            moments=moments,
            cross=cross,
            square=self._spread.squares,
            variance=_residual_variance(moments, cross, self._spread.squares),
        )


def moments_of(rows: CodedRows, encoded: Sequence[Floats], spread: QuantitySpread) -> tuple[Floats, Floats]:
    """(p + 1, p + 1) and (p + 1,) weighted sums of products of columns, a constant first.

    Parameters
    ----------
    encoded : (p,) the value of each attribute, of which columns are made.

    Returns
    -------
    products of the columns with one another, and with the quantity less its mean.
    """
    products, bins = ProductSums.of(rows), rows.bin_sums(spread.reach)
    rows.add_up(products, lambda chunk: [chunk.weight, chunk.weight])
    rows.weigh_up([bins], lambda chunk: [chunk.target - spread.mean])
    columns = SumsOfColumns([own[:, None] for own in encoded])
    # The quantity less its mean adds up to nothing.
    return columns.by_pair(products), columns.by_column(0.0, bins.values)


def _residual_variance(moments: Floats, cross: Floats, square: float) -> float:
    """Variance of what the regression on all columns leaves; 1 where the quantity does not vary."""
    if not square > 0:
        return 1.0
    weight = float(moments[0, 0])
    diagonal = np.diag(moments)
    definite = moments + np.diag(np.where(diagonal > 0, _SHARING * diagonal, 1.0))
    left = square - float(cross @ np.linalg.solve(definite, cross))
    return max(left, _LEAST * square) / max(weight - len(cross), 1.0)
