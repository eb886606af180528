"""The validation of a model beside the figures that it is made of."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create, evaluate
from scrutable.data import DataConfig
from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.data.datasets.dataset import Dataset
from scrutable.errors import InputError
from scrutable.fairness import Groups, auc, group_metrics
from scrutable.model import Clause, Interval, KnockOut, Missing, Policy, Scorecard, Segment, SegmentedModel
from scrutable_lifecycle.calibration import reliability
from scrutable_lifecycle.validation import Validation, validate
from scrutable_lifecycle.validation.intersections import with_intersections
from scrutable_lifecycle.validation.significance import impact_tests
from scrutable_lifecycle.validation.smd import mean_differences


@pytest.fixture(scope="module")
def credit() -> Dataset:
    return make_credit(3000, seed=4)


@pytest.fixture(scope="module")
def card(credit: Dataset) -> Scorecard:
    model: Scorecard = create("learner", "lda-xgb1", favourable=0).fit(credit.X[:1500], credit.y[:1500]).model_
    return model


@pytest.fixture(scope="module")
def rows(credit: Dataset) -> tuple[pd.DataFrame, pd.Series, pd.DataFrame]:
    later = slice(1500, None)
    return credit.X[later], credit.y[later], credit.sensitive_features[later]


@pytest.fixture(scope="module")
def found(card: Scorecard, credit: Dataset, rows: Any) -> Validation:
    X, y, sensitive = rows
    groups = Groups.from_frame(sensitive)
    return validate(card, X, y, groups=groups, reference=credit.X[:1500], intersections=[("sex", "group")])


def test_its_figures_are_those_of_their_functions(found: Validation, card: Scorecard, rows: Any) -> None:
    X, y, sensitive = rows
    good, its = (y == 0).to_numpy(), evaluate(card, X)
    groups = Groups.from_frame(sensitive, intersections=[("sex", "group")], reference={"sex & group": "male & A"})
    assert found.discrimination.auc == auc(good, its.score)
    assert found.calibration == reliability(1 - its.probability, good, groups=groups)
    assert found.decisions[0].approval_rate == its.approved.mean()
    assert found.decisions[0].bad_rate_among_approved == pytest.approx(1 - good[its.approved].mean())
    assert found.decisions[1].approval_rate == pytest.approx(good.mean(), abs=0.01)
    assert its.score is not None
    metrics = group_metrics(good, its.approved, groups, score=its.score)
    assert [replace(each.metrics, intervals={}) for each in found.disparity] == list(metrics)
    tests = {(test.attribute, test.group): test for test in impact_tests(its.approved, groups)}
    means = {(each.attribute, each.group): each for each in mean_differences(its.score, groups)}
    for each in found.disparity:
        key = each.metrics.attribute, each.metrics.group
        assert each.test == tests.get(key)
        assert each.difference == means.get(key)
        assert (each.test is None) == each.metrics.is_reference


def test_it_can_be_written_as_json(found: Validation) -> None:
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert set(said["disparity"][0]) == {
        "attribute",
        "group",
        "reference",
        "size",
        "small",
        "metrics",
        "test",
        "mean_difference",
    }
    assert said["drift"][0]["name"] == "score"


def test_small_groups_are_flagged_and_shown(card: Scorecard, rows: Any) -> None:
    X, y, sensitive = rows
    few = sensitive["group"].astype(str).where(np.arange(len(y)) >= 12, "D")
    its = validate(card, X, y, groups=Groups.from_frame({"group": few}, min_group_size=0))
    assert its.small_groups == ("group: D",)
    assert [each.size for each in its.disparity if each.small] == [12]
    assert (
        validate(card, X, y, groups=Groups.from_frame({"group": few}, min_group_size=0), min_group_size=5).small_groups
        == ()
    )


def test_a_sum_of_probabilities_that_rounding_leaves_below_the_minimum_is_not_small(card: Scorecard, rows: Any) -> None:
    X, y, _ = (part[:150] for part in rows)
    share = np.full(150, 0.2)
    groups = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}})
    its = validate(card, X, y, groups=groups)
    assert its.disparity[0].size == pytest.approx(30, abs=1e-9)
    assert its.small_groups == ()


def test_rows_without_an_outcome_count_in_stability_and_approvals_alone(
    card: Scorecard, credit: Dataset, rows: Any
) -> None:
    X, y, sensitive = rows
    gaps = y.astype(object)
    gaps[::3] = None
    its = validate(card, X, gaps, groups=Groups.from_frame(sensitive), reference=credit.X[:1500])
    known = gaps.notna().to_numpy()
    alone = validate(card, X[known], y[known], groups=Groups.from_frame(sensitive[known]))
    assert (its.rows, its.known) == (1500, 1000)
    assert its.discrimination == alone.discrimination
    assert its.disparity == alone.disparity
    assert its.approval_rate_unknown == evaluate(card, X[~known]).approved.mean()
    assert [each.index for each in its.drift] == [
        each.index for each in validate(card, X, y, reference=credit.X[:1500]).drift
    ]


def test_a_weight_is_so_many_rows_in_every_estimate(card: Scorecard, rows: Any) -> None:
    X, y, sensitive = (part[:400] for part in rows)
    times = np.random.default_rng(0).integers(0, 3, 400)
    again = np.repeat(np.arange(400), times)
    weighted = validate(card, X, y, groups=Groups.from_frame(sensitive), sample_weight=times)
    repeated = validate(card, X.iloc[again], y.iloc[again], groups=Groups.from_frame(sensitive.iloc[again]))
    assert weighted.discrimination.auc == pytest.approx(repeated.discrimination.auc)
    for one, other in zip(weighted.disparity, repeated.disparity, strict=True):
        assert one.metrics.adverse_impact_ratio == pytest.approx(other.metrics.adverse_impact_ratio)
        if one.difference is not None and other.difference is not None:
            assert one.difference.smd == pytest.approx(other.difference.smd)


def test_certain_probabilities_are_known_groups(card: Scorecard, rows: Any) -> None:
    X, y, sensitive = rows
    known = Groups.from_frame(sensitive)
    columns = {each.name: dict(zip(each.labels, each.membership.T, strict=True)) for each in known.attributes}
    certain = Groups.from_probabilities(columns)
    crossing = [("sex", "group")]
    assert validate(card, X, y, groups=certain, intersections=crossing) == validate(
        card, X, y, groups=known, intersections=crossing
    )


def test_intersections_of_known_groups_are_those_of_the_frame_and_of_probable_ones_products(rows: Any) -> None:
    sensitive = rows[2]
    crossed = with_intersections(Groups.from_frame(sensitive), [("sex", "group")])["sex & group"]
    references = {"sex": "male", "group": "A", "sex & group": "male & A"}
    peer = Groups.from_frame(sensitive, intersections=[("sex", "group")], reference=references)["sex & group"]
    assert (crossed.labels, crossed.reference) == (peer.labels, peer.reference)
    assert (crossed.membership == peer.membership).all()
    probable = Groups.from_probabilities(
        {"a": {"x": [0.75, 0.5], "y": [0.25, 0.5]}, "b": {"u": [1.0, 0.5], "v": [0.0, 0.5]}}, min_group_size=0
    )
    both = with_intersections(probable, [("a", "b")])["a & b"]
    assert both.labels == ("x & u", "x & v", "y & u", "y & v")
    assert both.membership.tolist() == [[0.75, 0.0, 0.25, 0.0], [0.25] * 4]
    with pytest.raises(InputError, match="crosses two or more different attributes"):
        with_intersections(probable, [("a",)])


def test_knocked_out_applicants_are_declined_at_every_cutoff(card: Scorecard, rows: Any) -> None:
    X, y, _ = rows
    rule = KnockOut(code="K", reason="too much debt", when=(Clause("debt_ratio", (Interval(lower=45),)),))
    strict = replace(card, policy=Policy(knock_outs=(rule,)), reasons=None)
    its = validate(strict, X, y, approval_rate=0.5)
    assert its.decisions[0].approval_rate == evaluate(strict, X).approved.mean()
    standing = ~(X["debt_ratio"] >= 45).to_numpy()
    score = evaluate(strict, X).score
    assert score is not None
    assert its.decisions[1].approval_rate == (standing & (score >= its.decisions[1].threshold)).mean()


def test_segments_are_validated_at_their_own_cutoffs(card: Scorecard, rows: Any) -> None:
    X, y, _ = rows
    lenient = Segment(
        name="short",
        when=(Clause("employment_months", (Missing(), Interval(upper=12))),),
        model=replace(card, cutoff=300, reasons=None),
    )
    routing = tuple(each for each in card.features if each.name == "employment_months")
    whole = SegmentedModel(segments=(lenient, Segment(name="rest", model=card)), routing=routing)
    its = validate(whole, X, y, reference=X)
    decisions, at_rate = its.decisions
    found = evaluate(whole, X)
    assert decisions.approval_rate == found.approved.mean()
    assert math.isnan(decisions.threshold)
    assert at_rate.approval_rate == (found.probability >= at_rate.threshold).mean()
    assert its.discrimination.auc == auc(y == whole.outcome.favourable, found.probability)
    assert {each.segment for each in its.drift} == {"short", "rest"}


def test_drift_is_seen_and_its_interval_leaves_zero_out(card: Scorecard, credit: Dataset) -> None:
    poorer = credit.X[1500:].assign(income=lambda frame: frame["income"] * 0.5)
    its = validate(card, poorer, credit.y[1500:], reference=credit.X[:1500])
    drift = {each.name: each for each in its.drift}
    assert drift["Income"].reading == "much change"
    assert drift["Income"].interval[0] > 0.25
    assert drift["Late payments"].reading == "little change"
    assert drift["score"].interval[0] > 0


def test_a_random_split_of_german_credit_does_not_drift() -> None:
    german = load_german_credit()
    learn = np.arange(1000) % 2 == 0
    model = create("learner", "lda-xgb1", favourable="good").fit(german.X[learn], german.y[learn]).model_
    its = validate(model, german.X[~learn], german.y[~learn], reference=german.X[learn])
    assert 0.7 < its.discrimination.auc < 0.85
    assert its.drift[0].interval[0] < 0.05
    assert {each.reading for each in its.drift} <= {"little change", "some change"}


def test_the_favourable_class_is_the_models_or_named_where_the_data_have_other_classes(
    card: Scorecard, rows: Any
) -> None:
    X, y, _ = (part[:300] for part in rows)
    worded = replace(card, outcome=replace(card.outcome, classes=("good", "bad"), favourable="good"))
    paid, titled = (X.assign(paid=y.map(dict(enumerate(words)))) for words in (("good", "bad"), ("Good", "Bad")))

    def discrimination(frame: pd.DataFrame, favourable: Any = None) -> Any:
        return validate(worded, frame, DataConfig(target="paid", favourable=favourable)).discrimination

    usual = discrimination(paid)
    assert usual == discrimination(paid, "good") == discrimination(titled, "Good")
    with pytest.raises(InputError, match="the model calls the other class of these data favourable"):
        discrimination(paid, "bad")
    with pytest.raises(InputError, match=r"got \['Bad', 'Good'\]; allowed: 'good' or 'bad'.*--favourable CLASS"):
        discrimination(titled)


def test_what_is_refused(card: Scorecard, rows: Any) -> None:
    X, y, _ = rows
    with pytest.raises(InputError, match="no outcome is known"):
        validate(card, X, [None] * len(y))
    with pytest.raises(InputError, match="separation needs outcomes of both classes"):
        validate(card, X, np.zeros(len(y), dtype=int))
    with pytest.raises(InputError, match=r"intersections: there is no protected attribute to cross; got .*--protected"):
        validate(card, X, y, intersections=[("sex", "group")])
    with pytest.raises(InputError, match="min_group_size: unusable number; got -1"):
        validate(card, X, y, min_group_size=-1)


def test_the_development_sample_has_weights_too(card: Scorecard, rows: Any) -> None:
    X, y, _ = rows
    weight = np.random.default_rng(0).uniform(0.1, 5, len(X))
    found = validate(card, X, y, sample_weight=weight, reference=X, reference_weight=weight)
    assert {each.index for each in found.drift} == {0.0}
    assert validate(card, X, y, sample_weight=weight, reference=X).drift[0].index > 0
    with pytest.raises(InputError, match="there is no development sample to weight"):
        validate(card, X, y, reference_weight=weight)


def test_combinations_of_one_name_are_refused() -> None:
    groups = Groups.from_frame({"a": ["x & y", "x", "x"], "b": ["z", "y & z", "z"]}, min_group_size=0)
    with pytest.raises(InputError, match=r"two combinations of groups would have one name; .*both 'x & y & z'"):
        with_intersections(groups, [("a", "b")])
