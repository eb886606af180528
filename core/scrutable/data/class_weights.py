"""Weights of the two classes, as scikit-learn's classifiers take them."""

from __future__ import annotations

from typing import Any, Literal

from scrutable.data.training_rows import LabelledRows
from scrutable.errors import InputError, did_you_mean
from scrutable.errors.checks import check_number

ClassWeight = Literal["balanced"] | dict[Any, float] | None


def class_factors(class_weight: ClassWeight, data: LabelledRows) -> tuple[float, float]:
    """By which the losses of rows with the unfavourable and with the favourable outcome are multiplied.

    Parameters
    ----------
    class_weight : by class, 1 where none is given (the text of a number may stand for it, as in JSON); or "balanced",
        with which both classes weigh the same and all rows together what they weigh without. Weights of the rows count.

    Raises
    ------
    InputError : weights that are no weights of the classes.

    Examples
    --------
    >>> from scrutable.data import read_training
    >>> data = read_training({"age": [20, 30, 40, 50]}, ["bad", "good", "good", "good"])
    >>> class_factors({"bad": 5}, data), class_factors("balanced", data)
    ((5.0, 1.0), (2.0, 0.6666666666666666))
    """
    if class_weight is None:
        return 1.0, 1.0
    if class_weight == "balanced":
        weights = data.by_outcome[1].tolist()
        bad, good = (sum(weights) / (2 * own) for own in weights)
        return bad, good
    classes: list[Any] = list(data.classes.tolist())
    factors = [1.0, 1.0]
    for label, factor in class_weight.items():
        place = _place(label, classes)
        check_number(factor, "class_weight", "from 2**-60 to 2**60 for each class", low=2.0**-60, high=2.0**60)
        factors[place] = float(factor)
    best = data.outcome.favourable_index
    return factors[1 - best], factors[best]


def _place(label: Any, classes: list[Any]) -> int:
    """The place of a class; keys of JSON are texts, also those of numbers."""
    if label in classes:
        return classes.index(label)
    told = list(map(str, classes))
    if label not in told:
        raise InputError(
            "unknown class",
            where="class_weight",
            got=label,
            allowed=", ".join(map(repr, classes)),
            fix=did_you_mean(label, told),
        )
    return told.index(label)
