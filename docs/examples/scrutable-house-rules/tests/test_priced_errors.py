"""The constraint `priced-errors`: its contract, and that its bound changes what learners of others decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scrutable import create, evaluate
from scrutable.fairness import Groups
from scrutable.testing import ConstraintSuite

from scrutable_house_rules.priced_errors import PricedErrors


class TestPricedErrors(ConstraintSuite):
    component = "priced-errors"


def people() -> tuple[pd.DataFrame, pd.Series, pd.DataFrame]:
    """Two groups, of which one is harder to tell apart."""
    chance, rows = np.random.default_rng(3), 400
    group = np.where(np.arange(rows) % 2 == 0, "f", "m")
    x = chance.normal(size=rows) - 0.8 * (group == "f")
    good = chance.uniform(size=rows) < 1 / (1 + np.exp(-2 * x - 0.3))
    outcome = pd.Series(np.where(good, "good", "bad"), dtype=object)
    frame = pd.DataFrame({"x": x.round(1), "z": chance.integers(0, 5, rows).astype(float)})
    return frame, outcome, pd.DataFrame({"sex": group}, dtype=object)


@pytest.mark.parametrize(
    ("learner", "options"), [("rug", {"random_state": 1}), ("fairgbm", {"n_estimators": 30, "random_state": 1})]
)
def test_its_bound_changes_what_learners_decide(learner: str, options: dict[str, Any]) -> None:
    X, y, groups = people()
    free = create("learner", learner, **options).fit(X, y)
    bounded = create("learner", learner, constraints=[PricedErrors(slack=0.02)], **options)
    bounded.fit(X, y, sensitive_features=groups)
    decided = [evaluate(each.model_, X).approved for each in (free, bounded)]
    assert (decided[0] != decided[1]).any()
    [bound] = PricedErrors(slack=0.02).bind((y == "good").to_numpy(), Groups.from_frame(groups))
    good = (y == "good").to_numpy()
    gaps = [abs(bound.contrast(good, Groups.from_frame(groups)).value(each != good)) for each in decided]
    assert gaps[1] < gaps[0]
