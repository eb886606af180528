"""What the rows say of the coefficients of a scorecard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import AttributeTable, BinTable, MeanTable
from scrutable.data import CodedRows
from scrutable.measures import ATTRIBUTES, Coefficient, Held, PureAttribute, RegressionFigures, TiedTogether
from scrutable.measures.numerics import (
    BinnedLogisticFit,
    RegressionErrors,
    RegressionTerm,
    TiedAttributes,
    linear_errors,
    logistic_errors,
    spread_of,
)

Floats = NDArray[np.float64]


def woe_figures(
    rows: CodedRows, tables: Sequence[BinTable], woe: Sequence[Floats], fit: BinnedLogisticFit, ridge: float
) -> RegressionFigures:
    """Figures of one coefficient a characteristic, which multiplies its WoE and is held at 0 where it is 0.

    Parameters
    ----------
    rows : the training rows by their attributes in each table.
    """
    slopes = [float(own[0]) for own in fit.coefficients]
    strength = ridge * rows.total_weight
    penalties = [strength * float(own @ own) for own in woe]
    terms = _multiplied(rows, woe, slopes, penalties, [0.0] * len(tables))
    errors = logistic_errors(terms, fit.intercept, rows)
    coefficients = _slopes(tables, slopes, terms, errors, fit.intercept)
    pure = [each for table in tables for each in _pure(table)]
    return _figures(coefficients, errors, rows, ridge, multiplies="weight of evidence", pure=tuple(pure))


def attribute_figures(
    rows: CodedRows, tables: Sequence[BinTable], fit: BinnedLogisticFit, ridge: float
) -> RegressionFigures:
    """Figures of one value an attribute: what divides it from the attribute with most rows, as dummies have it."""
    weights = [rows.weight_by_bin[own] for own in rows.slices]
    tied = [_tied(*each) for each in zip(tables, fit.values, weights, strict=True)]
    terms = [each.term(ridge * rows.total_weight) for each in tied]
    intercept = fit.intercept + sum(float(each.values[each.reference]) for each in tied)
    errors = logistic_errors(terms, intercept, rows)
    coefficients, at = [_known(errors, 0, value=intercept)], 1
    for table, each, term, vif in zip(tables, tied, terms, errors.inflation, strict=True):
        coefficients += _of_attributes(table, each, errors, at, vif)
        at += len(term.coefficients)
    return _figures(
        coefficients,
        errors,
        rows,
        ridge,
        multiplies=ATTRIBUTES,
        pure=tuple(each for table in tables for each in _pure(table)),
        tied=tuple(each for table, own in zip(tables, tied, strict=True) for each in _together(table, own)),
    )


def mean_figures(
    rows: CodedRows,
    tables: Sequence[MeanTable],
    encoded: Sequence[Floats],
    slopes: Floats,
    lower: Sequence[float],
    ridge: float,
) -> RegressionFigures | None:
    """Figures of one coefficient a characteristic, which multiplies the mean of each attribute less that of all.

    None where the quantity is the same everywhere.
    """
    quantity = spread_of(rows)
    if quantity.constant:
        return None
    terms = _multiplied(rows, encoded, slopes.tolist(), [ridge * quantity.squares] * len(tables), lower)
    weights = [rows.weight_by_bin[own] for own in rows.slices]
    parts = (float(np.average(own.values, weights=weight)) for own, weight in zip(terms, weights, strict=True))
    intercept = quantity.mean - math.fsum(parts)
    errors = linear_errors(terms, intercept, rows)
    coefficients = _slopes(tables, slopes.tolist(), terms, errors, intercept)
    return _figures(coefficients, errors, rows, ridge, kind="linear", multiplies="mean of the target")


def _figures(
    coefficients: Sequence[Coefficient],
    errors: RegressionErrors,
    rows: CodedRows,
    ridge: float,
    *,
    multiplies: str,
    kind: Literal["logistic", "linear"] = "logistic",
    pure: tuple[PureAttribute, ...] = (),
    tied: tuple[TiedTogether, ...] = (),
) -> RegressionFigures:
    return RegressionFigures(
        kind=kind,
        multiplies=multiplies,
        coefficients=tuple(coefficients),
        rows=errors.rows,
        weight=errors.weight,
        rank=errors.rank,
        log_likelihood=errors.log_likelihood,
        null_log_likelihood=errors.null_log_likelihood,
        errors="sandwich" if rows.weights != (1.0, 1.0) else "model",
        ridge=float(ridge),
        condition_number=None if math.isnan(errors.condition_number) else errors.condition_number,
        pure=pure,
        tied=tied,
        separated=errors.separated,
    )


def _multiplied(
    rows: CodedRows,
    values: Sequence[Floats],
    slopes: Sequence[float],
    penalties: Sequence[float],
    lower: Sequence[float],
) -> list[RegressionTerm]:
    """Terms of one coefficient; none where it is on its bound, unless its column says nothing anyway."""
    terms = []
    for bins, own, slope, penalty, bound in zip(rows.slices, values, slopes, penalties, lower, strict=True):
        held = slope <= bound and np.ptp(own[rows.weight_by_bin[bins] > 0]) > 0
        terms.append(RegressionTerm.multiplied(own, slope, penalty, held=bool(held)))
    return terms


def _slopes(
    tables: Sequence[AttributeTable],
    slopes: Sequence[float],
    terms: Sequence[RegressionTerm],
    errors: RegressionErrors,
    intercept: float,
) -> list[Coefficient]:
    coefficients, at = [_known(errors, 0, value=intercept)], 1
    for table, slope, term, vif in zip(tables, slopes, terms, errors.inflation, strict=True):
        name = table.feature.name
        if len(term.coefficients):
            coefficients.append(_known(errors, at, feature=name, value=slope, vif=vif))
            at += 1
        else:
            coefficients.append(Coefficient(feature=name, value=slope, held="sign"))
    return coefficients


def _known(
    errors: RegressionErrors, at: int, *, value: float, feature: str = "", attribute: str = "", vif: float = math.nan
) -> Coefficient:
    """A coefficient with the errors at a place, or why there are none."""
    model, sandwich = float(errors.model[at]), float(errors.sandwich[at])
    told = not math.isnan(model)
    return Coefficient(
        feature=feature,
        attribute=attribute,
        value=value,
        model_error=model if told else None,
        sandwich_error=sandwich if told else None,
        vif=None if math.isnan(vif) else vif,
        held="" if told else errors.why_none,
    )


def _of_attributes(
    table: BinTable, tied: TiedAttributes, errors: RegressionErrors, at: int, vif: float
) -> Iterator[Coefficient]:
    """A coefficient for each attribute that may be told of, the first of theirs being at this place."""
    pure, own = _pure_groups(table, tied), tied.told_by
    name, words = table.feature.name, table.words
    factor = None if math.isnan(vif) else vif
    for place in np.flatnonzero(table.counts_seen > 0).tolist():
        value = float(tied.values[place] - tied.values[tied.reference])
        if own[place] < 0:
            held: Held = "reference" if place == tied.reference else "trend"
            yield Coefficient(feature=name, attribute=words[place], value=0.0, vif=factor, held=held)
        elif pure[place] or pure[tied.reference]:
            yield Coefficient(feature=name, attribute=words[place], value=value, vif=factor, held="pure")
        else:
            yield _known(errors, at + int(own[place]), feature=name, attribute=words[place], value=value, vif=vif)


def _tied(table: BinTable, values: Floats, weight: Floats) -> TiedAttributes:
    """The attributes that a trend ties; the reference has rows of both outcomes, if any has."""
    told = np.flatnonzero(table.counts_seen > 0)
    good, bad = table.counts
    both = [place for place in told.tolist() if good[place] > 0 and bad[place] > 0]
    ordered = table.ordered if table.direction else []
    return TiedAttributes.of(values, weight, ordered, both or told.tolist())


def _pure_groups(table: BinTable, tied: TiedAttributes) -> NDArray[np.bool_]:
    """(attributes,) whether those tied together have rows of one outcome alone."""
    good, bad = (np.bincount(tied.group, own, len(tied.group)) for own in table.counts)
    pure: NDArray[np.bool_] = ((good == 0) != (bad == 0))[tied.group]
    return pure


def _pure(table: BinTable) -> Iterator[PureAttribute]:
    for words, good, bad in zip(table.words, *table.counts, strict=True):
        if (good == 0) != (bad == 0):
            yield PureAttribute(feature=table.feature.name, attribute=words, favourable=bool(good))


def _together(table: BinTable, tied: TiedAttributes) -> Iterator[TiedTogether]:
    """The attributes that a trend holds together and that may be told of."""
    told, words = table.counts_seen > 0, table.words
    for group in np.unique(tied.group):
        members = np.flatnonzero((tied.group == group) & told)
        if len(members) > 1:
            yield TiedTogether(feature=table.feature.name, attributes=tuple(words[place] for place in members))
