"""The regression scorecard against scikit-learn and SciPy, and its trends, options and refusals."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from optbinning import ContinuousOptimalBinning
from scipy.optimize import nnls
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV

from scrutable import create
from scrutable.binning.mean_binning import MeanBinning
from scrutable.data import CodedArrays
from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.data.frames import as_table
from scrutable.errors import InputError, KindError, ScrutableError
from scrutable.model import Interval, MeanStatistics, RegressionScorecard, dumps, fingerprint, loads
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import registry
from scrutable_scorecard.least_squares import fit_least_squares
from scrutable_scorecard.regressor import ScorecardRegressor


class Amounts(NamedTuple):
    """The German applicants, and the amounts of their loans in thousands."""

    X: pd.DataFrame
    y: pd.Series
    sensitive_features: pd.DataFrame


@pytest.fixture(scope="module")
def amounts() -> Amounts:
    german = load_german_credit()
    return Amounts(german.X.drop(columns="credit_amount"), german.X["credit_amount"] / 1000, german.sensitive_features)


def quantile(**options: Any) -> Any:
    return create("binner", "quantile", **options)


def means(X: pd.DataFrame, binning: MeanBinning) -> Any:
    """(n, features) mean of the attribute of each value."""
    columns = {table.feature.name: as_table(X).column(table.feature.name) for table in binning.tables}
    return np.stack([table.means[table.index(columns[table.feature.name])] for table in binning.tables], axis=1)


def binned(binner: Any, X: pd.DataFrame, y: pd.Series, weight: Any = None) -> MeanBinning:
    found: MeanBinning = binner.bin_quantity(binner.read_quantity(X, y, sample_weight=weight))
    return found


# --- what it fits ------------------------------------------------------------------------------------------------


def test_predictions_equal_scikit_learns_regressions_on_the_means(amounts: Amounts) -> None:
    weight = np.random.default_rng(0).uniform(0.5, 2, len(amounts.y))
    encoded = means(amounts.X, binned(quantile(), amounts.X, amounts.y, weight))
    for positive, theirs in ((False, LinearRegression()), (True, LinearRegression(positive=True))):
        expected = theirs.fit(encoded, amounts.y, sample_weight=weight).predict(encoded)
        ours = ScorecardRegressor(binner=quantile(), ridge=0, positive=positive)
        found = ours.fit(amounts.X, amounts.y, sample_weight=weight).predict(amounts.X)
        assert found == pytest.approx(expected, abs=1e-5)
    n, variance = weight.sum(), np.average((amounts.y - np.average(amounts.y, weights=weight)) ** 2, weights=weight)
    penalised = Ridge(alpha=0.05 * n * variance).fit(encoded, amounts.y, sample_weight=weight)
    ours = ScorecardRegressor(binner=quantile(), ridge=0.05, positive=False)
    found = ours.fit(amounts.X, amounts.y, sample_weight=weight).predict(amounts.X)
    assert found == pytest.approx(penalised.predict(encoded), abs=1e-5)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(seed=st.integers(0, 10_000), k=st.integers(1, 6), ridge=st.sampled_from([0.0, 1e-4, 0.3]))
def test_least_squares_equal_scipys_non_negative_ones(seed: int, k: int, ridge: float) -> None:
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(30, k)) @ rng.normal(size=(k, k)), rng.uniform(0.1, 3, 30)
    y = X @ rng.normal(size=k) + rng.normal(size=30)
    X, y = X - np.average(X, axis=0, weights=weight), y - np.average(y, weights=weight)
    rows = CodedArrays([np.arange(30)] * k, [30] * k, y, weight)
    found = fit_least_squares(rows, list(X.T), np.zeros(k), ridge=ridge)
    scale = weight.sum() * np.average(y**2, weights=weight)
    scaled, rest = np.sqrt(weight / scale)[:, None] * X, np.sqrt(weight / scale) * y
    scaled = np.vstack([scaled, np.sqrt(ridge) * np.eye(k)])
    expected, _ = nnls(scaled, np.concatenate([rest, np.zeros(k)]))
    assert (found >= 0).all()
    assert found == pytest.approx(expected, abs=1e-6, rel=1e-6)


def test_columns_that_add_up_need_a_ridge(amounts: Amounts) -> None:
    twice = amounts.X[["duration_months"]].assign(again=amounts.X["duration_months"])
    with pytest.raises(InputError, match=r"ridge: characteristics add up to one another; got 0\. Fix: give a"):
        ScorecardRegressor(binner="quantile", ridge=0).fit(twice, amounts.y)
    slopes = ScorecardRegressor(binner="quantile").fit(twice, amounts.y).evidence_.metrics["coefficients"]
    assert slopes["again"] == pytest.approx(slopes["duration_months"])  # type: ignore[call-overload,index]  # JSON


def test_binners_of_a_continuous_target_beside_the_library() -> None:
    rng = np.random.default_rng(1)
    x = rng.permutation(600).astype(float)
    y = np.where(x < 210, 1.0, np.where(x < 400, 3.0, 2.0)) + rng.normal(0, 0.3, 600)
    frame, loss = pd.DataFrame({"x": x}), pd.Series(y)
    table = binned(create("binner", "optbinning"), frame, loss)["x"]
    theirs = ContinuousOptimalBinning(max_n_bins=8, min_prebin_size=0.05, min_bin_size=0.05).fit(x, y)
    lower = [condition.lower for condition in table.conditions[1:-1] if isinstance(condition, Interval)]
    assert lower == np.ceil(theirs.splits).tolist()
    assert len(theirs.splits) > 1
    limits = {"max_bins": 8, "min_share": 0.05, "min_count": 0, "shape": "free"}
    assert binned(create("binner", "optimal", **limits), frame, loss)["x"].explained >= table.explained


def test_the_optimal_binner_groups_categories_by_their_mean() -> None:
    job = np.repeat(["a", "b", "c", "d"], 100)
    y = np.repeat([1.0, 5.0, 1.0, 5.0], 100) + np.tile(np.linspace(-0.1, 0.1, 100), 4)
    table = binned(create("binner", "optimal", max_bins=2), pd.DataFrame({"job": job}), pd.Series(y))["job"]
    assert [condition.describe() for condition in table.conditions[:2]] == ["'a' or 'c'", "'b' or 'd'"]
    assert table.explained > 0.99


# --- what its points are ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_points_follow_the_trend_exactly_even_on_the_users_cuts(amounts: Amounts, trend: str, positive: bool) -> None:
    cuts = {"duration_months": [-5, 8, 10, 12, 15, 18, 24, 30, 31, 36, 900], "age": [20, 25, 30, 40, 50, 60]}
    X = amounts.X.assign(age=np.random.default_rng(0).integers(18, 80, len(amounts.X)))
    binner = quantile(cuts=cuts, trends=dict.fromkeys(cuts, trend))
    learner = ScorecardRegressor(binner=binner, positive=positive).fit(X, amounts.y)
    for item in learner.model_.characteristics:
        if item.feature in cuts:
            points = [a.points for a in item.attributes if a.condition.describe() != "missing"]
            assert points == sorted(points, reverse=trend == "descending")
            assert len(points) == len(cuts[item.feature]) + 1
    audit: Any = learner.evidence_.binning["audit"]
    actions = [(edit["feature"], edit["action"]) for edit in audit]
    assert actions == [(name, action) for name in ("duration_months", "age") for action in ("cuts", "trend")]


def test_found_cuts_are_pooled_until_their_means_follow_the_trend(amounts: Amounts) -> None:
    table = binned(quantile(trends={"duration_months": "ascending"}), amounts.X, amounts.y)["duration_months"]
    assert len(table.ordered) > 2
    assert (np.diff(table.means[table.ordered]) > 0).all()
    free = binned(quantile(trends={"duration_months": "descending"}), amounts.X, amounts.y)
    assert len(free["duration_months"].ordered) == 1
    assert free.audit[0].explained_after < free.audit[0].explained_before


def test_characteristics_are_worth_nothing_on_average_and_base_points_are_the_mean(amounts: Amounts) -> None:
    model = ScorecardRegressor(binner="quantile").fit(amounts.X, amounts.y).model_
    assert model.base_points == pytest.approx(amounts.y.mean(), abs=1e-8)
    for item in model.characteristics:
        shares = [a.statistics.share for a in item.attributes if a.statistics is not None]
        points = [a.points for a in item.attributes]
        assert np.dot(shares, points) == pytest.approx(0, abs=1e-7)
        assert all(a.points == 0 for a in item.attributes if a.statistics is not None and not a.statistics.count)
        seen = [a for a in item.attributes if isinstance(a.statistics, MeanStatistics) and a.statistics.count]
        by_mean = sorted(seen, key=lambda a: a.statistics.mean)  # type: ignore[union-attr]  # a mean's
        assert [a.points for a in by_mean] == sorted(a.points for a in seen), "a higher mean never means fewer points"


def test_decimals_round_points_and_base_points(amounts: Amounts) -> None:
    exact = ScorecardRegressor(binner="quantile").fit(amounts.X, amounts.y).model_
    model = ScorecardRegressor(binner="quantile", decimals=2).fit(amounts.X, amounts.y).model_
    by_name = {each.feature: each for each in exact.characteristics}
    for ours in model.characteristics:
        its = by_name[ours.feature]
        for a, b in zip(ours.attributes, its.attributes, strict=True):
            assert a.points == pytest.approx(round(b.points, 2), abs=2**-30)
    assert model.base_points == pytest.approx(round(exact.base_points, 2), abs=2**-30)


@pytest.mark.usefixtures("everybody_told")
def test_smoothing_draws_small_attributes_to_the_mean() -> None:
    X = pd.DataFrame({"job": ["a"] * 98 + ["b"] * 2})
    y = pd.Series([0.0] * 98 + [10.0] * 2)
    by_smoothing = {}
    for smoothing in (0.0, 8.0):
        binner = create("binner", "manual")
        model = ScorecardRegressor(binner=binner, smoothing=smoothing, ridge=0).fit(X, y).model_
        by_smoothing[smoothing] = [a.points for a in model.characteristics[0].attributes[:2]]
        attributes: Any = model.characteristics[0].attributes[:2]
        assert [attribute.statistics.mean for attribute in attributes] == [0, 10]
    # encoded means less the overall 0.2: a -0.2, b 9.8; smoothed by 8: a -0.2 * 98/106, b 9.8 * 2/10
    slope = _slope(np.repeat([-0.2 * 98 / 106, 9.8 * 0.2], [98, 2]), y.to_numpy())
    width = by_smoothing[8.0][1] - by_smoothing[8.0][0]
    assert by_smoothing[0.0] == pytest.approx([-0.2, 9.8], abs=1e-8)
    assert width == pytest.approx(slope * (9.8 * 0.2 + 0.2 * 98 / 106), abs=1e-7)


def _slope(x: Any, y: Any) -> float:
    return float(np.cov(x, y, bias=True)[0, 1] / np.var(x))


def test_missing_and_special_values_have_attributes_of_their_own() -> None:
    data = make_credit(1500, seed=4)
    name = next(name for name in data.X if pd.api.types.is_numeric_dtype(data.X[name]) and data.X[name].isna().any())
    x = data.X[[name]].copy()
    x.iloc[:200, 0] = -9
    y = pd.Series(np.where(x[name].isna(), 5.0, np.where(x[name] == -9, 9.0, 1.0)))
    learner = ScorecardRegressor(binner=quantile(special_codes=[-9]), ridge=0).fit(x, y)
    points = {a.condition.describe(): a.points for a in learner.model_.characteristics[0].attributes}
    assert points["special code -9"] - points["missing"] == pytest.approx(4, abs=1e-7)
    assert learner.predict(pd.DataFrame({name: [-9.0, np.nan]})) == pytest.approx([9, 5], abs=1e-7)


# --- as an estimator --------------------------------------------------------------------------------------------------


def test_predict_reads_the_model_only(amounts: Amounts) -> None:
    learner = ScorecardRegressor().fit(amounts.X, amounts.y)
    assert isinstance(learner.model_, RegressionScorecard)
    assert learner.predict(amounts.X).tolist() == evaluate(loads(dumps(learner.model_)), amounts.X).score.tolist()
    learner.model_ = ScorecardRegressor(decimals=0).fit(amounts.X, amounts.y).model_
    assert (learner.predict(amounts.X) % 1 == 0).all()
    assert learner.evaluate(amounts.X).score.tolist() == learner.predict(amounts.X).tolist()


def test_weights_count_like_repeated_rows(amounts: Amounts) -> None:
    weight = np.random.default_rng(0).integers(1, 4, len(amounts.y))
    learner = ScorecardRegressor(binner="quantile")
    weighted = clone(learner).fit(amounts.X, amounts.y, sample_weight=weight)
    X = amounts.X.loc[amounts.X.index.repeat(weight)]
    repeated = clone(learner).fit(X, amounts.y.repeat(weight))
    assert weighted.predict(amounts.X) == pytest.approx(repeated.predict(amounts.X), abs=1e-7)


def test_the_same_fit_gives_the_same_bytes_whatever_the_frame(amounts: Amounts) -> None:
    import polars as pl

    first = ScorecardRegressor().fit(amounts.X, amounts.y)
    assert clone(first).fit(amounts.X, amounts.y).model_ == first.model_
    polars = clone(first).fit(pl.from_pandas(amounts.X), pl.Series(amounts.y.name, amounts.y.to_numpy()))
    assert dumps(polars.model_) == dumps(first.model_)
    flipped = clone(first).fit(amounts.X, -amounts.y).model_
    assert flipped.provenance.data_fingerprint != first.model_.provenance.data_fingerprint


def test_evidence_and_provenance_say_how_the_model_was_made(amounts: Amounts) -> None:
    learner = ScorecardRegressor(binner=quantile(max_bins=4), unit="thousand marks").fit(amounts.X, amounts.y)
    assert learner.evidence_.model_sha256 == fingerprint(learner.model_)
    assert learner.model_.provenance.learner == "ScorecardRegressor"
    assert (learner.model_.outcome.target, learner.model_.outcome.unit) == ("credit_amount", "thousand marks")
    tables: Any = learner.evidence_.binning["tables"]
    assert set(tables) == set(amounts.X.columns)
    assert set(tables["purpose"]) == {"explained", "trend", "attributes"}
    assert set(learner.evidence_.metrics["coefficients"]) == set(amounts.X.columns)  # type: ignore[arg-type]  # JSON
    assert learner.evidence_.metrics["inputs_checked_against_groups"] is False


def test_grid_search_tunes_it(amounts: Amounts) -> None:
    search = GridSearchCV(
        ScorecardRegressor(binner=quantile()), {"binner__max_bins": [2, 8], "ridge": [1e-4, 1.0]}, cv=3
    )
    search.fit(amounts.X, amounts.y)
    assert search.best_params_ == {"binner__max_bins": 8, "ridge": 1e-4}
    assert search.best_score_ > 0.4


def test_protected_columns_are_kept_out_of_the_inputs(amounts: Amounts) -> None:
    told = amounts.sensitive_features.assign(told=amounts.X["housing"])
    with pytest.raises(InputError, match="column 'housing': an input tells the protected attribute 'told'"):
        ScorecardRegressor(binner="quantile").fit(amounts.X, amounts.y, sensitive_features=told)
    learner = ScorecardRegressor(binner="quantile")
    learner.fit(amounts.X, amounts.y, sensitive_features=amounts.sensitive_features)
    assert learner.evidence_.metrics["inputs_checked_against_groups"] is True
    assert learner.n_features_in_ == len(amounts.X.columns)


def test_a_target_that_never_changes_is_predicted() -> None:
    for value in (0.1, 0.0, -3.0):
        learner = ScorecardRegressor().fit({"x": np.arange(60.0)}, np.full(60, value))
        assert learner.predict({"x": [1.0, np.nan]}) == pytest.approx([value, value], abs=2**-29)


# --- what it refuses --------------------------------------------------------------------------------------------------

X = pd.DataFrame({"age": np.arange(120) % 17 + 20, "job": ["cook", "clerk", "smith"] * 40})
Y = np.arange(120) / 7


def refused(match: str, y: Any = Y, kind: type[Exception] = InputError, fit: Any = None, **options: Any) -> None:
    learner = ScorecardRegressor(**{"binner": "quantile"} | options)
    with pytest.raises(kind, match=match):
        learner.fit(X, y, **(fit or {}))
    assert not hasattr(learner, "model_")


@pytest.mark.parametrize(
    ("y", "match", "kind"),
    [
        (["low", "high"] * 60, "y: a quantity is measured in numbers; got 'low'; allowed: numbers", KindError),
        (["1.5", "2.5"] * 60, "y: a quantity is measured in numbers; got '1.5'", KindError),
        (np.where(Y > 3, Y, np.nan), "y, row 0: Input y contains NaN. Fix: drop the rows", InputError),
        (np.where(Y > 3, Y, np.inf), "y, row 0: Input y contains infinity", InputError),
        (None, "requires y to be passed", InputError),
        (
            Y * 1e6,
            r"y: the target is too large .*allowed: at most 4194304\. Fix: measure it in a larger unit",
            InputError,
        ),
        (Y * 1e-9, "y: the target varies too little .*Fix: measure it in a smaller unit", InputError),
    ],
)
def test_targets_that_it_refuses(y: Any, match: str, kind: type[Exception]) -> None:
    refused(match, y, kind)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"ridge": -1}, "ridge: unusable number; got -1; allowed: a finite number from 0"),
        ({"smoothing": float("nan")}, "smoothing: unusable number"),
        ({"decimals": 7}, "decimals: unusable number; got 7; allowed: a whole number from 0 to 6"),
        ({"binner": "quantil"}, "unknown binner; got 'quantil'. Fix: did you mean 'quantile'"),
        ({"binner": quantile(favourable=1)}, "QuantileBinner, favourable: a quantity has no favourable class; got 1"),
    ],
)
def test_options_that_it_refuses(options: dict[str, Any], match: str) -> None:
    refused(match, kind=ScrutableError, **options)


def test_weights_that_it_refuses() -> None:
    refused("at least one non-zero", kind=ValueError, fit={"sample_weight": np.zeros(120)})
    refused("sample_weight: weights may not be negative", fit={"sample_weight": np.full(120, -1.0)})


@pytest.mark.parametrize("name", registry().names("binner"))
def test_binners_bin_for_a_quantity_or_say_that_they_cannot(name: str) -> None:
    if name in ("fine", "manual", "optbinning", "optimal", "quantile"):
        assert ScorecardRegressor(binner=name).fit(X, Y).model_
    else:
        refused(
            "bins for two classes, not for a quantity.*use the binner fine, manual, optbinning, optimal or quantile",
            binner=name,
        )


def test_a_binner_of_ones_own_that_asks_for_classes_is_told() -> None:
    from scrutable.plugins.bases import Binner

    class ByRate(Binner):
        def find_cuts(self, sample: Any) -> list[float]:
            return [float(sample.values[sample.outcomes[:, 1] > 0].min())]

        def find_groups(self, sample: Any) -> list[tuple[Any, ...]]:
            return []

    with pytest.raises(InputError, match=re.escape("bins for two classes, not for a quantity")):
        ScorecardRegressor(binner=ByRate()).fit(X, Y)
