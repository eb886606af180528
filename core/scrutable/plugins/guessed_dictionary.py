"""A first data dictionary of a file: roles guessed by names and values, types as they are, ranges of many rows."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.assumed_outcome import assumed_favourable, doubt_of_assumed
from scrutable.data.config import FileConfig, ReadingConfig
from scrutable.data.dates import read_date
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.frames import as_table
from scrutable.data.frames.names import known_column
from scrutable.data.name_words import words_of
from scrutable.data.orientation import BAD, GOOD
from scrutable.data.reading import place_of, read_labels, read_rows
from scrutable.data.suspected_codes import codes_by_column
from scrutable.plugins.bases.observing import range_of_many
from scrutable.plugins.data_dictionary import DataDictionary, DictionaryColumn, Role
from scrutable.writing.toml import toml_value

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Column

_NOTHING = ReadingConfig()
#: Words of names that speak of ages, which are guessed to be protected.
_AGES = frozenset(
    (
        *("age", "alter", "âge", "edad", "età", "leeftijd", "dob", "birth", "birthday", "birthdate", "born"),
        *("geburtsdatum", "geburtstag", "geburtsjahr", "naissance", "nacimiento"),
    )
)
#: Words of names by the role that they stand for.
_WORDS: Mapping[Role, frozenset[str]] = {
    "protected": frozenset(
        (
            *("sex", "gender", "race", "ethnicity", "ethnic", "religion", "nationality", "citizenship", "disability"),
            *("marital", "geschlecht", "nationalität", "familienstand", "sexe", "genre", "sexo", "género"),
        )
    ),
    "weight": frozenset(("weight", "weights", "wt", "gewicht", "poids", "peso")),
    "identifier": frozenset(("id", "key", "uuid", "identifier", "number", "nr", "no", "ref", "reference")),
    "outcome": frozenset(
        (
            *("outcome", "target", "y", "default", "defaulted", "bad", "good", "paid", "repaid", "label", "class"),
            *("status", "response", "risk", "churn", "ausfall"),
        )
    ),
}
#: Dates of a column that are looked at.
_SAMPLED = 200
#: What classes are.
_CLASSES = (str, int, float)
#: Rows from which on values that are all different may be identifiers.
_ENOUGH = 20


def first_dictionary(
    data: Any, told: ReadingConfig = _NOTHING, *, target: str | None = None, favourable: str | None = None
) -> DataDictionary:
    """A dictionary to begin with; a person has to look at each role that it guesses; see `first_dictionary_and_notes`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"loan_id": range(40), "term": [20, 41] * 20, "age": [30, 50] * 20, "paid": [1, 0] * 20})
    >>> first = first_dictionary(frame)
    >>> {name: column.role for name, column in first.columns.items()}
    {'loan_id': 'identifier', 'term': 'feature', 'age': 'protected', 'paid': 'outcome'}
    >>> first.columns["term"].range
    (20.0, 41.0)
    """
    return first_dictionary_and_notes(data, told, target=target, favourable=favourable)[0]


def first_dictionary_and_notes(
    data: Any, told: ReadingConfig = _NOTHING, *, target: str | None = None, favourable: str | None = None
) -> tuple[DataDictionary, dict[str, str]]:
    """A dictionary to begin with, and notes on what it leaves open by column, for `DataDictionary.text`.

    It holds no value of a single person: ranges have as many rows beyond each end as anything is told of
    (`scrutable.data.min_cell()`), as the features of a model have, and special codes are those that fits warn of, which
    so many rows have in one of the columns that hold them. Which class of the outcome is good is left open, as a
    comment with both.

    Parameters
    ----------
    data : a frame, or the path of a data file, whose labels are taken where it has some (Stata, SAS).
    told : how the file is written, which the dictionary says then.
    target : the outcome; guessed by name among columns of two values when not given.
    favourable : its good class.

    Raises
    ------
    InputError, KindError : what cannot be read, or lacks the target.

    Examples
    --------
    >>> import pandas as pd
    >>> _, notes = first_dictionary_and_notes(pd.DataFrame({"term": [20, 41, 20] * 20, "bad": [1, 0, 0, 1] * 15}))
    >>> print(notes["bad"])
    The class that is good for the applicant, 0 or 1: correct it, and take the # away.
    favourable = 0
    """
    frame = read_rows(data, told)
    if target is not None:
        known_column(target, frame.columns, place_of(data))
    columns = {name: _column(name, frame[name]) for name in frame.columns}
    for role in ("identifier", "weight", "date"):
        _keep_first(columns, role)
    if target is None:
        target = _outcome(frame, columns)
    if target is not None:
        columns[target] = DictionaryColumn(role="outcome", type=columns[target].type, favourable=favourable)
    notes = dict(_on_columns(frame))
    if target is not None and favourable is None:
        notes |= {
            name: f"{notes[name]}\n{note}" if name in notes else note for name, note in _on_favourable(frame[target])
        }
    written = FileConfig(**{each.name: getattr(told, each.name) for each in fields(FileConfig)})
    return DataDictionary(columns=_labelled(_described(columns, frame), data, told), file=written), notes


def _on_columns(frame: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """A note for each column of one value, or whose values follow from an earlier one's, one by one."""
    first: dict[bytes, str] = {}
    for name in frame.columns:
        codes = frame[name].factorize()[0]  # in the order of their first rows, so that recodings are equal
        if codes.max() < 1:
            yield str(name), "It has one value, or none, and tells nothing apart: it is ignored."
            continue
        earlier = first.setdefault(sha256(codes.tobytes()).digest(), str(name))
        if earlier != name and codes.max() + 1 < len(codes):
            yield str(name), f"It repeats column {toml_value(earlier)}, value for value: one of them is enough."


def _on_favourable(outcome: pd.Series) -> Iterator[tuple[str, str]]:
    """A note with the line that says which class is good; none of an outcome of more or rarer classes than two."""
    counts = dict(zip(*(each.tolist() for each in np.unique(outcome.dropna(), return_counts=True)), strict=True))
    if len(counts) != 2 or min(counts.values()) < min_cell() or not all(isinstance(each, _CLASSES) for each in counts):
        return
    classes, name = list(counts), str(outcome.name)
    taken = assumed_favourable(classes)
    doubted = doubt_of_assumed(classes, taken, name, counts[taken] / sum(counts.values()))
    good = toml_value(next(each for each in classes if (each == taken) is not bool(doubted)))
    either = " or ".join(toml_value(each) for each in classes)
    told = f"The class that is good for the applicant, {either}: correct it, and take the # away."
    yield name, f"{told}\nfavourable = {good}"


def _described(columns: Mapping[str, DictionaryColumn], frame: pd.DataFrame) -> dict[str, DictionaryColumn]:
    """The columns, features of numbers with their special codes and ranges."""
    numbers = [name for name, each in columns.items() if (each.role, each.type) == ("feature", "number")]
    read = {name: as_table(frame[[name]]).column(name) for name in numbers}
    values = {name: column.values[~column.missing] for name, column in read.items()}
    rows = Counter[float]()
    codes = codes_by_column(values)
    for name, own in codes.items():
        rows |= Counter({code: int((values[name] == code).sum()) for code in own})
    enough = min_cell()
    described = {}
    for name, present in values.items():
        special = [code for code in codes[name] if rows[code] >= enough]
        ends = range_of_many(present[np.isfinite(present) & ~np.isin(present, special)])
        described[name] = replace(columns[name], special=tuple(special), range=(ends[0], ends[1]) if ends else None)
    return {**columns, **described}


def sounds_protected(name: str) -> bool:
    """Whether a word of a column's name stands for a protected attribute; many that are none of these words do, too.

    Age is none here: rules may read it, since who is too young cannot enter into a contract.

    >>> sounds_protected("MaritalStatus"), sounds_protected("essex_branch")
    (True, False)
    """
    return bool(words_of(name) & _WORDS["protected"])


def _column(name: str, series: pd.Series) -> DictionaryColumn:
    if series.dtype.kind == "M" or _are_dates(series.dropna()):
        return DictionaryColumn(role="date", type="date")
    column = as_table(series.to_frame()).column(name)
    role = _role(name, column, series.nunique())
    if column.kind == "categorical":
        return DictionaryColumn(role=role, type="text")
    return DictionaryColumn(role=role, type="number")


def _role(name: str, column: Column, different: int) -> Role:
    words = words_of(name)
    present = column.values[~column.missing]
    if different <= 1:
        return "ignore"
    if sounds_protected(name) or words & _AGES:
        return "protected"
    whole = column.kind == "categorical" or bool((present == np.floor(present)).all())
    every = different == len(column.values) >= _ENOUGH
    if every and whole and (column.kind == "categorical" or words & _WORDS["identifier"]):
        return "identifier"
    if words & _WORDS["weight"] and column.kind != "categorical" and bool((present >= 0).all()):
        return "weight"
    return "feature"


def _outcome(frame: pd.DataFrame, columns: Mapping[str, DictionaryColumn]) -> str | None:
    """The one feature of two values whose name or whose values say that it is the outcome; None of several."""
    two = [name for name, each in columns.items() if each.role == "feature" and frame[name].nunique() == 2]
    said = [name for name in two if {str(value).casefold() for value in frame[name].dropna().unique()} & {*GOOD, *BAD}]
    named = [name for name in two if words_of(name) & _WORDS["outcome"]]
    for candidates in ([name for name in said if name in named], said, named):
        if len(candidates) == 1:
            return candidates[0]
    return None


def _keep_first(columns: dict[str, DictionaryColumn], role: Role) -> None:
    """Leave out further columns of a role that one column has."""
    for name in [name for name, each in columns.items() if each.role == role][1:]:
        columns[name] = replace(columns[name], role="ignore")


def _are_dates(present: pd.Series) -> bool:
    if not len(present) or present.dtype.kind in "biuf":
        return False
    some = present.iloc[:: 1 + len(present) // _SAMPLED]
    read = [read_date(value) for value in some]
    return all(each is not None and each.form.startswith("2019-07-31") for each in read)


def _labelled(columns: Mapping[str, DictionaryColumn], data: Any, told: ReadingConfig) -> dict[str, DictionaryColumn]:
    """The columns with the labels that a file of statistics software holds."""
    if not isinstance(data, str | os.PathLike):
        return dict(columns)
    labels = read_labels(Path(data), told)
    return {
        name: replace(each, label=labels.columns.get(name, ""), codes=labels.codes.get(name, {}))
        for name, each in columns.items()
    }
