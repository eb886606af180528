"""Groups of few rows have no fairness information value, and are named."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from scrutable import create
from scrutable.fairness import Groups
from scrutable_review import Review


def test_sixteen_rows_have_no_information_value_without_bound() -> None:
    draw = np.random.default_rng(0)
    X = pd.DataFrame({"income": draw.normal(size=1000)})
    y = draw.random(1000) < 0.5 + 0.2 * (X["income"] > 0)
    race = np.where(X["income"].rank() > 984, "few", np.where(draw.random(1000) < 0.4, "b", "a"))
    groups = Groups.from_frame({"race": race}, min_group_size=0)
    table = Review(X, y, binner=create("binner", "quantile"), sensitive_features=groups).table("income")
    assert list(table.fiv) == ["race: b / a"]
    assert math.isfinite(table.fiv["race: b / a"])
    assert table.few == ("race: few",)
    assert table.to_dict()["few"] == ["race: few"]
