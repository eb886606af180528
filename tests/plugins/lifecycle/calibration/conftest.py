"""Simulated applicants, and models of two kinds fitted on the first of them."""

from __future__ import annotations

import pytest

from scrutable import create
from scrutable.data.datasets import make_credit
from scrutable.data.datasets.dataset import Dataset
from scrutable.model import Scorecard, TreeEnsemble


@pytest.fixture(scope="session")
def credit() -> Dataset:
    return make_credit(4000, seed=8)


@pytest.fixture(scope="session")
def card(credit: Dataset) -> Scorecard:
    learner = create("learner", "lda-xgb1", favourable=0)
    model: Scorecard = learner.fit(credit.X[:2000], credit.y[:2000]).model_
    assert model.reasons is not None
    return model


@pytest.fixture(scope="session")
def ensemble(credit: Dataset) -> TreeEnsemble:
    options = {"n_estimators": 8, "max_depth": 2, "favourable": 0}
    model: TreeEnsemble = create("learner", "fairgbm", **options).fit(credit.X[:2000], credit.y[:2000]).model_
    return model
