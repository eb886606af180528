"""Standard errors of a fitted regression on binned characteristics, its likelihood, and how its columns depend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrutable.data.exact import exact_bincount
from scrutable.measures.numerics.binned_problem import joint_code, log_loss
from scrutable.measures.numerics.pattern_sums import PatternSums
from scrutable.measures.numerics.regression_terms import RegressionTerm

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: Coefficients beyond which errors would take minutes.
MOST_COEFFICIENTS = 3000
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


def logistic_errors(terms: Sequence[RegressionTerm], intercept: float, good: Bools, weight: Floats) -> RegressionErrors:
    """Those of a logistic regression: log-odds are the intercept plus the value of each row's attributes.

    With C the penalised curvature Σ w p (1 − p) x x' + penalty, errors by the model are the roots of the diagonal of
    C⁻¹, and the sandwich's those of C⁻¹ (Σ w² (y − p)² x x') C⁻¹, known as HC0. Rows are summed by the combinations of
    attributes that occur, the same in any order.

    Parameters
    ----------
    good : (n,) favourable outcomes.
    weight : (n,) of zero or more, of both outcomes.

    Examples
    --------
    >>> index = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> good = np.array([True, False, False, False, True, True, True, False])
    >>> term = RegressionTerm(index, np.array([[0.0], [1.0]]), np.array([2 * np.log(3)]), np.zeros((1, 1)))
    >>> errors = logistic_errors([term], -np.log(3), good, np.ones(8))
    >>> errors.model.round(4).tolist(), round(errors.log_likelihood, 4)
    ([1.1547, 1.633], -4.4987)
    """
    patterns = _Patterns.of(terms, weight)
    log_odds = intercept + patterns.score
    totals = patterns.outcomes(good, weight)
    bad_weight, good_weight = totals.T
    loss, p, complement, curvature = log_loss(log_odds, bad_weight, good_weight)
    bad_squares, good_squares = patterns.outcomes(good, weight**2).T
    all_bad, all_good = totals.sum(axis=0).tolist()
    share = np.array([all_bad, all_good]) / (all_bad + all_good)
    return patterns.errors(
        curvature=curvature,
        squares=bad_squares * p**2 + good_squares * complement**2,
        unit=1.0,
        log_likelihood=-loss,
        null_log_likelihood=float(np.array([all_bad, all_good]) @ np.log(share)),
        separated=bool(log_odds[bad_weight > 0].max() < log_odds[good_weight > 0].min()),
    )


def linear_errors(
    terms: Sequence[RegressionTerm], intercept: float, values: Floats, weight: Floats
) -> RegressionErrors:
    """Those of a least-squares fit of a quantity; weights need no unit, since its variance is estimated.

    Errors by the model are the roots of the diagonal of s² (Σ w x x' + penalty)⁻¹ with s² = Σ w e² / (rows − rank),
    and the sandwich's those of HC0, with Σ w² e² x x' in the middle.

    Parameters
    ----------
    values : (n,) the quantity, not the same everywhere.
    weight : (n,) of zero or more.

    Examples
    --------
    >>> term = RegressionTerm(np.array([0, 0, 1, 1]), np.array([[0.0], [1.0]]), np.array([2.0]), np.zeros((1, 1)))
    >>> errors = linear_errors([term], 1.0, np.array([0.0, 2.0, 2.0, 4.0]), np.ones(4))
    >>> errors.model.round(4).tolist(), errors.sandwich.round(4).tolist()
    ([1.0, 1.4142], [0.7071, 1.0])
    """
    patterns = _Patterns.of(terms, weight)
    rest = values - (intercept + patterns.score)[patterns.of_row]
    left = float(patterns.total(weight * rest**2).sum())
    mean = float(patterns.total(weight * values).sum() / patterns.weight.sum())
    whole = float(patterns.total(weight * (values - mean) ** 2).sum())
    degrees = patterns.rows - patterns.rank
    perfect = left <= _ROUNDING * whole or degrees <= 0
    unit = np.nan if perfect else left / degrees
    logs = float(patterns.total(np.log(weight, where=weight > 0, out=np.zeros_like(weight))).sum())
    known = -0.5 * patterns.rows * (np.log(2 * np.pi / patterns.rows) + 1) + 0.5 * logs
    return patterns.errors(
        curvature=patterns.weight,
        squares=patterns.total((weight * rest) ** 2),
        unit=unit,
        log_likelihood=np.inf if perfect else known - 0.5 * patterns.rows * float(np.log(left)),
        null_log_likelihood=known - 0.5 * patterns.rows * float(np.log(whole)),
    )


@dataclass(frozen=True, eq=False)
class _Patterns:
    """The combinations of attributes that occur with a weight.

    Parameters
    ----------
    of_row : (n,) pattern of each row; rows without weight are in one, too.
    weight : (patterns,) of the rows of each.
    rows : how many rows have a weight.
    score : (patterns,) what coefficients add up to, without the intercept.
    """

    terms: Sequence[RegressionTerm]
    sums: PatternSums
    dependence: _Dependence | None
    of_row: npt.NDArray[np.intp]
    weight: Floats
    rows: int
    score: Floats

    @classmethod
    def of(cls, terms: Sequence[RegressionTerm], weight: Floats) -> _Patterns:
        n = len(weight)
        code = joint_code(((term.index, len(term.columns)) for term in terms), n)
        _, first, of_row = np.unique(code, return_index=True, return_inverse=True)
        totals = exact_bincount(of_row, weight, len(first))
        estimated = [term for term in terms if len(term.coefficients)]
        sums = PatternSums([term.index[first] for term in estimated], [term.columns for term in estimated])
        score = np.zeros(len(first))
        for term in terms:
            score += term.values[term.index[first]]
        columns = sum(len(term.coefficients) for term in estimated)
        worked_out = columns <= MOST_COEFFICIENTS and columns < np.count_nonzero(totals)
        dependence = _Dependence.of(sums.by_pair(totals)) if worked_out else None
        return cls(terms, sums, dependence, of_row, totals, int(np.count_nonzero(weight)), score)

    @property
    def rank(self) -> int:
        """Coefficients that the rows determine, with the intercept."""
        if self.dependence is not None:
            return self.dependence.rank
        return min(1 + sum(len(term.coefficients) for term in self.terms), int(np.count_nonzero(self.weight)))

    def total(self, by_row: Floats) -> Floats:
        """(patterns,) exact sums."""
        return exact_bincount(self.of_row, by_row, len(self.weight))

    def outcomes(self, good: Bools, weight: Floats) -> Floats:
        """(patterns, 2) exact sums of the bad and the good rows."""
        return exact_bincount(2 * self.of_row + good, weight, 2 * len(self.weight)).reshape(-1, 2)

    def errors(
        self,
        *,
        curvature: Floats,
        squares: Floats,
        unit: float,
        log_likelihood: float,
        null_log_likelihood: float,
        separated: bool = False,
    ) -> RegressionErrors:
        """The errors, from sums of the rows by pattern.

        Parameters
        ----------
        unit : of the errors by the model, squared; NaN where there are none.
        """
        many = 1 + sum(len(term.coefficients) for term in self.terms)
        model = sandwich = np.full(many, np.nan)
        dependence = self.dependence
        if dependence is not None and np.isfinite(unit):
            penalised = self.sums.by_pair(curvature)
            at = 1
            for term in self.terms:
                own = slice(at, at + len(term.coefficients))
                penalised[own, own] += term.penalty
                at = own.stop
            inverse = _inverse(penalised, definite=not dependence.undetermined.any())
            middle = self.sums.by_pair(squares)
            model = dependence.told(unit * np.diag(inverse))
            sandwich = dependence.told(np.einsum("ij,jk,ki->i", inverse, middle, inverse, optimize=True))
        return RegressionErrors(
            rows=self.rows,
            weight=float(self.weight.sum()),
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
