"""Values that are all bad or all good, in attributes with others: which are named, with which option, and which not."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.binning.mixed import MixedValueWarning
from scrutable.data.datasets import load_german_credit


def flagged(rows: int, of: int, outcome: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """A flag and a text of which one value has so many rows, all of one outcome; 70 % of the others are good."""
    rng = np.random.default_rng(0)
    flag = (np.arange(of) < rows).astype(int)
    good = np.where(flag == 1, outcome, rng.random(of) < 0.7).astype(int)
    text = np.where(flag == 1, "X", rng.choice(list("abc"), of))
    return pd.DataFrame({"flag": flag, "text": text}), good


def told(binner: str, X: pd.DataFrame, y: np.ndarray, weight: np.ndarray | None = None, **options: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        create("binner", binner, **options).fit(X, y, sample_weight=weight)
    return [str(each.message) for each in caught if each.category is MixedValueWarning]


@pytest.mark.parametrize(
    ("binner", "rows", "of", "option"),
    [("optimal", 27, 1000, "min_count (30)"), ("optbinning", 80, 2000, "min_share (0.05)")],
)
def test_a_value_below_a_limit_is_named_with_the_option(binner: str, rows: int, of: int, option: str) -> None:
    X, y = flagged(rows, of)
    [message] = told(binner, X, y)
    assert message.startswith("Telling values are lost among others. 'flag': all ")
    assert f"'flag': all {rows} rows where it is 1 ({rows / of:.1%}) have the bad outcome" in message
    assert f"'text': all {rows} rows where it is 'X' ({rows / of:.1%}) have the bad outcome" in message
    assert message.count(f"Fix: lower {option}.") == 2
    name = option.split()[0]
    assert not told(binner, X, y, **{name: 1 if name == "min_count" else 0.02})


def test_limits_by_feature_and_of_events_are_named() -> None:
    X, y = flagged(100, 2000)
    [message] = told("optimal", X, y, min_share={"flag": 0.08}, min_events={"text": 5})
    assert "'flag': all 100 rows where it is 1 (5.0%)" in message
    assert "Fix: lower min_share (0.08). 'text'" in message
    assert message.endswith("Fix: lower min_events (5).")


def test_where_no_limit_is_the_cause_the_way_by_hand_is_named() -> None:
    X, y = flagged(80, 2000)
    [message] = told("manual", X, y)
    assert message.endswith("with others. Fix: give it an attribute of its own by the option cuts.")
    assert told("manual", X, y, cuts={"flag": [1]}) == []
    [message] = told("fcca", X[["flag"]].assign(x=y + np.linspace(0, 0.5, 2000)), y, quantile=0.9)
    assert "'flag': all 80 rows" in message


def test_what_the_user_fixed_is_the_users_decision() -> None:
    X, y = flagged(80, 2000)
    edits = [{"feature": "flag", "action": "cuts", "cuts": [], "who": "Kim", "why": "policy"}]
    assert told("optimal", X, y, edits=edits, merges={"text": [["X", "a"], ["b", "c"]]}) == []
    [message] = told("optbinning", X, y, merges={"text": [["X", "a"], ["b", "c"]]})
    assert "'text'" not in message


def test_rows_that_are_all_good_are_named_too_and_weights_only_scale_shares() -> None:
    X, y = flagged(29, 1000, outcome=1)
    [message] = told("optimal", X, y)
    assert "'flag': all 29 rows where it is 1 (2.9%) have the good outcome" in message
    [weighed] = told("optimal", X, y, np.where(X["flag"] == 1, 0.5, 1.0))
    assert "'flag': all 29 rows where it is 1 (1.5%)" in weighed


def test_chance_and_few_rows_are_not_named() -> None:
    for rows, outcome in ((9, 0), (24, 1)):  # 0.7 ** 24 is more than 1e-4
        assert told("optimal", *flagged(rows, 1000, outcome)) == []


def test_missing_values_and_special_codes_have_attributes_of_their_own() -> None:
    X, y = flagged(20, 1000)
    codes = pd.DataFrame({"code": np.where(X["flag"] == 1, -9.0, np.arange(1000) % 4)})
    assert len(told("optimal", codes, y)) == 1
    assert told("optimal", codes, y, special_codes={"code": [-9]}) == []
    assert told("optimal", codes.where(codes != -9), y) == []


def test_measurements_and_long_lists_are_not_looked_at() -> None:
    X, y = flagged(27, 1000)
    many = pd.DataFrame({"x": np.where(X["flag"] == 1, -1.0, np.arange(1000) % 90)})
    assert told("optimal", many, y, min_count=200) == []


@pytest.mark.parametrize("binner", ["optimal", "optbinning", "quantile"])
def test_german_credit_has_no_such_value(binner: str) -> None:
    data = load_german_credit()
    assert told(binner, data.X, data.y, favourable="good") == []


def test_a_value_beside_rows_of_nearly_the_same_outcome_is_not_lost() -> None:
    """Forty good rows are beyond chance among 70 % good ones, and none among 99 %."""
    value = np.repeat([0, 1, 2], [40, 200, 400])
    good = np.ones(640, dtype=int)
    good[[50, 60]], good[300:640] = 0, np.arange(340) % 2
    X = pd.DataFrame({"x": value})
    assert "'x': all 40 rows where it is 0" in told("manual", X, good)[0]
    assert told("optimal", X, good, max_bins=2) == []


def test_the_value_that_most_of_an_attribute_has_is_not_lost_in_it() -> None:
    """Of 588 good rows and 24 bad ones in an attribute it is the bad ones that are lost."""
    value = np.repeat(["a", "b", "c"], [588, 588, 24])
    good = ((value == "a") | ((value == "b") & (np.arange(1200) % 3 > 0))).astype(int)
    [message] = told("optimal", pd.DataFrame({"x": value}), good, merges={}, min_share=0.1, max_bins=2, rare_share=0)
    assert message.count("'x': all ") == 1
    assert "'x': all 24 rows where it is 'c' (2.0%) have the bad outcome" in message
