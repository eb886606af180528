"""LDA-XGB1: bounds hold on the training rows for every characteristic and group; points are monotone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from scrutable.binning.mixed import MixedValueWarning
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError
from scrutable.fairness import Groups, auc
from scrutable.model import Categories, Interval, dumps
from scrutable.plugins.registry import registry
from scrutable_lda_xgb1.boosting import Boosting
from scrutable_lda_xgb1.learner import LDAXGB1Classifier
from scrutable_lda_xgb1.ranks import rank_values
from scrutable_lda_xgb1.stumps import stump_cuts


def bound(value: float, rows: str = "all") -> object:
    return registry().create("constraint", "fairness-information-value", bound=value, rows=rows)


def naive_fiv(index: np.ndarray, protected: np.ndarray, reference: np.ndarray) -> float:
    """Equation (6) summed over bins with plain counts."""
    total = 0.0
    for position in np.unique(index):
        p = (protected & (index == position)).sum() / protected.sum()
        q = (reference & (index == position)).sum() / reference.sum()
        if p != q:
            total += (p - q) * np.log(p / q) if p and q else np.inf
    return total


@pytest.mark.parametrize("rows", ["all", "events"])
@pytest.mark.parametrize("limit", [0.1, 0.02])
def test_the_bound_holds_for_every_characteristic_and_group(simulated: Dataset, limit: float, rows: str) -> None:
    learner = LDAXGB1Classifier(constraints=[bound(limit, rows)], special_codes=simulated.special_codes, favourable=0)
    learner.fit(simulated.X, simulated.y, sensitive_features=simulated.sensitive_features)
    counted = (simulated.y == 0).to_numpy() if rows == "events" else np.ones(len(simulated.y), dtype=bool)
    groups = Groups.from_frame(simulated.sensitive_features)
    attribute = learner.evaluate(simulated.X).attribute
    assert attribute
    for attribute_name in groups.names:
        labels, reference = groups.labels_of(attribute_name), groups[attribute_name].reference
        for label in set(labels) - {reference}:
            for name, index in attribute.items():
                found = naive_fiv(index, counted & (labels == label), counted & (labels == reference))
                assert found <= limit + 1e-9, (name, attribute_name, label)


def test_a_tighter_bound_leaves_less_information(simulated: Dataset) -> None:
    found = []
    for limit in (1.0, 0.05, 0.005):
        learner = LDAXGB1Classifier(constraints=[bound(limit)], favourable=0)
        learner.fit(simulated.X, simulated.y, sensitive_features=simulated.sensitive_features)
        tables = learner.evidence_.binning["tables"]
        found.append(sum(table["iv"] for table in tables.values()))
    assert found[0] >= found[1] >= found[2]
    assert found[0] > found[2]


def test_points_follow_the_trends(german: Dataset) -> None:
    trends = {"duration_months": "descending", "credit_amount": "descending", "installment_rate": "ascending"}
    model = LDAXGB1Classifier(trends=trends).fit(german.X, german.y).model_
    seen = 0
    for characteristic in model.characteristics:
        if characteristic.feature in trends:
            seen += 1
            points = [a.points for a in characteristic.attributes if a.condition.describe() != "missing"]
            assert points == sorted(points, reverse=trends[characteristic.feature] == "descending")
    assert seen >= 2


def test_the_same_rows_give_the_same_bytes(german: Dataset) -> None:
    fits = [LDAXGB1Classifier().fit(german.X, german.y).model_ for _ in range(2)]
    assert dumps(fits[0]) == dumps(fits[1])


@pytest.mark.filterwarnings("ignore:column '.*'. every value")
def test_useless_features_are_left_out_and_named() -> None:
    y = np.arange(400) % 2
    X = pd.DataFrame({"useful": y + np.arange(400) % 7, "constant": 1.0})
    learner = LDAXGB1Classifier().fit(X, y)
    assert [c.feature for c in learner.model_.characteristics] == ["useful"]
    assert learner.evidence_.metrics["left_out"] == ("constant",)


def test_missing_values_alone_can_break_a_bound() -> None:
    rng = np.random.default_rng(0)
    sex = np.where(np.arange(600) % 2, "f", "m")
    x = np.where((sex == "f") & (rng.random(600) < 0.5), np.nan, rng.normal(size=600))
    y = (rng.random(600) < 0.3 + 0.4 * (np.nan_to_num(x) > 0)).astype(int)
    X = pd.DataFrame({"x": x, "z": rng.normal(size=600) + y})
    learner = LDAXGB1Classifier(constraints=[bound(0.2)]).fit(X, y, sensitive_features=pd.DataFrame({"sex": sex}))
    assert learner.evidence_.metrics["left_out"] == ("x",)


def test_rows_says_which_rows_a_bound_compares() -> None:
    """The groups differ among the favourable rows, and the other way round among the others: not over all."""
    rng = np.random.default_rng(2)
    n = 4000
    y, sex = np.tile([0, 0, 1, 1], n // 4), np.tile([0, 1], n // 2)
    x = rng.normal(size=n) + 0.7 * y + 0.4 * np.where(y == sex, 1, -1)
    X = pd.DataFrame({"x": x, "z": rng.normal(size=n) + y})
    groups = pd.DataFrame({"sex": np.where(sex, "f", "m")})
    among_events = {}
    for rows in ("all", "events"):
        learner = LDAXGB1Classifier(constraints=bound(0.15, rows), reference_groups={"sex": "m"})
        index = learner.fit(X, y, sensitive_features=groups).evaluate(X).attribute["x"]
        among_events[rows] = naive_fiv(index, (y == 1) & (sex == 1), (y == 1) & (sex == 0))
    assert among_events["all"] > 0.3
    assert 0 < among_events["events"] <= 0.15


def test_points_follow_a_trend_that_the_rates_follow_and_the_regression_would_not() -> None:
    """Given a and b, x > 0 lowers the odds; alone it goes with higher ones."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3000))
    x = (a + b > 0).astype(float)
    y = (rng.random(3000) < 1 / (1 + np.exp(-1.5 * (a + b) + x))).astype(int)
    assert y[x == 1].mean() > y[x == 0].mean() + 0.3
    learner = LDAXGB1Classifier(trends={"x": "ascending"}).fit(pd.DataFrame({"x": x, "a": a, "b": b}), y)
    assert learner.evidence_.metrics["without_points"] == ("x",), "no points that rise with x would fit"
    assert [each.feature for each in learner.model_.characteristics] == ["a", "b"]


def test_stumps_see_the_weights() -> None:
    x = np.tile([0.0, 1.0, 2.0, 3.0], 100)
    y = np.where(np.arange(400) < 200, x > 1, np.arange(400) % 8 < 4).astype(int)
    cuts = []
    for weight in (np.where(np.arange(400) < 200, 0.0, 1.0), np.ones(400)):
        learner = LDAXGB1Classifier()
        data = learner.read(pd.DataFrame({"x": x}), y, sensitive_features=None, sample_weight=weight)
        ranked = rank_values(data.features[0], data, (), 0.01, max_bin=256)
        [chosen] = stump_cuts([ranked], data, {}, Boosting(n_estimators=50))
        cuts.append(ranked.between(chosen))
    assert cuts == [[], [2.0]]


def test_smallest_share_is_kept_with_ordinary_missing_and_special_values(simulated: Dataset) -> None:
    learner = LDAXGB1Classifier(min_share=0.2, special_codes=simulated.special_codes, favourable=0)
    learner.fit(simulated.X, simulated.y)
    ordinary = [
        attribute.statistics
        for characteristic in learner.model_.characteristics
        for attribute in characteristic.attributes
        if isinstance(attribute.condition, Interval)
    ]
    assert len(ordinary) >= 4
    assert all(statistics is not None and statistics.share >= 0.2 for statistics in ordinary)


def test_duration_has_its_best_information_value(german: Dataset) -> None:
    """Pooling small pre-bins before merging would leave 0.283."""
    tables = LDAXGB1Classifier().fit(german.X, german.y).evidence_.binning["tables"]
    assert tables["duration_months"]["iv"] == pytest.approx(0.3017, abs=5e-4)


def test_a_bound_that_leaves_nothing_is_refused(german: Dataset) -> None:
    with pytest.raises(InputError, match=r"constraints: no characteristic is left.*got '0, .*Fix: loosen the bound"):
        LDAXGB1Classifier(constraints=[bound(0.0)]).fit(
            german.X[["duration_months"]], german.y, sensitive_features=german.sensitive_features
        )


@pytest.mark.real_data
def test_simucredit_first_rows_of_the_papers_table(data_dir: Path) -> None:
    """Figure 6 of the paper: the ratio rises and the AUC falls as the bound tightens (bounds as in its rows)."""
    frame = pd.read_csv(data_dir / "simucredit_v2.csv.gz")
    target = frame.columns[-1]
    train, test = train_test_split(frame, test_size=0.2, random_state=23)
    inputs = [c for c in frame.columns if c not in (target, "Race", "Gender")]
    up = [c for c in inputs if c in ("Mortgage", "Balance")]
    trends = {c: "ascending" if c in up else "descending" for c in inputs}
    ratios, aucs = [], []
    for limit in (5.0, 1.0, 0.05):
        constraint = bound(limit, "events")
        learner = LDAXGB1Classifier(
            constraints=[constraint],
            trends=trends,
            binner=registry().create("binner", "xgb1", n_estimators=300),
            reference_groups={"Race": "1"},
        )
        learner.fit(train[inputs], train[target], sensitive_features=train[["Race"]])
        found = learner.evaluate(test[inputs])
        protected = test["Race"].to_numpy() == 0
        ratios.append(found.approved[protected].mean() / found.approved[~protected].mean())
        aucs.append(auc(test[target].to_numpy() == 1, found.score))
    assert ratios[0] < 0.68 < 0.8 < ratios[1] < ratios[2]
    assert aucs[0] > aucs[1] > aucs[2] > 0.74


def test_many_rare_categories_carry_no_information(german: Dataset) -> None:
    noise = np.random.default_rng(0).integers(0, 400, 1000).astype(str)
    learner = LDAXGB1Classifier().fit(german.X.assign(noise=noise), german.y)
    assert "noise" in learner.evidence_.metrics["left_out"]


def test_any_binner_gives_the_prebins(german: Dataset) -> None:
    cuts = {"duration_months": [7, 13, 19, 25, 37]}
    binner = registry().create("binner", "quantile", max_bins=12, cuts=cuts, merges={"housing": [["owned", "rented"]]})
    model = LDAXGB1Classifier(binner=binner).fit(german.X, german.y).model_
    free = registry().create("binner", "quantile", max_bins=12).fit(german.X, german.y).binning_
    for characteristic in model.characteristics:
        conditions = [attribute.condition for attribute in characteristic.attributes]
        found = {c.lower for c in conditions if isinstance(c, Interval)} - {-np.inf}
        allowed = {c.lower for c in free[characteristic.feature].conditions if isinstance(c, Interval)}
        assert found <= (set(cuts["duration_months"]) if characteristic.feature == "duration_months" else allowed)
        if characteristic.feature == "housing":
            [together] = [c for c in conditions if isinstance(c, Categories) and "owned" in c.values]
            assert "rented" in together.values


def test_options_of_the_binner_hold_where_the_learner_names_none(simulated: Dataset) -> None:
    binner = registry().create("binner", "xgb1", special_codes=simulated.special_codes, favourable=0)
    by_binner = LDAXGB1Classifier(binner=binner).fit(simulated.X, simulated.y).model_
    by_learner = LDAXGB1Classifier(special_codes=simulated.special_codes, favourable=0).fit(simulated.X, simulated.y)
    assert by_binner.characteristics == by_learner.model_.characteristics


def test_both_solvers_give_the_same_model(german: Dataset) -> None:
    binner = registry().create("binner", "xgb1", max_bin=12)
    models = []
    for solver in ("labels", "milp"):
        learner = LDAXGB1Classifier(constraints=bound(0.03), binner=binner, max_bins=4, solver=solver)
        learner.fit(german.X, german.y, sensitive_features=german.sensitive_features)
        models.append((learner.model_.characteristics, learner.model_.cutoff))
    assert models[0] == models[1]
    with pytest.raises(InputError, match=r"unknown solver.*'labels' or 'milp'"):
        LDAXGB1Classifier(solver="simplex").fit(german.X, german.y)


def test_fewest_events_and_most_bins_are_kept(german: Dataset) -> None:
    learner = LDAXGB1Classifier(min_share=0.0, min_events=25, max_bins=3).fit(german.X, german.y)
    counted = 0
    for characteristic in learner.model_.characteristics:
        merged = [a for a in characteristic.attributes if isinstance(a.condition, Interval | Categories)]
        assert len(merged) <= 3
        for attribute in merged:
            counted += 1
            assert attribute.statistics is not None
            assert min(attribute.statistics.good, attribute.statistics.bad) >= 25
    assert counted > 10


@pytest.mark.filterwarnings("ignore:Leak or knock-out")
def test_a_feature_of_special_and_missing_values_only() -> None:
    y = np.arange(400) % 2
    X = pd.DataFrame({"x": np.where(np.arange(400) % 5 < 2 + y, -9.0, np.nan), "z": y + np.arange(400) % 7})
    X["text"] = pd.Series(np.where(y == 0, "n/a", None), dtype=object)
    learner = LDAXGB1Classifier(special_codes={"x": [-9], "text": ["n/a"]}).fit(X, y)
    assert {c.feature for c in learner.model_.characteristics} == {"x", "z", "text"}


def test_nothing_is_measured_where_nothing_is_compared(german: Dataset) -> None:
    learner = LDAXGB1Classifier(max_bins=np.int64(3)).fit(
        german.X[["duration_months"]], german.y, sensitive_features=german.sensitive_features
    )
    assert learner.evidence_.metrics["fairness_information_value"] == {}
    assert learner.evidence_.metrics["score_gap"] == {}


def pure_flags() -> tuple[pd.DataFrame, np.ndarray]:
    """A number that tells, a flag and a text of which one value of 10 % of 5,000 rows is all bad, and the outcome."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=5000)
    y = (rng.random(5000) < 1 / (1 + np.exp(-(1 + x)))).astype(int)
    flag = (rng.random(5000) < 0.1).astype(int)
    y[flag == 1] = 0
    text = np.where(flag == 1, "X", rng.choice(list("abc"), 5000))
    return pd.DataFrame({"x": x, "flag": flag, "text": text, "copy": y}), y


@pytest.mark.filterwarnings("ignore::scrutable.binning.mixed.MixedValueWarning")  # where good rows are asked for
@pytest.mark.filterwarnings("ignore::scrutable.data.separation.LeakWarning")
@pytest.mark.filterwarnings(
    "ignore::scrutable.plugins.useless_models.DoubtfulModelWarning"
)  # and the copy of the outcome goes
@pytest.mark.parametrize("solver", ["labels", "milp"])
@pytest.mark.parametrize("name", ["flag", "text", "copy"])
def test_a_value_that_is_all_bad_keeps_its_points(name: str, solver: str) -> None:
    """It was left out, or merged with others, because its bin had no good rows."""
    X, y = pure_flags()
    model = LDAXGB1Classifier(solver=solver).fit(X[["x", name]], y).model_
    found = {c.feature: c for c in model.characteristics}[name]
    points = [a.points for a in found.attributes if a.statistics is not None and a.statistics.count > 0]
    worst = min(found.attributes, key=lambda attribute: attribute.points)
    assert np.isfinite(points).all()
    assert worst.statistics.good == 0
    assert max(points) - min(points) > 100
    others = LDAXGB1Classifier(solver=solver, min_events=1).fit(X[["x", name]], y).model_
    assert all(a.statistics.good > 0 for c in others.characteristics for a in c.attributes if a.statistics.count > 0)


@pytest.mark.filterwarnings("ignore::scrutable.data.separation.LeakWarning")
def test_every_candidate_of_a_search_keeps_a_value_that_is_all_bad() -> None:
    X, y = pure_flags()
    groups = pd.DataFrame({"sex": np.random.default_rng(1).choice(["f", "m"], 5000)})
    sweep = {"bounds": [1.0], "budgets": [2.0], "gap_shares": [1.0, 0.5]}
    learner = LDAXGB1Classifier(sweep=sweep)
    for each in learner.alternatives(X[["x", "flag"]], y, sensitive_features=groups):
        assert "flag" in [c.feature for c in each.model.characteristics], (each.method, each.parameters)


@pytest.mark.parametrize("solver", ["labels", "milp"])
def test_a_value_that_is_all_bad_and_too_small_is_named(solver: str) -> None:
    X, y = pure_flags()
    flag = X["flag"].where(np.cumsum(X["flag"]) <= 200, 0)
    y = np.where(X["flag"] == flag, y, 1)
    learner = LDAXGB1Classifier(solver=solver)
    with pytest.warns(MixedValueWarning, match=r"'flag': all 200 rows where it is 1 .*lower min_share \(0\.05\)"):
        learner.fit(pd.DataFrame({"x": X["x"], "flag": flag}), y)
