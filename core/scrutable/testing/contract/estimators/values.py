"""Checks of binners and learners: missing, special and unseen values are kept apart, counted and scored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scrutable.binning.tables import Binning
from scrutable.model import Missing, Otherwise, Special
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import (
    CODE,
    TrainingSample,
    edge_applicants,
    fit,
    fitted,
    learns_quantities,
    sample_for,
    with_special_codes,
)
from scrutable.testing.contract.results import content
from scrutable.testing.contract.subject import Subject

_LOST = "rows with a missing value are lost"


@deciding("binner", "learner", hint="leave no row out: missing and special values have attributes of their own")
def every_row_counts(subject: Subject) -> None:
    """Statistics of attributes count every row, those with missing and special values too."""
    estimator, sample = fitted(subject), sample_for(subject)
    for feature, attributes in _counted(estimator).items():
        counts, column = dict(attributes), sample.X[feature]
        total, missing, lacking = sum(counts.values()), counts.get(Missing(), 0), column.isna().sum()
        require(total == len(column), f"{_LOST}: the attributes of {feature!r} count {total:g} rows of {len(column)}")
        elsewhere = f"{missing:g} of {lacking} rows are counted as missing in {feature!r}"
        require(missing == lacking, f"{_LOST} or put elsewhere: {elsewhere}")
        if feature == "bureau_score" and with_special_codes(subject):
            special = sum(count for condition, count in counts.items() if isinstance(condition, Special))
            wanted = int((column == CODE).sum())
            require(special == wanted, f"rows with a special code are counted {special:g} times instead of {wanted}")


@deciding(
    "binner", "learner", hint="learn from rows with missing values too: give missing its own attribute, leaf or clause"
)
def rows_with_missing_values_are_learned_from(subject: Subject) -> None:
    """What is learned depends on the outcomes of rows with missing values."""
    sample = sample_for(subject)
    lacking = sample.X.isna().any(axis=1).to_numpy()
    ends = (0.0, 2.0) if learns_quantities(subject) else ("bad", "good")
    learned = [content(fit(subject.make(), _with_outcomes(sample, lacking, end))) for end in ends]
    require(learned[0] != learned[1], f"{_LOST}: what is learned is the same whatever their outcomes are")


@deciding(
    "binner",
    "learner",
    hint="let every characteristic have an attribute, and every split a side, for missing and unseen values",
)
def every_value_is_scored(subject: Subject) -> None:
    """Rows with missing, special, unseen and infinite values all get finite results."""
    estimator, rows = fitted(subject), edge_applicants()
    if subject.component.kind == "binner":
        results = {"transform": estimator.transform(rows)}
    else:
        evaluation = estimator.evaluate(rows)
        results = {"the score": evaluation.score, "predict": estimator.predict(rows)}
        if hasattr(estimator, "predict_proba"):
            results["predict_proba"] = estimator.predict_proba(rows)
    for what, values in results.items():
        if values is None:  # more than two classes have no score
            continue
        require(len(values) == len(rows), f"{what} leaves rows out: {len(values)} of {len(rows)}")
        lacking = _not_finite(values)
        row = rows.iloc[int(lacking[0])].to_dict() if len(lacking) else {}
        require(not len(lacking), f"{what} gives no finite number for a row", got=row)


@deciding("binner", hint="leave the conditions to scrutable.binning.intervals and categories, which add them")
def missing_special_and_unseen_values_have_attributes(subject: Subject) -> None:
    """Missing values, special codes and unseen texts each have an attribute of their own."""
    estimator = fitted(subject)
    binning: Binning = estimator.binning_
    for table in binning.tables:
        kinds = {type(condition) for condition in table.conditions}
        name = table.feature.name
        require(Missing in kinds, f"{name!r} has no attribute for missing values", got=table.conditions)
        require(
            Otherwise in kinds or table.feature.kind == "numeric",
            f"{name!r} has no attribute for unseen texts",
            got=table.conditions,
        )
        if name == "bureau_score" and with_special_codes(subject):
            require(Special in kinds, f"{name!r} has no attribute for its special code", got=table.conditions)


def _counted(estimator: Any) -> dict[str, list[tuple[Any, float]]]:
    """Condition and count of each attribute by feature, where what was learned counts rows."""
    if hasattr(estimator, "binning_"):
        tables = estimator.binning_.tables
        return {t.feature.name: [(c, s.count) for c, s in zip(t.conditions, t.statistics, strict=True)] for t in tables}
    counted = {}
    for characteristic in getattr(estimator.model_, "characteristics", ()):
        attributes = characteristic.attributes
        if all(attribute.statistics is not None for attribute in attributes):
            counted[characteristic.feature] = [(each.condition, each.statistics.count) for each in attributes]
    return counted


def _with_outcomes(sample: TrainingSample, rows: Any, outcome: Any) -> TrainingSample:
    y = sample.y.copy()
    y[rows] = outcome
    return replace(sample, y=y)


def _not_finite(values: Any) -> Any:
    """Positions of rows without a finite number; texts are never such."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        return np.flatnonzero(pd.isna(array))
    finite = np.isfinite(array.astype(float))
    return np.flatnonzero(~(finite.all(axis=1) if finite.ndim > 1 else finite))
