"""All data sets of two classes that are at hand."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_numeric_dtype

from scrutable.data.datasets import load_german_credit


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """Inputs, and 1 for the class that is called good here, 0 for the other."""

    name: str
    X: pd.DataFrame
    y: NDArray[np.intp]

    @property
    def numeric(self) -> list[str]:
        """Numeric columns."""
        return [str(name) for name in self.X if is_numeric_dtype(self.X[name])]


@cache
def problem(name: str) -> Problem:
    """The data set of this name; columns with one value, and those that name rows or tell the outcome, are left out."""
    if name == "german":
        german = load_german_credit()
        return Problem(name=name, X=german.X, y=(german.y == "good").to_numpy().astype(np.intp))
    options, target, dropped = FILES[name]
    frame = pd.read_csv(folder() / f"{name}.csv.gz", encoding="utf-8-sig", skipinitialspace=True, **options)
    frame = frame.set_axis([str(column).strip() for column in frame], axis=1)
    y = frame[target] if target in frame else frame.iloc[:, int(target)]
    X = frame.drop(columns=[str(y.name), *dropped])
    X = X.loc[:, X.nunique() > 1]
    return Problem(name=name, X=X, y=(y == np.sort(y.unique())[-1]).to_numpy().astype(np.intp))


def folder() -> Path:
    """Where the data sets are."""
    named = os.environ.get("SCRUTABLE_DATA")
    if not named:
        sys.exit("Name the folder of data sets: SCRUTABLE_DATA=... (see CONTRIBUTING.md)")
    return Path(named)


_BARE: dict[str, Any] = {"header": None}
_COMPAS = ["age", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count", "c_charge_degree"]

#: How a file is read, the column of the class, and columns that are no inputs.
FILES: dict[str, tuple[dict[str, Any], str, tuple[str, ...]]] = {
    "adult": (_BARE, "-1", ()),
    "arrhythmia": ({}, "-1", ()),
    "attrition": ({"sep": ";"}, "-1", ("EmployeeNumber",)),
    "bank_mkt": (_BARE, "-1", ()),
    "boston": ({}, "-1", ()),
    "compas_two_years": ({"usecols": [*_COMPAS, "two_year_recid"]}, "two_year_recid", ()),
    "data_banknote_authentication": (_BARE, "-1", ()),
    "diabetes_pima": (_BARE, "-1", ()),
    "heloc": (_BARE | {"sep": r"\s+"}, "0", ()),
    "ionosphere": (_BARE, "-1", ()),
    "magic": (_BARE, "-1", ()),
    "simucredit": ({}, "-1", ("Gender", "Race")),
    "simucredit_v2": ({}, "-1", ("Gender", "Race")),
    "skinnonskin": (_BARE, "-1", ()),
    "taiwan_default": ({}, "y", ()),
    "tictactoe": (_BARE, "-1", ()),
    "transfusion": ({}, "-1", ()),
    "wdbc": (_BARE, "1", ("0",)),
}
EVERY = ("german", *FILES)
#: A few that take little time.
FEW = ("german", "data_banknote_authentication", "diabetes_pima", "transfusion", "tictactoe", "boston")
