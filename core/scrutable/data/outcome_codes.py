"""Outcomes of rows: good, bad or unknown, read in the classes of a model or as booleans."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import favourable
from scrutable.data.labelling import label
from scrutable.data.masking import shared
from scrutable.data.outcome import Outcome
from scrutable.errors import InputError

#: What is known of an outcome, and its place in every table of counts.
GOOD, BAD, UNKNOWN = 0, 1, 2
#: It is known, and nobody has said whether it is good, as of a quantity; such outcomes are in no table of counts.
TOLD = 3
#: (n,) one of these for each row.
Codes = NDArray[np.intp]


def read_places(outcome: Outcome, y: Any, rows: int, where: str) -> NDArray[np.intp]:
    """(n,) place of each row's class among those of the model; -1 where the outcome is missing.

    Classes are told apart as texts, as files hold them: 1, 1.0 and "1" are one class.

    Parameters
    ----------
    y : (n,) outcomes.
    rows : n, the number of rows that they have to belong to.
    where : how errors name the outcomes.

    Raises
    ------
    InputError : another number of outcomes, or one that is none of the classes.

    Examples
    --------
    >>> read_places(Outcome(classes=(0, 1), favourable=1), ["1", None, 0], 3, "y").tolist()
    [1, -1, 0]
    """
    import pandas as pd

    values = np.asarray(y) if hasattr(y, "dtype") else np.asarray(y, dtype=object)  # a list may mix kinds
    if values.shape != (rows,):
        raise InputError(
            "the number of outcomes differs from the number of rows",
            where=where,
            got=values.shape,
            allowed=f"({rows},)",
            fix="take the outcomes from the same rows",
        )
    codes, levels = pd.factorize(values)
    places = {label(each): place for place, each in enumerate(outcome.classes)}
    for place, level in enumerate(levels):
        if label(level) not in places:
            raise InputError(
                "an outcome is none of the model's classes",
                where=where,
                got=shared(level.item() if isinstance(level, np.generic) else level, np.sum(codes == place)),
                allowed=" or ".join(map(repr, outcome.classes)),
                fix="give the column that the model was fitted on, or translate its values",
            )
    return np.array([*(places[label(level)] for level in levels), -1], dtype=np.intp)[codes]


def all_classes(outcome: Outcome, y: Any, rows: int, where: str) -> NDArray[np.object_]:
    """(n,) class of each row by the model's own label, where none may be missing.

    Raises
    ------
    InputError : as `read_places`; an outcome is missing.

    Examples
    --------
    >>> all_classes(Outcome(classes=(0, 1), favourable=1), ["1", 0.0], 2, "y").tolist()
    [1, 0]
    """
    return np.array([*outcome.classes, None], dtype=object)[_all_places(outcome, y, rows, where)]


def codes_of_classes(outcome: Outcome, y: Any, rows: int, where: str, *, complete: bool = False) -> Codes:
    """(n,) `GOOD` where an outcome is the favourable class, `BAD` where it is another, `UNKNOWN` where it is missing.

    Without `y` every outcome is missing.

    Parameters
    ----------
    complete : whether none may be missing.

    Raises
    ------
    InputError : as `read_places`; an outcome is missing where none may be.

    Examples
    --------
    >>> codes_of_classes(Outcome(classes=("late", "paid"), favourable="paid"), ["paid", None, "late"], 3, "y").tolist()
    [0, 2, 1]
    """
    if y is None and not complete:
        return np.full(rows, UNKNOWN, dtype=np.intp)
    places = (_all_places if complete else read_places)(outcome, y, rows, where)
    return np.where(places < 0, UNKNOWN, np.where(places == outcome.favourable_index, GOOD, BAD)).astype(np.intp)


def codes_of_booleans(good: Any, rows: int) -> Codes:
    """(n,) `GOOD` where it is True, `BAD` where it is False, `UNKNOWN` where it is missing, or None altogether.

    Raises
    ------
    InputError : another number of rows.
    KindError : what is neither a boolean nor missing.
    """
    import pandas as pd

    if good is None:
        return np.full(rows, UNKNOWN, dtype=np.intp)
    values = np.asarray(good, dtype=object if isinstance(good, list | tuple) else None)  # NaN makes numbers of booleans
    missing = np.asarray(pd.isna(values), dtype=bool)
    if missing.ndim == 1 and missing.all() and missing.size == rows:
        return np.full(rows, UNKNOWN, dtype=np.intp)
    paid = favourable(np.where(missing, False, values) if missing.any() else values, "good", rows)
    return np.where(missing, UNKNOWN, np.where(paid, GOOD, BAD)).astype(np.intp)


def _all_places(outcome: Outcome, y: Any, rows: int, where: str) -> NDArray[np.intp]:
    places = read_places(outcome, y, rows, where)
    missing = np.flatnonzero(places < 0)
    if missing.size:
        raise InputError(
            "an outcome is missing",
            where=f"{where}, row {missing[0]}",
            got=f"{missing.size} of {rows} rows without one",
            fix="drop the rows without an outcome",
        )
    return places
