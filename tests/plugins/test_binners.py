"""All binners: attributes partition every feature, the user's edits are honoured and recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.datasets import Dataset
from scrutable.model import Categories, Missing, Otherwise, Special
from scrutable.model.characteristics import check_partition
from scrutable.numerics.counts import information_value
from scrutable.registry import registry


def described(binning: Any, feature: str) -> list[str]:
    return [condition.describe() for condition in binning[feature].conditions]


def test_every_table_partitions_its_feature(binner: Any, simulated: Dataset) -> None:
    fitted = binner(special_codes=simulated.special_codes, favourable=simulated.favourable)
    binning = fitted.fit(simulated.X, simulated.y).binning_
    for table in binning.tables:
        check_partition(table.feature, table.conditions)
        assert sum(s.count for s in table.statistics) == len(simulated.y)
        assert sum(s.share for s in table.statistics) == pytest.approx(1)


def test_statistics_match_a_group_by(binner: Any, german: Dataset) -> None:
    fitted = binner(encoding="index").fit(german.X, german.y)
    index = pd.DataFrame(fitted.transform(german.X), columns=german.X.columns)
    for table in fitted.binning_.tables:
        counts = pd.crosstab(index[table.feature.name], german.y.to_numpy())
        for position, s in enumerate(table.statistics):
            seen = position in counts.index
            assert s.good == (counts.loc[position, "good"] if seen else 0)
            assert s.bad == (counts.loc[position, "bad"] if seen else 0)
        good, bad = table.counts
        assert table.iv == pytest.approx(information_value(good, bad))


def test_woe_is_the_log_ratio_of_good_and_bad_shares(german: Dataset) -> None:
    fitted = registry().create("binner", "quantile").fit(german.X, german.y)
    s = fitted.binning_["housing"].statistics[0]
    assert s.woe == pytest.approx(np.log((s.good / 700) / (s.bad / 300)))


def test_fixed_cuts_are_honoured_and_recorded(binner: Any, german: Dataset) -> None:
    binning = binner(cuts={"duration_months": [12, 24.5]}).fit(german.X, german.y).binning_
    assert described(binning, "duration_months") == ["< 12", "[12, 24.5)", ">= 24.5", "missing"]
    [edit] = binning.audit
    assert (edit.feature, edit.action, edit.detail) == ("duration_months", "cuts", "[12.0, 24.5]")
    free = binner().fit(german.X, german.y).binning_
    assert edit.iv_before == free["duration_months"].iv
    assert edit.iv_after == binning["duration_months"].iv


def test_merges_are_honoured_and_recorded(binner: Any, german: Dataset) -> None:
    binning = binner(merges={"housing": [["rented", "rent-free"]]}).fit(german.X, german.y).binning_
    groups = [set(c.values) for c in binning["housing"].conditions if isinstance(c, Categories)]
    assert {"rented", "rent-free"} in groups
    [edit] = binning.audit
    assert (edit.feature, edit.action) == ("housing", "merge")
    assert edit.iv_after == binning["housing"].iv


@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_found_bins_follow_the_trend(binner: Any, german: Dataset, trend: str) -> None:
    names = ["duration_months", "credit_amount"]
    binning = binner(trends=dict.fromkeys(names, trend)).fit(german.X, german.y).binning_
    for name in names:
        table = binning[name]
        rates = [table.statistics[i].good / table.statistics[i].count for i in table.ordered]
        assert rates == sorted(rates, reverse=trend == "descending")
        assert table.trend == trend
    assert [edit.action for edit in binning.audit] == ["trend", "trend"]


def test_special_missing_and_unseen_values_have_their_own_attributes(binner: Any, simulated: Dataset) -> None:
    fitted = binner(special_codes={"bureau_score": [-9]}, encoding="index", favourable=0).fit(simulated.X, simulated.y)
    table = fitted.binning_["bureau_score"]
    rows = simulated.X.head(3).assign(bureau_score=[-9.0, np.nan, -9.000001])
    found = fitted.transform(rows)[:, list(simulated.X.columns).index("bureau_score")]
    assert table.conditions[found[0]] == Special((-9.0,))
    assert table.conditions[found[1]] == Missing()
    assert found[2] in (0, table.ordered[0])


def test_a_list_of_special_codes_counts_in_every_column_that_holds_them(binner: Any, german: Dataset) -> None:
    X = german.X.assign(a=german.X["duration_months"].where(german.X.index % 9 > 0, -9))
    X = X.assign(b=X["a"].astype(float), job=X["job"].where(X.index % 7 > 0, "n/a"))
    listed = binner(special_codes=[-9, "n/a"]).fit(X, german.y).binning_
    named = binner(special_codes={"a": [-9], "b": [-9], "job": ["n/a"]}).fit(X, german.y).binning_
    assert listed == named
    assert {table.feature.name for table in listed.tables if table.feature.special_codes} == {"a", "b", "job"}


def test_unseen_categories_are_neutral(binner: Any, german: Dataset) -> None:
    fitted = binner().fit(german.X, german.y)
    woe = fitted.transform(german.X.head(1).assign(housing="a castle"))
    assert woe[0, list(german.X.columns).index("housing")] == 0
    assert Otherwise() in fitted.binning_["housing"].conditions


def test_numbers_declared_categorical_become_categories_of_doubles(binner: Any, german: Dataset) -> None:
    declared = binner(categorical=["existing_credits"]).fit(german.X, german.y).binning_
    by_frame = binner().fit(german.X.assign(existing_credits=german.X["existing_credits"].astype("category")), german.y)
    assert declared["existing_credits"] == by_frame.binning_["existing_credits"]
    values = {v for c in declared["existing_credits"].conditions if isinstance(c, Categories) for v in c.values}
    assert values == {1.0, 2.0, 3.0, 4.0}


def test_pandas_polars_and_pyarrow_give_the_same_binning(binner: Any, german: Dataset) -> None:
    ours = binner().fit(german.X, german.y).binning_
    polars = pl.from_pandas(german.X)
    assert binner().fit(polars, german.y.to_numpy()).binning_ == ours
    assert binner().fit(polars.to_arrow(), german.y.to_numpy()).binning_ == ours


def test_infinities_are_ordinary_values(binner: Any) -> None:
    x = np.concatenate([np.linspace(0, 1, 200), np.full(20, np.inf), np.full(20, -np.inf)])
    y = (np.nan_to_num(x, posinf=2, neginf=-1) > 0.5).astype(int)
    fitted = binner(encoding="index").fit({"x": x}, y)
    table = fitted.binning_["x"]
    assert fitted.transform({"x": [np.inf, -np.inf]})[:, 0].tolist() == [table.ordered[-1], 0]


def test_zero_weight_rows_do_not_shape_the_bins(binner: Any, german: Dataset) -> None:
    weight = (np.arange(1000) % 4 > 0).astype(float)
    kept = weight > 0
    weighted = binner().fit(german.X, german.y, sample_weight=weight).binning_
    only = binner().fit(german.X[kept], german.y[kept]).binning_
    assert [t.conditions for t in weighted.tables] == [t.conditions for t in only.tables]


@settings(deadline=None, max_examples=60)
@given(
    values=st.lists(st.floats(allow_nan=False, width=64), min_size=4, max_size=40),
    bins=st.integers(1, 6),
    seed=st.integers(0, 99),
)
def test_quantile_bins_are_few_and_never_empty(values: list[float], bins: int, seed: int) -> None:
    y = np.random.default_rng(seed).permutation(np.arange(len(values)) % 2)
    table = registry().create("binner", "quantile", max_bins=bins).fit({"x": values}, y).binning_["x"]
    counts = [table.statistics[i].count for i in table.ordered]
    assert len(counts) <= bins
    assert all(counts)
