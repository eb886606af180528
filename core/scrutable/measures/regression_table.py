"""The coefficients of a regression as a table of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrutable.data.features import Feature
from scrutable.measures.regression_coefficients import Coefficient
from scrutable.measures.regression_figures import RegressionFigures
from scrutable.measures.regression_words import condition_in_words, p_in_words
from scrutable.writing.decimals import in_digits

#: What stands in the place of an interval, by why there is none.
_HELD = {
    "": "",
    "sign": "on its bound",
    "trend": "by the trend",
    "reference": "reference",
    "pure": "separated",
    "dependent": "adds up to others",
    "many": "not worked out",
    "perfect": "perfect fit",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientTable:
    """Headers, a row of texts for each coefficient, and the places of the columns that hold numbers.

    Examples
    --------
    >>> figures = RegressionFigures(
    ...     kind="logistic", multiplies="weight of evidence", rows=8, weight=8, rank=2, log_likelihood=-4.4987,
    ...     null_log_likelihood=-5.5452, coefficients=(
    ...     Coefficient(value=-1.0986, model_error=1.1547, sandwich_error=1.1547), Coefficient(
    ...     feature="age", value=0, held="sign")))
    >>> for row in CoefficientTable.of(figures, {"age": "Age"}).rows: print(row)
    ('(intercept)', '-1.0986', '1.1547', '-0.95', '.3414', '-3.3618 to 1.1646', '')
    ('Age', '0.0000', '', '', '', 'on its bound', '')
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]

    @classmethod
    def of(cls, figures: RegressionFigures, titles: Mapping[str, str], *, repeating: bool = False) -> CoefficientTable:
        """That of figures.

        Parameters
        ----------
        titles : what people call features, by name.
        repeating : whether each attribute stands beside its characteristic, and not the first alone.
        """
        attributes = any(each.attribute for each in figures.coefficients)
        error = "Robust s.e." if figures.errors == "sandwich" else "S.e."
        tested = "z" if figures.residual_degrees is None else "t"
        level = f"{100 * figures.confidence:g} % interval"
        names = ("Characteristic", "Attribute") if attributes else ("Characteristic",)
        headers = (*names, "Coefficient", error, tested, "p", level, "VIF")
        rows = []
        before = ""
        for each in figures.coefficients:
            title = _title(each.feature, titles)
            first = each.feature != before or not each.feature
            named = (title if first or repeating else "", each.attribute) if attributes else (title,)
            rows.append((*named, *_numbers(figures, each, first=first)))
            before = each.feature
        return cls(headers=headers, rows=tuple(rows), numbers=frozenset(range(len(names), len(headers))))


def _title(feature: str, titles: Mapping[str, str]) -> str:
    """What people call a feature; one that the model has left out has the title that any other would have."""
    if not feature:
        return "(intercept)"
    return titles.get(feature) or Feature(name=feature, kind="numeric").title


def _numbers(figures: RegressionFigures, each: Coefficient, *, first: bool) -> tuple[str, ...]:
    error, z, ends = figures.error(each), figures.z(each), figures.interval(each)
    return (
        _number(each.value),
        "" if error is None else _number(error),
        "" if z is None else f"{z:.2f}",
        p_in_words(figures.p(each)),
        _HELD[each.held] if ends is None else f"{_number(ends[0])} to {_number(ends[1])}",
        "" if each.vif is None or not first else condition_in_words(each.vif),
    )


def _number(value: float) -> str:
    """Four decimals, or four digits that count where these would not do."""
    size = abs(value)
    return f"{value + 0.0:.4f}" if size == 0 or 1e-2 <= size < 1e5 else in_digits(value, 4)
