"""Whatever data somebody fits on or predicts for, an error is ours, and says what, where and how to mend it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from scrutable import create
from scrutable.data.training import UnfittedError, read_quantity_training, read_training
from scrutable.errors import LONGEST, ScrutableError
from scrutable.plugins.registry import registry

from .conftest import ESTIMATORS, QUICK, REGRESSORS
from .odd_data import harmless, odd_data, odd_inputs

pytestmark = pytest.mark.filterwarnings("ignore")  # odd data are warned of, by us and by the libraries that get them
#: What learners on stumps take, which makes few of them.
STUMPS = {"binner": create("binner", "xgb1", **QUICK["xgb1"])}
#: A target model of few trees that learn fast.
TARGET = {"target": {"n_estimators": 20, "learning_rate": 0.5}}
#: Options with which fits are short.
OPTIONS = {**QUICK, "fiv-bounded": STUMPS, "lda-xgb1": STUMPS, "fcca": TARGET, "fcca-tree": TARGET}
#: What asks a fitted estimator.
ASKED = ("predict", "predict_proba", "transform", "evaluate")


def outcome(attempt: Callable[[], object]) -> str:
    """Nothing where it works or is refused as it should be; else what went wrong."""
    try:
        attempt()
    except ScrutableError as error:
        said = str(error)
        said.encode()
        told = error.what and error.where and error.fix and len(said) < 5 * LONGEST
        return "" if told else f"an error without a part: {said[:300]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    return ""


def wrong(attempts: dict[str, Callable[[], object]]) -> dict[str, str]:
    return {name: said for name, attempt in attempts.items() if (said := outcome(attempt))}


@pytest.mark.parametrize("read", [read_training, read_quantity_training])
def test_odd_data_are_refused_in_words_as_they_are_read(read: Any) -> None:
    assert wrong({name: functools.partial(read, **given) for name, given in odd_data().items()}) == {}


@functools.cache
def readable(read: Any) -> frozenset[str]:
    """The odd data that learners of classes, or of quantities, get to see."""

    def can_be_read(given: dict[str, Any]) -> bool:
        try:
            read(**given)
        except ScrutableError:
            return False
        return True

    return frozenset(name for name, given in odd_data().items() if can_be_read(given))


@pytest.mark.parametrize(("kind", "name"), [*ESTIMATORS, *(("learner", each) for each in REGRESSORS)])
def test_odd_data_that_can_be_read_are_learned_from_or_refused_in_words(kind: Any, name: str) -> None:
    seen = readable(read_quantity_training if name in REGRESSORS else read_training)
    assert len(seen) > 20
    fits = {
        odd: functools.partial(registry().create(kind, name, **OPTIONS.get(name, {})).fit, **given)
        for odd, given in odd_data().items()
        if odd in seen
    }
    assert wrong(fits) == {}


@pytest.mark.parametrize(("kind", "name"), [*ESTIMATORS, *(("learner", each) for each in REGRESSORS)])
def test_odd_rows_are_answered_or_refused_in_words(kind: Any, name: str) -> None:
    estimator = registry().create(kind, name, **OPTIONS.get(name, {}))
    asked = [each for each in ASKED if hasattr(estimator, each)]
    for each in asked:
        with pytest.raises(UnfittedError, match=r"not fitted yet\. Fix: call fit first"):
            getattr(estimator, each)(harmless()["X"])
    estimator.fit(**harmless())
    for each in asked:
        assert wrong({odd: functools.partial(getattr(estimator, each), X) for odd, X in odd_inputs().items()}) == {}
