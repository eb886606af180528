"""Outcomes by payment history: against a reference told row by row, in every frame, with what is odd counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.plugins.sample.drawn_histories import drawn, expected

from scrutable.errors import InputError, KindError, ModelError
from scrutable_sample import OutcomeDefinition, SampleColumns, performance_sample

DEFINITIONS = [
    OutcomeDefinition(),
    OutcomeDefinition(bad=60, indeterminate=None, window=6, least_months=4),
    OutcomeDefinition(bad=120, indeterminate=60, window=9, least_months=8),
]


@pytest.fixture
def _all_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of few people are told."""
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")


def history(**columns: object) -> pd.DataFrame:
    """Three months of one account."""
    own = {"account": ["A"] * 3, "month": ["2019-02", "2019-03", "2019-04"], "days_past_due": [0, 40, 0]}
    return pd.DataFrame({**own, **columns})


ONE = pd.DataFrame({"account": ["A"], "observed": ["2019-01"]})
SHORT = OutcomeDefinition(window=3)


@pytest.mark.usefixtures("_all_told")
@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("seed", range(4))
def test_outcomes_and_exclusions_are_those_of_a_reference(seed: int, definition: OutcomeDefinition) -> None:
    past, accounts = drawn(seed)
    made = performance_sample(past, accounts, definition=definition, exclude=["status = 'fraud'"])
    reference = expected(past, accounts, definition)
    outcomes = {"good", "bad", "indeterminate"}
    told = dict(zip(made.development["account"], made.development["outcome"], strict=True))
    assert told == {account: word for account, word in reference.items() if word in outcomes}
    assert made.exclusions == Counter(word for word in reference.values() if word not in outcomes)
    assert made.not_asked_for == 1
    assert sum(made.exclusions.values()) + len(made.development) == made.accounts  # type: ignore[arg-type]


@pytest.mark.parametrize("made", [pl.from_pandas, pa.Table.from_pandas, pd.DataFrame.copy])
def test_a_frame_comes_back_as_it_went_in(made: Callable[[pd.DataFrame], Any]) -> None:
    past, accounts = drawn(1)
    plain = performance_sample(past, accounts)
    told = performance_sample(nw.from_native(made(past)), made(accounts))
    assert type(told.development) is type(made(past))
    back = nw.from_native(told.development).to_pandas()
    assert back["outcome"].tolist() == plain.development["outcome"].tolist()
    assert told.to_dict() == plain.to_dict()


def test_nothing_depends_on_the_order_of_the_history() -> None:
    past, accounts = drawn(2)
    other = past.sample(frac=1, random_state=5)
    assert performance_sample(past, accounts).to_dict() == performance_sample(other, accounts).to_dict()


@pytest.mark.parametrize(
    "months",
    [
        pd.to_datetime(["2019-02-28", "2019-03-31", "2019-04-30"]),
        pd.period_range("2019-02", periods=3, freq="M"),
        [201902, 201903, 201904],
        ["2019/2/28", "2019/3/31", "2019/4/30"],
        ["20190228", "20190331", "20190430"],
    ],
)
def test_months_may_be_dates_periods_numbers_or_texts(months: object) -> None:
    made = performance_sample(history(month=months), ONE, definition=SHORT)
    assert made.development["outcome"].tolist() == ["indeterminate"]
    assert made.until == "2019-04"


def test_accounts_may_be_observed_at_periods_and_numbered_in_one_table_only() -> None:
    accounts = pd.DataFrame({"account": [7], "observed": pd.period_range("2019-01", periods=1, freq="M")})
    made = performance_sample(history(account=["7"] * 3), accounts, definition=SHORT)
    assert made.development["outcome"].tolist() == ["indeterminate"]


def test_days_below_zero_are_refused_or_read_as_told() -> None:
    past = history(days_past_due=[0, -5, 0])
    with pytest.raises(InputError, match=r"column 'days_past_due', row 1: days past due below 0 in 1 of 3 rows"):
        performance_sample(past, ONE, definition=SHORT)
    ahead = performance_sample(past, ONE, definition=OutcomeDefinition(window=3, least_months=3, negative="current"))
    assert ahead.development["outcome"].tolist() == ["good"]
    with pytest.raises(InputError, match="no account has an outcome; got 'most are left out: seen in fewer than 3"):
        performance_sample(past, ONE, definition=OutcomeDefinition(window=3, least_months=3, negative="missing"))


def test_a_small_balance_is_no_arrears() -> None:
    past = history(days_past_due=[95, 0, 0], balance=[4.0, 0.0, 0.0])
    columns = SampleColumns(balance="balance")
    small = performance_sample(past, ONE, columns=columns, definition=OutcomeDefinition(window=3, least_balance=5))
    assert small.development["outcome"].tolist() == ["good"]
    large = performance_sample(past, ONE, columns=columns, definition=OutcomeDefinition(window=3, least_balance=4))
    assert large.development["outcome"].tolist() == ["bad"]


@pytest.mark.parametrize(
    ("past", "accounts", "words"),
    [
        (history(days_past_due=["0", "30+", "0"]), ONE, "column 'days_past_due': expected numbers"),
        (history(days_past_due=[0, np.inf, 0]), ONE, "column 'days_past_due', row 1: an infinite number"),
        (history(month=["2019-02", "soon", "2019-04"]), ONE, "column 'month', row 1: not a date; got 'soon'"),
        (history(month=["2019Q1", "2019Q2", "2019Q3"]), ONE, "column 'month', row 0: the date has no month"),
        (history(account=[None] * 3), ONE, "history: no row can be used"),
        (history().drop(columns="month"), ONE, "month of the history: no such column"),
        (history(), ONE.rename(columns={"observed": "seen"}), "observed: no such column"),
        (history(), pd.concat([ONE, ONE]), "row 1: 1 rows have the account and month of observation of another row"),
        (history(), ONE.assign(outcome=1), "column 'outcome': the accounts have a column of the name"),
        (history(), ONE.assign(account="B"), "no account has an outcome; got 'most are left out: no history'"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_place(past: pd.DataFrame, accounts: pd.DataFrame, words: str) -> None:
    with pytest.raises((InputError, KindError)) as told:
        performance_sample(past, accounts, definition=SHORT)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bad": 0}, "nobody would be good"),
        ({"bad": 30}, "indeterminates are less late than the bad"),
        ({"window": 0}, "window: not a number of months; got 0"),
        ({"least_months": 13}, "allowed: a whole number from 1 to 12"),
        ({"negative": "drop"}, "allowed: 'refuse' or 'current' or 'missing'"),
        ({"bad": float("nan")}, "bad: expected a finite number"),
    ],
)
def test_definitions_are_checked(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as told:
        OutcomeDefinition(**options)  # type: ignore[arg-type]
    assert words in str(told.value)


def test_rows_of_the_history_that_are_left_out_are_counted() -> None:
    rows = {"account": ["A"] * 16 + [None] * 5, "month": ["2019-02"] * 11 + ["2019-09"] * 5 + ["2019-02"] * 5}
    past = pd.DataFrame({**rows, "days_past_due": [0.0] * 6 + [None] * 5 + [0.0] * 10})
    made = performance_sample(past, ONE, definition=OutcomeDefinition(window=1), until="2019-04")
    assert made.rows_left_out == {
        "without an account": 5,
        "without a month": 0,
        "without days past due": 5,
        "after the last month": 5,
        "of a month that a worse or equal row tells of": 5,
    }


@pytest.mark.usefixtures("_all_told")
def test_weights_restore_the_accounts_and_the_holdout_is_whole() -> None:
    past, accounts = drawn(3, accounts=300)
    whole = performance_sample(past, accounts, out_of_time_from="2019-02")
    made = performance_sample(past, accounts, out_of_time_from="2019-02", keep={"good": 0.2}, seed=4)
    sums = made.development.groupby("outcome")["weight"].sum()
    assert sums.round(9).to_dict() == whole.development["outcome"].value_counts().to_dict()
    assert made.development["account"].is_unique
    assert set(made.development["observed"]) < set(whole.development["observed"]) | {None}
    assert made.development["observed"].max() < "2019-02" <= made.holdout["observed"].min()
    assert made.holdout["account"].tolist() == whole.holdout["account"].tolist()
    assert set(made.holdout["weight"]) == {1.0}
    assert "weight" not in whole.development
    bad = made.development[made.development["outcome"] == "bad"]
    assert set(bad["weight"]) == {1.0}
    assert len(bad) == (whole.development["outcome"] == "bad").sum()
    goods = [(each["outcome"] == "good").sum() for each in (made.development, whole.development)]
    assert goods[0] == round(0.2 * goods[1])
    assert {each.outcome: each.weight for each in made.drawn}["good"] == goods[1] / goods[0]


def test_a_weight_does_not_tell_of_how_few_it_was_drawn() -> None:
    names = [f"A{number}" for number in range(63)]
    past = pd.DataFrame({"account": names, "month": "2019-02", "days_past_due": [90] * 3 + [40] * 20 + [0] * 40})
    accounts = pd.DataFrame({"account": names, "observed": "2019-01"})
    made = performance_sample(past, accounts, definition=OutcomeDefinition(window=1), keep={"bad": 0.67, "good": 0.5})
    told = {each.outcome: (each.rows, each.drawn, each.weight) for each in made.drawn}
    assert told["bad"] == (None, None, None)
    assert sorted(map(str, told.values())) == ["(40, 20, 2.0)", "(None, None, None)", "(None, None, None)"]


def test_what_cannot_be_drawn_or_left_out_is_refused() -> None:
    past, accounts = drawn(3, accounts=100)
    with pytest.raises(InputError, match="keep: no row has this outcome; got 'goods'"):
        performance_sample(past, accounts, keep={"goods": 0.2})
    with pytest.raises(InputError, match="keep: no row would be left"):
        performance_sample(past, accounts, keep={"bad": 0.0001})
    for condition, words in (
        ("status = 'frod'", "exclude: the condition holds for no account"),
        ("state = 'fraud'", "no such column; got 'state'"),
        ("status < 3", "status"),
        ("status ~ 3", "cannot be read"),
    ):
        with pytest.raises((InputError, ModelError), match=words):
            performance_sample(past, accounts, exclude=[condition])
