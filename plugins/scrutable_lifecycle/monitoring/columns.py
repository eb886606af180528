"""Which columns of a baseline and of new applicants are their outcomes, weights, dates and protected groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from scrutable.data import (
    Cohort,
    Floats,
    Probabilities,
    ReadingConfig,
    check_columns,
    label,
    place_of,
    read_both,
    read_rows,
    weights_of,
)
from scrutable.data.frames import kind_of, known_column
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import ClassLabel, DecisionModel, Outcome, numbers_of, texts_of

#: How errors name outcomes that are no classes of the model.
_OUTCOMES = ("y of the baseline", "y of the new applicants")


@dataclass(frozen=True, kw_only=True)
class Columns(ReadingConfig):
    """What the columns of both samples are, and how their files are to be read.

    Parameters
    ----------
    target : the outcomes, in either sample or both; empty where they are not known.
    favourable : the outcome that is good for the applicant, where the samples call it otherwise than the model.
    date : of the new applicants.
    protected, probabilities, reference : protected attributes, in both samples; see `DataConfig`.
    weight : weights, in either sample or both.
    """

    target: str | None = None
    favourable: str | None = None
    date: str | None = None
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)
    weight: str | None = None


def samples_of(model: DecisionModel, baseline: Any, new: Any, columns: Columns) -> tuple[Cohort, Cohort]:
    """Both samples as cohorts, the new one with its dates.

    Parameters
    ----------
    baseline, new : frames or paths.

    Raises
    ------
    InputError, KindError : a file or a column that cannot be used; it names the flag that says which column.
    """
    sources = (baseline, new)
    frames = [_read(model, data, columns) for data in sources]
    groups = _groups(frames, sources, columns)
    for name, flag in ((columns.target, "--target"), (columns.weight, "--weight")):
        _check_used(name, flag, frames)
    outcomes = _outcomes(frames, model.outcome, columns)
    dates = _dates(frames[1], new, columns.date)
    before, now = (
        Cohort.read(
            frame,
            y,
            outcome=model.outcome,
            groups=own,
            sample_weight=_weights(frame, columns.weight, data),
            where=where,
        )
        for frame, y, own, data, where in zip(frames, outcomes, groups, sources, _OUTCOMES, strict=True)
    )
    return replace(before, kind=kind_of(baseline)), replace(now, kind=kind_of(new), dates=dates)


def _read(model: DecisionModel, data: Any, columns: Columns) -> pd.DataFrame:
    dates = [] if columns.date is None else [columns.date]
    frame = read_rows(data, columns, text={*texts_of(model), *dates}, numbers=numbers_of(model))
    check_columns(frame, columns.protected, columns.probabilities)
    return frame


def _groups(frames: Sequence[pd.DataFrame], sources: Sequence[Any], columns: Columns) -> Sequence[Groups | None]:
    """Groups of both samples, made together, so that they have the same labels, cuts and references."""
    if not columns.protected and not columns.probabilities:
        return None, None
    places = [place_of(data) for data in sources]
    return read_both(frames, places, columns.protected, columns.probabilities, reference=columns.reference)


def _outcomes(frames: Sequence[pd.DataFrame], outcome: Outcome, columns: Columns) -> list[pd.Series | None]:
    """Outcomes of each sample in the model's classes; None where the sample has none."""
    told = [None if columns.target is None else frame.get(columns.target) for frame in frames]
    if columns.favourable is None:
        return told
    words = _words(told, outcome, columns)
    return [None if y is None else y.astype(object).map(words.__getitem__, na_action="ignore") for y in told]


def _words(told: Sequence[pd.Series | None], outcome: Outcome, columns: Columns) -> dict[Any, ClassLabel]:
    """The model's class of each value that either sample calls an outcome; there may be one beside the good one."""
    values = dict.fromkeys(value for y in told if y is not None for value in y.dropna().unique().tolist())
    good = label(columns.favourable)
    others = dict.fromkeys(label(value) for value in values if label(value) != good)
    where = f"--favourable, column {columns.target!r}"
    if values and good not in map(label, values):
        raise InputError(
            "no outcome is the favourable one",
            where=where,
            got=columns.favourable,
            allowed=" or ".join(map(repr, others)),
            fix="name the outcome as the files do",
        )
    if len(others) > 1:
        raise InputError(
            "beside the good outcome there is more than one other, so that it is not clear which is bad",
            where=where,
            got=", ".join(map(repr, list(others)[:10])),
            allowed=f"{good!r}, one other value, and empty where the outcome is not known",
            fix="leave outcomes that are neither good nor bad empty, or translate them",
        )
    bad = next(each for each in outcome.classes if each != outcome.favourable)
    return {value: outcome.favourable if label(value) == good else bad for value in values}


def _weights(frame: pd.DataFrame, name: str | None, data: Any) -> Floats | None:
    """Sample weights of a sample; None where it has no such column."""
    return None if name is None or name not in frame else weights_of(frame, name, f"--weight, {place_of(data)}")


def _dates(frame: pd.DataFrame, data: Any, name: str | None) -> pd.Series | None:
    if name is None:
        return None
    known_column(name, frame.columns, f"--date, {place_of(data)}")
    return frame[name]


def _check_used(name: str | None, option: str, frames: Sequence[pd.DataFrame]) -> None:
    """Refuse a column that neither sample has."""
    if name is not None and not any(name in frame for frame in frames):
        known_column(name, frames[-1].columns, option)
