"""Reasons against a plain sort of shortfalls, on real applicants."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrutable.datasets import Dataset
from scrutable.errors import InputError, ModelError, UnsupportedModel
from scrutable.model import (
    Clause,
    Interval,
    KnockOut,
    Outcome,
    Policy,
    Rule,
    RuleSet,
    Scorecard,
)
from scrutable.model.evaluator import evaluate
from scrutable.registry import registry
from scrutable_reason_codes.explainer import ReasonCodes


@pytest.fixture(scope="module")
def card(german: Dataset) -> Scorecard:
    learner = registry().create("learner", "scorecard", binner="quantile")
    model: Scorecard = learner.fit(german.X, german.y).model_
    return model


def test_baselines_are_the_average_points_of_all_applicants(card: Scorecard, german: Dataset) -> None:
    points = evaluate(card, german.X).points
    assert card.reasons is not None
    assert card.reasons.method == "below-average"
    for name, baseline in card.reasons.baselines.items():
        assert baseline == pytest.approx(points[name].mean(), abs=2**-30)


def test_reasons_equal_a_plain_sort_for_every_applicant(card: Scorecard, german: Dataset) -> None:
    points = evaluate(card, german.X).points
    policy = card.reasons
    assert policy is not None
    names = [c.feature for c in card.characteristics]
    for found in ReasonCodes().explain(card, german.X):
        short = [(policy.baselines[n] - points[n][found.row], -i, policy.codes[n]) for i, n in enumerate(names)]
        expected = [code for value, _, code in sorted(short, reverse=True) if value > 0][:4]
        assert [reason.code for reason in found.reasons] == expected
        assert found.score == card.base_points + sum(points[n][found.row] for n in names)


def test_a_reason_names_what_was_found_in_the_file(card: Scorecard, german: Dataset) -> None:
    [found] = ReasonCodes().explain(card, german.X.iloc[[1]])
    first = found.reasons[0]
    assert first.characteristic == "duration_months"
    assert first.value == 48.0
    assert first.describe().startswith("Duration months: >= ")


def test_shared_codes_own_texts_and_exclusions(card: Scorecard, german: Dataset) -> None:
    explainer = ReasonCodes(
        codes={"savings": "CASH", "checking_status": "CASH"},
        texts={"CASH": "Balances with us are low"},
        exclusions=["job"],
        k=17,
    )
    policy = explainer.policy(card, german.X)
    assert "job" not in policy.baselines
    for found in explainer.explain(card, german.X.head(200), reference=german.X):
        codes = [reason.code for reason in found.reasons]
        assert len(codes) == len(set(codes))
        assert "job" not in {reason.characteristic for reason in found.reasons}
        for reason in found.reasons:
            if reason.code == "CASH":
                assert reason.text == "Balances with us are low"


def test_a_knock_out_is_the_first_reason(card: Scorecard, german: Dataset) -> None:
    rule = KnockOut(code="KO1", reason="Term is too long", when=(Clause("duration_months", (Interval(48),)),))
    strict = replace(card, policy=Policy(knock_outs=(rule,)))
    for found in ReasonCodes().explain(strict, german.X):
        knocked = german.X["duration_months"].iloc[found.row] >= 48
        assert (found.reasons[:1] != () and found.reasons[0].code == "KO1") == knocked
        if knocked:
            assert not found.approved
            assert found.reasons[0].describe() == "Term is too long"


def test_weights_of_the_reference_population_count(card: Scorecard, german: Dataset) -> None:
    weight = np.where(german.y == "good", 0.0, 1.0)
    bad = ReasonCodes().policy(card, german.X, weight=weight)
    only = ReasonCodes().policy(card, german.X[german.y == "bad"])
    assert dict(bad.baselines) == pytest.approx(dict(only.baselines), abs=2**-29)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"method": "shap"}, "method: unknown method; got 'shap'; allowed: 'below-average'"),
        ({"codes": {"saving": "X"}}, "codes: unknown name; got 'saving'. Fix: did you mean 'savings'"),
        ({"exclusions": ["jobb"]}, "exclusions: unknown name; got 'jobb'. Fix: did you mean 'job'"),
        ({"texts": {"R99": "x"}}, "texts: unknown name; got 'R99'"),
    ],
)
def test_unusable_options(card: Scorecard, german: Dataset, options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        ReasonCodes(**options).policy(card, german.X)


def test_models_without_points_or_policy_are_refused(card: Scorecard, german: Dataset) -> None:
    with pytest.raises(ModelError, match="the model holds no reason policy"):
        ReasonCodes().explain(replace(card, reasons=None), german.X)
    outcome = Outcome(classes=(0, 1), favourable=1)
    rules = RuleSet(outcome=outcome, features=(), rules=(), fallback=(Rule(when=(), outcome=1),))
    with pytest.raises(UnsupportedModel, match="reason codes by points need a scorecard; got 'RuleSet'"):
        ReasonCodes().explain(rules, german.X)
