"""Reasons against a plain sort of shortfalls, on real applicants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from scrutable.data.datasets import Dataset
from scrutable.data.frames import as_table
from scrutable.errors import InputError, ModelError, UnsupportedModel
from scrutable.model import Clause, Interval, KnockOut, Outcome, Override, Policy, Rule, RuleSet, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.plugins.explaining import explain
from scrutable.plugins.registry import registry
from scrutable_reason_codes.explainer import ReasonCodes


@pytest.fixture(scope="module")
def card(german: Dataset) -> Scorecard:
    learner = registry().create("learner", "scorecard", binner="quantile", select=None)
    model: Scorecard = learner.fit(german.X, german.y).model_
    return model


def test_columns_are_explained_as_frames_are(card: Scorecard, german: Dataset, tmp_path: Path) -> None:
    few = german.X.head(40)
    of_frame = explain(card, few)
    of_columns = explain(card, as_table(few))
    assert of_columns.to_dict() == of_frame.to_dict()
    assert of_columns.declined().to_dict() == of_frame.declined().to_dict()
    assert explain(card, as_table(few), rows=[7, 3]).to_dict() == explain(card, few, rows=[7, 3]).to_dict()
    few.to_csv(tmp_path / "few.csv", index=False)
    assert explain(card, tmp_path / "few.csv").frame().equals(of_frame.frame())


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


def test_shared_codes_and_own_texts(card: Scorecard, german: Dataset) -> None:
    explainer = ReasonCodes(
        codes={"savings": "CASH", "checking_status": "CASH"},
        texts={"CASH": "Balances with us are low"},
        k=17,
    )
    for found in explainer.explain(card, german.X.head(200), reference=german.X):
        codes = [reason.code for reason in found.reasons]
        assert len(codes) == len(set(codes))
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


@pytest.mark.parametrize(("decision", "last"), [("approve", None), ("decline", " no reason that may be told")])
def test_an_override_is_named_where_it_decides(
    card: Scorecard, german: Dataset, decision: Literal["approve", "decline"], last: str | None
) -> None:
    when = (Clause("duration_months", (Interval(48),)),)
    rule = Override(code="O1", reason="Watched", when=when, decision=decision, explained=False)
    overridden = replace(card, policy=Policy(overrides=(rule,)))
    explained = ReasonCodes().explain(overridden, german.X)
    for found in explained:
        applies = german.X["duration_months"].iloc[found.row] >= 48
        assert (found.override == "O1", ", decided by override O1" in found.describe()) == (applies,) * 2
        assert not applies or found.approved == (decision == "approve")
    passed = [found for found in explained if found.override and found.score >= found.cutoff]
    assert passed
    assert last is None or {found.describe().splitlines()[-1] for found in passed} == {last}


def test_weights_of_the_reference_population_count(card: Scorecard, german: Dataset) -> None:
    weight = np.where(german.y == "good", 0.0, 1.0)
    bad = ReasonCodes().policy(card, german.X, weight=weight)
    only = ReasonCodes().policy(card, german.X[german.y == "bad"])
    assert dict(bad.baselines) == pytest.approx(dict(only.baselines), abs=2**-29)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"method": "shap"}, "method: unknown method; got 'shap'; allowed: 'below-average', 'near-cutoff', 'below-max"),
        ({"method": "votes-against"}, "method: no method for this model, Scorecard; got 'votes-against'"),
        ({"near": 3.0}, "near: a width near the cutoff needs another method; got 3.0. Fix: 'near-cutoff'"),
        (
            {"method": "near-cutoff", "near": -1},
            "near: unusable number; got -1; allowed: a finite number from 0 or None",
        ),
        ({"k": "4"}, "k: unusable number; got '4'; allowed: a whole number from 1 to 100"),
        (
            {"codes": {"savings": 5}},
            "codes, 'savings': a value of the wrong type; got 5; .* Fix: put it in quotes",
        ),
        ({"never": "savings"}, "never: feature 'savings': may never be a reason"),
        ({"method": "below-maximum", "near": 3.0}, "near: a width near the cutoff needs another method"),
        ({"neutral": {"housing": 1.0}}, "neutral: neutral points need another method"),
        (
            {"codes": {"savings": "C", "housing": "C"}},
            "code 'C': a code that stands for several things needs a text; got 'Savings, Housing'",
        ),
        ({"method": "below-neutral", "neutral": {"jobb": 1.0}}, "neutral: unknown name; got 'jobb'"),
        ({"inquiries": ["jobb"]}, "inquiries: unknown name; got 'jobb'"),
        ({"never": ["savings"]}, "never: feature 'savings': may never be a reason, and the model can decline for it"),
        ({"codes": {"saving": "X"}}, "codes: unknown name; got 'saving'. Fix: did you mean 'savings'"),
        ({"texts": {"R99": "x"}}, "texts: unknown name; got 'R99'"),
    ],
)
def test_unusable_options(card: Scorecard, german: Dataset, options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        ReasonCodes(**options).policy(card, german.X)


def test_models_without_points_or_policy_are_refused(card: Scorecard, german: Dataset) -> None:
    with pytest.raises(ModelError, match="the model holds no reason policy"):
        ReasonCodes().explain(replace(card, reasons=None), german.X)
    outcome = Outcome(classes=("low", "middle", "high"), favourable="high")
    rules = RuleSet(outcome=outcome, features=(), rules=(), fallback=(Rule(when=(), outcome="low"),))
    with pytest.raises(UnsupportedModel, match="a decision between two classes by a single model; got 'RuleSet"):
        ReasonCodes().explain(rules, german.X)


def test_default_codes_keep_out_of_the_way_of_given_ones(card: Scorecard, german: Dataset) -> None:
    policy = ReasonCodes(codes={"checking_status": "R02"}).policy(card, german.X)
    assert policy.codes["checking_status"] == "R02"
    assert policy.codes["duration_months"] == "R16"
    assert len(set(policy.codes.values())) == len(card.characteristics) == 15
    attributes = tuple(replace(each, reason_code="R03") for each in card.characteristics[0].attributes[:1])
    first = replace(card.characteristics[0], attributes=(*attributes, *card.characteristics[0].attributes[1:]))
    own = replace(card, reasons=None, characteristics=(first, *card.characteristics[1:]))
    texts = ReasonCodes().policy(own, german.X)
    assert "R03" not in texts.codes.values()
    assert texts.texts["R03"].startswith("Checking status: ")


def test_a_label_that_explains_nothing_is_told_as_a_value(german: Dataset) -> None:
    X = german.X.rename(columns={"purpose": "REASON"})
    model = registry().create("learner", "scorecard", binner="quantile").fit(X, german.y).model_
    assert "Value of REASON" in model.reasons.texts.values()


def test_inquiries_count_where_an_attribute_has_its_own_code(card: Scorecard, german: Dataset) -> None:
    *others, last = card.characteristics
    own = replace(last, attributes=tuple(replace(each, reason_code="INQ") for each in last.attributes))
    model = replace(card, reasons=None, characteristics=(*others, own))
    explainer = ReasonCodes(method="below-maximum", inquiries=last.feature, texts={"INQ": "Number of inquiries"})
    model = replace(model, reasons=explainer.policy(model, None))
    fifth = [
        found.key_factors[4].code for found in ReasonCodes().explain(model, german.X) if len(found.key_factors) > 4
    ]
    assert set(fifth) == {"INQ"}


def test_a_knock_out_stands_alone_where_the_score_passes(card: Scorecard, german: Dataset) -> None:
    rule = KnockOut(code="KO1", reason="Term is too long", when=(Clause("duration_months", (Interval(0),)),))
    strict = replace(card, policy=Policy(knock_outs=(rule,)))
    alone = 0
    for found in ReasonCodes().explain(strict, german.X):
        codes = [reason.code for reason in found.reasons]
        assert codes[0] == "KO1"
        assert (codes == ["KO1"]) == (found.score >= card.cutoff)
        alone += codes == ["KO1"]
    assert 100 < alone < 1000


def test_methods_are_compared_by_their_features(card: Scorecard, german: Dataset) -> None:
    codes = {each.feature: f"X{place}" for place, each in enumerate(card.characteristics)}
    model = replace(card, reasons=ReasonCodes(codes=codes, k=3).policy(card, german.X))
    found = {each.method: each for each in ReasonCodes().compare(model, german.X, reference=german.X)}
    assert (found["shapley"].first, found["shapley"].same, found["shapley"].shared) == (1, 1, 1)
    assert 0 < (found["below-maximum"].same or 0) < 1


def test_a_method_that_cannot_be_taken_says_why(card: Scorecard, german: Dataset) -> None:
    bare = tuple(
        replace(each, attributes=tuple(replace(attribute, statistics=None) for attribute in each.attributes))
        for each in card.characteristics
    )
    found = ReasonCodes().compare(replace(card, characteristics=bare), german.X, reference=german.X)
    neutral = next(each for each in found if each.method == "below-neutral")
    assert (neutral.first, neutral.note) == (
        None,
        "no neutral points, and no statistics of the attributes to read them off",
    )


def test_the_width_near_the_cutoff_counts_weights(card: Scorecard, german: Dataset) -> None:
    score = evaluate(card, german.X).score
    assert score is not None
    far = np.where(score > card.cutoff + 60, 100.0, 1.0)
    plain = ReasonCodes(method="near-cutoff").policy(card, german.X)
    weighted = ReasonCodes(method="near-cutoff").policy(card, german.X, weight=far)
    assert plain.near is not None
    assert weighted.near is not None
    assert weighted.near > 60 > plain.near
    few = ReasonCodes(method="near-cutoff").policy(card, german.X.head(150))
    approved = np.sort(score[:150][score[:150] >= card.cutoff]) - card.cutoff
    assert few.near == pytest.approx(approved[int(np.ceil(len(approved) / 4)) - 1])


def test_the_order_of_rows_moves_no_width_near_the_cutoff(card: Scorecard, german: Dataset) -> None:
    """Tenths of a row, of which the lowest levels have a tenth of all that are approved, to the last digit."""
    above = evaluate(card, german.X).score - card.cutoff
    rows = german.X[above >= 0]
    above, chance = above[above >= 0], np.random.default_rng(76)
    low = above <= np.sort(above)[130]
    tenths = np.where(low, chance.integers(1, 4, len(above)), 1)
    tenths[~low] += chance.multinomial(9 * tenths[low].sum() - (~low).sum(), np.full((~low).sum(), 1 / (~low).sum()))
    widths = set()
    for _ in range(20):
        order = chance.permutation(len(above))
        policy = ReasonCodes(method="near-cutoff").policy(card, rows.iloc[order], weight=tenths[order] / 10)
        widths.add(policy.near)
    assert len(widths) == 1


def test_a_feature_that_is_alike_one_that_may_never_be_a_reason(card: Scorecard, german: Dataset) -> None:
    with pytest.warns(UserWarning, match="never: the model does not read 'saving'; did you mean 'savings'?"):
        ReasonCodes(never=["saving"]).policy(card, german.X)
