"""Where a learned model decides when nobody says it, and what the evidence tells of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable import create
from scrutable.data.datasets import Dataset, make_credit
from scrutable.errors import InputError
from scrutable.measures.approving import closest_threshold
from scrutable.model.evaluator import evaluate
from scrutable.plugins.bases import Learner
from scrutable.plugins.decisions import Decision


@pytest.fixture(scope="module")
def credit() -> Dataset:
    return make_credit(1500, seed=3)


def _fitted(credit: Dataset, name: str, **options: Any) -> Learner:
    learner: Learner = create("learner", name, favourable=credit.favourable, **options)
    groups = credit.sensitive_features if options.get("constraints") else None
    return learner.fit(credit.X, credit.y, sensitive_features=groups)


def _approved(learner: Learner, X: pd.DataFrame) -> float:
    return float(evaluate(learner.model_, X, reasons=False).approved.mean())


@pytest.mark.parametrize(
    ("name", "options"), [("scorecard", {}), ("lda-xgb1", {}), ("fairgbm", {"n_estimators": 20}), ("segmented", {})]
)
def test_without_a_cutoff_as_many_are_approved_as_pay(credit: Dataset, name: str, options: dict[str, Any]) -> None:
    learner = _fitted(credit, name, **options)
    good = float((credit.y == credit.favourable).mean())
    assert _approved(learner, credit.X) == pytest.approx(good, abs=0.005)
    decision = Decision.of(learner.evidence_)
    assert decision is not None
    assert (decision.by, decision.good) == ("learner" if name == "segmented" else "good-share", pytest.approx(good))
    assert decision.approved == _approved(learner, credit.X)
    assert f"{decision.approved:.1%} of the training applicants" in decision.describe()


def test_weights_count(credit: Dataset) -> None:
    weight = np.where(credit.y == credit.favourable, 1.0, 3.0)
    learner = create("learner", "scorecard", favourable=credit.favourable).fit(credit.X, credit.y, sample_weight=weight)
    found = evaluate(learner.model_, credit.X, reasons=False).approved
    good = np.average(credit.y == credit.favourable, weights=weight)
    assert np.average(found, weights=weight) == pytest.approx(good, abs=0.005)


@pytest.mark.parametrize("name", ["scorecard", "segmented"])
def test_the_order_of_weighed_rows_changes_no_bit(credit: Dataset, name: str) -> None:
    weight = np.random.default_rng(1).uniform(0.2, 3, len(credit.X)).round(2)
    kept = []
    for seed in range(4):
        rows = np.random.default_rng(seed).permutation(len(weight))
        learner = create("learner", name, favourable=credit.favourable)
        learner.fit(credit.X.iloc[rows], np.asarray(credit.y)[rows], sample_weight=weight[rows])
        kept.append(Decision.of(learner.evidence_))
    assert len(set(kept)) == 1


def test_what_is_asked_for_comes_first(credit: Dataset) -> None:
    by_cutoff = _fitted(credit, "scorecard", cutoff=500)
    assert by_cutoff.model_.cutoff == 500
    assert "it was asked for" in Decision.of(by_cutoff.evidence_).describe()
    by_rate = _fitted(credit, "scorecard", approval_rate=0.4)
    assert _approved(by_rate, credit.X) == pytest.approx(0.4, abs=0.005)
    assert "40.0% were asked for" in Decision.of(by_rate.evidence_).describe()
    with pytest.raises(InputError, match="give one of the two"):
        _fitted(credit, "scorecard", approval_rate=0.4, cutoff=500)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("rug", {"max_depth": 2, "penalty": 10}, "Decided by the votes of its rules"),
        ("fcca-tree", {}, "Decided by the classes of its leaves"),
        ("fairgbm", {"n_estimators": 10, "operating": {"approval": 0.5}}, "Decided by the operating point"),
        (
            "fairgbm",
            {"n_estimators": 10, "constraints": "opportunity"},
            "Decided by the cutoff at even odds, at which the bounds",
        ),
    ],
)
def test_a_decision_that_was_learned_stays(credit: Dataset, name: str, options: dict[str, Any], words: str) -> None:
    if "constraints" in options:
        options = options | {"constraints": create("constraint", options["constraints"], slack=0.2)}
    learner = _fitted(credit, name, **options)
    if name == "fcca-tree":
        assert learner.model_.cutoff == 0
    if "operating" in options:
        assert _approved(learner, credit.X) == pytest.approx(0.5, abs=0.05)
    assert Decision.of(learner.evidence_).describe().startswith(words)


def test_reasons_belong_to_the_cutoff_that_is_set(credit: Dataset) -> None:
    near = create("explainer", "reason-codes", method="near-cutoff")
    model = _fitted(credit, "scorecard", explainer=near).model_
    assert model.reasons.cutoff == model.cutoff


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=12),
    st.floats(0, 1),
    st.data(),
)
def test_the_closest_threshold_is_the_best_of_all(scores: list[int], rate: float, data: st.DataObject) -> None:
    weight = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(scores), max_size=len(scores))), dtype=float)
    out = np.array(data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores))))
    points = np.array(scores, dtype=float)

    def approves(threshold: float) -> float:
        return float(weight[(points >= threshold) & ~out].sum() / weight.sum())

    found = approves(closest_threshold(points, rate, sample_weight=weight, knocked_out=out))
    every = [approves(threshold) for threshold in (*range(6),)]
    best = min(abs(each - rate) for each in every)
    assert abs(found - rate) == pytest.approx(best)
    assert found == pytest.approx(min(each for each in every if abs(each - rate) <= best + 1e-12))


@pytest.mark.filterwarnings("ignore:column '.*'. every value")
def test_characteristics_that_move_no_score_are_left_out_and_named(credit: Dataset) -> None:
    X = credit.X.assign(noise=1.0, shoe=np.arange(len(credit.X)) % 7)
    learner = create("learner", "scorecard", select=None, favourable=credit.favourable).fit(X, credit.y)
    left_out = learner.evidence_.metrics["without_points"]
    read = [each.feature for each in learner.model_.characteristics]
    assert "noise" in left_out
    assert set(left_out) | set(read) == set(X.columns)
    assert [feature.name for feature in learner.model_.features] == read
    assert set(learner.model_.reasons.codes) == set(read)
    assert all(len({a.points for a in each.attributes}) > 1 for each in learner.model_.characteristics)


@pytest.mark.filterwarnings("ignore:column '.*'. every value")
def test_a_reason_dictionary_may_name_what_is_left_out(credit: Dataset) -> None:
    X = credit.X.assign(constant=1.0)
    words = {"C": "Nothing that counts", "I": "Income"}
    dictionary = {"codes": {"constant": "C", "income": "I"}, "texts": words, "inquiries": ("constant",)}
    explainer = create("explainer", "reason-codes", **dictionary)
    learner = create("learner", "scorecard", favourable=credit.favourable, explainer=explainer)
    reasons = learner.fit(X, credit.y).model_.reasons
    assert (reasons.codes["income"], reasons.inquiries) == ("I", ())
    assert "C" not in reasons.texts


@pytest.mark.filterwarnings("ignore:column '.*'. every value")
def test_a_model_without_any_characteristic_says_the_same_for_everybody() -> None:
    y = np.array([0, 1, 1, 1] * 50)
    learner = create("learner", "scorecard").fit({"same": np.ones(200)}, y)
    assert learner.model_.characteristics == ()
    assert learner.predict({"same": np.array([1.0, 2.0])}).tolist() == [1, 1]
