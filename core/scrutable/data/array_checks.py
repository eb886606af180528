"""Checks of the arrays that every measurement takes: one favourable outcome, score or weight per row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrutable.data.masking import Masked
from scrutable.errors import InputError, KindError

if TYPE_CHECKING:
    from scrutable.data.outcome import ClassLabel

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
#: One outcome per row: booleans, True where it is favourable, or the label of its class.
Outcomes = npt.NDArray[Any]


def favourable(values: Any, where: str, rows: int | None = None) -> Bools:
    """A boolean array, True where the outcome or decision is favourable.

    Numbers are refused: 1 means "default" in one data set and "paid" in the next.

    >>> favourable([True, False], "y").tolist()
    [True, False]
    """
    array = _as_booleans(_one_dimensional(values, where, rows))
    if array.dtype != bool:
        raise KindError(
            "expected booleans, True for the favourable outcome",
            where=where,
            got=f"values of type {array.dtype}",
            allowed="True and False, none missing",
            fix=f"compare with the favourable class first: {where} == favourable",
        )
    return array


def outcomes(values: Any, where: str, rows: int | None = None) -> Outcomes:
    """Booleans, or the label of each row's class; none missing. The dtype is bool exactly for booleans.

    >>> outcomes(["paid", "late", "default"], "y").shape
    (3,)
    """
    import pandas as pd

    array = _one_dimensional(values, where, rows)
    missing = np.flatnonzero(pd.isna(array))
    if missing.size:
        raise InputError(
            "an outcome is missing",
            where=f"{where}, row {missing[0]}",
            got=array[missing[0]],
            allowed="booleans or class labels",
            fix="drop the rows without an outcome",
        )
    return _as_booleans(array)


def classes_of(y: Outcomes) -> tuple[ClassLabel, ...]:
    """The classes that occur, in ascending order, as plain Python values.

    >>> classes_of(np.array([2, 0, 2]))
    (0, 2)
    """
    import pandas as pd

    return tuple(sorted(pd.unique(y).tolist()))


def scores(values: Any, rows: int | None = None) -> Floats:
    """Finite scores in points; more points are better for the applicant.

    >>> scores([1, 2]).tolist()
    [1.0, 2.0]
    """
    return finite_numbers(values, "score", rows, "score every row before measuring")


def finite_numbers(values: Any, where: str, rows: int | None, fix: str) -> Floats:
    """Finite numbers, one a row.

    >>> finite_numbers([1, 2], "amount", 2, "give one amount per row").tolist()
    [1.0, 2.0]
    """
    array = _one_dimensional(values, where, rows)
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        raise KindError("expected numbers", where=where, got=str(array.dtype), fix=fix) from None
    bad = np.flatnonzero(~np.isfinite(numbers))
    if bad.size:
        raise InputError(
            f"expected finite numbers, but {bad.size} of {numbers.size} are missing or infinite",
            where=f"{where}, row {bad[0]}",
            got=Masked(float(numbers[bad[0]])),
            fix=fix,
        )
    return numbers


def finite_number(value: float, where: str) -> float:
    """One finite number.

    >>> finite_number(3, "cutoff")
    3.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise InputError("expected a finite number", where=where, got=value, fix="give a number")
    return float(value)


def share(value: float, where: str, *, none: bool = False, all_: bool = False) -> float:
    """One number above 0 and below 1.

    Parameters
    ----------
    none, all_ : whether 0, and whether 1, is a share too.

    Examples
    --------
    >>> share(0.95, "confidence"), share(1, "approval_rate", all_=True)
    (0.95, 1.0)
    """
    number = finite_number(value, where)
    if not (0 < number < 1 or (none and number == 0) or (all_ and number == 1)):
        low, high = "from 0" if none else "above 0", "at most 1" if all_ else "below 1"
        allowed = f"a number {low}{' to' if none else ' and'} {high}"
        raise InputError("expected a share", where=where, got=value, allowed=allowed, fix="give 0.7 for 70 %")
    return number


def _as_booleans(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Booleans that came as objects, as a column of nullable booleans does, become booleans."""
    boolean = array.dtype == object and all(isinstance(value, bool | np.bool_) for value in array)
    return array.astype(bool) if boolean else array


def _one_dimensional(values: Any, where: str, rows: int | None) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or not array.size:
        raise InputError(
            "expected one value per row",
            where=where,
            got=f"an array of shape {array.shape}",
            allowed="a list, array or column with at least one row",
            fix="pass one column",
        )
    if rows is not None and array.size != rows:
        raise InputError(
            "the number of rows differs",
            where=where,
            got=array.size,
            allowed=f"{rows} rows",
            fix="pass columns taken from the same rows",
        )
    return array
