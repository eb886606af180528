"""The classical scorecard against scikit-learn's logistic regression, and its scaling, trends and cutoffs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from scrutable.data.datasets import Dataset, make_credit
from scrutable.model import FrozenMapping, Scaling, dumps, loads
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import registry
from scrutable_scorecard.learner import ScorecardClassifier


def quantile(**options: object) -> object:
    return registry().create("binner", "quantile", **options)


def test_log_odds_equal_scikit_learns_regression_on_woe(german: Dataset) -> None:
    names = list(german.X.columns)
    woe = quantile().fit_transform(german.X, german.y)
    while True:  # ours never turns a characteristic against its own WoE, so take those that do not want to be
        columns = [position for position, name in enumerate(german.X.columns) if name in names]
        theirs = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(woe[:, columns], german.y)
        kept = [name for name, coefficient in zip(names, theirs.coef_[0], strict=True) if coefficient > 0]
        if kept == names:
            break
        names = kept
    assert len(names) > 10
    ours = ScorecardClassifier(binner=quantile(), select=None, ridge=0, explainer=None).fit(german.X[names], german.y)
    assert ours.predict_proba(german.X[names]) == pytest.approx(theirs.predict_proba(woe[:, columns]), abs=1e-6)


def test_points_and_odds_follow_the_scaling(german: Dataset) -> None:
    scaling = Scaling(pdo=40, base_score=500, base_odds=10)
    model = ScorecardClassifier(binner="quantile", scaling=scaling).fit(german.X, german.y).model_
    plain = ScorecardClassifier(binner="quantile").fit(german.X, german.y)
    log_odds = (plain.evaluate(german.X).score - plain.model_.scaling.offset) / plain.model_.scaling.factor
    from scrutable.model.evaluator import evaluate

    score = evaluate(model, german.X).score
    assert score == pytest.approx(500 + 40 / math.log(2) * (log_odds - math.log(10)), abs=1e-5)


def test_integer_points_on_request(german: Dataset) -> None:
    model = ScorecardClassifier(binner="quantile", scaling=Scaling(decimals=0)).fit(german.X, german.y).model_
    points = [a.points for c in model.characteristics for a in c.attributes] + [model.base_points]
    assert all(value == int(value) for value in points)
    exact = ScorecardClassifier(binner="quantile").fit(german.X, german.y).model_
    whole = {each.feature: each.attributes for each in model.characteristics}
    assert len(whole) > 10
    for characteristic in exact.characteristics:
        if characteristic.feature in whole:
            for a, b in zip(whole[characteristic.feature], characteristic.attributes, strict=True):
                assert abs(a.points - b.points) <= 0.5 + 2**-29
        else:
            assert all(abs(each.points) <= 0.5 + 2**-29 for each in characteristic.attributes)


@pytest.mark.parametrize("encoding", ["woe", "one-hot"])
@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_points_follow_the_trend_exactly_even_on_the_users_cuts(german: Dataset, encoding: str, trend: str) -> None:
    cuts = {"duration_months": [8, 10, 12, 15, 18, 24, 30, 36], "credit_amount": [500, 1000, 2000, 3000, 5000, 9000]}
    binner = quantile(cuts=cuts, trends=dict.fromkeys(cuts, trend))
    model = ScorecardClassifier(binner=binner, encoding=encoding).fit(german.X, german.y).model_
    for characteristic in model.characteristics:
        if characteristic.feature in cuts:
            points = [a.points for a in characteristic.attributes if a.condition.describe() != "missing"]
            assert points == sorted(points, reverse=trend == "descending")
            assert len(points) == len(cuts[characteristic.feature]) + 1


def test_approval_rate_sets_the_cutoff(german: Dataset) -> None:
    learner = ScorecardClassifier(binner="quantile", approval_rate=0.6).fit(german.X, german.y)
    score = learner.evaluate(german.X).score
    assert (score >= learner.model_.cutoff).mean() >= 0.6
    assert (score > learner.model_.cutoff).mean() < 0.6


def test_the_favourable_class_can_be_either(german: Dataset) -> None:
    default = german.y.map({"good": 0, "bad": 1})
    ours = ScorecardClassifier(binner="quantile", favourable=0).fit(german.X, default)
    same = ScorecardClassifier(binner="quantile").fit(german.X, german.y)
    assert ours.model_.characteristics == same.model_.characteristics
    assert (ours.predict(german.X) == 0).tolist() == (same.predict(german.X) == "good").tolist()
    assert ours.predict_proba(german.X)[:, 0] == pytest.approx(same.predict_proba(german.X)[:, 1], abs=1e-15)


def test_attributes_never_seen_are_neutral(german: Dataset) -> None:
    model = ScorecardClassifier(binner="quantile", encoding="one-hot").fit(german.X, german.y).model_
    for characteristic in model.characteristics:
        unseen = [a.points for a in characteristic.attributes if a.statistics.count == 0]
        assert unseen
        assert set(unseen) == {0.0}
        mean = sum(a.points * a.statistics.share for a in characteristic.attributes)
        assert mean == pytest.approx(0, abs=1e-6) or len(characteristic.attributes) == 0


def test_the_same_fit_gives_the_same_bytes_whatever_the_frame(german: Dataset) -> None:
    import polars as pl

    first = dumps(ScorecardClassifier().fit(german.X, german.y).model_)
    assert dumps(ScorecardClassifier().fit(german.X, german.y).model_) == first
    polars = ScorecardClassifier().fit(pl.from_pandas(german.X), pl.Series(german.y.name, german.y.to_numpy()))
    assert dumps(polars.model_) == first
    assert dumps(loads(first)) == first


def test_provenance_and_evidence_say_how_the_model_was_made(german: Dataset) -> None:
    from scrutable.model import fingerprint

    learner = ScorecardClassifier(binner=quantile(max_bins=4), scaling=Scaling(pdo=30)).fit(german.X, german.y)
    provenance = learner.model_.provenance
    assert provenance.learner == "ScorecardClassifier"
    assert provenance.parameters["binner"]["parameters"]["max_bins"] == 4
    assert "scikit-learn" in provenance.versions
    turned = ScorecardClassifier(binner=quantile(max_bins=4)).fit(german.X.iloc[::-1], german.y.iloc[::-1])
    assert turned.model_.provenance.data_fingerprint == provenance.data_fingerprint  # no order changes it
    changed = german.X.assign(credit_amount=german.X["credit_amount"] + (german.X.index == 7))
    other = ScorecardClassifier(binner=quantile(max_bins=4)).fit(changed, german.y)
    assert other.model_.provenance.data_fingerprint != provenance.data_fingerprint
    assert learner.evidence_.model_sha256 == fingerprint(learner.model_)
    tables = learner.evidence_.binning["tables"]
    assert isinstance(tables, FrozenMapping)
    assert set(tables) == set(german.X.columns)


def test_alternatives_leave_out_what_tells_groups_apart_first() -> None:
    """By the binner's own bins and by fewer; each as `fit` gives it on the columns that are left."""
    credit = make_credit(3000, seed=1)
    learner = ScorecardClassifier(binner="quantile", favourable=0, approval_rate=0.6)
    groups = credit.sensitive_features[["sex"]]
    made = list(learner.alternatives(credit.X, credit.y, sensitive_features=groups))
    names = [each.name for each in made]
    assert names[0] == "baseline"
    assert {"ridge ridge=0.01", "ridge ridge=1", "fewer-bins max_bins=5", "fewer-bins max_bins=3"} <= set(names)
    out = [each for each in made if each.method == "left-out" and "max_bins" not in each.parameters]
    assert 1 <= len(out) <= 5
    for number, each in enumerate(out, 1):
        without = list(each.parameters["without"])
        assert len(without) == number
        alone = learner.fit(credit.X.drop(columns=without), credit.y, sensitive_features=groups).model_
        assert (evaluate(each.model, credit.X).score == evaluate(alone, credit.X).score).all()
    unknown = [each.method for each in learner.alternatives(credit.X, credit.y)]
    assert "left-out" not in unknown
