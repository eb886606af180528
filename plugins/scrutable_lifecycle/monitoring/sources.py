"""A baseline and new applicants of which columns are named, in frames or files, as samples to compare."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import pandas as pd

from scrutable.data import label, place_of, read_both
from scrutable.data.frames import known_column
from scrutable.errors import InputError, KindError, ScrutableError
from scrutable.fairness import Groups
from scrutable.model import ClassLabel, DecisionModel, Outcome
from scrutable.plugins.bases import Progress
from scrutable.writing import DoubtfulError
from scrutable_lifecycle.monitoring.columns import Columns
from scrutable_lifecycle.monitoring.periods import PeriodKind
from scrutable_lifecycle.monitoring.reading import Read, is_large, read_streamed, read_whole
from scrutable_lifecycle.monitoring.sample import Sample

#: How errors name outcomes that are no classes of the model.
OUTCOMES = ("y of the baseline", "y of the new applicants")


def samples_of(
    model: DecisionModel, baseline: Any, new: Any, columns: Columns, *, period: PeriodKind, progress: Progress
) -> tuple[Sample, Sample]:
    """Both samples, the new one with its periods.

    Large files are read block by block. Where anything in one is doubtful or wrong, both are read as wholes, which
    tells of it by its row.

    Parameters
    ----------
    baseline, new : frames or paths.
    progress : gives the blocks as they come, of about how many there are in a sample.

    Raises
    ------
    InputError, KindError : a file or a column that cannot be used; it names the flag that says which column.
    """
    before, now = _samples_of(model, (baseline, new), (None, period), columns, progress)
    return before, now


def baseline_of(model: DecisionModel, baseline: Any, columns: Columns, *, progress: Progress) -> Sample:
    """A baseline alone, whose groups are texts; other parameters and errors are those of `samples_of`.

    Raises
    ------
    KindError : protected groups that are numbers, which both samples together would cut.
    """
    [sample] = _samples_of(model, (baseline,), (None,), columns, progress, texts=columns.protected)
    return sample


def _samples_of(
    model: DecisionModel,
    sources: Sequence[Any],
    when: Sequence[PeriodKind | None],
    columns: Columns,
    progress: Progress,
    texts: Sequence[str] = (),
) -> list[Sample]:
    if any(map(is_large, sources)):
        with suppress(ScrutableError, DoubtfulError), _warnings_of_success():
            read = [
                (read_streamed if is_large(data) else read_whole)(model, data, columns, kind, progress)
                for data, kind in zip(sources, when, strict=True)
            ]
            return _samples(model, read, sources, columns, texts)
    return _samples(
        model,
        [read_whole(model, data, columns, kind, progress) for data, kind in zip(sources, when, strict=True)],
        sources,
        columns,
        texts,
    )


@contextmanager
def _warnings_of_success() -> Iterator[None]:
    """Warnings are told of if no error follows."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    for each in told:
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _samples(
    model: DecisionModel, read: Sequence[Read], sources: Sequence[Any], columns: Columns, texts: Sequence[str]
) -> list[Sample]:
    for text in texts:
        _check_text(text, read)
    groups = _groups(read, sources, columns)
    for name, flag in ((columns.target, "--target"), (columns.weight, "--weight")):
        _check_used(name, flag, read)
    outcomes = _outcomes(read, model.outcome, columns)
    if columns.date is not None:
        known_column(columns.date, read[-1].names, f"--date, {place_of(sources[-1])}")
    made = [each.checked(y, own, where) for each, y, own, where in zip(read, outcomes, groups, OUTCOMES, strict=False)]
    return [tally() for tally in made]


def _groups(read: Sequence[Read], sources: Sequence[Any], columns: Columns) -> Sequence[Groups | None]:
    """Groups of the samples, made together, so that they have the same labels, cuts and references."""
    if not columns.of_groups:
        return [None] * len(read)
    return read_both(
        [each.frame for each in read],
        [place_of(data) for data in sources],
        columns.protected,
        columns.probabilities,
        reference=columns.reference,
        cuts=columns.cuts,
        counts=[each.count for each in read],
    )


def _outcomes(read: Sequence[Read], outcome: Outcome, columns: Columns) -> list[pd.Series | None]:
    """Outcomes of each sample in the model's classes; None where the sample has none."""
    told = [each.target for each in read]
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


def _check_text(name: str, read: Sequence[Read]) -> None:
    """Refuse a column that is numbers in a sample."""
    if any(pd.api.types.is_numeric_dtype(each.frame[name]) for each in read):
        raise KindError(
            "groups that are numbers are cut by both samples together, which a statement cannot know",
            where=f"--protected, column {name!r}",
            got="numbers",
            allowed="texts",
            fix=f"read codes as texts, --text {name}, and let the table have them so; give numbers names in both",
        )


def _check_used(name: str | None, option: str, read: Sequence[Read]) -> None:
    """Refuse a column that neither sample has."""
    if name is not None and not any(name in each.names for each in read):
        known_column(name, read[-1].names, option)
