"""Outcomes are read in the classes of the model, whatever the column holds them as."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from scrutable.data.outcome_codes import BAD, GOOD, UNKNOWN, all_classes, codes_of_classes
from scrutable.errors import InputError
from scrutable.model import Outcome

RISK = Outcome(classes=(0, 1), favourable=0)


@pytest.mark.parametrize(
    "y",
    [
        [0, 1, 0],
        [False, True, False],
        ["0", "1", "0"],
        np.array([0.0, 1.0, 0.0]),
        ["0", 1.0, False],
        pd.Series([0, 1, 0], dtype="Int8"),
        pd.Series(["0", "1", "0"], dtype="category"),
        pl.Series(["0", "1", "0"]),
    ],
    ids=["integers", "booleans", "texts", "doubles", "mixed", "nullable", "categories", "polars"],
)
def test_classes_are_known_by_their_labels(y: Any) -> None:
    assert codes_of_classes(RISK, y, 3, "y", complete=True).tolist() == [GOOD, BAD, GOOD]
    assert all_classes(RISK, y, 3, "y").tolist() == [0, 1, 0]


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT])
def test_a_missing_outcome_is_unknown_and_never_a_bad_one(nothing: Any) -> None:
    y = pd.Series([0, nothing, 1], dtype=object)
    assert codes_of_classes(RISK, y, 3, "y").tolist() == [GOOD, UNKNOWN, BAD]
    assert codes_of_classes(RISK, ["0", nothing, "1"], 3, "y").tolist() == [GOOD, UNKNOWN, BAD]
    with pytest.raises(InputError, match="y, row 1: an outcome is missing; got '1 of 3 rows without one'"):
        codes_of_classes(RISK, y, 3, "y", complete=True)


def test_another_class_and_another_number_of_rows_are_refused() -> None:
    with pytest.raises(InputError, match=r"y: an outcome is none of the model's classes; got 'late'; allowed: 0 or 1"):
        codes_of_classes(RISK, ["0", "late"], 2, "y")
    with pytest.raises(InputError, match=r"y: the number of outcomes differs from the number of rows; got \(2,\)"):
        codes_of_classes(RISK, [0, 1], 3, "y")
