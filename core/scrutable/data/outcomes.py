"""Outcomes of rows, read in the classes of a model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.arrays import Bools
from scrutable.data.labelling import label
from scrutable.data.masking import shared
from scrutable.data.outcome import Outcome
from scrutable.errors import InputError


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


def read_outcomes(outcome: Outcome, y: Any, rows: int, where: str) -> tuple[Bools, Bools]:
    """(n,) whether each outcome is known, and whether it is known to be favourable; errors as `read_places`.

    Parameters
    ----------
    y : (n,) outcomes; None where no row has one.

    Examples
    --------
    >>> paid = Outcome(classes=("late", "paid"), favourable="paid")
    >>> [each.tolist() for each in read_outcomes(paid, ["paid", None, "late"], 3, "y")]
    [[True, False, True], [True, False, False]]
    """
    places = np.full(rows, -1) if y is None else read_places(outcome, y, rows, where)
    return places >= 0, places == outcome.favourable_index


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


def all_favourable(outcome: Outcome, y: Any, rows: int, where: str) -> Bools:
    """(n,) whether each outcome is the favourable one, where none may be missing; errors as `all_classes`.

    >>> all_favourable(Outcome(classes=("late", "paid"), favourable="paid"), ["paid", "late"], 2, "y").tolist()
    [True, False]
    """
    favourable: Bools = _all_places(outcome, y, rows, where) == outcome.favourable_index
    return favourable


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
