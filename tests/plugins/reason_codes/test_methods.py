"""Every method's baselines against what it says it compares with, and what each kind of model refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import Dataset
from scrutable.errors import InputError, ModelError
from scrutable.model import (
    Calibration,
    Categories,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Outcome,
    Policy,
    Rule,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    Split,
    TreeEnsemble,
)
from scrutable.model.evaluator import evaluate, shortfalls_by_feature
from scrutable.model.stepwise import scorecard_of
from scrutable.plugins.registry import registry
from scrutable_reason_codes.explainer import ReasonCodes

GOOD = Outcome(classes=("bad", "good"), favourable="good")
AGE, JOB = Feature(name="age", kind="numeric"), Feature(name="job", kind="categorical")


@pytest.fixture(scope="module")
def card(german: Dataset) -> Scorecard:
    learner = registry().create("learner", "scorecard", binner="quantile", explainer=None)
    model: Scorecard = learner.fit(german.X, german.y).model_
    return model


def test_near_the_cutoff_means_the_approved_within_a_width(card: Scorecard, german: Dataset) -> None:
    found = evaluate(card, german.X)
    assert found.score is not None
    near = (found.score >= card.cutoff) & (found.score <= card.cutoff + 12.5)
    policy = ReasonCodes(method="near-cutoff", near=12.5).policy(card, german.X)
    assert policy.near == 12.5
    for name, baseline in policy.baselines.items():
        assert baseline == pytest.approx(found.points[name][near].mean(), abs=2**-30)
    assert "up to 12.5 points above the cutoff" in policy.population


def test_the_default_width_holds_the_lowest_tenth_of_the_approved(card: Scorecard, german: Dataset) -> None:
    found = evaluate(card, german.X)
    assert found.score is not None
    width = ReasonCodes(method="near-cutoff").policy(card, german.X).near
    assert width is not None
    assert (found.approved & (found.score <= card.cutoff + width)).sum() == pytest.approx(100, abs=3)


def test_everybody_declined_has_a_reason_near_the_cutoff(card: Scorecard, german: Dataset) -> None:
    model = replace(card, reasons=ReasonCodes(method="near-cutoff").policy(card, german.X))
    found = evaluate(model, german.X)
    assert found.reasons is not None
    assert all(code is not None for code in found.reasons[~found.approved, 0])


def test_a_moved_cutoff_refuses_baselines_near_the_old_one(card: Scorecard, german: Dataset) -> None:
    model = replace(card, reasons=ReasonCodes(method="near-cutoff").policy(card, german.X))
    with pytest.raises(ModelError, match=r"belong to another cutoff; got .* Fix: take the policy anew"):
        replace(model, cutoff=card.cutoff + 5)
    average = replace(card, reasons=ReasonCodes().policy(card, german.X))
    assert replace(average, cutoff=card.cutoff + 5).reasons == average.reasons


def test_below_the_maximum_and_below_neutral(card: Scorecard, german: Dataset) -> None:
    most = ReasonCodes(method="below-maximum").policy(card, None)
    neutral = ReasonCodes(method="below-neutral", neutral={"housing": 7.0}).policy(card, None)
    assert neutral.baselines["housing"] == 7.0
    for characteristic in card.characteristics:
        points = [attribute.points for attribute in characteristic.attributes]
        assert most.baselines[characteristic.feature] == max(points)
        if characteristic.feature != "housing":
            seen = [a for a in characteristic.attributes if a.statistics is not None and a.statistics.count]
            below = [a.points for a in seen if a.statistics.woe <= 0]
            above = [a.points for a in seen if a.statistics.woe >= 0]
            assert max(below) - 1e-9 <= neutral.baselines[characteristic.feature] <= min(above) + 1e-9


def test_shapley_values_of_points_are_those_below_the_average(card: Scorecard, german: Dataset) -> None:
    shapley = ReasonCodes(method="shapley").policy(card, german.X)
    assert shapley.baselines == ReasonCodes(method="below-average").policy(card, german.X).baselines
    near = ReasonCodes(method="shapley", near=12.5).policy(card, german.X)
    assert near.baselines == ReasonCodes(method="near-cutoff", near=12.5).policy(card, german.X).baselines


def test_stumps_have_the_methods_of_scorecards(german: Dataset) -> None:
    def stump(name: str, cut: float, low: float, high: float) -> Split:
        return Split(Clause(name, (Interval(upper=cut), Missing())), Leaf(low), Leaf(high))

    trees = (stump("age", 30, -1, 0.5), stump("age", 50, -0.25, 1), stump("duration_months", 24, 1, -1))
    cancel = (stump("credit_amount", 2000, 1, -1), stump("credit_amount", 2000, -1, 1))
    names = ("age", "duration_months", "credit_amount")
    model = TreeEnsemble(
        outcome=GOOD,
        features=tuple(Feature(name=name, kind="numeric") for name in names),
        trees=(*trees, *cancel),
        base_score=0.0,
        cutoff=0.5,
        calibration=Calibration(slope=1.0),
    )
    rows = german.frame
    for method in ("below-average", "near-cutoff", "below-maximum", "shapley"):
        explainer = ReasonCodes(method=method)
        ours = replace(model, reasons=explainer.policy(model, rows))
        card = scorecard_of(model)
        theirs = replace(card, reasons=explainer.policy(card, rows))
        short = shortfalls_by_feature(ours, rows)
        assert not short["credit_amount"].any()
        for name, expected in shortfalls_by_feature(theirs, rows).items():
            assert short[name] == pytest.approx(expected, abs=2**-29)


def rules(*fallback: Rule) -> RuleSet:
    young = Clause("age", (Interval(upper=25),))
    idle = Clause("job", (Categories(("none",)),))
    return RuleSet(
        outcome=GOOD,
        features=(AGE, JOB),
        rules=(
            Rule(when=(young,), outcome="bad", weight=1.0),
            Rule(when=(young, idle), outcome="bad", weight=0.5),
            Rule(when=(Clause("job", (Categories(("clerk",)),)),), outcome="good", weight=2.0),
        ),
        fallback=fallback or (Rule(when=(), outcome="good"),),
    )


ROWS = pd.DataFrame({"age": [20.0, 20.0, 20.0, 60.0], "job": ["none", "clerk", "cook", "none"]})


def test_rules_against_give_their_features_by_weight() -> None:
    model = replace(rules(), reasons=ReasonCodes(texts={"R01": "Age of the account"}).policy(rules(), None))
    found = ReasonCodes().explain(model, ROWS)
    assert [[reason.code for reason in each.reasons] for each in found] == [["R01", "R02"], ["R01"], ["R01"], []]
    assert [[reason.points_short for reason in each.reasons] for each in found] == [[1.5, 0.5], [1.0], [1.0], []]
    assert [each.approved for each in found] == [False, True, False, True]
    assert found[0].reasons[0].describe() == "Age of the account: Age < 25 (1.5 of the votes against)"
    assert found[0].reasons[1].describe() == "Job: 'none' (0.5 of the votes against)"


def test_the_fallback_gives_reasons_where_no_rule_applies() -> None:
    old = Clause("age", (Interval(50), Missing()))
    young = Clause("age", (Interval(upper=50),))
    model = rules(Rule(when=(old,), outcome="bad"), Rule(when=(young,), outcome="good"))
    model = replace(model, reasons=ReasonCodes().policy(model, None))
    found = ReasonCodes().explain(model, ROWS)
    assert [reason.describe() for reason in found[3].reasons] == ["Age: >= 50 or missing (1.0 of the votes against)"]


def test_a_default_decline_gives_no_specific_reason() -> None:
    model = rules(Rule(when=(), outcome="bad"))
    with pytest.raises(ModelError, match=r"gives no specific reason; .* Fix: learn with a favourable default class"):
        replace(model, reasons=ReasonCodes().policy(model, None))


@pytest.mark.parametrize("model", [rules(), replace(rules(), policy=Policy(knock_outs=()))])
def test_features_that_may_never_be_a_reason(model: RuleSet) -> None:
    with pytest.raises(InputError, match=r"never: feature 'age': may never be a reason.*comment 9"):
        ReasonCodes(never=("age",)).policy(model, None)


def test_what_cannot_fall_short_may_be_on_the_list_of_never(card: Scorecard, german: Dataset) -> None:
    first, *rest = card.characteristics
    level = tuple(replace(attribute, points=3.0) for attribute in first.attributes)
    flat = replace(card, characteristics=(replace(first, attributes=level), *rest))
    assert ReasonCodes(never=(first.feature, "sex")).policy(flat, german.X).codes
    rule = KnockOut(code="K1", reason="Loan is too long", when=(Clause(first.feature, (Missing(),)),))
    with pytest.raises(InputError, match="may never be a reason"):
        ReasonCodes(never=(first.feature,)).policy(replace(flat, policy=Policy(knock_outs=(rule,))), german.X)


def test_inquiries_come_beyond_the_four_key_factors(card: Scorecard, german: Dataset) -> None:
    name = card.characteristics[-1].feature
    policy = ReasonCodes(method="below-maximum", inquiries=(name,), k=2).policy(card, None)
    model = replace(card, reasons=policy)
    five = 0
    for found in ReasonCodes().explain(model, german.X):
        assert len(found.reasons) <= 2
        assert found.key_factors[: len(found.reasons)] == found.reasons
        first, further = found.key_factors[:4], found.key_factors[4:]
        codes = [factor.code for factor in further]
        assert codes in ([], [policy.codes[name]])
        points = float(evaluate(model, german.X.iloc[[found.row]]).points[name][0])
        named = policy.codes[name] in {factor.code for factor in (*first, *further)}
        assert named == (points < policy.baselines[name])
        five += bool(further)
    assert five > 10


def test_a_knock_out_is_no_key_factor(card: Scorecard, german: Dataset) -> None:
    rule = KnockOut(code="KO1", reason="Term is too long", when=(Clause("duration_months", (Interval(48),)),))
    strict = replace(card, policy=Policy(knock_outs=(rule,)), reasons=None)
    strict = replace(strict, reasons=ReasonCodes().policy(strict, german.X))
    for found in ReasonCodes().explain(strict, german.X.head(100)):
        assert "KO1" not in [factor.code for factor in found.key_factors]


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0, -1.0], r", row 1: weights may not be negative.*got -1\.0"),
        ([0.0, 0.0], r": weights may not be negative, nor all be zero; got 0\.0"),
        ([np.nan, 1.0], ", row 0: expected finite numbers, .*got nan"),
        (["one", "two"], ": expected numbers"),
        ([1.0], ": the number of rows differs; got 1; allowed: 2 rows"),
    ],
)
def test_unusable_weights_of_the_population(weight: Any, message: str, card: Scorecard, german: Dataset) -> None:
    with pytest.raises(InputError, match=f"weights of the reference{message}"):
        ReasonCodes().policy(card, german.X.head(2), weight=weight)


def test_a_cutoff_that_declines_without_a_vote_against_gives_no_reason() -> None:
    model = replace(rules(), cutoff=3.0)
    with pytest.raises(
        ModelError, match=r"without any vote against can be declined.*got 'cutoff 3.0, a vote .* of 1.0'"
    ):
        replace(model, reasons=ReasonCodes().policy(model, None))


def test_segments_agree_on_the_texts_of_codes() -> None:
    first = replace(rules(), reasons=ReasonCodes().policy(rules(), None))
    other = replace(rules(), reasons=ReasonCodes(texts={"R01": "Age of the account"}).policy(rules(), None))
    thin = Segment(name="thin", when=(Clause("age", (Missing(),)),), model=first)
    with pytest.raises(
        ModelError, match=r"disagree on the text of a reason code.*'Age of the account'; allowed: 'Age'"
    ):
        SegmentedModel(routing=(AGE,), segments=(thin, Segment(name="rest", model=other)))
    assert SegmentedModel(routing=(AGE,), segments=(thin, Segment(name="rest", model=first))).segments


def test_trees_are_explained_with_the_value_in_the_file() -> None:
    tree = Split(
        Clause("age", (Interval(upper=30),)),
        Split(Clause("job", (Categories(("none",)),)), Leaf(-1.0), Leaf(0.25)),
        Leaf(1.0),
    )
    model = TreeEnsemble(
        outcome=GOOD, features=(AGE, JOB), trees=(tree,), base_score=0.0, cutoff=0.5, calibration=Calibration(slope=1.0)
    )
    model = replace(model, reasons=ReasonCodes().policy(model, ROWS))
    found = ReasonCodes().explain(model, ROWS)
    assert [reason.describe() for reason in found[0].reasons] == [
        "Job: 'none' (0.62 points below the baseline)",
        "Age: 20 (0.5 points below the baseline)",
    ]
