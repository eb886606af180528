"""The learner: bounds that hold, both backends and methods, options, what is refused, and models that export."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import check_estimator

from scrutable import create
from scrutable.errors import InputError, PluginError
from scrutable.fairness import BrokenBoundWarning, Groups
from scrutable.model import Scorecard, TreeEnsemble, dumps, loads
from scrutable.model.evaluator import evaluate
from scrutable_fairgbm.learner import FairGBMClassifier
from scrutable_fairgbm.operating import Operating
from scrutable_fairgbm.options import BoosterOptions
from scrutable_fairgbm.plots import plot_history

BACKENDS = ("lightgbm", "xgboost")
#: Bins of features are cut by rows, whatever they weigh.
MAY_FAIL = {"check_sample_weight_equivalence_on_dense_data": "features are cut at quantiles of rows"}

pytestmark = pytest.mark.filterwarnings("ignore::scrutable.fairness.BrokenBoundWarning")


def sample(seed: int = 0, n: int = 3000) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    """Inputs of every kind, some of which go with the group; women are a third, and have fewer good outcomes."""
    rng = np.random.default_rng(seed)
    woman = rng.random(n) < 0.33
    income, hours = rng.normal(0, 1, n) - 0.8 * woman, rng.normal(0, 1, n) - 0.6 * woman
    job = np.where(rng.random(n) < np.where(woman, 0.7, 0.3), "office", rng.choice(["cook", "smith", "clerk"], n))
    signal = 1.2 * income + 0.8 * hours + 0.5 * (job == "smith") + rng.logistic(0, 1, n) - 0.4
    months = rng.choice([-9.0, 1.0, 5.0, np.nan, 20.0], n)
    X = pd.DataFrame({"income": income.round(2), "hours": hours, "job": job.astype(object), "months": months})
    X.loc[rng.random(n) < 0.05, "income"] = np.nan
    return X, (signal + 0.3 * (months == 20) > 0).astype(int), pd.DataFrame({"sex": np.where(woman, "f", "m")})


def learner(**options: Any) -> FairGBMClassifier:
    return FairGBMClassifier(**{"n_estimators": 60, "max_leaves": 8, "special_codes": {"months": [-9.0]}, **options})


def metrics(fitted: FairGBMClassifier) -> Any:
    return fitted.evidence_.metrics


def model_of(fitted: FairGBMClassifier) -> Any:
    return fitted.model_


def score_of(model: Any, X: pd.DataFrame) -> np.ndarray:
    return np.asarray(evaluate(model, X).score)


def trees_of(fitted: FairGBMClassifier) -> tuple[Any, ...]:
    assert isinstance(fitted.model_, TreeEnsemble)
    return fitted.model_.trees


def gap(fitted: FairGBMClassifier, X: pd.DataFrame, y: np.ndarray, sex: pd.DataFrame, given: int | None = 1) -> float:
    approved = fitted.predict(X) == 1
    among = np.ones(len(y), bool) if given is None else y == given
    woman = sex["sex"].to_numpy() == "f"
    return float(approved[among & woman].mean() - approved[among & ~woman].mean())


@pytest.mark.filterwarnings("ignore::scrutable.data.separation.LeakWarning")  # toy data may be separable
@pytest.mark.parametrize("backend", BACKENDS)
def test_scikit_learns_own_checks_pass(backend: Any) -> None:
    own = FairGBMClassifier(backend=backend, n_estimators=20)
    results = check_estimator(own, on_fail=None, on_skip=None, expected_failed_checks=MAY_FAIL)
    assert {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"} == {}
    assert len(results) > 50


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("constraint", "given"), [("opportunity", 1), ("demographic-parity", None), ("false-positive-rate", 0)]
)
def test_gaps_close_at_little_cost(backend: Any, constraint: str, given: int | None) -> None:
    X, y, sex = sample()
    options = {"positive": "favourable"} if constraint == "false-positive-rate" else {}
    wish = create("constraint", constraint, slack=0.02, **options)
    without = learner(backend=backend, n_estimators=100).fit(X, y)
    own = learner(backend=backend, n_estimators=100, constraints=wish, held_out=None)
    bound = own.fit(X, y, sensitive_features=sex)
    assert abs(gap(without, X, y, sex, given)) > 0.13
    assert abs(gap(bound, X, y, sex, given)) < 0.06
    assert bound.score(X, y) > without.score(X, y) - 0.08
    [found] = metrics(bound)["constraints"]
    assert found["gap"] == pytest.approx(gap(bound, X, y, sex, given), abs=1e-9)


@pytest.mark.parametrize("rate", [1e-3, 0.5])
@pytest.mark.parametrize("compare", ["reference", "everyone", "pairs"])
def test_no_rate_and_no_slack_makes_scores_run_away(rate: float, compare: str) -> None:
    X, y, _ = sample()
    many = pd.DataFrame({"region": np.random.default_rng(5).choice(list("abcdefghij"), len(y))})
    wish = create("constraint", "error-rate-balance", slack=0.0, compare=compare, min_group_size=1)
    without = learner().fit(X, y)
    fitted = learner(constraints=wish, multiplier_rate=rate).fit(X, y, sensitive_features=many)
    assert np.abs(score_of(fitted.model_, X)).max() < 10
    assert fitted.score(X, y) > without.score(X, y) - 0.03


def test_without_constraints_it_is_plain_boosting() -> None:
    X, y, _ = sample()
    numbers = X[["income", "hours"]]
    fitted = FairGBMClassifier(n_estimators=30).fit(numbers, y)
    booster = lightgbm.LGBMClassifier(n_estimators=30, n_jobs=1, deterministic=True, force_row_wise=True, verbose=-1)
    theirs = booster.fit(numbers.to_numpy(), y).predict_proba(numbers.to_numpy())
    np.testing.assert_allclose(fitted.predict_proba(numbers), np.asarray(theirs), atol=1e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_model_decides_as_it_was_trained_and_stumps_are_a_scorecard(backend: Any) -> None:
    X, y, sex = sample()
    wish = create("constraint", "opportunity", slack=0.02)
    card = learner(backend=backend, constraints=wish, max_depth=1).fit(X, y, sensitive_features=sex)
    trees = learner(backend=backend, constraints=wish, max_depth=1, explainer=None).fit(X, y, sensitive_features=sex)
    assert isinstance(card.model_, Scorecard)
    assert model_of(card).reasons is not None
    assert model_of(trees).reasons is None
    assert card._learned is not None
    ensemble = card._learned.ensemble
    assert isinstance(ensemble, TreeEnsemble)
    assert score_of(card.model_, X).tolist() == score_of(ensemble, X).tolist()
    assert loads(dumps(card.model_)) == card.model_
    assert dumps(clone(card).fit(X, y, sensitive_features=sex).model_) == dumps(card.model_)


@pytest.mark.parametrize("proxy", ["cross-entropy", "hinge", "quadratic"])
def test_the_papers_method_and_its_randomised_classifier(proxy: Any) -> None:
    X, y, sex = sample()
    wish = create("constraint", "opportunity", slack=0.05)
    options = {"method": "proxy-lagrangian", "proxy": proxy, "multiplier_rate": 0.3}
    fitted = learner(constraints=wish, **options).fit(X, y, sensitive_features=sex)
    assert abs(gap(fitted, X, y, sex)) < 0.85 * abs(gap(learner().fit(X, y), X, y, sex))
    assert min(metrics(fitted)["multipliers"].values()) >= 0
    random = fitted.randomised()
    assert not random.fit_for_credit_decisions
    share = random.share_approved(X)
    said = random.predict(X, random_state=1)
    assert said.tolist() == random.predict(X, random_state=1).tolist()
    assert said.tolist() != random.predict(X, random_state=2).tolist()
    assert ((said == 1) <= (share > 0)).all()
    assert ((said == 1) >= (share == 1)).all()
    unsure = (share > 0) & (share < 1)
    assert unsure.any()
    assert (said == 1)[unsure].mean() == pytest.approx(share[unsure].mean(), abs=0.05)
    assert (random._approved(X)[-1] == (fitted.predict(X) == 1)).all()


def test_the_papers_ceiling_is_kept_at_even_odds() -> None:
    X, y, _ = sample()
    own = learner(method="proxy-lagrangian", operating=Operating(approved_bad=0.1), multiplier_rate=0.5)
    fitted = own.fit(X, y)
    assert model_of(fitted).cutoff == 0.0
    approved = fitted.predict(X)[y == 0] == 1
    assert approved.mean() < 0.14 < (learner().fit(X, y).predict(X)[y == 0] == 1).mean()


@pytest.mark.parametrize("held_out", [None, 0.2])
def test_a_ceiling_holds_where_the_model_decides_and_so_do_bounds(held_out: float | None) -> None:
    X, y, sex = sample(n=9000)
    rare = y.astype(bool) | (np.random.default_rng(2).random(len(y)) < 0.8)  # few bad payers
    learned, new = slice(0, 6000), slice(6000, 9000)
    operating = Operating(fpr=0.1, positive="unfavourable")
    wish = create("constraint", "false-positive-rate", positive="unfavourable", slack=0.0)
    options = {"operating": operating, "held_out": held_out}
    fitted = learner(constraints=wish, **options).fit(X[learned], rare[learned], sensitive_features=sex[learned])
    plain = learner(**options).fit(X[learned], rare[learned])
    woman = (sex["sex"] == "f").to_numpy()[new]
    ratios = []
    for each in (plain, fitted):
        declined = ~each.predict(X[new])
        assert declined[rare[new]].mean() == pytest.approx(0.1, abs=0.04)
        shares = [declined[rare[new] & side].mean() for side in (woman, ~woman)]
        ratios.append(min(shares) / max(shares))
    assert ratios[0] < 0.55
    assert ratios[1] > 0.7


def test_probabilities_are_calibrated_though_scores_are_bent() -> None:
    X, y, sex = sample(n=6000)
    fitted = learner(constraints=create("constraint", "opportunity"), class_weight={0: 5.0, 1: 1.0})
    fitted.fit(X, y, sensitive_features=sex)
    probability = fitted.predict_proba(X)[:, 1]
    raw = 1 / (1 + np.exp(-score_of(fitted.model_, X)))
    assert probability.mean() == pytest.approx(y.mean(), abs=0.02)
    assert log_loss(y, probability) < log_loss(y, raw) - 0.05


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("metric", ["log-loss", "auc"])
def test_early_stopping_keeps_the_best_round(backend: Any, metric: Any) -> None:
    X, y, sex = sample(n=1200)
    own = learner(backend=backend, n_estimators=300, learning_rate=0.3, early_stopping=15, stopping_metric=metric)
    fitted = own.fit(X[:800], y[:800], validation=(X[800:], y[800:]))
    losses = fitted.history_.losses
    assert fitted.history_.kept == np.argmin(losses) == len(losses) - 1 - 15
    assert isinstance(fitted.model_, TreeEnsemble)
    assert len(fitted.model_.trees) == fitted.history_.kept
    if metric == "log-loss":
        assert log_loss(y[800:], fitted.predict_proba(X[800:])[:, 1]) == pytest.approx(losses.min(), abs=1e-5)
    groups = own.set_params(constraints=create("constraint", "opportunity")).fit(
        X[:800], y[:800], sensitive_features=sex[:800], validation=(X[800:], y[800:], sex[800:])
    )
    assert metrics(groups)["rows_held_out"] == 400
    assert len(metrics(groups)["constraints_held_out"]) == 1


def test_warm_start_goes_on_with_trees_and_multipliers() -> None:
    X, y, sex = sample()
    own = learner(constraints=create("constraint", "opportunity"), warm_start=True, n_estimators=30, held_out=None)
    own.fit(X, y, sensitive_features=sex)
    first, multipliers = own.model_, dict(metrics(own)["multipliers"])
    own.set_params(n_estimators=60).fit(X, y, sensitive_features=sex)
    assert isinstance(first, TreeEnsemble)
    assert isinstance(own.model_, TreeEnsemble)
    assert own.model_.trees[:30] == first.trees
    assert len(own.model_.trees) == 60
    assert own.history_.multipliers[0].tolist() == list(multipliers.values())
    at_once = clone(own).fit(X, y, sensitive_features=sex)
    difference = score_of(own.model_, X) - score_of(at_once.model_, X)
    assert np.abs(difference).mean() < 0.1
    with pytest.raises(InputError, match="backend: the trees to go on from are another backend's; got 'xgboost'"):
        own.set_params(backend="xgboost").fit(X, y, sensitive_features=sex)
    own.set_params(backend="lightgbm")
    with pytest.raises(InputError, match="has more trees"):
        own.set_params(n_estimators=20).fit(X, y, sensitive_features=sex)
    with pytest.raises(InputError, match="not those of the fit to go on from"):
        own.set_params(n_estimators=90).fit(X.drop(columns="income"), y, sensitive_features=sex)
    assert len(own.model_.trees) == 60


def test_the_latest_rows_are_held_out() -> None:
    X, y, sex = sample()
    dates = pd.Series(pd.date_range("2020-01-01", periods=50).to_numpy()[np.arange(3000) % 50])
    own = learner(constraints=create("constraint", "opportunity"), held_out=0.1)
    fitted = own.fit(X, y, sensitive_features=sex, dates=dates)
    assert metrics(fitted)["rows_held_out"] == 300  # the last five of fifty days
    late = (np.arange(3000) % 50) >= 45
    [found] = metrics(fitted)["constraints_held_out"]
    assert found["gap"] == pytest.approx(gap(fitted, X[late], y[late], sex[late]))
    with pytest.raises(InputError, match="no earlier date is left"):
        own.fit(X, y, sensitive_features=sex, dates=["2020"] * 3000)
    with pytest.raises(InputError, match="one date a row"):
        own.fit(X, y, sensitive_features=sex, dates=[1, 2])
    with pytest.raises(InputError, match=r"one date a row; got 'an array of shape \(3000, 1\)'"):
        own.fit(X, y, sensitive_features=sex, dates=pd.DataFrame({"date": np.arange(3000)}))
    with pytest.raises(InputError, match="dates"):
        own.fit(X, y, sensitive_features=sex, dates=pd.Series(np.arange(3000)).iloc[::-1])
    with pytest.raises(InputError, match="expected a list of constraints; got 'list_iterator'"):
        learner(constraints=iter([create("constraint", "opportunity")])).fit(X, y, sensitive_features=sex)


def test_rows_are_held_out_by_size() -> None:
    X, y, sex = sample(n=60_000)
    wish = create("constraint", "opportunity")
    smallest = int(((sex["sex"] == "f") & (y == 1))[:20_000].sum())  # good payers of the smaller group
    found = {}
    for n in (60_000, 20_000, 2000):
        found[n] = learner(constraints=wish).fit(X[:n], y[:n], sensitive_features=sex[:n])
    assert 400 < smallest < 1900, smallest
    assert metrics(found[60_000])["rows_held_out"] == pytest.approx(6000, abs=2)
    assert metrics(found[20_000])["rows_held_out"] == pytest.approx(20_000 * min(max(300 / smallest, 0.1), 0.3), abs=2)
    assert metrics(found[20_000])["held_out_rows"]["smallest_side"] == pytest.approx(smallest)
    assert metrics(found[2000])["rows_held_out"] == 0
    told = [" ".join(each.about_learning(each.evidence_)) for each in found.values()]
    assert told[0].startswith("Held out from the trees: 6,000 of 60,000 rows (by the size of the groups; ")
    assert told[2].startswith("No rows were held out from the trees (too few to tell of a rate; ")
    without = learner().fit(X[:2000], y[:2000])
    assert (metrics(without)["rows_held_out"], list(without.about_learning(without.evidence_))) == (0, [])
    asked = learner(constraints=wish, held_out=None).fit(X[:20_000], y[:20_000], sensitive_features=sex[:20_000])
    assert " ".join(asked.about_learning(asked.evidence_)).startswith("No rows were held out from the trees (as ")
    with pytest.raises(InputError, match="held_out: expected a share"):
        learner(held_out=1.5).fit(X, y)


@pytest.mark.parametrize("backend", BACKENDS)
def test_scores_follow_trends(backend: Any) -> None:
    X, y, sex = sample()
    own = learner(backend=backend, trends={"income": "descending"}, constraints=create("constraint", "opportunity"))
    fitted = own.fit(X, y, sensitive_features=sex)
    row = X.dropna()[:1]
    line = pd.concat([row.assign(income=value) for value in np.linspace(-3, 3, 50)], ignore_index=True)
    assert (np.diff(score_of(fitted.model_, line)) <= 0).all()


def test_weights_of_rows_and_classes_count() -> None:
    X, y, sex = sample()
    approved = [
        (learner(class_weight=weight).fit(X, y).predict(X) == 1).mean() for weight in ({0: 4, 1: 1}, None, {0: 1, 1: 4})
    ]
    assert approved[0] + 0.1 < approved[1] < approved[2] - 0.1
    by_rows = learner().fit(X, y, sample_weight=np.where(y == 1, 1.0, 4.0))
    by_class = learner(class_weight={0: 4.0, 1: 1.0}).fit(X, y)
    at_even_odds = [score_of(each.model_, X) >= 0 for each in (by_rows, by_class)]
    assert (at_even_odds[0] == at_even_odds[1]).mean() > 0.98, "weighed rows move the default cutoff, too"
    zero = np.where(np.arange(3000) < 500, 0.0, 1.0)
    wish = create("constraint", "opportunity")
    fitted = learner(constraints=wish).fit(X, y, sensitive_features=sex, sample_weight=zero)
    [found] = metrics(fitted)["constraints"]
    assert found["gap"] == pytest.approx(gap(fitted, X[500:], y[500:], sex[500:]), abs=0.02)


def test_probable_groups_bind_too() -> None:
    X, y, sex = sample()
    woman = np.clip((sex["sex"] == "f") * 0.8 + 0.1, 0, 1)
    groups = Groups.from_probabilities({"sex": {"f": woman, "m": 1 - woman}})
    fitted = learner(constraints=create("constraint", "opportunity")).fit(X, y, sensitive_features=groups)
    assert abs(gap(fitted, X, y, sex)) < 0.6 * abs(gap(learner().fit(X, y), X, y, sex))


def test_a_bound_that_cannot_be_kept_is_told() -> None:
    X, y, sex = sample()
    own = learner(constraints=create("constraint", "opportunity"), multiplier_rate=1e-3)
    told = "1 of 1 bounds are broken on the rows learned from.*approval among good outcomes, sex: 'f' against 'm'"
    with pytest.warns(BrokenBoundWarning, match=told):
        own.fit(X, y, sensitive_features=sex)


def test_more_rounds_are_the_last_advice_where_rows_are_held_out() -> None:
    X, y, sex = sample()
    own = learner(constraints=create("constraint", "opportunity"), multiplier_rate=1e-3, held_out=0.3)
    advice = "broken on the rows that trees were grown on.*Fix: try fewer leaves .*held_out=None, and only then more"
    with pytest.warns(BrokenBoundWarning, match=advice):
        own.fit(X, y, sensitive_features=sex)


@pytest.mark.parametrize(("bad", "word"), [(0.02, "approved"), (0.98, "declined")])
def test_bounds_on_one_and_the_same_decision_are_told(bad: float, word: str) -> None:
    rng = np.random.default_rng(0)
    X, sex = pd.DataFrame({"a": rng.normal(0, 1, 2000)}), pd.DataFrame({"sex": rng.choice(["f", "m"], 2000)})
    y = (rng.random(2000) > bad).astype(int)
    wish = create("constraint", "demographic-parity", slack=0.1)
    few = {"special_codes": None, "n_estimators": 5, "constraints": wish}
    with pytest.warns(UserWarning, match=f"every row learned from is {word}.*operating={{'approval': 0.7}}"):
        learner(**few).fit(X, y, sensitive_features=sex)
    learner(**few, operating={"approval": 0.7}).fit(X, y, sensitive_features=sex)


def test_history_is_kept_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    X, y, sex = sample()
    wish = create("constraint", "error-rate-balance", slack=0.05)
    fitted = learner(constraints=wish, verbose=20, early_stopping=60).fit(X, y, sensitive_features=sex)
    history = fitted.history_
    assert history.values.shape == history.multipliers.shape == (60, 2)
    assert len(fitted.evidence_.search_log) == 60
    assert abs(history.values[-1]).max() < abs(history.values).max()
    band, gaps = np.array([-0.05, 0.05]), plot_history(history).axes
    assert history.limits == pytest.approx(np.stack([band, band]))
    assert len({axes.get_xlim() for axes in gaps}) == 1
    assert gaps[0].get_xlim()[1] > 60
    assert [axes.get_ylabel() for axes in gaps] == ["gap of rates", "multiplier", "loss + excess"]
    assert sorted(gaps[0].patches[0].get_extents().transformed(gaps[0].transData.inverted()).intervaly) == (
        pytest.approx(band)
    )
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == ["round 20", "round 40", "round 60"]
    assert "approval among good outcomes, sex: 'f' against 'm'" in said[0]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"backend": "catboost"}, "backend: unknown backend"),
        ({"method": "exact"}, "method: unknown method"),
        ({"proxy": "sigmoid"}, "proxy: unknown proxy"),
        ({"multiplier_rate": 0.0}, "multiplier_rate: unusable number"),
        ({"n_estimators": 0}, "n_estimators: unusable number"),
        ({"learning_rate": 0}, "learning_rate: unusable number"),
        ({"max_leaves": 1}, "max_leaves: unusable number"),
        ({"max_depth": 17}, "max_depth: unusable number; got 17; allowed: a whole number from 1 to 16"),
        ({"min_child_samples": 0}, "min_child_samples: unusable number"),
        ({"booster": 0.5}, r"booster: expected options.*allowed: BoosterOptions\(...\), a mapping with subsample"),
        ({"booster": {"subsampel": 0.5}}, "booster: unknown option; got 'subsampel'. Fix: did you mean 'subsample'"),
        ({"booster": {"subsample": 0.0}}, "subsample: unusable number"),
        ({"operating": 0.5}, r"operating: expected options.*allowed: Operating\(...\), a mapping with declined"),
        ({"operating": {"approved": 0.5}}, "operating: unknown option; got 'approved'. Fix: did you mean .*'approval'"),
        ({"operating": {"approval": 2}}, "approval"),
        ({"operating": {}}, "Operating: give one of them"),
        ({"early_stopping": 0}, "early_stopping: unusable number"),
        ({"early_stopping": 5, "held_out": None}, "early stopping needs rows"),
        ({"stopping_metric": "error"}, "stopping_metric: unknown stopping metric"),
        ({"reference_groups": "male"}, "reference_groups: expected a mapping; got 'male'; allowed: None or a mapping"),
        ({"trends": "ascending"}, "trends: expected a mapping; got 'ascending'; allowed: None or a mapping to 'asc"),
        ({"class_weight": "even"}, "class_weight: unknown class weight; got 'even'; allowed: 'balanced'"),
        ({"trends": {"incme": "ascending"}}, "trends: unknown column"),
        ({"trends": {"months": "ascending"}}, "trends, column 'months': boosters order special codes among"),
        ({"random_state": -1}, "random_state: unusable number"),
        ({"verbose": -1}, "verbose: unusable number"),
    ],
)
def test_unusable_options_are_refused(options: dict[str, Any], match: str) -> None:
    X, y, sex = sample(n=300)
    with pytest.raises(InputError, match=match):
        learner(**options).fit(X, y, sensitive_features=sex)


def test_the_name_of_an_explainer_is_checked_where_none_is_needed() -> None:
    X, y, _ = sample(n=300)
    with pytest.raises(PluginError, match="unknown explainer; got 'reason-code'"):
        learner(explainer="reason-code").fit(X, y)


def test_mappings_stand_for_options() -> None:
    X, y, _ = sample(n=600)
    named = learner(operating={"approval": 0.3}, booster={"subsample": 0.5}).fit(X, y).model_
    built = learner(operating=Operating(approval=0.3), booster=BoosterOptions(subsample=0.5)).fit(X, y).model_
    assert isinstance(named, TreeEnsemble)
    assert isinstance(built, TreeEnsemble)
    assert (named.trees, named.cutoff) == (built.trees, built.cutoff)
    assert (score_of(named, X) >= named.cutoff).mean() == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(
    ("options", "match"),
    [({"subsample": 0.0}, "subsample"), ({"colsample": 2}, "colsample"), ({"max_bin": 1}, "max_bin")]
    + [
        ({name: -1.0}, name) for name in ("reg_lambda", "reg_alpha", "min_split_gain", "min_child_weight", "rare_share")
    ],
)
def test_unusable_options_of_the_trees_are_refused(options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=f"{match}: unusable number"):
        BoosterOptions(**options)


@pytest.mark.parametrize(
    ("validation", "match"),
    [
        ("rows", r"expected validation rows; got 'str'; allowed: \(X, y\)"),
        ((np.zeros((3, 4)),), "expected validation rows"),
        ((sample(n=50)[0], [0, 1]), "one outcome a row"),
        ((sample(n=50)[0], [0, 2] * 25), "a class that training rows do not have"),
    ],
)
def test_unusable_validation_rows_are_refused(validation: Any, match: str) -> None:
    X, y, _ = sample(n=300)
    with pytest.raises(InputError, match=match):
        learner().fit(X, y, validation=validation)


@pytest.mark.parametrize("backend", BACKENDS)
def test_further_options_reach_the_trees(backend: Any) -> None:
    X, y, _ = sample()
    plain = trees_of(learner(backend=backend).fit(X, y))
    for booster in (
        BoosterOptions(subsample=0.3, colsample=0.5),
        BoosterOptions(reg_lambda=500.0),
        BoosterOptions(reg_alpha=50.0),
        BoosterOptions(min_split_gain=20.0),
        BoosterOptions(min_child_weight=200.0),
        BoosterOptions(max_bin=3),
        BoosterOptions(rare_share=0.3),
    ):
        fitted = learner(backend=backend, booster=booster).fit(X, y)
        assert trees_of(fitted) != plain
        assert fitted.score(X, y) > 0.65


def test_scores_that_run_away_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable.data.values.LIMIT", 2.0)
    X, y, sex = sample()
    wish = create("constraint", "opportunity", slack=0.0)
    printed = learner(constraints=wish, method="proxy-lagrangian", multiplier_rate=0.5)
    with pytest.raises(InputError, match=r"method='proxy-lagrangian': the multipliers made the scores run away"):
        printed.fit(X, y, sensitive_features=sex)


def test_bounds_that_never_act_leave_the_probabilities_alone() -> None:
    X, y, sex = sample()
    free = learner(held_out=None).fit(X, y, sensitive_features=sex)
    loose = learner(held_out=None, constraints=create("constraint", "opportunity", slack=0.9))
    loose.fit(X, y, sensitive_features=sex)
    assert (loose.predict_proba(X) == free.predict_proba(X)).all()


def test_training_rows_make_no_score_more_certain() -> None:
    X, y, sex = sample()
    tight = learner(held_out=None, max_leaves=31, constraints=create("constraint", "opportunity", slack=0.0))
    model = tight.fit(X, y, sensitive_features=sex).model_
    assert any(tight.evidence_.metrics["multipliers"].values())
    assert model.calibration.slope <= 1.0
    good = np.asarray(y) == tight.classes_[model.outcome.favourable_index]
    assert evaluate(model, X, reasons=False).probability.mean() == pytest.approx(good.mean(), abs=0.01)


def test_a_scorecard_of_stumps_says_how_many_applicants_its_attributes_hold() -> None:
    X, y, _ = sample()
    card = learner(max_depth=1).fit(X, y).model_
    assert isinstance(card, Scorecard)
    for characteristic in card.characteristics:
        assert sum(each.statistics.count for each in characteristic.attributes if each.statistics) == len(y)


def test_no_score_runs_away_however_fast_trees_learn() -> None:
    X, y, sex = sample()
    wish = create("constraint", "opportunity", slack=0.0)
    fast = {"learning_rate": 1.0, "n_estimators": 100, "max_leaves": 31}
    largest = [
        np.abs(evaluate(own.fit(X, y, sensitive_features=sex).model_, X).score).max()
        for own in (learner(**fast), learner(constraints=wish, held_out=None, **fast))
    ]
    assert largest[1] < 2 * largest[0]


def test_early_stopping_waits_for_models_that_tell_applicants_apart() -> None:
    wish = create("constraint", "opportunity", slack=0.02)
    for seed in (1, 2, 3):
        X, y, sex = sample(seed, 6000)
        own = learner(constraints=wish, n_estimators=200, early_stopping=30)
        own.fit(X[:3000], y[:3000], sensitive_features=sex[:3000])
        assert own.history_.kept > 5
        assert np.mean(own.predict(X[3000:]) == y[3000:]) > 0.66


def test_rows_held_out_of_one_class_calibrate_nothing() -> None:
    X, y, sex = sample()
    late = y.copy()
    late[-300:] = 1
    own = learner(constraints=create("constraint", "opportunity"), held_out=0.1)
    chance = own.fit(X, late, sensitive_features=sex, dates=np.arange(3000)).predict_proba(X)[:, 1]
    assert np.ptp(chance) > 0.5
    assert chance.mean() == pytest.approx(y[:-300].mean(), abs=0.07)


def test_the_unit_of_validation_weights_does_not_matter() -> None:
    (X, y, sex), (X2, y2, sex2) = sample(), sample(1)
    own = learner(constraints=create("constraint", "opportunity"))
    models = [
        own.fit(X, y, sensitive_features=sex, validation=(X2, y2, sex2, np.full(3000, unit))).model_
        for unit in (1.0, 2.0**-20)
    ]
    assert models[0] == models[1]


def test_bounds_that_differ_in_their_limits_have_multipliers_of_their_own() -> None:
    X, y, sex = sample()
    wishes = [create("constraint", "opportunity", slack=slack) for slack in (0.0, 0.2)]
    own = learner(constraints=wishes, warm_start=True).fit(X, y, sensitive_features=sex)
    multipliers = metrics(own)["multipliers"]
    assert [name.rpartition(", ")[2] for name in multipliers] == ["slack 0", "slack 0.2"]
    assert multipliers[own.history_.names[0]] != 0
    own.set_params(n_estimators=61).fit(X, y, sensitive_features=sex)
    assert own.history_.multipliers[0].tolist() == list(multipliers.values())


def test_stopping_weighs_classes_as_trees_do() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(8000, 4)), columns=list("abcd"))
    y = (rng.random(8000) < 1 / (1 + np.exp(5 - X["a"] - 0.7 * X["b"] - X["c"] * X["d"]))).astype(int)
    own = FairGBMClassifier(n_estimators=200, early_stopping=10, class_weight={0: 10.0, 1: 1.0}, max_leaves=8)
    assert own.fit(X, y).history_.kept > 10
