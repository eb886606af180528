"""Every first-party binner and learner, and small data to fit them on."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from scrutable import create
from scrutable.data.datasets import Dataset, load_german_credit, make_credit
from scrutable.plugins.registry import registry
from scrutable_fcca.training import TargetOptions

BINNERS = registry().names("binner")
#: Learners of a quantity; all others learn classes.
REGRESSORS = [
    listing.component.name
    for listing in registry().listings("learner")
    if "regression-scorecard" in listing.component.produces
]
LEARNERS = [name for name in registry().names("learner") if name not in REGRESSORS]
SCORECARD_LEARNERS = [
    listing.component.name for listing in registry().listings("learner") if "scorecard" in listing.component.produces
]
#: Options without which a learner gives another kind of model.
FOR_SCORECARDS: dict[str, dict[str, Any]] = {"fairgbm": {"max_depth": 1}}
_FEW_STUMPS = create("binner", "xgb1", n_estimators=150)
_SMALL_TARGET = TargetOptions(n_estimators=60)
#: Options with which little shows as much: few trees, short sheets; all checks hold with these as with the defaults.
QUICK: dict[str, dict[str, Any]] = {
    "excel": {"rows": 5},
    "fairgbm": {"n_estimators": 20},
    "fcca": {"target": _SMALL_TARGET},
    "fcca-tree": {"target": _SMALL_TARGET},
    "fiv-bounded": {"binner": _FEW_STUMPS},
    "lda-xgb1": {"binner": _FEW_STUMPS},
    "xgb1": {"n_estimators": 50},
}
#: Those that compile a program once a model and more.
_COMPILED = (
    "every-field-counts",
    "every-option-of-an-export-runs-alike",
    "random-models-run-alike",
    "rows-are-run-by-themselves",
    "runs-leave-their-rows-as-they-were",
    "settings-hold-nothing-of-the-model",
    "what-runs-are-the-files",
)
#: Checks that start LibreOffice, Chromium or a compiler once a model and more, that take hundreds of fits, or that hold
#: for the defaults and not with few stumps, whose penalties are of weight; the deep form of the contract makes them.
SLOW = {
    "c": _COMPILED,
    "excel": (
        "every-option-of-an-export-runs-alike",
        "many-rows-run-alike",
        "names-that-look-alike-are-told-apart",
        "random-models-run-alike",
        "rows-are-run-by-themselves",
        "runs-leave-their-rows-as-they-were",
    ),
    "fcca": ("whole-weights-are-repeated-rows-under-every-option",),
    "fiv-bounded": ("the-scale-of-weights-means-nothing",),
    "fcca-tree": ("whole-weights-are-repeated-rows-under-every-option",),
    "java": _COMPILED,
    "report": (
        "every-option-of-an-export-runs-alike",
        "names-that-look-alike-are-told-apart",
        "random-models-run-alike",
        "rows-are-run-by-themselves",
        "runs-leave-their-rows-as-they-were",
        "settings-hold-nothing-of-the-model",
        "what-runs-are-the-files",
    ),
}
ESTIMATORS = [("binner", name) for name in BINNERS] + [("learner", name) for name in LEARNERS]


@pytest.fixture(autouse=True)
def _values_shown(values_shown: None) -> None:
    """Every test here reads values in errors."""


@pytest.fixture(params=ESTIMATORS, ids=[name for _, name in ESTIMATORS])
def estimator(request: pytest.FixtureRequest) -> Any:
    """Each binner and learner of classes with its defaults."""
    return registry().create(*request.param)


@pytest.fixture(params=BINNERS)
def binner(request: pytest.FixtureRequest) -> Any:
    """Each binner's class."""
    return registry().load("binner", request.param)


@pytest.fixture(params=LEARNERS)
def learner(request: pytest.FixtureRequest) -> Any:
    """The class of each learner of classes."""
    return registry().load("learner", request.param)


@pytest.fixture(params=REGRESSORS)
def regressor(request: pytest.FixtureRequest) -> Any:
    """The class of each learner of a quantity."""
    return registry().load("learner", request.param)


@pytest.fixture(params=SCORECARD_LEARNERS)
def scorecard_learner(request: pytest.FixtureRequest) -> Any:
    """What makes each learner that gives scorecards, as one that does."""
    return partial(registry().load("learner", request.param), **FOR_SCORECARDS.get(request.param, {}))


@pytest.fixture(scope="session")
def german() -> Dataset:
    """1,000 real applicants."""
    return load_german_credit()


@pytest.fixture(scope="session")
def simulated() -> Dataset:
    """3,000 simulated applicants with missing values and special codes."""
    return make_credit(3000, seed=5)
