"""Standard errors of a fitted regression on binned characteristics, its likelihood, and how its columns depend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrutable.data.coded_rows import Chunk, CodedRows
from scrutable.data.whole_sums import Total, Unit
from scrutable.measures.numerics.binned_problem import log_loss
from scrutable.measures.numerics.quantity_spread import spread_of
from scrutable.measures.numerics.regression_terms import RegressionTerm
from scrutable.measures.numerics.sums_of_columns import ProductSums, SumsOfColumns

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: Coefficients beyond which errors would take minutes.
MOST_COEFFICIENTS = 3000
#: Attributes beyond which sums by pair would take too much memory.
MOST_ATTRIBUTES = 6000
#: Below this share of the largest, an eigenvalue of correlations is none: columns add up to one another.
_NONE = 1e-10
#: A share of the variance that is nothing but rounding.
_ROUNDING = 1e-20


@dataclass(frozen=True, eq=False)
class RegressionErrors:
    """What the rows say of k coefficients, that of the intercept first.

    Parameters
    ----------
    rows, weight : with a weight above 0, and the sum of their weights.
    rank : coefficients that the rows determine, with the intercept.
    log_likelihood, null_log_likelihood : of the fit, and of the intercept alone; each row as often as it weighs in a
        logistic regression, once in a linear one. Infinite where the fit is perfect.
    model, sandwich : (k,) standard errors by the curvature, and by each row's own slope; NaN where there is none.
    inflation : per term its variance inflation factor, infinite where it depends on others; NaN without coefficients.
    condition_number : of the columns, each with mean 0 and variance 1; NaN without columns.
    why_none : why a coefficient has no errors: it adds up to others, there are too many, or the fit is perfect.
    separated : whether a score of the fit divides the rows by their outcome.
    """

    rows: int
    weight: float
    rank: int
    log_likelihood: float
    null_log_likelihood: float
    model: Floats
    sandwich: Floats
    inflation: tuple[float, ...]
    condition_number: float
    why_none: Literal["dependent", "many", "perfect"] = "dependent"
    separated: bool = False


def logistic_errors(terms: Sequence[RegressionTerm], intercept: float, rows: CodedRows) -> RegressionErrors:
    """Those of a logistic regression: log-odds are the intercept plus the value of each row's attributes.

    With C the penalised curvature Σ w p (1 − p) x x' + penalty, errors by the model are the roots of the diagonal of
    C⁻¹, and the sandwich's those of C⁻¹ (Σ w² (y − p)² x x') C⁻¹, known as HC0.

    Parameters
    ----------
    rows : the attribute of each row in every term, with outcomes of 1 (favourable) or 0, both of some weight.

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> good = np.array([1.0, 0, 0, 0, 1, 1, 1, 0])
    >>> rows = CodedArrays([np.array([0, 0, 0, 0, 1, 1, 1, 1])], [2], good, np.ones(8))
    >>> term = RegressionTerm(np.array([[0.0], [1.0]]), np.array([2 * np.log(3)]), np.zeros((1, 1)))
    >>> errors = logistic_errors([term], -np.log(3), rows)
    >>> errors.model.round(4).tolist(), round(errors.log_likelihood, 4)
    ([1.1547, 1.633], -4.4987)
    """
    fitted = _Fitted.of(terms, rows)
    rows, values = fitted.rows, fitted.values
    loss, goods = rows.total(np.log(2.0) + rows.farthest(values, intercept), fine=True), rows.total()
    curvature, squares = fitted.products(0.25), fitted.products(rows.weights[1])
    lowest, highest = np.inf, -np.inf

    def amounts(chunk: Chunk) -> list[Floats]:
        nonlocal lowest, highest
        score, seen = rows.score(chunk, values, intercept), chunk.weight > 0
        lowest = min(lowest, score[seen & (chunk.target == 1.0)].min(initial=np.inf))
        highest = max(highest, score[seen & (chunk.target == 0.0)].max(initial=-np.inf))
        each, against, bent = log_loss((1.0 - 2.0 * chunk.target) * score)
        squared = chunk.weight * against**2
        return [each, chunk.target, *[bent] * len(curvature or ()), *[squared] * len(squares or ())]

    rows.weigh_up([loss, goods, *(curvature or ()), *(squares or ())], amounts)
    share = float(goods.values) / rows.total_weight
    null = share * np.log(share) + (1.0 - share) * np.log1p(-share)
    return fitted.errors(
        curvature=curvature,
        squares=squares,
        unit=1.0,
        log_likelihood=-float(loss.values),
        null_log_likelihood=rows.total_weight * float(null),
        separated=bool(highest < lowest),
    )


def linear_errors(terms: Sequence[RegressionTerm], intercept: float, rows: CodedRows) -> RegressionErrors:
    """Those of a least-squares fit of a quantity; weights need no unit, since its variance is estimated.

    Errors by the model are the roots of the diagonal of s² (Σ w x x' + penalty)⁻¹ with s² = Σ w e² / (rows − rank),
    and the sandwich's those of HC0, with Σ w² e² x x' in the middle.

    Parameters
    ----------
    rows : the attribute of each row in every term, with the quantity, not the same everywhere.

    Examples
    --------
    >>> from scrutable.data import CodedArrays
    >>> rows = CodedArrays([np.array([0, 0, 1, 1])], [2], np.array([0.0, 2.0, 2.0, 4.0]), np.ones(4))
    >>> term = RegressionTerm(np.array([[0.0], [1.0]]), np.array([2.0]), np.zeros((1, 1)))
    >>> errors = linear_errors([term], 1.0, rows)
    >>> errors.model.round(4).tolist(), errors.sandwich.round(4).tolist()
    ([1.0, 1.4142], [0.7071, 1.0])
    """
    fitted = _Fitted.of(terms, rows)
    rows, values, heaviest = fitted.rows, fitted.values, rows.weights[1]
    quantity = spread_of(rows)
    most = quantity.farthest + rows.farthest(values, intercept)
    left, logs = rows.total(most**2, fine=True), fitted.logs()
    curvature, squares = fitted.products(1.0), fitted.products(heaviest * most**2)

    def amounts(chunk: Chunk) -> list[Floats]:
        rest, weight = chunk.target - rows.score(chunk, values, intercept), chunk.weight
        squared, even, heavy = rest**2, np.ones(len(rest)), weight * rest**2
        return [squared, *[even] * len(curvature or ()), *[heavy] * len(squares or ())]

    rows.weigh_up([left, *(curvature or ()), *(squares or ())], amounts)
    rows.add_up([logs], lambda chunk: [np.log(chunk.weight, where=chunk.weight > 0, out=np.zeros(len(chunk.weight)))])
    count, remainder = fitted.count, float(left.values)
    degrees = count - fitted.rank
    perfect = remainder <= _ROUNDING * quantity.squares or degrees <= 0
    known = -0.5 * count * (np.log(2 * np.pi / count) + 1) + 0.5 * float(logs.values)
    return fitted.errors(
        curvature=curvature,
        squares=squares,
        unit=np.nan if perfect else remainder / degrees,
        log_likelihood=np.inf if perfect else known - 0.5 * count * float(np.log(remainder)),
        null_log_likelihood=known - 0.5 * count * float(np.log(quantity.squares)),
    )


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Terms with coefficients, and the rows by their attributes.

    Parameters
    ----------
    terms : all of them.
    rows : by the attributes of those with coefficients.
    columns : of their sums.
    values : (K,) what attributes add to the score.
    count : how many rows have a weight.
    dependence : of the columns; None where errors would take too long.
    """

    terms: Sequence[RegressionTerm]
    rows: CodedRows
    columns: SumsOfColumns
    values: Floats
    count: int
    dependence: _Dependence | None

    @classmethod
    def of(cls, terms: Sequence[RegressionTerm], rows: CodedRows) -> _Fitted:
        with_columns = [place for place, term in enumerate(terms) if len(term.coefficients)]
        rows, estimated = rows.only(with_columns), [terms[place] for place in with_columns]
        size = sum(len(term.coefficients) for term in estimated)
        few = size <= MOST_COEFFICIENTS and rows.size <= MOST_ATTRIBUTES
        sums, count = ProductSums.of(rows) if few else None, 0

        def amounts(chunk: Chunk) -> list[Floats]:
            nonlocal count
            count += int(np.count_nonzero(chunk.weight))
            return [chunk.weight] * len(sums or ())

        rows.add_up(sums or (), amounts)
        columns = SumsOfColumns([term.columns for term in estimated])
        dependence = None if sums is None or size >= count else _Dependence.of(columns.by_pair(sums))
        values = np.concatenate([np.empty(0), *(term.values for term in estimated)])
        return cls(terms, rows, columns, values, count, dependence)

    @property
    def rank(self) -> int:
        """Coefficients that the rows determine, with the intercept."""
        if self.dependence is not None:
            return self.dependence.rank
        return min(1 + sum(len(term.coefficients) for term in self.terms), self.count)

    def products(self, largest: float) -> ProductSums | None:
        """Sums that products of the columns are made of; None where errors would take too long."""
        return None if self.dependence is None else ProductSums.of(self.rows, largest)

    def logs(self) -> Total:
        """The sum of the logarithms of weights."""
        most = max(abs(np.log(each)) for each in self.rows.weights)
        return Total(Unit.of(self.rows.rows, most, 1.0), ())

    def errors(
        self,
        *,
        curvature: ProductSums | None,
        squares: ProductSums | None,
        unit: float,
        log_likelihood: float,
        null_log_likelihood: float,
        separated: bool = False,
    ) -> RegressionErrors:
        """The errors, from sums over the rows.

        Parameters
        ----------
        unit : of the errors by the model, squared; NaN where there are none.
        """
        many = 1 + sum(len(term.coefficients) for term in self.terms)
        model = sandwich = np.full(many, np.nan)
        dependence = self.dependence
        if dependence is not None and curvature is not None and squares is not None and np.isfinite(unit):
            penalised = self.columns.by_pair(curvature)
            at = 1
            for term in self.terms:
                own = slice(at, at + len(term.coefficients))
                penalised[own, own] += term.penalty
                at = own.stop
            inverse = _inverse(penalised, definite=not dependence.undetermined.any())
            middle = self.columns.by_pair(squares)
            model = dependence.told(unit * np.diag(inverse))
            sandwich = dependence.told(np.einsum("ij,jk,ki->i", inverse, middle, inverse, optimize=True))
        return RegressionErrors(
            rows=self.count,
            weight=self.rows.total_weight,
            rank=self.rank,
            log_likelihood=log_likelihood,
            null_log_likelihood=null_log_likelihood,
            model=model,
            sandwich=sandwich,
            inflation=self._inflation(),
            condition_number=np.nan if dependence is None else dependence.condition_number,
            why_none="many" if dependence is None else "dependent" if np.isfinite(unit) else "perfect",
            separated=separated,
        )

    def _inflation(self) -> tuple[float, ...]:
        if self.dependence is None:
            return (np.nan,) * len(self.terms)
        factors, at = [], 0
        for term in self.terms:
            own = slice(at, at + len(term.coefficients))
            factors.append(self.dependence.inflation(own))
            at = own.stop
        return tuple(factors)


@dataclass(frozen=True, eq=False)
class _Dependence:
    """How columns depend on one another: their correlations, and the inverse of these.

    Parameters
    ----------
    correlation, inverse : (k, k); the inverse is that of what is left without combinations that are always 0.
    undetermined : (1 + k,) whether the intercept, and each column, is part of such a combination.
    rank : of the columns and the intercept.
    condition_number : infinite where there is such a combination, NaN without columns.
    """

    correlation: Floats
    inverse: Floats
    undetermined: Bools
    rank: int
    condition_number: float

    @classmethod
    def of(cls, products: Floats) -> _Dependence:
        """That of columns whose products are summed by pair, those with a column of ones first."""
        total, sums = products[0, 0], products[0, 1:]
        covariance = products[1:, 1:] / total - np.outer(sums, sums) / total**2
        squares = np.diag(products)[1:] / total
        variance = np.diag(covariance).copy()
        constant = variance <= _NONE * squares
        spread = np.sqrt(np.where(constant, 1.0, variance))
        correlation = covariance / np.outer(spread, spread)
        correlation[constant] = correlation[:, constant] = 0.0
        size = len(correlation)
        if not size:
            return cls(correlation, correlation, np.zeros(1, dtype=bool), 1, np.nan)
        eigenvalues, vectors = np.linalg.eigh(correlation)
        none = eigenvalues <= _NONE * eigenvalues[-1]
        # What is always the same, but not always 0, cannot be told from the intercept.
        moved = (sums / total / spread) @ vectors[:, none]
        part = np.vstack([moved, vectors[:, none]])
        undetermined = np.abs(part).max(axis=1, initial=0.0) > np.sqrt(_NONE)
        kept = vectors[:, ~none]
        inverse = (kept / eigenvalues[~none]) @ kept.T
        condition = np.inf if none.any() else float(np.sqrt(eigenvalues[-1] / eigenvalues[0]))
        return cls(correlation, inverse, undetermined, 1 + size - int(none.sum()), condition)

    def told(self, variances: Floats) -> Floats:
        """(1 + k,) roots of variances, NaN where a coefficient is undetermined."""
        errors = np.sqrt(np.maximum(variances, 0.0))
        errors[self.undetermined] = np.nan
        return errors

    def inflation(self, own: slice) -> float:
        """The variance inflation factor of columns that belong together, as a factor of one coefficient.

        It is Fox and Monette's generalised factor (J. Am. Stat. Assoc. 87, 1992) to the power of 1 / columns, which is
        the same whichever attribute the others are compared with; of one column it is the usual factor, of none NaN.
        """
        if own.stop == own.start:
            return np.nan
        if self.undetermined[1:][own].any():
            return np.inf
        among, beside = np.linalg.slogdet(self.correlation[own, own]), np.linalg.slogdet(self.inverse[own, own])
        return float(np.exp((among[1] + beside[1]) / (own.stop - own.start)))


def _inverse(matrix: Floats, *, definite: bool) -> Floats:
    """The inverse of a symmetric matrix; that of what is not 0 in all directions where it may be singular."""
    diagonal = np.diag(matrix)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = matrix / np.outer(scale, scale)
    inverse = np.linalg.inv(scaled) if definite else np.linalg.pinv(scaled, rcond=_NONE, hermitian=True)
    back: Floats = inverse / np.outer(scale, scale)
    return back
