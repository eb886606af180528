"""A first data dictionary of a file: roles guessed by names and values, types as they are, ranges of many rows."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.config import ReadingConfig
from scrutable.data.dates import read_date
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.frames import as_table
from scrutable.data.frames.names import known_column
from scrutable.data.orientation import BAD, GOOD
from scrutable.data.reading import place_of, read_labels, read_rows
from scrutable.data.suspects import suspected_codes
from scrutable.plugins.bases.observing import range_of_many
from scrutable.plugins.data_dictionary import DataDictionary, DictionaryColumn, Role

if TYPE_CHECKING:
    import pandas as pd

    from scrutable.data.frames import Column

_NOTHING = ReadingConfig()
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
#: Rows from which on values that are all different may be identifiers.
_ENOUGH = 20


def first_dictionary(
    data: Any, told: ReadingConfig = _NOTHING, *, target: str | None = None, favourable: str | None = None
) -> DataDictionary:
    """A dictionary to begin with; a person has to look at each role that it guesses.

    It holds no value of a single person: ranges have as many rows beyond each end as anything is told of
    (`scrutable.data.min_cell()`), as the features of a model have, and special codes are those that fits warn of.

    Parameters
    ----------
    data : a frame, or the path of a data file, whose labels are taken where it has some (Stata, SAS).
    told : how the file is written.
    target : the outcome; guessed by name among columns of two values when not given.
    favourable : its good class.

    Raises
    ------
    InputError, KindError : what cannot be read, or lacks the target.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"loan_id": range(40), "age": [20, 41] * 20, "sex": ["f", "m"] * 20, "paid": [1, 0] * 20})
    >>> first = first_dictionary(frame)
    >>> {name: column.role for name, column in first.columns.items()}
    {'loan_id': 'identifier', 'age': 'feature', 'sex': 'protected', 'paid': 'outcome'}
    >>> first.columns["age"].range
    (20.0, 41.0)
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
    return DataDictionary(columns=_labelled(columns, data, told))


def sounds_protected(name: str) -> bool:
    """Whether a word of a column's name stands for a protected attribute; many that are none of these words do, too.

    >>> sounds_protected("MaritalStatus"), sounds_protected("essex_branch")
    (True, False)
    """
    return bool(_words(name) & _WORDS["protected"])


def _column(name: str, series: pd.Series) -> DictionaryColumn:
    if series.dtype.kind == "M" or _are_dates(series.dropna()):
        return DictionaryColumn(role="date", type="date")
    column = as_table(series.to_frame()).column(name)
    role = _role(name, column)
    if column.kind == "categorical":
        return DictionaryColumn(role=role, type="text")
    if role != "feature":
        return DictionaryColumn(role=role, type="number")
    present = column.values[~column.missing]
    special = [code for code in suspected_codes(present) if (present == code).sum() >= min_cell()]
    ordinary = present[np.isfinite(present) & ~np.isin(present, special)]
    ends = range_of_many(ordinary)
    return DictionaryColumn(
        role=role, type="number", special=tuple(special), range=(ends[0], ends[1]) if ends else None
    )


def _role(name: str, column: Column) -> Role:
    words = _words(name)
    present = column.values[~column.missing]
    different = len(set(present.tolist()))
    if different <= 1:
        return "ignore"
    if sounds_protected(name):
        return "protected"
    whole = column.kind == "categorical" or bool((present % 1 == 0).all())
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
    named = [name for name in two if _words(name) & _WORDS["outcome"]]
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


def _words(name: str) -> set[str]:
    """The words of a name, as of loan_id, loanId and loan.id.

    >>> sorted(_words("loanId")), sorted(_words("SEX_of_applicant"))
    (['id', 'loan'], ['applicant', 'of', 'sex'])
    """
    return set(re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])", " ", name).casefold()))


def _labelled(columns: Mapping[str, DictionaryColumn], data: Any, told: ReadingConfig) -> dict[str, DictionaryColumn]:
    """The columns with the labels that a file of statistics software holds."""
    if not isinstance(data, str | os.PathLike):
        return dict(columns)
    labels = read_labels(Path(data), told)
    return {
        name: replace(each, label=labels.columns.get(name, ""), codes=labels.codes.get(name, {}))
        for name, each in columns.items()
    }
