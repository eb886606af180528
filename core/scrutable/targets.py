"""The target of training data, classes or a quantity, and the rows' weights."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from scrutable.errors import InputError, KindError
from scrutable.masking import Masked, masked
from scrutable.model import Outcome, Quantity

#: What pandas calls the types of objects, and the type that they are narrowed to; others stay objects.
_NARROWER = {"boolean": np.bool_, "integer": np.int64, "floating": np.float64, "mixed-integer-float": np.float64}

#: Squares of sums of weights have to be doubles.
_HEAVIEST = 1e100


def read_classes(y: Any, favourable: Any, multi_class: bool) -> tuple[Outcome, NDArray[Any], NDArray[np.intp]]:
    """The classes, as the model holds them and as the outcomes did, and the index of each row's class.

    Raises
    ------
    InputError : an outcome is missing or no class, or there are too few or too many classes.
    """
    target, values = _column(y)
    values = _narrowed(values) if values.dtype == object else values
    kind = type_of_target(values, input_name="y", raise_unknown=True)
    if kind not in ("binary", "multiclass"):
        fix = "to predict a quantity, use a learner of quantities, for example scorecard-regressor"
        raise InputError(f"Unknown label type: {kind}", where="y", allowed="classes, not measurements", fix=fix)
    classes, label = np.unique(values, return_inverse=True)
    if len(classes) < 2:
        raise InputError(
            "only one class", where="y", got=_plain(classes[0]), allowed="two classes", fix="check the target column"
        )
    if len(classes) > 2 and not multi_class:
        raise InputError(
            "Only binary classification is supported. The type of the target is multiclass",
            where="y",
            got=[_plain(value) for value in classes[:10]],
            allowed="two classes",
        )
    labels = tuple(_plain(value) for value in classes)
    if favourable is not None and favourable not in labels:
        raise InputError("unknown class", where="favourable", got=favourable, allowed=str(list(labels)))
    best = labels[-1] if favourable is None else favourable
    return Outcome(classes=labels, favourable=best, target=target), classes, label


def read_quantity(y: Any) -> tuple[Quantity, NDArray[np.float64]]:
    """The name of a continuous target, and its value in each row.

    Raises
    ------
    InputError : a value is missing or infinite.
    KindError : a value is no number.
    """
    target, values = _column(y)
    for value in values.tolist() if values.dtype.kind not in "biuf" else ():
        if not isinstance(value, Real | Decimal):
            raise KindError("a quantity is measured in numbers", where="y", got=Masked(value), allowed="numbers")
    return Quantity(target=target), values.astype(np.float64)


def read_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """(n,) weights, ones where none are given.

    Raises
    ------
    InputError, ValueError : a weight is negative or infinite, or all are zero.
    """
    if sample_weight is None:
        return np.ones(n_rows)
    weight: NDArray[np.float64] = _check_sample_weight(sample_weight, np.empty((n_rows, 1)), dtype=np.float64)
    if (weight < 0).any():
        raise InputError(
            "weights may not be negative",
            where="sample_weight",
            got=float(weight.min()),
            allowed="0 or more",
            fix="correct the weights, or leave the rows out",
        )
    if weight.max() > _HEAVIEST / n_rows:
        raise InputError(
            "weights are too large to add up",
            where="sample_weight",
            got=float(weight.max()),
            allowed=f"at most {_HEAVIEST / n_rows:.3g}, so that their sum has a square",
            fix="divide all of them by the largest",
        )
    return weight


def refuse_weightless_class(weight: NDArray[np.float64], label: NDArray[np.intp], n_classes: int) -> None:
    """Refuse weights that leave a class without any."""
    weighed = np.bincount(label, weights=weight, minlength=n_classes)
    if (weighed == 0).any():
        raise InputError("only one class has weight", where="sample_weight", got=weighed.tolist())


def _column(y: Any) -> tuple[str, NDArray[Any]]:
    """The target's name and its values, none of which is missing or infinite."""
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None", where="y")
    target = str(getattr(y, "name", None) or "outcome")
    values = column_or_1d(_as_array(y), warn=True)
    _refuse_missing_target(values)
    return target, values


def _as_array(y: Any) -> Any:
    """Outcomes whose types NumPy has not, such as pandas' nullable truth values, and lists, as what they hold."""
    if isinstance(y, list | tuple) and y and np.ndim(y[0]) == 0:
        return np.array([*y, None], dtype=object)[:-1]  # None: texts and numbers stay what they are
    if hasattr(y, "to_numpy") and hasattr(y, "dtype") and hasattr(y.dtype, "na_value"):
        return y.to_numpy(dtype=object, na_value=None)
    return y


def _narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """Objects as truth values, whole numbers or numbers where all of them are.

    Raises
    ------
    InputError : texts, numbers and truth values among one another: 1 and "1" would be one class.
    """
    from pandas.api.types import infer_dtype

    kind = infer_dtype(values, skipna=False)
    if kind in ("mixed", "mixed-integer"):
        raise InputError(
            "outcomes are of several types, and some of them are written alike",
            where="y",
            got=masked({type(value): value for value in values.tolist()}.values()),
            allowed="all texts, all numbers, or all True and False",
            fix="convert the column to one type",
        )
    try:
        return values.astype(_NARROWER.get(kind, object))
    except OverflowError:  # whole numbers beyond 64 bits
        return values


def _refuse_missing_target(values: NDArray[Any]) -> None:
    if values.dtype.kind == "O":
        missing = np.array([value is None or value != value for value in values.tolist()], dtype=bool)
    else:
        missing = values != values
    if missing.any():
        raise InputError(
            "Input y contains NaN", where=f"y, row {int(np.argmax(missing))}", fix="drop the rows without an outcome"
        )
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise InputError("Input y contains infinity", where=f"y, row {int(np.argmax(np.isinf(values)))}")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
