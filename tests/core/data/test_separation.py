"""Columns that separate the outcome nearly perfectly are named; strong and noisy ones are not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from scrutable import create
from scrutable.data.frames import as_table
from scrutable.data.separation import LeakWarning, OutcomeCounts, separating
from scrutable.data.value_counts import RowCounts
from scrutable_review import Review

RNG = np.random.default_rng(5)
N = 2000
SCORE = RNG.normal(size=N)
GOOD = SCORE + RNG.logistic(size=N) > -1.2
FLAG = np.where(~GOOD & (RNG.random(N) < 0.4), 1.0, 0.0)


def _found(**columns: Any) -> dict[str, str]:
    table = as_table(pd.DataFrame(columns))
    return separating({name: table.column(name) for name in table}, GOOD, np.ones(N))


def test_a_flag_that_only_bad_rows_have_is_named() -> None:
    found = _found(flag=FLAG, text=np.where(FLAG == 1, "written off", "open"), gap=np.where(FLAG == 1, np.nan, SCORE))
    share = f"all {int(FLAG.sum())} rows where it is {{}} ({FLAG.mean():.1%}) have the bad outcome"
    assert found == {
        "flag": share.format("1"),
        "text": share.format("'written off'"),
        "gap": share.format("missing"),
    }


@pytest.mark.parametrize("wide", [0.0, 0.001])
def test_a_copy_of_the_target_and_what_defines_it_are_named(wide: float) -> None:
    days = np.where(GOOD, RNG.integers(0, 90, N), RNG.integers(90, 400, N)).astype(float)
    swapped = RNG.random(N) < wide
    found = _found(copy=np.where(GOOD ^ swapped, "no", "yes"), days_late=np.where(swapped, 400 - days, days))
    assert set(found) == {"copy", "days_late"}
    assert found["days_late"].startswith("by itself it ranks the outcomes with an AUC of ")


def test_what_is_strong_or_noise_is_not_named() -> None:
    assert not _found(
        strong=SCORE,
        stronger=np.where(GOOD, 1.5, -1.5) + RNG.normal(size=N),
        codes=[f"branch {each}" for each in RNG.integers(0, 900, N)],
        rare=np.where(~GOOD & (RNG.random(N) < 0.1), 1.0, 0.0),
        constant=np.ones(N),
    )


def test_a_copy_of_the_target_is_named_where_few_are_bad() -> None:
    good = np.arange(20_000) >= 29
    table = as_table({"copy": good.astype(float), "days": np.where(good, RNG.permutation(20_000) % 90, 90.0)})
    assert set(separating({name: table.column(name) for name in table}, good, np.ones(20_000))) == {"copy", "days"}


def test_a_range_and_several_categories_are_named_together() -> None:
    settled = ~GOOD & (RNG.random(N) < 0.6)
    found = _found(
        recovered=np.where(settled, 1 + RNG.random(N), 0.0),
        owed=np.where(settled, -1 - RNG.random(N), 5 + RNG.random(N)),
        status=np.where(settled, np.array(["sold", "in court", "written off"])[np.arange(N) % 3], "open"),
    )
    said = f"({settled.mean():.1%}) have the bad outcome"
    assert found["status"] == f"all {settled.sum()} rows where it is 'in court', 'sold' or 'written off' {said}"
    assert found["recovered"].startswith(f"all {settled.sum()} rows where it is 1.")
    assert found["recovered"].endswith(f" or more {said}")
    assert found["owed"].endswith(f" or less {said}")


def test_a_few_rows_of_the_other_outcome_hide_no_leak() -> None:
    flag = FLAG.copy()
    flag[np.flatnonzero(GOOD)[:1]] = 1.0
    assert _found(flag=flag)["flag"].startswith(f"all but 1 of {int(flag.sum())} rows where it is 1 ")


@pytest.mark.parametrize("side", ["or less", "or more"])
def test_ends_of_a_range_are_those_of_its_rows_where_values_are_in_buckets(side: str) -> None:
    draw = np.random.default_rng(1)
    amount, good = draw.uniform(10_000, 60_000, 60_000).round(2), draw.random(60_000) < 0.7
    inside = amount <= 13_333.33 if side == "or less" else amount >= 53_333.33
    column = as_table({"amount": amount}).column("amount")
    said = separating({"amount": column}, good & ~inside, np.ones(60_000))["amount"]
    count, end = re.fullmatch(rf"all ([0-9,]+) rows where it is ([0-9.]+) {side} .*", said).groups()
    told = amount <= float(end) if side == "or less" else amount >= float(end)
    assert int(count.replace(",", "")) == told.sum()
    assert told.sum() > 0.95 * inside.sum()


def test_few_rows_prove_nothing() -> None:
    good = np.arange(40) >= 12
    table = as_table({"copy": good.astype(float)})
    assert not separating({"copy": table.column("copy")}, good, np.ones(40))


def test_weights_count_in_shares_and_rows_in_chance() -> None:
    table = as_table({"flag": FLAG})
    columns = {"flag": table.column("flag")}
    light = np.where(FLAG == 1, 0.1, 1.0)
    assert not separating(columns, GOOD, light), "less than 5 % of the weight"
    assert separating(columns, GOOD, np.full(N, 1e-6)), "the scale of the weights does not matter"


@given(st.lists(st.tuples(st.sampled_from([None, 0.0, 1.0, 2.5]), st.booleans(), st.integers(0, 3)), min_size=2))
def test_the_auc_is_that_of_another_library(rows: list[tuple[float | None, bool, int]]) -> None:
    values = np.array([np.nan if value is None else value for value, _, _ in rows])
    good, weight = np.array([each for _, each, _ in rows]), np.array([float(each) for _, _, each in rows])
    if weight[good].sum() == 0 or weight[~good].sum() == 0:
        return
    column = as_table({"x": values}).column("x") if not np.isnan(values).all() else None
    if column is None:
        return
    by_end = [roc_auc_score(good, np.where(np.isnan(values), end, values), sample_weight=weight) for end in (-9.0, 9.0)]
    expected = max(max(each, 1 - each) for each in by_end)
    assert OutcomeCounts.of(RowCounts(column, good, weight)).auc() == pytest.approx(expected)


@pytest.mark.parametrize("binner", ["optimal", "quantile"])
def test_fit_and_review_name_it_whatever_the_binner_makes_of_it(binner: str) -> None:
    X = pd.DataFrame({"flag": FLAG, "score": SCORE})
    with pytest.warns(LeakWarning, match=r"Leak or knock-out\? 'flag': all .* rows where it is 1 .* bad outcome"):
        learner = create("learner", "scorecard", binner=binner).fit(X, GOOD.astype(int))
    assert list(learner.evidence_.metrics["leak_or_knock_out"]) == ["flag"]
    with pytest.warns(LeakWarning, match="'flag'"):
        assert list(Review(X, GOOD.astype(int), binner=binner).leaks) == ["flag"]
