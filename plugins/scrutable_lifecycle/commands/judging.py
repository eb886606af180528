"""What finished models are measured on: applicants whose columns are as the models read them, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.cli.grouping import check_columns
from scrutable.cli.reading import read_data
from scrutable.cli.tables import read_model
from scrutable.data.applicants import class_named, weights_of
from scrutable.data.config import DataConfig
from scrutable.data.frames import as_table
from scrutable.data.frames.names import known_column
from scrutable.data.grouped import read_groups
from scrutable.data.labelling import label
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import DecisionModel, Model, Outcome, RegressionScorecard
from scrutable_lifecycle.strategy import Scored
from scrutable_lifecycle.validation import without_indeterminates


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """Models and the n applicants of a file.

    Parameters
    ----------
    frame : every column of the file, because models read what they read.
    good : (n,) True for the favourable outcome, None where there is none.
    """

    models: tuple[Model, ...]
    frame: pd.DataFrame
    good: NDArray[Any]
    groups: Groups | None
    weight: NDArray[np.float64] | None

    @property
    def model(self) -> Model:
        """The first model."""
        return self.models[0]

    @property
    def outcomes(self) -> NDArray[Any]:
        """(n,) outcomes as the first model names its two classes, None where there is none."""
        outcome = deciding(self.model, "model").outcome
        named = {True: outcome.favourable, False: outcome.classes[1 - outcome.favourable_index]}
        found = np.full(len(self.good), None, dtype=object)
        found[:] = [named.get(good) for good in self.good.tolist()]
        return found

    def need_outcomes(
        self,
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
        unknown = np.array([good is None for good in self.good], dtype=bool)
        if weighted and self.weight is not None:
            unknown &= self.weight > 0
        missing = np.flatnonzero(unknown)
        if missing.size:
            raise InputError(
                "the outcome is missing",
                where=f"column {target!r}, row {missing[0] + 1} below the header",
                got=f"{missing.size:,} of {len(self.good):,} rows without an outcome",
                allowed=f"an outcome in every row{' with weight' if weighted else ''}, because {because}",
                fix=fix,
            )

    def counted(self, scored: Scored) -> dict[str, Any]:
        """How the rows count, as the functions of strategies take it."""
        return {"groups": self.groups, "sample_weight": self.weight, "knocked_out": scored.knocked_out}

    def column(self, name: str, where: str) -> NDArray[np.float64]:
        """(n,) a column of numbers.

        Raises
        ------
        InputError : no such column, text in it, or a value that is missing.
        """
        known_column(name, self.frame.columns, where)
        column = as_table(self.frame[[name]]).column(name)
        if column.kind != "numeric" or column.missing.any():
            got = "text" if column.kind == "categorical" else f"{int(column.missing.sum())} missing values"
            raise InputError("amounts must be numbers", where=f"{where}, column {name!r}", got=got)
        values: NDArray[np.float64] = column.values
        return values


def read_judged(models: Sequence[Path], config: DataConfig) -> Judged:
    """Read models and applicants.

    Raises
    ------
    InputError : a file that cannot be read, a column that it lacks, models that decide about different outcomes, an
        outcome of another kind than theirs, a favourable class that is the unfavourable one of the models.
    """
    found = tuple(read_model(path) for path in models)
    frame = read_data(config.path, *found, reading=config)
    for name in (config.target, *([] if config.weight is None else [config.weight])):
        known_column(name, frame.columns, f"file {config.path!r}")
    check_columns(frame, config.protected, config.protected_probabilities)
    outcomes = [deciding(model, f"file {str(path)!r}").outcome for model, path in zip(found, models, strict=True)]
    favourable = {label(outcome.favourable) for outcome in outcomes}
    if config.favourable is None and len(favourable) > 1:
        raise InputError(
            "the models call different outcomes favourable",
            where="models",
            got=[outcome.favourable for outcome in outcomes],
            fix="name the class of the data that is good for the applicant: --favourable CLASS",
        )
    return Judged(
        models=found,
        frame=frame,
        good=_good(_blanked(frame[config.target], config.indeterminate), config.favourable, outcomes),
        groups=read_groups(frame, config.protected, config.protected_probabilities, reference=config.reference),
        weight=None if config.weight is None else weights_of(frame, config.weight, f"file {config.path!r}"),
    )


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


def _blanked(y: pd.Series, indeterminate: Any) -> pd.Series:
    """The outcomes without those that are neither good nor bad."""
    if indeterminate is None:
        return y
    found = without_indeterminates(y.to_numpy(), indeterminate)
    neither = np.zeros(len(y), dtype=bool)
    neither[found.indeterminate] = True
    return y.astype(object).mask(neither)


def _good(y: pd.Series, favourable: Any, outcomes: Sequence[Outcome]) -> NDArray[Any]:
    """(n,) whether the outcome is the favourable class, None where it is missing.

    Parameters
    ----------
    favourable : the class of the data that the user calls so; None means that of the models' outcomes.
    """
    missing = y.isna().to_numpy()
    known = y[~missing]
    classes = {label(value) for value in known.drop_duplicates()}
    if len(classes) > 2:
        raise InputError(
            "the outcome has more than two classes",
            where=f"column {y.name!r}",
            got=sorted(classes)[:10],
            fix="empty the cells of outcomes that are neither good nor bad, such as indeterminate ones",
        )
    wanted = _favourable(known, classes, favourable, outcomes)
    good = np.full(len(y), None, dtype=object)
    good[~missing] = [label(value) == label(wanted) for value in known]
    return good


def _favourable(known: pd.Series, classes: set[str], asked: Any, outcomes: Sequence[Outcome]) -> Any:
    """The class of the data, whose labels are `classes`, that is good for the applicant.

    Raises
    ------
    InputError : a class that the data do not have; one that all models with these very classes call the other one.
    """
    wanted = outcomes[0].favourable if asked is None else asked
    if not classes:
        return wanted
    its = next((label(value) for value in known.drop_duplicates() if str(value) == str(wanted)), label(wanted))
    alike = [each for each in outcomes if classes | {its} <= {label(value) for value in each.classes}]
    if alike:
        if its not in {label(each.favourable) for each in alike}:
            raise InputError(
                "the model calls the other class of these data favourable",
                where=f"--favourable, column {known.name!r}",
                got=asked,
                allowed=repr(alike[0].favourable),
                fix="leave --favourable out; if the column means the opposite of the model's outcome, recode it",
            )
        return its
    if asked is None and its not in classes:
        raise InputError(
            "no such class in the target as the model's favourable one",
            where=f"column {known.name!r}",
            got=sorted(classes),
            allowed=" or ".join(repr(value) for value in outcomes[0].classes),
            fix="name the class of the data that is good for the applicant: --favourable CLASS",
        )
    return class_named(known, wanted)
