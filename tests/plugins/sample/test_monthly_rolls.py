"""Roll rates from one month to the next: against counts told row by row; what is told of few people; the picture."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from tests.plugins.sample.drawn_histories import drawn, months_seen

from scrutable.errors import InputError
from scrutable_sample import MonthlyRolls, performance_sample
from scrutable_sample.monthly_rolls import monthly_rolls
from scrutable_sample.plot_rolls import plot_rolls

EDGES = np.array([0.0, 1, 30, 60, 90])


@pytest.mark.parametrize("seed", range(3))
def test_months_are_counted_with_the_month_after(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUTABLE_MIN_CELL", "1")
    history, accounts = drawn(seed, accounts=80)
    rolls = performance_sample(history, accounts, exclude=["status = 'fraud'"]).monthly_rolls
    asked = {str(row.account) for row in accounts.dropna().itertuples() if row.status != "fraud"}
    counts = np.zeros((5, 5), dtype=int)
    for account, months in months_seen(history).items():
        for month, days in months.items():
            if account in asked and month + 1 in months:
                now, later = (int(np.searchsorted(EDGES, each, side="right")) - 1 for each in (days, months[month + 1]))
                counts[now, later] += 1
    assert [row.next for row in rolls.rows] == [tuple(row) for row in counts.tolist()]
    assert [row.months for row in rolls.rows] == counts.sum(axis=1).tolist()
    assert counts.sum() > 200
    for place, row in enumerate(rolls.rows[:-1]):
        assert row.worse == pytest.approx(counts[place, place + 1 :].sum() / counts[place].sum())


@pytest.mark.parametrize("seed", range(20))
def test_no_count_tells_of_few_people(seed: int) -> None:
    chance, least = np.random.default_rng(seed), 5
    account, month = np.repeat(np.arange(30), 12), np.tile(np.arange(12), 30)
    days = chance.choice([0.0, 30, 60, 90], 360, p=[0.9, 0.06, 0.03, 0.01])
    edges = np.array([0.0, 30, 60, 90])
    people: dict[tuple[int, int], set[int]] = defaultdict(set)
    months: Counter[tuple[int, int]] = Counter()
    for place in range(359):
        if month[place + 1] == month[place] + 1:
            cell = int(days[place] // 30), int(days[place + 1] // 30)
            people[cell].add(int(account[place]))
            months[cell] += 1
    for now, row in enumerate(monthly_rolls(account, month, days, edges, least=least).rows):
        whole = set().union(*(people[now, later] for later in range(4)))
        if row.months is None:
            assert (len(whole) < least, set(row.next), row.worse) == (True, {None}, None)
            continue
        hidden = [later for later, each in enumerate(row.next) if each is None]
        told = [later for later in range(4) if later not in hidden]
        assert [row.next[later] for later in told] == [months[now, later] for later in told]
        assert all(len(people[now, later]) not in range(1, least) for later in told)
        assert not hidden or len(set().union(*(people[now, later] for later in hidden))) >= least
        before, after = [later for later in hidden if later <= now], [later for later in hidden if later > now]
        assert row.worse is None or not (before and after)


def test_the_picture_has_the_shares_and_says_what_is_kept_back() -> None:
    account, month = np.repeat(np.arange(12), 3), np.tile(np.arange(3), 12)
    days = np.where(account < 6, month * 30.0, 0.0)
    days[0] = 60.0
    drawn_rolls = plot_rolls(monthly_rolls(account, month, days, np.array([0.0, 30, 60]), least=5))
    texts = [text.get_text() for text in drawn_rolls.axes[0].texts]
    assert texts == ["71 %", "29 %", "0 %", "29 %", "0 %", "0 %", "100 %", "100 %", "few", "few", "few"]
    labels = [label.get_text() for label in drawn_rolls.axes[0].get_yticklabels()]
    assert labels == ["0 to 29  (17 months)", "30 to 59  (6 months)", "60 or more  (few accounts)"]


def test_another_picture_is_refused() -> None:
    history, accounts = drawn(1, accounts=80)
    sample = performance_sample(history, accounts)
    assert isinstance(sample.monthly_rolls, MonthlyRolls)
    assert sample.plot("rolls").axes[0].texts
    with pytest.raises(InputError, match="'vintages' or 'rolls'"):
        sample.plot("roll")  # type: ignore[arg-type]  # what is tested
