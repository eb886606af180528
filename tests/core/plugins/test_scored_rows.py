"""What a model says of training rows, counted: the same for any order and any batches, and the AUC of a library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from scrutable import create
from scrutable.data import FrameSource, read_training
from scrutable.data.datasets import make_credit
from scrutable.model import DecisionModel
from scrutable.plugins.scored_rows import ScoredRows


@pytest.fixture(scope="module", params=["scorecard", "segmented"])
def model(request: pytest.FixtureRequest) -> DecisionModel:
    data = make_credit(900, seed=2)
    if request.param == "scorecard":
        return create("learner", "scorecard", binner="quantile").fit(data.X, data.y).model_
    segments = {"young": "employment_months < 60", "old": "else"}
    return create("learner", "segmented", segments=segments, learner="scorecard").fit(data.X, data.y).model_


@pytest.mark.parametrize("weighted", [False, True])
def test_any_order_and_any_batches_count_the_same(model: DecisionModel, weighted: bool) -> None:
    data = make_credit(900, seed=2)
    weight = np.random.default_rng(3).uniform(0, 2, 900)
    weight[:7] = 0.0
    in_memory = read_training(data.X, data.y, sample_weight=weight if weighted else None)
    rows: Any = data.X.assign(y=np.asarray(data.y), w=weight).sample(frac=1, random_state=4)
    streamed = read_training(
        FrameSource(rows if weighted else rows.drop(columns="w"), 77), "y", sample_weight="w" if weighted else None
    )
    one, other = ScoredRows.of(model, in_memory), ScoredRows.of(model, streamed)
    for name in ("ranking", "score", "approved", "knocked_out", "good", "weight"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert len(pd.unique(one.ranking)) <= len(one.ranking) <= 900
    assert one.weight.sum() == pytest.approx(in_memory.every.weight, rel=1e-14)
    assert one.auc == pytest.approx(roc_auc_score(one.good, one.ranking, sample_weight=one.weight), abs=1e-12)
