"""Roll rates and vintages: against counts told row by row; what is told of few people; where a curve settles."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plugins.sample.drawn_histories import FIRST, MONTHS, drawn, months_seen

from scrutable_sample import OutcomeDefinition, TableOptions, performance_sample
from scrutable_sample.disclosed import told_rows, told_steps
from scrutable_sample.roll_rates import roll_rates
from scrutable_sample.vintages import vintages

EDGES = np.array([0.0, 1, 30, 60, 90])


@pytest.mark.parametrize("seed", range(3))
def test_roll_rates_count_accounts_seen_in_both_windows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")
    history, accounts = drawn(seed, accounts=80)
    made = performance_sample(history, accounts, tables=TableOptions(roll_months=4)).roll_rates
    seen = months_seen(history)
    counts = np.zeros((5, 5), dtype=int)
    for row in accounts.dropna().itertuples():
        months = seen.get(str(row.account), {})
        at = MONTHS.index(str(row.observed))
        windows = [[months[m] for m in range(at + lag, at + lag + 4) if m in months] for lag in (1, 5)]
        if at + 8 <= 35 and all(windows):
            first, following = (int(np.searchsorted(EDGES, max(each), side="right")) - 1 for each in windows)
            counts[first, following] += 1
    assert [row.next for row in made.rows] == [tuple(row) for row in counts.tolist()]
    assert made.statuses == ("0", "1 to 29", "30 to 59", "60 to 89", "90 or more")


@pytest.mark.parametrize("seed", range(3))
def test_vintages_count_accounts_ever_bad_by_months_on_book(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")
    history, accounts = drawn(seed, accounts=80)
    options = TableOptions(cohort="year", step=1)
    made = performance_sample(history, accounts, tables=options).vintages
    seen = months_seen(history)
    first_bad: dict[str, list[Any]] = {}
    for row in accounts.dropna().itertuples():
        months, at = seen.get(str(row.account)), MONTHS.index(str(row.observed))
        bad = min((m for m, days in (months or {}).items() if days >= 90), default=99)
        if months and at < 35 and bad > at:
            first_bad.setdefault(MONTHS[at][:4], []).append((at, bad - at))
    for cohort in made.cohorts:
        own = first_bad[cohort.name]
        length = 35 - max(at for at, _ in own)
        assert cohort.accounts == len(own)
        assert cohort.bads == tuple(sum(late <= month for _, late in own) for month in range(1, length + 1))


def test_accounts_observed_twice_are_opened_first_whatever_the_order_of_their_rows() -> None:
    history, accounts = drawn(4)
    late = accounts.dropna().assign(observed=MONTHS[30])
    both = pd.concat([late, accounts]).drop_duplicates(["account", "observed"])
    options = TableOptions(cohort="year", step=1)
    once, twice, turned = (performance_sample(history, each, tables=options) for each in (accounts, both, both[::-1]))
    assert twice.vintages == turned.vintages == once.vintages


def test_the_rate_of_all_is_that_of_one_cohort_alone() -> None:
    late = np.array([FIRST + 3] * 20 + [FIRST + 9] * 20 + [-1] * 60)
    table = vintages(np.full(100, FIRST), late, history=(FIRST, FIRST + 24), bad=90, window=12, cohort="month",
                     settled=0.02, step=1, least=5)  # fmt: skip
    assert table.rates == pytest.approx(table.cohorts[0].rates)
    assert (table.settles, table.seen) == (10, 1.0)
    assert table.in_words() == (
        "from month 10 on, the cumulative bad rate grows by less than 2.0% of itself a month; the window of 12 months "
        "sees 100% of the bad of 24 months"
    )


def test_a_rate_that_grows_to_the_end_has_not_settled() -> None:
    late = np.concatenate([FIRST + 1 + np.arange(240) // 10, np.full(100, -1)])
    table = vintages(np.full(340, FIRST), late, history=(FIRST, FIRST + 24), bad=90, window=12, cohort="month",
                     settled=0.02, step=1, least=5)  # fmt: skip
    assert table.settles is None
    assert table.seen == pytest.approx(0.5)
    assert "still grows by 2.0% of itself a month or more at month 24" in table.in_words()


def test_accounts_without_a_place_in_the_vintages_are_counted() -> None:
    opened = np.array([-1] * 6 + [FIRST - 5] * 7 + [FIRST + 24] * 8 + [FIRST + 2] * 9 + [FIRST] * 40)
    late = np.full(len(opened), -1)
    late[21:30] = FIRST + 2
    table = vintages(opened, late, history=(FIRST, FIRST + 24), bad=90, window=12, cohort="month", settled=0.02,
                     step=1, least=5)  # fmt: skip
    assert list(table.left_out.values()) == [6, 7, 8, 9]
    assert [cohort.accounts for cohort in table.cohorts] == [40]
    assert "no account became bad" in table.in_words()


def test_a_point_of_no_return_is_told_beside_the_definition() -> None:
    first = np.repeat([0.0, 30, 60, 90], 20)
    following = np.concatenate([np.zeros(20), np.tile([0.0, 0, 0, 40], 5), np.tile([0.0, 65], 10), np.full(20, 95)])
    edges = np.array([0.0, 30, 60, 90])
    rates = roll_rates(first, following, edges, months=6, bad=90, least=5)
    assert [row.stays for row in rates.rows] == [None, 0.25, 0.5, 1.0]
    assert rates.no_return == 60
    assert rates.in_words().endswith("bad begins there or later")
    early = roll_rates(first, following, edges, months=6, bad=30, least=5)
    assert early.in_words().endswith("at 30, where most get better: a later bad would be more stable")
    never = roll_rates(first, np.zeros(80), edges, months=6, bad=90, least=5)
    assert never.no_return is None
    assert "no status is a point of no return" in never.in_words()


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_back_is_enough_people_together(seed: int) -> None:
    chance = np.random.default_rng(seed)
    counts = chance.choice([0, 1, 3, 6, 40, 500], size=(int(chance.integers(1, 4)), 6)).astype(np.int64)
    told = told_rows(counts, 5)
    for row, own in zip(told, counts.tolist(), strict=True):
        assert all(shown is None or shown == count for shown, count in zip(row, own, strict=True))
        assert all(shown is None or shown == 0 or shown >= 5 for shown in row)
        hidden = [count for shown, count in zip(row, own, strict=True) if shown is None]
        assert not hidden or sum(hidden) in {0, *range(5, 10**6)} or all(shown in (None, 0) for shown in row)
    if (counts >= 5).all():
        assert told == [tuple(row) for row in counts.tolist()]


@pytest.mark.parametrize("seed", range(20))
def test_no_two_counts_of_a_vintage_tell_few_people_apart(seed: int) -> None:
    steps = np.cumsum(np.random.default_rng(seed).integers(0, 5, 30)).tolist()
    told = [each for each in told_steps(steps, 100, 5) if each is not None]
    assert all(after == before or after - before >= 5 for before, after in itertools.pairwise([0, *told]))
    assert all(each == 100 or each <= 95 for each in told)


@pytest.mark.parametrize("seed", range(5))
def test_rates_of_all_and_of_cohorts_tell_of_no_few_people(seed: int) -> None:
    chance = np.random.default_rng(seed)
    opened = FIRST + chance.integers(0, 12, 600)
    late = np.where(chance.random(600) < 0.3, opened + chance.integers(1, 24, 600), -1)
    table = vintages(opened, late, history=(FIRST, FIRST + 36), bad=90, window=12, cohort="quarter", settled=0.02,
                     step=2, least=5)  # fmt: skip
    shown = 0
    for month, rate in enumerate(table.rates[:24], 1):
        if rate is not None:
            people = round(rate * 600)  # all cohorts are seen so long
            known = [[bads for bads in cohort.bads[: month // 2] if bads is not None] for cohort in table.cohorts]
            rest = people - sum(each[-1] if each else 0 for each in known)
            assert rest == 0 or rest >= 5
            shown += 1
    assert shown > 5


def test_statuses_of_few_accounts_are_put_together() -> None:
    first = np.concatenate([np.zeros(50), np.full(3, 30.0), np.full(10, 60.0)])
    rates = roll_rates(first, first, np.array([0.0, 30, 60, 90]), months=6, bad=90, least=5)
    assert [(row.status, row.accounts) for row in rates.rows] == [("0 to 59", 53), ("60 to 89", 10), ("90 or more", 0)]


def test_statuses_are_those_of_the_definition_too() -> None:
    history, accounts = drawn(1, accounts=60)
    made = performance_sample(history, accounts, definition=OutcomeDefinition(bad=75, indeterminate=15))
    assert made.roll_rates.statuses == ("0", "1 to 14", "15 to 29", "30 to 59", "60 to 74", "75 to 89", "90 or more")
