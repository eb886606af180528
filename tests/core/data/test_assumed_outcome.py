"""Which class is taken as the good outcome where nobody names it, and when that is warned of."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.assumed_outcome import AssumedOutcomeWarning
from scrutable.data.training import read_training


def _told(y: Any, name: str | None = None, **options: Any) -> tuple[Any, list[str]]:
    """The class that is taken as the good one, and what is warned of it."""
    outcomes = pd.Series(y, name=name)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        data = read_training({"age": np.arange(len(outcomes), dtype=float)}, outcomes, **options)
    return data.outcome.favourable, [str(each.message) for each in told if each.category is AssumedOutcomeWarning]


@pytest.mark.parametrize(
    ("y", "name"),
    [
        ([0] * 4 + [1], None),
        ([0] * 4 + [1], "y"),
        ([1] * 4 + [2], "class"),  # German credit as it is published: 2 is bad
        ([False] * 4 + [True], None),
        (["no"] * 4 + ["yes"], "y"),
        ([1] * 4 + [0], "default"),
        ([1] * 4 + [0], "is_bad"),
        (["Yes"] * 4 + ["No"], "chargedOff"),
        ([1] * 4 + [0], "seriousDelinquency"),
        ([1] * 4 + [0], "not_paid"),
        (["Late (31-120 days)"] * 4 + ["Current"], "status"),
    ],
)
def test_a_last_class_that_may_be_the_bad_one_is_warned_of_once(y: list[Any], name: str | None) -> None:
    first, last = sorted(set(y))
    taken, told = _told(y, name)
    assert taken == last
    assert len(told) == 1
    assert f"favourable={first!r} if {first!r} is the good outcome" in told[0]
    assert f"favourable={last!r} if {last!r} is." in told[0]
    for named in (first, last):
        assert _told(y, name, favourable=named) == (named, [])


@pytest.mark.parametrize(
    ("y", "name"),
    [
        ([1] * 4 + [0], None),
        ([0, 1] * 2, None),
        ([0] * 4 + [1], "paid"),
        ([0] * 4 + [1], "approved_flag"),
        ([0] * 4 + [1], "no_default"),
        (["loan denied"] * 4 + ["loan granted, paid"], None),
        (["bad"] * 4 + ["good"], "default"),
        ([0, 1, 2] * 3, "default"),
    ],
)
def test_where_nothing_speaks_against_the_last_class_nothing_is_told(y: list[Any], name: str | None) -> None:
    if len(set(y)) > 2:
        assert _told(y, name, multi_class=True) == (max(y), [])
    else:
        assert _told(y, name) == (max(y), [])


def test_labels_that_say_it_go_before_their_order_as_on_the_command_line() -> None:
    assert _told(["approved", "denied", "approved"]) == ("approved", [])
    assert _told(["Fully Paid", "default"]) == ("Fully Paid", [])


def test_the_share_is_that_of_the_weight() -> None:
    assert _told([0, 1, 1], sample_weight=np.array([4.0, 0.5, 0.5]))[1][0].count("20% of the rows") == 1
    assert not _told([0, 0, 1], sample_weight=np.array([1.0, 1, 3]))[1]


@pytest.mark.parametrize("name", ["additive", "scorecard", "lda-xgb1"])
def test_a_fit_warns_once_and_a_named_class_ends_it(name: str) -> None:
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"age": chance.normal(size=400), "debt": chance.normal(size=400)})
    y = (X["age"] + chance.normal(size=400) > 1).astype(int)
    for favourable, times in ((None, 1), (0, 0), (1, 0)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            create("learner", name, favourable=favourable).fit(X, y)
        assert sum(each.category is AssumedOutcomeWarning for each in told) == times
        assert all(each.filename == __file__ for each in told if each.category is AssumedOutcomeWarning)
