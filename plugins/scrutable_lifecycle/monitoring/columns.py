"""Which columns of a baseline and of new applicants are their outcomes, weights, dates and protected groups."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from scrutable.data import (
    Cohort,
    Floats,
    Probabilities,
    ReadingConfig,
    check_columns,
    columns_of,
    gathered,
    label,
    place_of,
    read_both,
    read_rows,
    weights_of,
)
from scrutable.data.frames import Table, is_small, kind_of, known_column, read_header
from scrutable.errors import InputError, ScrutableError
from scrutable.fairness import Groups
from scrutable.model import ClassLabel, DecisionModel, Outcome, numbers_of, texts_of
from scrutable.writing import DoubtfulError

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
    samples = [_read(model, data, columns) for data in sources]
    frames = [sample.frame for sample in samples]
    groups = _groups(frames, sources, columns)
    for name, flag in ((columns.target, "--target"), (columns.weight, "--weight")):
        _check_used(name, flag, samples)
    outcomes = _outcomes(frames, model.outcome, columns)
    dates = _dates(samples[1], new, columns.date)
    before, now = (
        Cohort.read(
            sample.rows,
            y,
            outcome=model.outcome,
            groups=own,
            sample_weight=_weights(sample.frame, columns.weight, data),
            where=where,
        )
        for sample, y, own, data, where in zip(samples, outcomes, groups, sources, _OUTCOMES, strict=True)
    )
    return replace(before, kind=kind_of(baseline)), replace(now, kind=kind_of(new), dates=dates)


class _Sample(NamedTuple):
    """What the model reads of a sample, a frame that has its other columns, and the names of all."""

    rows: Table | pd.DataFrame
    frame: pd.DataFrame
    names: Sequence[str]


def _read(model: DecisionModel, data: Any, columns: Columns) -> _Sample:
    dates = [] if columns.date is None else [columns.date]
    kinds: dict[str, Any] = {"text": {*texts_of(model), *dates}, "numbers": numbers_of(model)}
    if isinstance(data, str | os.PathLike) and not is_small(Path(data)):
        with suppress(ScrutableError, DoubtfulError):
            return _gathered(model, data, columns)
    frame = read_rows(data, columns, **kinds)
    check_columns(frame, columns.protected, columns.probabilities)
    return _Sample(frame, frame, list(frame.columns))


def _gathered(model: DecisionModel, data: str | os.PathLike[str], columns: Columns) -> _Sample:
    """What is asked for of a large file in which nothing is doubtful."""
    names = read_header(data, encoding=columns.encoding)
    needed = (*columns.protected, *columns_of(columns.probabilities))
    if not set(needed) <= set(names):
        raise DoubtfulError("no such columns")
    asked = [name for name in (columns.target, columns.weight, columns.date, *needed) if name in names]
    text = [*texts_of(model), *(name for name in (columns.date,) if name in names)]
    table, frame = gathered(data, columns, text=text, numbers=numbers_of(model), others=asked)
    return _Sample(table, frame, names)


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


def _dates(sample: _Sample, data: Any, name: str | None) -> pd.Series | None:
    if name is None:
        return None
    known_column(name, sample.names, f"--date, {place_of(data)}")
    return sample.frame[name]


def _check_used(name: str | None, option: str, samples: Sequence[_Sample]) -> None:
    """Refuse a column that neither sample has."""
    if name is not None and not any(name in sample.names for sample in samples):
        known_column(name, samples[-1].names, option)
