"""Cohorts of data files: which column is the outcome, the weight and the groups, and what their values say."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.cohort import BAD, GOOD, TOLD, UNKNOWN, Cohort
from scrutable.data.config import DataConfig
from scrutable.data.frames import as_table
from scrutable.data.frames.names import known_column
from scrutable.data.frames.same_kind import PANDAS, FrameKind, kind_of
from scrutable.data.grouped import columns_of, read_groups
from scrutable.data.groups import Groups
from scrutable.data.indeterminate import without_indeterminates
from scrutable.data.labelling import label
from scrutable.data.masking import Masked, shared
from scrutable.data.orientation import class_named
from scrutable.data.outcome import Outcome
from scrutable.data.outcome_codes import Codes
from scrutable.data.reading import place_of, read_rows
from scrutable.data.sample_weights import weights
from scrutable.errors import InputError, KindError

_ACCEPTED = ("1", "true", "yes", "accepted", "approved")
_DECLINED = ("0", "false", "no", "declined", "rejected")


def read_cohort(config: DataConfig, data: Any = None, *, text: Iterable[str] = ()) -> Cohort:
    """Read applicants to learn from: each column in its role, and which rows have an outcome.

    Outcomes stand as the data have them, because who reads it may not know yet which class is good. Unknown are those
    of the declined, whatever the data say of them, and the indeterminate ones.

    Parameters
    ----------
    data : a frame of any kind, or a path; the path of the config when None.
    text : columns to read as text even where every value looks like a number.

    Raises
    ------
    InputError : neither is given, or they cannot be read, lack a column that is named, or no column is left as an
        input; a column of acceptances with other values, nobody accepted, no indeterminate row.
    """
    config, data = source_of(config, data)
    frame = read_rows(data, config, text=text)
    columns = _inputs(frame, config)
    accepted = None if config.accepted is None else _accepted(frame[config.accepted])
    known = np.ones(len(frame), dtype=bool) if accepted is None else accepted.copy()
    target = frame[config.target]
    if config.indeterminate is not None:
        inside = np.flatnonzero(known)
        known[inside[without_indeterminates(target.to_numpy()[inside], config.indeterminate).indeterminate]] = False
    values, groups, weight = _target(target, accepted), groups_of(frame, config), weight_of(frame, config)
    return Cohort(
        outcome=np.where(known, TOLD, UNKNOWN),
        weight=weights(weight, len(frame)),
        weighted=weight is not None,
        columns=columns,
        groups=groups,
        values=values,
        accepted=accepted,
        dates=None if config.date is None else frame[config.date],
        kind=kind_of(data),
    )


def source_of(config: DataConfig, data: Any) -> tuple[DataConfig, Any]:
    """Where applicants come from, with the config that says so: a frame or a path, or else the path of the config.

    Raises
    ------
    InputError : neither is given.
    """
    source = config.path if data is None else data
    if source is None:
        fix = "give a frame or the path of a file, or name the path in the config"
        raise InputError("there are no applicants", where="data", fix=fix)
    return replace(config, path=str(source) if isinstance(source, str | os.PathLike) else None), source


def cohort_for(
    frame: pd.DataFrame, config: DataConfig, outcomes: Sequence[Outcome], kind: FrameKind = PANDAS
) -> Cohort:
    """The rows of a file that finished models are measured on, with all columns, because models read what they read.

    Parameters
    ----------
    outcomes : what each of the models decides about; the file may call the two classes otherwise.
    kind : the kind of frame that the user gave.

    Raises
    ------
    InputError : an outcome of another kind than the models', a favourable class that is their unfavourable one,
        unusable groups or weights.
    """
    weight = weight_of(frame, config)
    return Cohort(
        outcome=_codes(frame[config.target], config, outcomes),
        weight=weights(weight, len(frame)),
        weighted=weight is not None,
        columns=as_table(frame),
        groups=groups_of(frame, config),
        kind=kind,
    )


def groups_of(frame: pd.DataFrame, config: DataConfig) -> Groups | None:
    """The protected groups of the rows of a file, if any; errors as `read_groups`."""
    return read_groups(
        frame, config.protected, config.protected_probabilities, reference=config.reference, cuts=config.cuts
    )


def weight_of(frame: pd.DataFrame, config: DataConfig) -> Floats | None:
    """(n,) sample weights of the rows of a file; None where no column is named. Errors as `weights_of`."""
    return None if config.weight is None else weights_of(frame, config.weight, place_of(config.path))


def weights_of(frame: pd.DataFrame, name: str, where: str) -> Floats:
    """(n,) sample weights in a column of a file.

    Parameters
    ----------
    where : how errors name the file.

    Raises
    ------
    InputError : no such column; a weight that is missing, no finite number or negative, with its row, counted from 0;
        none above 0.

    Examples
    --------
    >>> weights_of(pd.DataFrame({"w": [2, 1]}), "w", "file 'loans.csv'").tolist()
    [2.0, 1.0]
    """
    known_column(name, frame.columns, where)
    where = f"{where}, column {name!r}"
    column = as_table(frame[[name]]).column(name)
    if column.kind != "categorical":
        return weights(column.values, len(frame), where)
    no_number = pd.to_numeric(pd.Series(column.values), errors="coerce").isna().to_numpy()
    first = int(no_number.argmax())  # the first row where each text could be a number
    raise KindError(
        "weights must be numbers",
        where=f"{where}, row {first}",
        got=Masked(column.values[first]),
        allowed="zero or more",
        fix="correct the column",
    )


def first_missing(missing: NDArray[np.bool_], target: str) -> str:
    """How errors name the first row of a file that has no outcome.

    >>> first_missing(np.array([False, True]), "paid")
    "column 'paid', row 2 below the header"
    """
    return f"column {target!r}, row {int(missing.argmax()) + 1} below the header"


def _inputs(frame: pd.DataFrame, config: DataConfig) -> pd.DataFrame:
    """The columns that have no other role; protected columns are no inputs."""
    protected = [*config.protected, *columns_of(config.protected_probabilities)]
    aside = [config.target, *protected, *config.drop]
    single = (config.id, config.weight, config.date, config.accepted)
    aside += dict.fromkeys(name for name in single if name is not None and name not in aside)
    for name in aside:
        known_column(name, frame.columns, place_of(config.path))
    if config.target in protected:
        raise InputError("the target cannot be a protected attribute", where=f"column {config.target!r}")
    X = frame.drop(columns=aside)
    if not len(X.columns):
        raise InputError("no column is left as an input", where=place_of(config.path), fix="drop fewer columns")
    return X


def _target(y: pd.Series, accepted: Bools | None) -> pd.Series:
    """The target, whose outcomes are all there but for those of the declined."""
    missing = y.isna().to_numpy()
    there = np.ones(len(y), dtype=bool) if accepted is None else accepted
    if (missing & there).any():
        raise InputError(
            "the outcome is missing",
            where=first_missing(missing & there, str(y.name)),
            got=f"{int((missing & there).sum())} rows without an outcome",
            fix="drop these rows, or name the column that says who was accepted with --accepted",
        )
    if missing.any() and y.dtype.kind == "f" and (y[~missing] % 1 == 0).all():
        return y.where(~missing, y[~missing].iloc[0]).astype(np.int64)  # whole numbers beside gaps are read as doubles
    return y


def _accepted(column: pd.Series) -> NDArray[np.bool_]:
    codes, levels = pd.factorize(column)
    words = [label(level).casefold() for level in levels]
    unknown = [level for level, word in zip(levels, words, strict=True) if word not in (*_ACCEPTED, *_DECLINED)]
    if unknown or (codes < 0).any():
        raise InputError(
            "cannot tell who was accepted",
            where=f"--accepted, column {column.name!r}",
            got=shared(unknown[0], (column == unknown[0]).sum())
            if unknown
            else f"{int((codes < 0).sum())} missing values",
            allowed=f"{', '.join(_ACCEPTED)} for accepted, {', '.join(_DECLINED)} for declined",
            fix="translate the column",
        )
    accepted: NDArray[np.bool_] = np.array([word in _ACCEPTED for word in words], dtype=bool)[codes]
    if not accepted.any():
        where = f"--accepted, column {column.name!r}"
        raise InputError("nobody was accepted, so no outcome is known", where=where, fix="check the column")
    return accepted


def _codes(y: pd.Series, config: DataConfig, outcomes: Sequence[Outcome]) -> Codes:
    """(n,) whether each outcome is good, bad or unknown, indeterminates being unknown."""
    missing = y.isna().to_numpy(copy=True)
    if config.indeterminate is not None:
        missing[without_indeterminates(y.to_numpy(), config.indeterminate).indeterminate] = True
    known = y[~missing]
    classes = {label(value) for value in known.drop_duplicates()}
    if len(classes) > 2:
        raise InputError(
            "the outcome has more than two classes",
            where=f"column {y.name!r}",
            got=sorted(classes)[:10],
            fix="empty the cells of outcomes that are neither good nor bad, such as indeterminate ones",
        )
    wanted = label(_favourable(known, classes, config.favourable, outcomes))
    codes = np.full(len(y), UNKNOWN)
    codes[~missing] = [GOOD if label(value) == wanted else BAD for value in known]
    return codes


def _favourable(known: pd.Series, classes: set[str], asked: Any, outcomes: Sequence[Outcome]) -> Any:
    """The class of the data, whose labels are `classes`, that is good for the applicant.

    Raises
    ------
    InputError : a class that the data do not have; one that all models with these very classes call the other one.
    """
    wanted = outcomes[0].favourable if asked is None else asked
    if not classes:
        return wanted
    said = next((label(value) for value in known.drop_duplicates() if str(value) == str(wanted)), label(wanted))
    alike = [each for each in outcomes if classes | {said} <= {label(value) for value in each.classes}]
    if alike:
        if said not in {label(each.favourable) for each in alike}:
            raise InputError(
                "the model calls the other class of these data favourable",
                where=f"--favourable, column {known.name!r}",
                got=asked,
                allowed=repr(alike[0].favourable),
                fix="leave --favourable out; if the column means the opposite of the model's outcome, recode it",
            )
        return said
    if asked is None and said not in classes:
        raise InputError(
            "no such class in the target as the model's favourable one",
            where=f"column {known.name!r}",
            got=sorted(classes),
            allowed=" or ".join(repr(value) for value in outcomes[0].classes),
            fix="name the class of the data that is good for the applicant: --favourable CLASS",
        )
    return class_named(known, wanted)
