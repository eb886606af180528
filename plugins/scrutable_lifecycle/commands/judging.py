"""What finished models are measured on: applicants whose columns are as the models read them, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scrutable.cli.grouping import check_columns
from scrutable.cli.reading import read_data
from scrutable.cli.tables import read_model
from scrutable.data.arrays import Floats
from scrutable.data.cohort import Cohort
from scrutable.data.cohort_file import cohort_for, first_missing
from scrutable.data.config import DataConfig
from scrutable.data.frames.names import known_column
from scrutable.data.labelling import label
from scrutable.errors import InputError
from scrutable.model import DecisionModel, Model, RegressionScorecard


def read_judged(models: Sequence[Path], config: DataConfig) -> tuple[tuple[DecisionModel, ...], Cohort]:
    """Read models, and the applicants of a file.

    Raises
    ------
    InputError : a file that cannot be read, a column that it lacks, models that decide about different outcomes, an
        outcome of another kind than theirs, a favourable class that is the unfavourable one of the models.
    """
    read = tuple(read_model(path) for path in models)
    frame = read_data(config.path, *read, reading=config)
    for name in (config.target, *([] if config.weight is None else [config.weight])):
        known_column(name, frame.columns, f"file {config.path!r}")
    check_columns(frame, config.protected, config.protected_probabilities)
    deciders = tuple(deciding(model, f"file {str(path)!r}") for model, path in zip(read, models, strict=True))
    outcomes = [model.outcome for model in deciders]
    favourable = {label(outcome.favourable) for outcome in outcomes}
    if config.favourable is None and len(favourable) > 1:
        raise InputError(
            "the models call different outcomes favourable",
            where="models",
            got=[outcome.favourable for outcome in outcomes],
            fix="name the class of the data that is good for the applicant: --favourable CLASS",
        )
    return deciders, cohort_for(frame, config, outcomes)


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
