"""What finished models are measured on: applicants whose columns are as the models read them, and their outcomes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from scrutable.data import (
    Cohort,
    DataConfig,
    Floats,
    ReadingConfig,
    check_columns,
    cohort_for,
    first_missing,
    label,
    place_of,
    read_rows,
    source_of,
    weights_of,
)
from scrutable.data.frames import kind_of, known_column
from scrutable.errors import InputError
from scrutable.model import DecisionModel, Model, RegressionScorecard, numbers_of, texts_of


def in_roles(models: Sequence[Model], X: Any, y: Any) -> tuple[Any, Any]:
    """Applicants and outcomes as they are; a cohort and None where a `DataConfig` in place of y names the columns.

    Parameters
    ----------
    X : n applicants: a frame of any kind, or beside a config also a path, or None for the path that it has.
    y : (n,) outcomes, or a `DataConfig`: which columns of X are the outcome, the weight and the protected attributes.

    Raises
    ------
    InputError : as `judged_cohort`; a path without a config; beside one a model that does not decide between two
        classes.
    """
    if isinstance(y, DataConfig):
        return judged_cohort([deciding(model, "model") for model in models], X, y), None
    if isinstance(X, str | os.PathLike):
        fix = "give DataConfig(target=...) in place of the outcomes"
        raise InputError("it has to be said which column is the outcome", where=place_of(X), fix=fix)
    return X, y


def judged_cohort(models: Sequence[DecisionModel], data: Any, config: DataConfig) -> Cohort:
    """The applicants of a file or a frame that models of two classes are measured on.

    Parameters
    ----------
    data : a frame of any kind or a path; the path of the config when None.

    Raises
    ------
    InputError : data that cannot be read, a column that they lack, models that decide about different outcomes, an
        outcome of another kind than theirs, a favourable class that is the unfavourable one of the models.
    """
    config, data = source_of(config, data)
    frame = rows_for(models, data, config)
    for name in (config.target, *([] if config.weight is None else [config.weight])):
        known_column(name, frame.columns, place_of(config.path))
    check_columns(frame, config.protected, config.protected_probabilities)
    outcomes = [model.outcome for model in models]
    favourable = {label(outcome.favourable) for outcome in outcomes}
    if config.favourable is None and len(favourable) > 1:
        raise InputError(
            "the models call different outcomes favourable",
            where="models",
            got=[outcome.favourable for outcome in outcomes],
            fix="name the class of the data that is good for the applicant: --favourable CLASS",
        )
    return cohort_for(frame, config, outcomes, kind_of(data))


def rows_for(models: Sequence[Model], data: Any, told: ReadingConfig) -> pd.DataFrame:
    """The rows of a file or a frame, each column of the kind that models read it as.

    Raises
    ------
    InputError, KindError : as `read_rows`.
    """
    return read_rows(data, told, text=texts_of(*models), numbers=numbers_of(*models))


def development_rows(
    models: Sequence[Model], data: Any, config: DataConfig, where: str = ""
) -> tuple[pd.DataFrame, Floats | None]:
    """The applicants that models were developed on, and their weights; None where the config names no column of them.

    Parameters
    ----------
    where : what errors about weights say before they name the data.

    Raises
    ------
    InputError : data that cannot be read, or as in `weights_of`.
    """
    frame = rows_for(models, data, config)
    if config.weight is None:
        return frame, None
    return frame, weights_of(frame, config.weight, f"{where}{place_of(data)}")


def development_cohort(model: DecisionModel, data: Any, config: DataConfig, where: str = "") -> Cohort:
    """The applicants that a model was developed on, with their outcomes where the config's column of them is there.

    Parameters
    ----------
    where : as in `development_rows`, and errors too; of outcomes as `cohort_for`.
    """
    frame, weight = development_rows((model,), data, config, where)
    if config.target not in frame.columns:
        return Cohort.read(frame, sample_weight=weight)
    there = {label(value) for value in frame[config.target].dropna().unique()}
    indeterminate = config.indeterminate if label(config.indeterminate) in there else None
    alone = replace(config, protected=(), protected_probabilities={}, reference={}, indeterminate=indeterminate)
    return cohort_for(frame, alone, [model.outcome])


def need_outcomes(
    cohort: Cohort,
    target: str,
    *,
    because: str = "AUC and bad rates need it",
    fix: str = "drop these rows",
    weighted: bool = False,
) -> None:
    """Refuse rows without an outcome, where every one is needed.

    Parameters
    ----------
    weighted : rows of weight 0 need none.

    Raises
    ------
    InputError : the first of them.
    """
    missing = ~cohort.known & (cohort.weight > 0) if weighted else ~cohort.known
    if missing.any():
        raise InputError(
            "the outcome is missing",
            where=first_missing(missing, target),
            got=f"{missing.sum():,} of {cohort.rows:,} rows without an outcome",
            allowed=f"an outcome in every row{' with weight' if weighted else ''}, because {because}",
            fix=fix,
        )


def amounts_of(cohort: Cohort, name: str, where: str) -> Floats:
    """(n,) a column of numbers.

    Raises
    ------
    InputError : no such column, text in it, or a value that is missing.
    """
    known_column(name, cohort.table.names, where)
    column = cohort.table.column(name)
    if column.kind != "numeric" or column.missing.any():
        got = "text" if column.kind == "categorical" else f"{int(column.missing.sum())} missing values"
        raise InputError("amounts must be numbers", where=f"{where}, column {name!r}", got=got)
    values: Floats = column.values
    return values


def deciding(model: Model, where: str) -> DecisionModel:
    """The model, if it decides between two classes.

    Raises
    ------
    InputError : it predicts a quantity, or knows more classes.
    """
    if isinstance(model, RegressionScorecard) or not model.outcome.binary:
        raise InputError(
            "a model that decides between two classes is needed",
            where=where,
            got=repr(model),
            fix="give a scorecard, trees, a rule set of two classes, or segments of these",
        )
    return model
