"""What the binner makes of rows: limits by feature, shapes, pure attributes, and OptBinning beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from optbinning import OptimalBinning
from sklearn.metrics import roc_auc_score

from scrutable import create
from scrutable.binning.tables import BinTable
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError, KindError
from scrutable.model import Interval, Otherwise


def table_of(x: Any, y: Any, weight: Any = None, **options: Any) -> BinTable:
    binner = create("binner", "optimal", **options).fit({"x": x}, y, sample_weight=weight)
    return binner.binning_["x"]  # type: ignore[no-any-return]  # any binner


def rates(table: BinTable) -> list[float]:
    return [1 - table.statistics[i].bad_rate for i in table.ordered]


def drawn(rate: Any, seed: int = 0) -> Any:
    return (np.random.default_rng(seed).random(len(rate)) < rate).astype(int)


# --- pure attributes ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def flagged() -> tuple[pd.DataFrame, Any]:
    """6,000 rows, of which a flag says for a tenth that all are bad; a number and the flag as text tell as well."""
    random = np.random.default_rng(4)
    flag, x = random.random(6000) < 0.1, random.normal(size=6000)
    y = (random.random(6000) < 1 / (1 + np.exp(-2.5 - 0.6 * x))).astype(int)
    y[flag] = 0
    text = np.where(flag, "sold", np.where(x > 0, "kept", "owed"))
    return pd.DataFrame({"flag": flag.astype(int), "x": x, "text": text}), y


@pytest.mark.filterwarnings("ignore:Leak or knock-out")
@pytest.mark.parametrize("binner", ["optimal", "optbinning", "quantile"])
@pytest.mark.parametrize("column", ["flag", "text"])
def test_a_tenth_of_the_rows_that_are_all_bad_keep_their_points(
    flagged: tuple[pd.DataFrame, Any], binner: str, column: str
) -> None:
    X, y = flagged[0][[column, "x"]], flagged[1]
    card = create("learner", "scorecard", binner=binner).fit(X[:4000], y[:4000])
    held = card.evaluate(X[4000:])
    drawn_with = np.where(flagged[0]["flag"], -9, X["x"])[4000:]  # in the order of the odds of the rows
    assert roc_auc_score(y[4000:], held.score) > roc_auc_score(y[4000:], drawn_with) - 0.02
    assert roc_auc_score(y[4000:], held.score) > roc_auc_score(y[4000:], X["x"][4000:]) + 0.15
    bad = X[4000:][column].isin([1, "sold"]).to_numpy()
    assert held.points[column][bad].max() < held.points[column][~bad].min()


@pytest.mark.parametrize("binner", ["optimal", "optbinning", "quantile", "manual"])
def test_a_copy_of_the_target_has_a_huge_and_finite_information_value(binner: str) -> None:
    y = np.arange(1000) % 5 > 0
    options = {"cuts": {"x": [1]}} if binner == "manual" else {}
    table = create("binner", binner, **options).fit({"x": y.astype(int)}, y).binning_["x"]
    half = np.log(800.5 / 800 / (0.5 / 200)) - np.log(0.5 / 800 / (200.5 / 200))
    assert table.iv == pytest.approx(half)
    assert rates(table) == [0, 1]


def test_a_pure_tail_is_an_attribute_of_its_own_unless_events_are_asked_for() -> None:
    x = np.arange(2000.0)
    y = drawn(np.where(x < 100, 0, 0.6))
    table = table_of(x, y)
    assert rates(table)[0] == 0
    assert table.conditions[0].describe() in {f"< {first}" for first in range(100, 110)}
    assert min(rates(table_of(x, y, min_events=5))) > 0


@pytest.mark.parametrize("binner", ["optimal", "quantile"])
def test_a_rare_flag_stays_two_attributes(binner: str) -> None:
    flag = (np.arange(6000) % 1000 < 97).astype(int)
    y = drawn(np.where(flag, 0.4, 0.9))
    table = create("binner", binner).fit({"flag": flag}, y).binning_["flag"]
    assert [condition.describe() for condition in table.conditions] == ["< 1", ">= 1", "missing"]
    assert table.iv > 0.3


# --- limits -------------------------------------------------------------------------------------------------


def test_limits_are_for_all_features_or_for_some(german: Dataset) -> None:
    names = ["duration_months", "credit_amount", "age_years"]
    X = german.X[[name for name in names if name in german.X]]
    first, *others = X.columns
    binner = create(
        "binner", "optimal", shape="free", max_bins={first: 3}, min_count={first: 200}, min_events={first: 70}
    ).fit(X, german.y)
    found = binner.binning_[first]
    seen = [s for s in found.statistics if s.count]
    assert 2 <= len(seen) <= 3
    assert min(s.count for s in seen) >= 200
    assert min(min(s.good, s.bad) for s in seen) >= 70
    free = create("binner", "optimal", shape="free").fit(X, german.y).binning_
    assert [binner.binning_[name] for name in others] == [free[name] for name in others]
    assert all(s.count >= 30 for table in free.tables for s in table.statistics if s.count)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), shape=st.sampled_from(["auto", "free", "ascending", "descending", "peak"]))
def test_limits_and_trends_hold_in_the_table_under_weights(seed: int, shape: str) -> None:
    random = np.random.default_rng(seed)
    x = random.choice([random.normal(size=400), random.integers(0, 9, 400), random.exponential(size=400).round(1)])
    weight, y = random.uniform(0.2, 3, 400), random.integers(0, 2, 400)
    trend = random.choice(["ascending", "descending"])
    table = table_of(x, y, weight, shape=shape, trends={"x": trend}, max_bins=5, min_count=20, min_share=0.08)
    found = rates(table)
    assert found == sorted(found, reverse=trend == "descending")
    weights = [table.statistics[i].count for i in table.ordered]
    assert len(weights) == 1 or min(weights) >= max(20 * weight.mean(), 0.08 * weight.sum()) * (1 - 1e-12)
    assert len(weights) <= 5


def test_whole_weights_are_rows_and_their_scale_and_order_do_not_matter(german: Dataset) -> None:
    X, y = german.X[["duration_months", "purpose"]], german.y
    weight = np.where(np.arange(1000) % 3 == 0, 2.0, 1.0)
    options = {"min_count": 0, "min_share": 0.05}
    whole = create("binner", "optimal", **options).fit(X, y, sample_weight=weight).binning_
    repeated = np.repeat(np.arange(1000), weight.astype(int))
    again = create("binner", "optimal", **options).fit(X.iloc[repeated], y.iloc[repeated]).binning_
    assert whole == again
    scaled = create("binner", "optimal").fit(X, y, sample_weight=weight / 64).binning_
    plain = create("binner", "optimal").fit(X, y, sample_weight=weight).binning_
    assert [table.conditions for table in scaled.tables] == [table.conditions for table in plain.tables]
    turned = np.random.default_rng(0).permutation(1000)
    other = create("binner", "optimal").fit(X.iloc[turned], y.iloc[turned], sample_weight=weight[turned]).binning_
    assert other == plain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shape": "none"}, r"shape: unknown shape; got 'none'; allowed: 'auto', 'ascending', .*'concave', 'free'"),
        ({"shape": {"x": "up"}}, r"shape, column 'x': unknown shape; got 'up'"),
        ({"shape": {"z": "free"}}, r"shape: unknown column; got 'z'"),
        ({"max_bins": 0}, r"max_bins: unusable number; got 0; allowed: a whole number from 1"),
        ({"max_bins": {"x": 2.5}}, r"max_bins, column 'x': unusable number; got 2\.5"),
        ({"min_events": {"x": "few"}}, r"min_events, column 'x': unusable number; got 'few'"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        table_of(np.arange(100), np.arange(100) % 2, **options)


def test_the_library_refuses_unknown_shapes_as_well() -> None:
    with pytest.raises(InputError, match="shape: unknown shape; got 'none'; allowed: 'auto', 'ascending'"):
        create("binner", "optbinning", shape="none").fit({"x": np.arange(100)}, np.arange(100) % 2)


# --- shapes -------------------------------------------------------------------------------------------------


def test_the_default_is_monotone_where_a_turn_is_small_or_could_be_chance() -> None:
    x = np.linspace(0, 1, 20_000)
    small_turn = table_of(x, drawn(0.4 + 0.5 * np.minimum(x, 0.9) - 0.2 * np.maximum(x - 0.9, 0)))
    assert rates(small_turn) == sorted(rates(small_turn))
    for seed in range(5):
        noise = rates(table_of(x[::20], drawn(np.full(1000, 0.7), seed)))
        assert noise in (sorted(noise), sorted(noise, reverse=True))


def test_the_default_is_free_where_monotone_attributes_lose_what_a_valley_tells() -> None:
    x = np.linspace(-1, 1, 5000)
    y = drawn(0.3 + 0.6 * x**2)
    free, forced = table_of(x, y), table_of(x, y, trends={"x": "ascending"})
    assert min(rates(free)) not in (rates(free)[0], rates(free)[-1])
    assert free.iv > 2 * forced.iv


def test_a_shape_that_is_asked_for_is_kept() -> None:
    x = np.linspace(-1, 1, 5000)
    y = drawn(0.3 + 0.6 * x**2, seed=3)
    valley = rates(table_of(x, y, shape="valley"))
    steps = np.sign(np.diff(valley))
    assert steps.tolist() == sorted(steps)
    assert len(set(steps)) == 2
    bent = rates(table_of(x, y, shape={"x": "convex"}))
    assert np.diff(bent, 2).min() >= -1e-12
    assert len(bent) > 3


# --- beside the library -------------------------------------------------------------------------------------


@pytest.mark.parametrize("trend", [None, "ascending", "descending", "peak", "valley", "convex", "concave"])
def test_with_equal_limits_it_tells_at_least_what_optbinning_tells(trend: str | None) -> None:
    for seed in range(3):
        random = np.random.default_rng(seed)
        x = random.normal(size=700).round(2) if seed else random.integers(0, 30, 700).astype(float)
        y = (random.random(700) < 1 / (1 + np.exp(-x * random.choice([-1, 1]) + 0.8 * np.sin(3 * x)))).astype(int)
        library = OptimalBinning(
            max_n_bins=5, min_prebin_size=0.05, min_bin_size=0.05, monotonic_trend=trend, random_state=0
        ).fit(x, y)
        cuts = library.splits.tolist() if library.status == "OPTIMAL" else []
        theirs = create("binner", "manual", cuts={"x": cuts}).fit({"x": x}, y).binning_["x"]
        ours = table_of(x, y, max_bins=5, min_share=0.05, min_count=0, shape=trend or "free")
        assert ours.iv >= theirs.iv - 1e-9


# --- categories, quantities ---------------------------------------------------------------------------------


def test_categories_are_grouped_by_rate_and_rare_ones_together() -> None:
    random = np.random.default_rng(0)
    names, rate = np.array(["a", "b", "c", "d"]), np.array([0.2, 0.8, 0.21, 0.8])
    code = np.arange(4000) % 4
    x = np.where(np.arange(4000) % 400 == 0, [f"rare {i}" for i in range(4000)], names[code])
    y = (random.random(4000) < rate[code]).astype(int)
    table = create("binner", "optimal", max_bins=2).fit({"x": x}, y).binning_["x"]
    groups, others = table.conditions[:2], table.statistics[table.conditions.index(Otherwise())]
    assert [set(group.values) for group in groups] == [{"a", "c"}, {"b", "d"}]
    assert others.count == 10, "those of one row each are named nowhere, and count together as any other value"


def test_means_of_a_quantity_are_parted_where_they_step() -> None:
    x = np.arange(900.0)
    loss = np.select([x < 200, x < 650], [0.1, 0.7], 0.4) + np.random.default_rng(0).normal(0, 0.05, 900)
    binner = create("binner", "optimal", max_bins=3)
    table = binner.bin_quantity(binner.read_quantity(pd.DataFrame({"x": x}), pd.Series(loss)))["x"]
    uppers = [c.upper for c in table.conditions if isinstance(c, Interval)]
    assert uppers == [200, 650, np.inf]
    assert table.explained > 0.95
    rising = create("binner", "optimal", max_bins=3, trends={"x": "ascending"})
    means = rising.bin_quantity(rising.read_quantity(pd.DataFrame({"x": x}), pd.Series(loss)))["x"]
    assert np.all(np.diff(means.means[means.ordered]) >= 0)


def test_a_trend_of_categories_is_refused() -> None:
    with pytest.raises((InputError, KindError), match="trends"):
        table_of(np.array(["a", "b"] * 50), np.arange(100) % 2, trends={"x": "ascending"})
