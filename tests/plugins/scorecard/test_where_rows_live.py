"""A scorecard of rows that come in batches is that of the rows in memory, to the last byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data import FrameSource
from scrutable.model import dumps

ROWS = 1500


def _frame(kind: str) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({f"x{place}": rng.normal(size=ROWS) for place in range(4)})
    frame["home"] = rng.choice(["own", "rent", "free"], ROWS)
    frame["paid"] = (rng.random(ROWS) < 1 / (1 + np.exp(frame["x1"] - frame["x0"]))).astype(int)
    weights = {"none": np.ones(ROWS), "whole": rng.integers(0, 5, ROWS) * 1.0, "any": rng.uniform(0, 3, ROWS)}
    weights["in or out"] = rng.integers(0, 2, ROWS) * 1.0
    frame["weight"] = weights[kind]
    return frame


@pytest.mark.parametrize("kind", ["none", "whole", "any", "in or out"])
@pytest.mark.parametrize(
    "options", [{"select": None}, {"select": "standard"}, {"encoding": "one-hot", "select": None}], ids=str
)
def test_batches_in_another_order_give_the_same_bytes(kind: str, options: dict[str, Any]) -> None:
    frame = _frame(kind)
    inputs, moved = frame.drop(columns=["paid", "weight"]), frame.sample(frac=1, random_state=1)
    weight = None if kind == "none" else frame["weight"]
    one = create("learner", "scorecard", **options).fit(inputs, frame["paid"], sample_weight=weight)
    if weight is None:
        moved = moved.drop(columns="weight")
    other = create("learner", "scorecard", **options)
    other.fit(FrameSource(moved, rows=400), "paid", sample_weight=None if weight is None else "weight")
    assert dumps(one.model_) == dumps(other.model_)
    assert one.evidence_.metrics == other.evidence_.metrics
