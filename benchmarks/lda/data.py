"""SimuCredit and COMPAS as the paper uses them, without the protected columns among the inputs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from scrutable.binning.tables import Trend


@dataclass(frozen=True, kw_only=True)
class Case:
    """Rows to learn from and to test on; `protected` is the group compared with `reference`."""

    name: str
    train: pd.DataFrame
    test: pd.DataFrame
    inputs: list[str]
    target: str
    favourable: int
    attribute: str
    protected: str
    reference: str
    trends: Mapping[str, Trend]

    def fitting(self) -> tuple[tuple[pd.DataFrame, pd.Series], dict[str, Any]]:
        """Arguments of `fit` and `alternatives`."""
        groups = self.train[[self.attribute]].astype(str)
        return (self.train[self.inputs], self.train[self.target]), {"sensitive_features": groups}

    @property
    def options(self) -> dict[str, Any]:
        """Options that every learner of the case gets."""
        return {
            "trends": self.trends,
            "reference_groups": {self.attribute: self.reference},
            "favourable": self.favourable,
            "explainer": None,
        }

    @property
    def good(self) -> np.ndarray:
        """(n,) favourable outcomes of the test rows."""
        return (self.test[self.target] == self.favourable).to_numpy()

    @property
    def is_protected(self) -> np.ndarray:
        """(n,) protected test rows."""
        return (self.test[self.attribute].astype(str) == self.protected).to_numpy()


def simucredit(seed: int) -> Case:
    """Section 4.1 of the paper; its own split has seed 23."""
    frame = pd.read_csv(folder() / "simucredit_v2.csv.gz")
    target = str(frame.columns[-1])
    inputs = [name for name in frame.columns if name not in (target, "Race", "Gender")]
    rising = ("Mortgage", "Balance")
    train, test = train_test_split(frame, test_size=0.2, random_state=seed)
    return Case(
        name="SimuCredit",
        train=train,
        test=test,
        inputs=inputs,
        target=target,
        favourable=1,
        attribute="Race",
        protected="0",
        reference="1",
        trends={name: "ascending" if name in rising else "descending" for name in inputs},
    )


def compas(seed: int) -> Case:
    """Section 4.2 on the clean file: the two largest groups, no recidivism being favourable."""
    frame = pd.read_csv(folder() / "compas_two_years.csv.gz")
    frame = frame[frame["race"].isin(["African-American", "Caucasian"])]
    counts = ["juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count"]
    train, test = train_test_split(frame, test_size=0.33, random_state=seed)
    return Case(
        name="COMPAS",
        train=train,
        test=test,
        inputs=["age", *counts, "c_charge_degree"],
        target="two_year_recid",
        favourable=0,
        attribute="race",
        protected="African-American",
        reference="Caucasian",
        trends={"age": "ascending", **dict.fromkeys(counts, "descending")},
    )


def folder() -> Path:
    named = os.environ.get("SCRUTABLE_DATA")
    if not named:
        sys.exit("Name the folder of data sets: SCRUTABLE_DATA=... (see CONTRIBUTING.md)")
    return Path(named)
