"""All binners: attributes partition every feature, the user's edits are honoured and recorded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.datasets import Dataset
from scrutable.data.disclosure.smallest_count import told_from
from scrutable.errors import InputError
from scrutable.model import Categories, Interval, Missing, Otherwise, Special
from scrutable.model.characteristics import check_partition
from scrutable.plugins.registry import registry


def described(binning: Any, feature: str) -> list[str]:
    return [condition.describe() for condition in binning[feature].conditions]


def iv_by_hand(table: Any) -> float:
    """Information value with half a row of each outcome for a pure attribute, written as a loop."""
    good, bad = (side.tolist() for side in table.counts)
    found = 0.0
    for g, b in zip(good, bad, strict=True):
        half = 0.5 if (g > 0) != (b > 0) else 0.0
        if g or b:
            woe = math.log((g + half) / sum(good)) - math.log((b + half) / sum(bad))
            found += max(0.0, (g / sum(good) - b / sum(bad)) * woe)
    return found


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
        counts = pd.crosstab(index[table.feature.name], german.y.to_numpy()).reindex(
            range(len(table.statistics)), fill_value=0
        )
        count = counts.sum(axis=1)
        if (few := (count > 0) & (count < 5)).any():  # these count with others
            assert all(s.count >= 5 or not s.count for s in table.statistics)
            assert not any(s.count for s, alone in zip(table.statistics[-2:], few[-2:], strict=True) if alone)
            assert sum(s.good for s in table.statistics) == counts["good"].sum()
            assert sum(s.bad for s in table.statistics) == counts["bad"].sum()
        else:
            assert [(s.good, s.bad) for s in table.statistics] == list(zip(counts["good"], counts["bad"], strict=True))
        assert table.iv == pytest.approx(iv_by_hand(table))


def test_woe_is_the_log_ratio_of_good_and_bad_shares(german: Dataset) -> None:
    fitted = registry().create("binner", "quantile").fit(german.X, german.y)
    s = fitted.binning_["housing"].statistics[0]
    assert s.woe == pytest.approx(np.log((s.good / 700) / (s.bad / 300)))


def test_fixed_cuts_are_honoured_and_recorded(binner: Any, german: Dataset) -> None:
    binning = binner(cuts={"duration_months": [12, 24.5]}).fit(german.X, german.y).binning_
    assert described(binning, "duration_months") == ["< 12", "[12, 24.5)", ">= 24.5", "missing"]
    [edit] = binning.audit
    assert (edit.feature, edit.action, edit.detail) == ("duration_months", "cuts", "cuts at 12, 24.5")
    free = binner().fit(german.X, german.y).binning_
    assert edit.iv_before == free["duration_months"].iv
    assert edit.iv_after == binning["duration_months"].iv


def test_merges_are_honoured_and_recorded(binner: Any, german: Dataset) -> None:
    binning = binner(merges={"housing": [["rented", "rent-free"]]}).fit(german.X, german.y).binning_
    groups = [set(c.values) for c in binning["housing"].conditions if isinstance(c, Categories)]
    assert {"rented", "rent-free"} in groups
    [edit] = binning.audit
    assert (edit.feature, edit.action) == ("housing", "merges")
    assert edit.iv_after == binning["housing"].iv


@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_found_bins_follow_the_trend(binner: Any, german: Dataset, trend: str) -> None:
    names = ["duration_months", "credit_amount"]
    binning = binner(trends=dict.fromkeys(names, trend)).fit(german.X, german.y).binning_
    for name in names:
        table = binning[name]
        rates = [s.good / s.count for s in (table.statistics[i] for i in table.ordered) if s.count]
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


@pytest.mark.filterwarnings("ignore:column 'x'. every value is")
@settings(deadline=None, max_examples=60)
@given(
    values=st.lists(st.floats(allow_nan=False, width=64), min_size=4, max_size=40),
    bins=st.integers(1, 6),
    seed=st.integers(0, 99),
)
def test_quantile_bins_are_few_and_never_empty(values: list[float], bins: int, seed: int) -> None:
    y = np.random.default_rng(seed).permutation(np.arange(len(values)) % 2)
    with told_from(1):
        table = registry().create("binner", "quantile", max_bins=bins).fit({"x": values}, y).binning_["x"]
    counts = [table.statistics[i].count for i in table.ordered]
    assert len(counts) <= bins
    assert all(counts)


EDITS: list[dict[str, Any]] = [
    {"feature": "duration_months", "action": "cuts", "cuts": [12, 24, 36], "who": "ana", "why": "terms"},
    {"feature": "duration_months", "action": "merge", "at": 36},
    {"feature": "housing", "action": "merges", "groups": [["rented"], ["owned"], ["rent-free"]]},
    {"feature": "housing", "action": "merge", "values": ["rented", "rent-free"]},
    {"feature": "duration_months", "action": "move", "at": 12, "to": 13},
]


def test_edits_are_replayed_on_what_the_binner_finds_and_recorded(binner: Any, german: Dataset) -> None:
    groups = german.sensitive_features
    binning = binner(edits=EDITS).fit(german.X, german.y, sensitive_features=groups).binning_
    assert described(binning, "duration_months") == ["< 13", "[13, 24)", ">= 24", "missing"]
    assert described(binning, "housing") == ["'rented' or 'rent-free'", "'owned'", "any other value", "missing"]
    assert [(edit.feature, edit.action) for edit in binning.audit] == [(e["feature"], e["action"]) for e in EDITS]
    first, *_, last = binning.audit
    free = binner().fit(german.X, german.y, sensitive_features=groups).binning_
    assert (first.who, first.why, first.detail) == ("ana", "terms", "cuts at 12, 24, 36")
    assert first.iv_before == free["duration_months"].iv
    assert last.iv_after == binning["duration_months"].iv
    assert set(last.fiv_after) == {"sex: female / male", "age_group: under 26 / 26 and over"}
    untouched = [name for name in german.X.columns if name not in ("duration_months", "housing")]
    assert [binning[name] for name in untouched] == [free[name] for name in untouched]


def test_an_edit_that_does_not_fit_names_its_place_in_the_list(binner: Any, german: Dataset) -> None:
    edits = [*EDITS, {"feature": "duration_months", "action": "merge", "at": 99}]
    with pytest.raises(InputError, match=r"edit 6, merge, column 'duration_months': there is no such cut; got 99\.0"):
        binner(edits=edits).fit(german.X, german.y)


def test_a_trend_among_the_edits_merges_what_goes_against_it(binner: Any, german: Dataset) -> None:
    edits = [
        {"feature": "duration_months", "action": "cuts", "cuts": [8, 10, 12, 15, 18, 24, 30]},
        {"feature": "duration_months", "action": "trend", "trend": "descending"},
    ]
    table = binner(edits=edits).fit(german.X, german.y).binning_["duration_months"]
    rates = [table.statistics[i].good / table.statistics[i].count for i in table.ordered]
    assert rates == sorted(rates, reverse=True)
    assert 1 < len(rates) < 8
    assert table.trend == "descending"


def test_pre_bins_keep_edits_and_their_trends_reach_the_points(german: Dataset) -> None:
    edits = [
        {"feature": "duration_months", "action": "cuts", "cuts": [7, 13, 19, 25, 37]},
        {"feature": "duration_months", "action": "trend", "trend": "descending", "who": "ana", "why": "policy"},
    ]
    binner = registry().create("binner", "quantile", edits=edits)
    learner = registry().create("learner", "lda-xgb1", binner=binner).fit(german.X, german.y)
    [found] = [each for each in learner.model_.characteristics if each.feature == "duration_months"]
    intervals = [each for each in found.attributes if isinstance(each.condition, Interval)]
    assert {each.condition.lower for each in intervals} <= {-np.inf, 7, 13, 19, 25, 37}
    points = [each.points for each in intervals]
    assert points == sorted(points, reverse=True)
    audit = dict(learner.evidence_.binning)["audit"]
    assert [(entry["action"], entry["who"]) for entry in audit] == [("cuts", ""), ("trend", "ana")]


def test_trends_among_the_edits_of_inner_pre_bins_belong_to_the_outer_binner(german: Dataset) -> None:
    edits = [{"feature": "duration_months", "action": "trend", "trend": "descending"}]
    inner = registry().create("binner", "quantile", edits=edits)
    with pytest.raises(InputError, match=r"binner: trends: the binner of the pre-bins is told otherwise"):
        registry().create("binner", "fiv-bounded", binner=inner).fit(german.X, german.y)


def test_edits_that_break_a_bound_are_refused(german: Dataset) -> None:
    bound = registry().create("constraint", "fairness-information-value", bound=0.02)
    edits = [{"feature": "housing", "action": "merges", "groups": [["rented"], ["owned"], ["rent-free"]]}]
    made = registry().create("binner", "fiv-bounded", binner="quantile", constraints=bound, edits=edits)
    X = german.X[["housing"]]
    with pytest.raises(InputError, match="column 'housing': the fixed cuts or merges break a bound"):
        made.fit(X, german.y, sensitive_features=german.sensitive_features[["sex"]])


def test_means_take_the_same_edits(german: Dataset) -> None:
    amount = german.X["credit_amount"].astype(float)
    binner = registry().create("binner", "quantile", edits=EDITS)
    groups = german.sensitive_features
    data = binner.read_quantity(german.X.drop(columns="credit_amount"), amount, sensitive_features=groups)
    binning = binner.bin_quantity(data)
    assert described(binning, "duration_months") == ["< 13", "[13, 24)", ">= 24", "missing"]
    assert described(binning, "housing")[0] == "'rented' or 'rent-free'"
    merged = binning.audit[3]
    assert merged.explained_after <= merged.explained_before
    assert merged.fiv_after["sex: female / male"] <= merged.fiv_before["sex: female / male"]
