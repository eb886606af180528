"""What a validator asks of a regression: coefficients with their errors, tests and intervals, and how it fits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scipy import special

from scrutable.data.frames import PANDAS, rows_like
from scrutable.errors import ModelError
from scrutable.measures.regression_coefficients import Coefficient, PureAttribute, TiedTogether
from scrutable.model.codec import encode
from scrutable.model.conditions import Extended
from scrutable.model.metric_entries import MetricEntry

#: The entry of the metrics that has the figures.
REGRESSION_FIGURES = "regression"

Kind = Literal["logistic", "linear"]
Errors = Literal["model", "sandwich"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RegressionFigures(MetricEntry):
    """Coefficients of a fitted regression with errors, tests and intervals, and how it fits.

    A learner puts `RegressionFigures(...).to_json()` into the metrics of its evidence, as `REGRESSION_FIGURES`; `show`,
    `fit` and the model's document then have them. Errors are those of the fit with what bounds hold taken as given.

    Parameters
    ----------
    kind : of regression; a logistic one is about log-odds of the favourable outcome.
    multiplies : what coefficients multiply, in words.
    coefficients : that of the intercept first.
    rows, weight : learned from, and the sum of their weights.
    rank : number of coefficients that were estimated, with the intercept.
    log_likelihood, null_log_likelihood : of the fit, and of the intercept alone; the former infinite where the fit is
        perfect. Each row counts as often as it weighs in a logistic regression, once in a linear one.
    errors : those that tests and intervals are made of: by the model, or the sandwich's.
    ridge : the penalty that draws coefficients towards 0; 0 where there is none.
    condition_number : of the columns, each with mean 0 and variance 1; infinite where some add up to others.
    pure : attributes that have only favourable or only unfavourable rows.
    tied : attributes that have one value, since a trend would not let them go the other way.
    separated : whether the score divides the rows by their outcome, so that only a penalty keeps it finite.
    confidence : of the intervals.

    Raises
    ------
    ModelError : no intercept at the beginning, numbers that cannot be.

    Examples
    --------
    >>> figures = RegressionFigures(
    ...     kind="logistic", multiplies="weight of evidence", rows=8, weight=8, rank=2,
    ...     log_likelihood=-4.4987, null_log_likelihood=-5.5452,
    ...     coefficients=(Coefficient(value=-1.0986, model_error=1.1547, sandwich_error=1.1547),
    ...                   Coefficient(feature="age", value=2.1972, model_error=1.633, sandwich_error=1.633, vif=1.0)))
    >>> figures
    RegressionFigures(logistic, 1 coefficients and the intercept, likelihood ratio 2.09)
    >>> age = figures.coefficients[1]
    >>> round(figures.z(age), 3), round(figures.p(age), 3), [round(end, 2) for end in figures.interval(age)]
    (1.345, 0.178, [-1.0, 5.4])
    """

    entry = REGRESSION_FIGURES
    missing = "there are no figures of a regression"
    source = "a model whose learner fits a regression, such as scorecard"

    kind: Kind
    multiplies: str
    coefficients: tuple[Coefficient, ...]
    rows: int
    weight: float
    rank: int
    log_likelihood: Extended
    null_log_likelihood: float
    errors: Errors = "model"
    ridge: float = 0.0
    condition_number: Extended | None = None
    pure: tuple[PureAttribute, ...] = ()
    tied: tuple[TiedTogether, ...] = ()
    separated: bool = False
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not self.coefficients or self.coefficients[0].feature:
            got = [each.feature for each in self.coefficients[:1]]
            raise ModelError("expected the intercept first", where="coefficients", got=got, allowed="feature ''")
        for name, known in (("kind", get_args(Kind)), ("errors", get_args(Errors))):
            if getattr(self, name) not in known:
                raise ModelError("no such word", where=name, got=getattr(self, name), allowed=", ".join(known))
        limits = {"rows": (0, math.inf), "weight": (0, math.inf), "rank": (0, math.inf), "ridge": (0, math.inf)}
        for name, (least, most) in (limits | {"confidence": (0, 1)}).items():
            if not least <= getattr(self, name) <= most:
                allowed = f"between {least} and {most}"
                raise ModelError("no such number", where=name, got=getattr(self, name), allowed=allowed)

    def __repr__(self) -> str:
        ratio = self.likelihood_ratio
        fit = "a perfect fit" if ratio is None else f"likelihood ratio {ratio:.2f}"
        return f"RegressionFigures({self.kind}, {self.rank - 1} coefficients and the intercept, {fit})"

    def _repr_html_(self) -> str:
        """The table for notebooks; texts are escaped."""
        html: str = self.frame().to_html(index=False, na_rep="", float_format=lambda value: f"{value:.4g}")
        return html

    def error(self, coefficient: Coefficient) -> float | None:
        """The standard error of a coefficient, None where it has none."""
        return coefficient.sandwich_error if self.errors == "sandwich" else coefficient.model_error

    def z(self, coefficient: Coefficient) -> float | None:
        """A coefficient divided by its standard error; of a linear regression it is Student's t."""
        error = self.error(coefficient)
        return coefficient.value / error if error else None

    def p(self, coefficient: Coefficient) -> float | None:
        """Of the test that a coefficient is 0, on both sides."""
        z = self.z(coefficient)
        if z is None:
            return None
        degrees = self.residual_degrees
        return float(2 * (special.ndtr(-abs(z)) if degrees is None else special.stdtr(degrees, -abs(z))))

    def interval(self, coefficient: Coefficient) -> tuple[float, float] | None:
        """The ends of a coefficient's interval."""
        error, beyond = self.error(coefficient), (1 + self.confidence) / 2
        if error is None:
            return None
        degrees = self.residual_degrees
        wide = float(special.ndtri(beyond) if degrees is None else special.stdtrit(degrees, beyond)) * error
        return coefficient.value - wide, coefficient.value + wide

    @property
    def residual_degrees(self) -> int | None:
        """Degrees of freedom of Student's t in a linear regression; None where the normal distribution is used."""
        return self.rows - self.rank if self.kind == "linear" else None

    @property
    def likelihood_ratio(self) -> float | None:
        """Twice what the log-likelihood gains on the intercept alone; None where the fit is perfect."""
        if math.isinf(self.log_likelihood):
            return None
        return 2 * (self.log_likelihood - self.null_log_likelihood)

    @property
    def likelihood_ratio_p(self) -> float | None:
        """Of the test that all coefficients but the intercept are 0, by the chi-squared distribution."""
        ratio = self.likelihood_ratio
        return None if ratio is None or self.rank < 2 else float(special.chdtrc(self.rank - 1, max(0.0, ratio)))

    @property
    def aic(self) -> float | None:
        """Akaike's criterion, −2 log-likelihood + 2 rank; None where the fit is perfect."""
        return None if math.isinf(self.log_likelihood) else -2 * self.log_likelihood + 2 * self.rank

    @property
    def bic(self) -> float | None:
        """Schwarz's criterion, −2 log-likelihood + rank · ln(size); size is the weight in a logistic regression."""
        size = self.weight if self.kind == "logistic" else self.rows
        if math.isinf(self.log_likelihood) or size <= 0:
            return None
        return -2 * self.log_likelihood + self.rank * math.log(size)

    def frame(self) -> Any:
        """A row for each coefficient."""
        return rows_like(self._rows(), PANDAS)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON, with the tests and intervals."""
        plain = {name: encode(getattr(self, name)) for name in self.__slots__ if name != "coefficients"}
        return {
            **plain,
            "residual_degrees": self.residual_degrees,
            "likelihood_ratio": self.likelihood_ratio,
            "likelihood_ratio_p": self.likelihood_ratio_p,
            "aic": self.aic,
            "bic": self.bic,
            "coefficients": [{**row, "vif": encode(row["vif"])} for row in self._rows()],
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        for each in self.coefficients:
            low, high = self.interval(each) or (None, None)
            yield {
                "feature": each.feature or "(intercept)",
                "attribute": each.attribute,
                "coefficient": each.value,
                "error": self.error(each),
                "z": self.z(each),
                "p": self.p(each),
                "low": low,
                "high": high,
                "vif": each.vif,
                "model_error": each.model_error,
                "sandwich_error": each.sandwich_error,
                "held": each.held,
            }
