"""Fit certificates: equal fits hold, and whatever differs is named."""

from __future__ import annotations

from typing import Any

import pytest

from scrutable import create
from scrutable.data import FrameSource
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.proof import certify_fits


def _places(change: Any = None) -> dict[str, dict[str, Any]]:
    german = load_german_credit()
    rows = german.X.assign(credit_risk=german.y).sample(frac=1, random_state=1)
    rows = rows if change is None else change(rows)
    here = {"X": german.X, "y": german.y}
    return {"frame": here, "batches": {"X": FrameSource(rows, 128), "y": "credit_risk"}}


def test_the_same_rows_hold() -> None:
    learner = create("learner", "scorecard", binner="quantile")
    certificate = certify_fits(learner, _places())
    assert certificate.holds
    assert certificate.to_dict()["runs"][1]["place"] == "batches"
    assert not hasattr(learner, "model_")


def test_another_value_is_told() -> None:
    def change(rows: Any) -> Any:
        return rows.assign(credit_amount=rows["credit_amount"] + (rows["credit_amount"] == rows["credit_amount"].max()))

    certificate = certify_fits(create("learner", "scorecard", binner="quantile"), _places(change))
    assert "data" in certificate.differ
    assert "plan" not in certificate.differ
    assert certificate.describe().startswith("Not the same from 2 places (frame, batches): data")


def test_one_place_certifies_nothing() -> None:
    with pytest.raises(InputError, match="several places"):
        certify_fits(create("learner", "scorecard"), {"frame": {}})
