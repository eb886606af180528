"""Rows whose outcome is neither good nor bad."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.errors import InputError
from scrutable_lifecycle.validation import without_indeterminates


@pytest.mark.parametrize(
    ("y", "indeterminate"),
    [
        (["good", "late", "bad", "late"], "late"),
        (pd.Series([0, 2, 1, 2]), "2"),
        (np.array([0.0, 2.0, 1.0, 2.0]), 2),
        (pd.Series(["good", "late", "bad", "late"], dtype="category"), "late"),
    ],
)
def test_they_are_told_apart_whatever_the_kind(y: Any, indeterminate: Any) -> None:
    found = without_indeterminates(y, indeterminate)
    assert found.known.tolist() == [0, 2]
    assert found.indeterminate.tolist() == [1, 3]


@pytest.mark.parametrize(
    "y",
    [
        ["good", None, "late", "bad"],
        pd.Series(["good", pd.NA, "late", "bad"], dtype="string"),
        pd.Series(["good", None, "late", "bad"], dtype="category"),
    ],
)
def test_an_outcome_that_is_missing_is_neither(y: Any) -> None:
    found = without_indeterminates(y, "late")
    assert (found.known.tolist(), found.indeterminate.tolist()) == ([0, 3], [2])


def test_a_class_that_no_row_or_every_row_has_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"no row has the class that is called indeterminate; got 'maybe'; allowed: 'bad'"
    ):
        without_indeterminates(["good", "bad"], "maybe")
    with pytest.raises(InputError, match="every row is indeterminate"):
        without_indeterminates(["late", "late"], "late")
