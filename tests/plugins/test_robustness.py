"""What goes wrong quietly elsewhere: refits that fail, rows in another order, weights of another scale, identifiers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError
from scrutable.model import Missing


def test_a_failed_refit_leaves_the_fitted_estimator_as_it_was(learner: Any, german: Dataset) -> None:
    fitted = learner().fit(german.X, german.y)
    before = fitted.predict(german.X)
    renamed = german.y.map({"good": "A", "bad": "B"})
    with pytest.raises(InputError):
        fitted.fit(german.X.iloc[:, :3], renamed, sample_weight=np.full(len(renamed), -1.0))
    assert fitted.predict(german.X).tolist() == before.tolist()


def test_a_failed_first_fit_leaves_nothing_behind(estimator: Any, german: Dataset) -> None:
    before = dict(vars(estimator))
    with pytest.raises(InputError):
        estimator.fit(german.X.assign(nothing=None), german.y)
    assert vars(estimator) == before


@pytest.mark.parametrize("what", ["y", "sensitive_features", "sample_weight"])
def test_rows_in_another_order_are_refused(learner: Any, german: Dataset, what: str) -> None:
    given = {"y": german.y, "sensitive_features": german.sensitive_features, "sample_weight": german.y.map(len)}
    given[what] = given[what].sample(frac=1, random_state=0)
    with pytest.raises(InputError, match=f"{what}: its rows have the index labels of X in another order"):
        learner().fit(german.X, **given)


def test_the_scale_of_the_weights_does_not_matter(german: Dataset) -> None:
    first_good = german.y.index[german.y == "good"][:40]
    X = german.X.assign(sure=np.where(german.X.index.isin(first_good), "yes", "no"))  # a category without any bad row
    learning = create("learner", "scorecard", binner="quantile", select=None)  # to a selection weights are so many rows
    cards = [learning.fit(X, german.y, sample_weight=np.full(1000, weight)).model_ for weight in (1.0, 2.0**-10, 64.0)]
    assert "sure" in [each.feature for each in cards[0].characteristics]
    for other in cards[1:]:
        for ours, theirs in zip(cards[0].characteristics, other.characteristics, strict=True):
            points = [a.points for a in theirs.attributes]
            assert [a.points for a in ours.attributes] == pytest.approx(points, abs=1e-4)


@pytest.mark.parametrize("encoding", ["woe", "one-hot"])
@pytest.mark.parametrize("trend", ["ascending", "descending"])
def test_cuts_nobody_falls_between_keep_the_trend(german: Dataset, encoding: str, trend: str) -> None:
    cuts = {"duration_months": [-5, 0.5, 12, 30, 31, 500, 900]}
    binner = create("binner", "manual", cuts=cuts, trends={"duration_months": trend})
    card = create("learner", "scorecard", binner=binner, encoding=encoding).fit(german.X, german.y).model_
    found = [c for c in card.characteristics if c.feature == "duration_months"]
    assert len(found) == (trend == "descending"), "which is how the data go; the same points for all are left out"
    points = [a.points for each in found for a in each.attributes if not isinstance(a.condition, Missing)]
    assert points == sorted(points, reverse=trend == "descending")


def test_text_that_differs_in_nearly_every_row_is_refused(estimator: Any, german: Dataset) -> None:
    with pytest.raises(InputError, match=r"column 'id': text that differs in nearly every row.*one of them 'L0'"):
        estimator.fit(german.X.assign(id=[f"L{row}" for row in range(1000)]), german.y)


@pytest.mark.parametrize("name", ["optimal", "quantile"])
def test_many_rare_categories_carry_no_information(name: str, german: Dataset) -> None:
    noise = np.random.default_rng(0).integers(0, 400, 1000).astype(str)
    table = create("binner", name).fit(german.X.assign(noise=noise), german.y).binning_["noise"]
    assert table.iv < 0.02


def test_merges_name_values_of_the_data_once(binner: Any, german: Dataset) -> None:
    with pytest.raises(InputError, match=r"merges, column 'housing': the value is not in the data; got 'rentt'.*'rent"):
        binner(merges={"housing": [["rentt", "owned"]]}).fit(german.X, german.y)
    with pytest.raises(InputError, match="merges, column 'housing': the value is in two groups; got 'owned'"):
        binner(merges={"housing": [["owned", "rented"], ["owned", "rent-free"]]}).fit(german.X, german.y)


def test_numpy_scalars_are_numbers(binner: Any) -> None:
    x = np.r_[np.arange(98.0), 6, 6]
    binner(special_codes={"x": [np.int64(6)]}).fit({"x": x}, np.arange(100) % 2)


def test_a_name_is_not_a_list_of_names(binner: Any, german: Dataset) -> None:
    with pytest.raises(
        InputError, match=r"categorical: a value of the wrong type; got 'housing'.* write \['housing'\]"
    ):
        binner(categorical="housing").fit(german.X, german.y)


def test_booleans_as_objects_are_classes(learner: Any, german: Dataset) -> None:
    y = (german.y == "good").astype(object)
    assert set(learner().fit(german.X, y).predict(german.X)) == {True, False}


def test_max_bins_and_min_share_are_kept(german: Dataset) -> None:
    optimal = create("binner", "optimal", max_bins=3, min_share=0.2, shape="free").fit(german.X, german.y)
    quantile = create("binner", "quantile", min_share=0.3).fit(german.X, german.y).binning_
    for table in optimal.binning_.tables:
        shares = [s.share for s in table.statistics if s.count]
        assert len(shares) <= 3
        assert min(shares) >= 0.2 or len(shares) == 1
    purposes = [s.share for s in quantile["purpose"].statistics if s.count]
    assert sum(share < 0.3 for share in purposes) <= 1


def test_weights_reach_cutoff_baselines_and_fingerprint(german: Dataset) -> None:
    weight = np.where(german.y == "good", 1.0, 5.0)
    learner = create("learner", "scorecard", binner="quantile", approval_rate=0.5)
    weighted = learner.fit(german.X, german.y, sample_weight=weight)
    score, points = weighted.evaluate(german.X).score, weighted.evaluate(german.X).points
    approved = weight[score >= weighted.model_.cutoff].sum() / weight.sum()
    assert 0.5 <= approved < 0.52
    baselines = weighted.model_.reasons.baselines
    for name, values in points.items():
        assert baselines[name] == pytest.approx(np.average(values, weights=weight), abs=1e-8)
    first = weighted.model_.provenance.data_fingerprint
    plain = create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_.provenance
    flipped = create("learner", "scorecard", binner="quantile").fit(
        german.X, german.y.map({"good": "bad", "bad": "good"})
    )
    assert len({first, plain.data_fingerprint, flipped.model_.provenance.data_fingerprint}) == 3


def test_an_explainer_with_options_shapes_the_policy(scorecard_learner: Any, german: Dataset) -> None:
    two = create("explainer", "reason-codes", k=2, texts={"R01": "Balance of the checking account"})
    model = scorecard_learner(explainer=two).fit(german.X, german.y).model_
    assert model.reasons.k == 2
    assert model.reasons.texts["R01"] == "Balance of the checking account"
    with pytest.raises(InputError, match="options shape a policy, and the model's own policy is used here"):
        two.explain(model, german.X)
    never = create("explainer", "reason-codes", never=["checking_status"])
    with pytest.raises(InputError, match="'checking_status': may never be a reason, and the model can decline for it"):
        scorecard_learner(explainer=never).fit(german.X, german.y)


def test_a_constraint_may_stand_alone_and_must_be_one(german: Dataset) -> None:
    bound = create("constraint", "fairness-information-value", bound=0.2)
    groups = german.sensitive_features
    assert create("learner", "lda-xgb1", constraints=bound).fit(german.X, german.y, sensitive_features=groups).model_
    named = create("learner", "lda-xgb1", constraints=["fairness-information-value"])
    with pytest.raises(InputError, match="constraints: expected fairness constraints; got 'fairness"):
        named.fit(german.X, german.y, sensitive_features=groups)


@pytest.mark.parametrize(
    ("name", "kept"),
    [("rug", "adverse-impact-ratio, demographic-parity,"), ("lda-xgb1", "fairness-information-value.")],
)
@pytest.mark.parametrize("given", ["opportunity", 0.02])
def test_constraints_that_are_named_are_those_that_the_learner_keeps(
    german: Dataset, name: str, kept: str, given: object
) -> None:
    learner = create("learner", name, constraints=given)
    advice = f"got {given!r}. Fix: make one by its name, scrutable.create('constraint', NAME, ...): {kept}"
    with pytest.raises(InputError, match=re.escape(advice)):
        learner.fit(german.X, german.y, sensitive_features=german.sensitive_features)


def test_evidence_says_whether_inputs_were_checked(learner: Any, german: Dataset) -> None:
    unchecked = learner().fit(german.X, german.y).evidence_.metrics
    checked = learner().fit(german.X, german.y, sensitive_features=german.sensitive_features).evidence_.metrics
    assert unchecked["inputs_checked_against_groups"] is False
    assert checked["inputs_checked_against_groups"] is True


def test_a_single_row_and_an_all_missing_text_column_can_be_scored(learner: Any, german: Dataset) -> None:
    fitted = learner().fit(german.X, german.y)
    row = german.X.iloc[[0]].assign(duration_months=pd.array([pd.NA], dtype="str"))
    assert len(fitted.predict_proba(row)) == 1
