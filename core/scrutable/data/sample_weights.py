"""Sample weights: of the rows that a model is fitted on, and of those that it is measured on."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Floats, finite_numbers
from scrutable.data.masking import Masked
from scrutable.data.targets import as_array, as_numbers, refuse_dimensions, refuse_other_length
from scrutable.errors import InputError

#: The largest weight, and by what the smallest one divides 1: sums and squares of such weights are doubles.
_HEAVIEST = 1e100


def weights(values: Any, rows: int, where: str = "sample_weight") -> Floats:
    """Sample weights; all 1 when none are given.

    Parameters
    ----------
    where : how errors name the weights; they add the row, counted from 0.

    Raises
    ------
    InputError : another number of weights than of rows, one that is no finite number or negative, or none above 0.

    Examples
    --------
    >>> weights(None, 2).tolist()
    [1.0, 1.0]
    """
    if values is None:
        return np.ones(rows)
    array = finite_numbers(values, where, rows, "give one weight per row")
    negative = np.flatnonzero(array < 0)
    if negative.size or not array.any():
        raise InputError(
            "weights may not be negative, nor all be zero",
            where=f"{where}, row {negative[0]}" if negative.size else where,
            got=Masked(float(array[negative[0]])) if negative.size else 0.0,
            allowed="numbers that are at least 0, one of them above 0",
            fix="correct the weights, or leave them out",
        )
    return array


def read_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """(n,) weights of training rows, ones where none are given; one number is the weight of every row.

    What is wrong is said in the words that scikit-learn's own checks look for.

    Raises
    ------
    InputError : a weight is missing, negative, infinite or no number, all are zero, or there are not n.
    """
    if sample_weight is None:
        return np.ones(n_rows)
    where = "sample_weight"
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_rows, sample_weight)
    values = as_array(sample_weight, where)
    refuse_dimensions(values, where)
    weight = as_numbers(values, where, "a weight is a number")
    refuse_other_length(len(weight), n_rows, where)
    for what, wrong in (
        ("Input sample_weight contains NaN", np.isnan(weight)),
        ("Input sample_weight contains infinity", np.isinf(weight)),
        ("weights may not be negative", weight < 0),
        ("weights are too large to add up", weight > _HEAVIEST),
        ("weights above 0 are too small to count", (weight > 0) & (weight < 1 / _HEAVIEST)),
        ("Sample weights must contain at least one non-zero number", ~weight.any(keepdims=True)),
    ):
        if wrong.any():
            raise InputError(
                what,
                where=where,
                got=Masked(float(weight[np.argmax(wrong)])),
                allowed=f"0, or {1 / _HEAVIEST:g} to {_HEAVIEST:g}; not all of them 0",
                fix="correct the weights, or leave the rows out",
            )
    return weight


def refuse_weightless_class(weight: NDArray[np.float64], label: NDArray[np.intp], n_classes: int) -> None:
    """Refuse weights that leave a class without any."""
    refuse_weightless(np.bincount(label, weights=weight, minlength=n_classes))


def refuse_weightless(weighed: NDArray[np.number]) -> None:
    """Refuse classes of which one has no weight."""
    if (weighed == 0).any():
        fix = "give rows of each class a weight, or leave the weights out"
        raise InputError("only one class has weight", where="sample_weight", got=weighed.tolist(), fix=fix)
