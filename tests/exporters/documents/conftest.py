"""A scorecard of German credit that the tests of several documents are about."""

from __future__ import annotations

import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import Scorecard


@pytest.fixture(scope="session")
def german_card() -> Scorecard:
    """A scorecard of all columns, learned on all applicants."""
    german = load_german_credit()
    learner = create("learner", "scorecard", binner="quantile", select=None, favourable="good")
    fitted: Scorecard = learner.fit(german.X, german.y).model_
    return fitted
