"""The figures of unconstrained regressions beside what statsmodels says of them; see statsmodels/make_figures.py."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset
from scrutable.measures import RegressionFigures

THEIRS = json.loads((Path(__file__).parent / "statsmodels" / "figures.json").read_text())
NAMES = ["checking_status", "duration_months", "credit_history", "purpose", "savings", "employment_since"]
ATTRIBUTES = ["checking_status", "duration_months", "savings"]


def fitted(german: Dataset, what: str, weighted: bool) -> RegressionFigures:
    weight = np.array([1.0, 2.5, 0.0, 1.0, 1.0])[np.arange(len(german.y)) % 5] if weighted else None
    options: dict[str, Any] = {"binner": "quantile", "ridge": 0}
    if what == "mean":
        learner = create("learner", "scorecard-regressor", positive=False, **options)
        learner.fit(german.X[NAMES], german.X["credit_amount"] / 1000, sample_weight=weight)
        return RegressionFigures.read(learner.evidence_)
    encoding, inputs = ("woe", NAMES) if what == "woe" else ("one-hot", ATTRIBUTES)
    learner = create("learner", "scorecard", encoding=encoding, explainer=None, **options)
    return RegressionFigures.read(learner.fit(german.X[inputs], german.y, sample_weight=weight).evidence_)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("what", ["woe", "attributes", "mean"])
def test_figures_equal_statsmodels(german: Dataset, what: str, weighted: bool) -> None:
    ours, theirs = fitted(german, what, weighted), THEIRS[f"{what}, {'weighted' if weighted else 'plain'}"]
    assert ours.errors == ("sandwich" if weighted else "model")
    rows = replace(ours, errors="model").frame()
    robust = replace(ours, errors="sandwich").frame()
    told = rows["held"] == ""
    assert told.sum() == len(theirs["coefficient"])
    for name in ("coefficient", "model_error", "sandwich_error", "z", "p", "low", "high"):
        np.testing.assert_allclose(rows[name][told], theirs[name], rtol=1e-8, atol=1e-8, err_msg=name)
    np.testing.assert_allclose(robust["p"][told], theirs["sandwich_p"], rtol=1e-7, atol=1e-8)
    for name in ("log_likelihood", "null_log_likelihood", "aic", "bic"):
        assert getattr(ours, name) == pytest.approx(theirs[name], rel=1e-10), name
    if "vif" in theirs:
        np.testing.assert_allclose(rows["vif"][1:], theirs["vif"], rtol=1e-10)
