"""The target of training data: classes, or a quantity."""

from __future__ import annotations

import sys
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.assumed_outcome import assumed_favourable
from scrutable.data.frames.column import doubles, missing_among
from scrutable.data.frames.convert import without_mask
from scrutable.data.masking import Masked, masked
from scrutable.data.outcome import Outcome, Quantity
from scrutable.errors import InputError, KindError, warn_caller

#: What pandas calls the types of objects that can be classes, and the type that they are narrowed to.
_NARROWER: dict[str, Any] = {
    "string": object,
    "boolean": np.bool_,
    "integer": np.int64,
    "floating": np.float64,
    "mixed-integer-float": np.float64,
}
_CLASSES = "texts, whole numbers, or True and False"


def read_classes(y: Any, favourable: Any, multi_class: bool) -> tuple[Outcome, NDArray[Any], NDArray[np.intp]]:
    """The classes, as the model holds them and as the outcomes did, and the index of each row's class.

    Raises
    ------
    InputError : an outcome is missing or no class, or there are too few or too many classes.
    """
    target, values = _column(y)
    values = _narrowed(values)
    if values.dtype.kind == "f" and (values != np.trunc(values)).any():
        fix = "to predict a quantity, use a learner of quantities: scrutable plugins list shows them"
        got = Masked(float(values[values != np.trunc(values)][0]))
        raise InputError(
            "Unknown label type: continuous", where="y", got=got, allowed="classes, not measurements", fix=fix
        )
    classes, label = np.unique(values, return_inverse=True)
    if len(classes) < 2:
        raise InputError(
            "only one class", where="y", got=_plain(classes[0]), allowed="two classes", fix="check the target column"
        )
    if len(classes) > 2 and not multi_class:
        raise InputError(
            "Only binary classification is supported. The type of the target is multiclass",
            where="y",
            got=f"{len(classes)} classes" if len(classes) > 10 else [_plain(value) for value in classes],
            allowed="two classes",
            fix="merge classes, leave some out, or use a learner of several classes: scrutable plugins list shows them",
        )
    labels = tuple(_plain(value) for value in classes)
    if favourable is not None and favourable not in labels:
        raise InputError("unknown class", where="favourable", got=favourable, allowed=str(list(labels)))
    best = assumed_favourable(labels) if favourable is None else favourable
    return Outcome(classes=labels, favourable=best, target=target), classes, label


def read_quantity(y: Any) -> tuple[Quantity, NDArray[np.float64]]:
    """The name of a continuous target, and its value in each row.

    Raises
    ------
    InputError : a value is missing or infinite, or beyond doubles.
    KindError : a value is no number.
    """
    target, values = _column(y)
    return Quantity(target=target), as_numbers(values, "y", "a quantity is measured in numbers")


def refuse_other_length(n: int, n_rows: int, where: str) -> None:
    """Refuse values of another number than there are rows."""
    if n != n_rows:
        raise InputError(
            "Found input variables with inconsistent numbers of samples",
            where=where,
            got=f"{n} values for {n_rows} rows",
            allowed="one value a row",
            fix="take the values of the same rows as X",
        )


def _column(y: Any) -> tuple[str, NDArray[Any]]:
    """The target's name and its values, none of which is missing or infinite."""
    from sklearn.exceptions import DataConversionWarning

    if y is None:
        fix = "give the outcome of every row"
        raise InputError("fit requires y to be passed, but the target y is None", where="y", fix=fix)
    values = as_array(y, "y")
    if values.ndim == 2 and values.shape[1] == 1:
        what = (
            "A column-vector y was passed when a 1d array was expected. Fix: give y as one column, such as y.ravel()."
        )
        warn_caller(what, DataConversionWarning)
        values = values[:, 0]
    refuse_dimensions(values, "y")
    if not len(values):
        raise InputError("there are no outcomes", where="y", got=[], fix="give the outcome of every row")
    for what, wrong in (("NaN", missing_among(values)), ("infinity", values.dtype.kind == "f" and np.isinf(values))):
        if np.any(wrong):
            fix = "drop the rows without an outcome"
            raise InputError(f"Input y contains {what}", where=f"y, row {int(np.argmax(wrong))}", fix=fix)
    return str(getattr(y, "name", None) or "outcome"), values


def as_array(given: Any, where: str) -> NDArray[Any]:
    """Values as an array; lists, and types that NumPy has not, such as pandas' nullable truth values, as objects."""
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(given):
        raise KindError("sparse data is not supported", where=where, got=type(given), fix="call toarray() on it")
    try:
        if isinstance(given, list | tuple):
            return np.array(given, dtype=object)
        if hasattr(given, "to_numpy") and hasattr(given, "dtype") and hasattr(given.dtype, "na_value"):
            return np.asarray(given.to_numpy(dtype=object, na_value=None))
        return without_mask(np.asanyarray(given))
    except ValueError:  # lists of lists of several lengths
        raise InputError(
            "rows of different lengths", where=where, allowed="one value a row", fix="give every row one value"
        ) from None


def refuse_dimensions(values: NDArray[Any], where: str) -> None:
    if values.ndim != 1:
        raise InputError(
            f"{where} should be a 1d array, got an array of shape {values.shape} instead",
            where=where,
            allowed="one value a row",
            fix="give one column, in a list, an array or a series",
        )


def as_numbers(values: NDArray[Any], where: str, what: str) -> NDArray[np.float64]:
    for value in values.tolist() if values.dtype.kind not in "biuf" else ():
        if value is not None and not isinstance(value, Real | Decimal):
            fix = "convert the column to numbers"
            raise KindError(what, where=where, got=Masked(value), allowed="numbers", fix=fix)
    return doubles(values, where)


def _narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """Objects as truth values, whole numbers or numbers where all of them are.

    Raises
    ------
    InputError : what can be no class; texts, numbers and truth values among one another: 1 and "1" would be one class.
    """
    from pandas.api.types import infer_dtype

    if values.dtype.kind in "biufU":
        return values
    kind = infer_dtype(values, skipna=False)
    types = {type(value): _plain(value) for value in values.tolist()}
    if kind in ("mixed", "mixed-integer") and len(types) > 1:
        raise InputError(
            "outcomes are of several types, and some of them are written alike",
            where="y",
            got=masked(types.values()),
            allowed="all texts, all numbers, or all True and False",
            fix="convert the column to one type",
        )
    try:
        return values.astype(_NARROWER[kind])
    except KeyError:
        what, got = "Unknown label type: outcomes that can be no classes", next(iter(types.values()))
    except OverflowError:
        what, got = "Unknown label type: whole numbers beyond 64 bits", "numbers of so many digits"
    raise InputError(
        what, where="y", got=got, allowed=_CLASSES, fix="convert the column, for example with .astype(str)"
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
