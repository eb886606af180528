"""A champion and a challenger on the same applicants."""

from __future__ import annotations

import pytest

from scrutable import create
from scrutable.data.datasets import Dataset, make_credit
from scrutable.model import Scorecard


@pytest.fixture(scope="session")
def credit() -> Dataset:
    return make_credit(1500, seed=3)


@pytest.fixture(scope="session")
def champion(credit: Dataset) -> Scorecard:
    return _fitted(credit, 3)


@pytest.fixture(scope="session")
def challenger(credit: Dataset) -> Scorecard:
    return _fitted(credit, 6)


def _fitted(credit: Dataset, bins: int) -> Scorecard:
    binner = create("binner", "quantile", max_bins=bins)
    model = create("learner", "scorecard", binner=binner, select=None, favourable=0).fit(credit.X, credit.y).model_
    assert isinstance(model, Scorecard)
    return model
