"""Fits and scores in threads at once: each is what it is alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.plugins.registry import registry

GERMAN = load_german_credit()
X, Y = GERMAN.X[["checking_status", "duration_months", "credit_amount"]].head(300), GERMAN.y.head(300)
THREADS = 4
OPTIONS: dict[str, dict[str, Any]] = {"fairgbm": {"n_estimators": 5}}
LEARNERS = [
    pytest.param(name, marks=() if name == "scorecard" else pytest.mark.deep) for name in registry().names("learner")
]

pytestmark = pytest.mark.trial


def scores(name: str) -> list[Any]:
    learner = create("learner", name, **OPTIONS.get(name, {}))
    y = Y if learner.__sklearn_tags__().estimator_type == "classifier" else np.asarray(X["credit_amount"])
    fitted = learner.fit(X, y)
    return [fitted.model_, *np.ravel(fitted.predict(X)).tolist()]


@pytest.mark.parametrize("name", LEARNERS)
def test_fits_in_threads_are_those_of_one(name: str, tried: Callable[[str, int], None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a fit warns of is another test's
        alone = scores(name)
        with ThreadPoolExecutor(THREADS) as pool:
            together = list(pool.map(scores, [name] * THREADS))
    assert together == [alone] * THREADS
    tried("fits in threads", THREADS)
