"""Weights of classes beside scikit-learn's, and what they cannot be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

from scrutable.data import TrainingData, class_factors, read_training
from scrutable.errors import InputError


def data(weight: Any = None) -> TrainingData:
    """Seven rows, three of them bad."""
    return read_training({"age": range(20, 27)}, [0, 1, 0, 1, 1, 0, 1], sample_weight=weight)


@pytest.mark.parametrize("weight", [0.0, -1.0, math.nan, math.inf, -math.inf, None, 1e39, 1e-39])
@pytest.mark.parametrize("label", [0, 1])
def test_weights_that_weigh_nothing_or_too_much_are_refused(label: int, weight: Any) -> None:
    with pytest.raises(InputError, match="class_weight: unusable number"):
        class_factors({label: weight}, data())


def test_weights_are_of_bad_and_of_good_rows() -> None:
    assert class_factors({0: 3, 1: 0.5}, data()) == (3.0, 0.5)
    assert class_factors({1: 2.0**60}, data()) == (1.0, 2.0**60)
    assert class_factors({"0": 2}, data()) == (2.0, 1.0)
    assert class_factors(None, data()) == (1.0, 1.0)
    with pytest.raises(InputError, match="class_weight: unknown class; got 2; allowed: 0, 1"):
        class_factors({2: 1.0}, data())


def test_balanced_ones_are_scikit_learns_and_those_of_repeated_rows() -> None:
    rows = data()
    theirs = compute_class_weight("balanced", classes=rows.classes, y=rows.classes[rows.label])
    assert class_factors("balanced", rows) == pytest.approx(tuple(theirs))
    repeats = np.array([1, 2, 3, 1, 1, 2, 1])
    outcomes = np.repeat([0, 1, 0, 1, 1, 0, 1], repeats)
    repeated = read_training({"age": range(len(outcomes))}, outcomes)
    assert class_factors("balanced", data(repeats)) == class_factors("balanced", repeated)
