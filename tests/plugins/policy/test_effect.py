"""What rules do to applicants, beside counting by hand; what is kept back of few, and rules that clash."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable import evaluate
from scrutable.data import DataConfig
from scrutable.data.datasets import make_credit
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.model import DecisionModel
from scrutable.testing.contract.examples.models import models_named
from scrutable_policy import (
    AdjustmentRule,
    KnockOutRule,
    OverrideRule,
    StatedRule,
    add_rules,
    policy_effect,
    remove_rules,
    try_rules,
)
from scrutable_policy.disclosed import Told

SIGNED: dict[str, Any] = {"who": "Ana Ruiz", "why": "Credit policy 2026"}
#: Approves where income is above 5, and declines by K1 where income is below 0.
STUMPS = models_named()["stumps"]


def ruled(*rules: StatedRule, model: DecisionModel = STUMPS) -> DecisionModel:
    return add_rules(model, rules, **SIGNED).model


def knock_out(code: str, when: str) -> KnockOutRule:
    return KnockOutRule(code=code, reason="Age and income", when=when)


RULES = (
    knock_out("N1", "income > 80"),
    knock_out("N2", "income > 90"),
    AdjustmentRule(code="N3", reason="Age of the applicant", when="age < 40", points=-1000),
    OverrideRule(code="N4", reason="Known for long", when="age < 30 or missing", decision="approve"),
    OverrideRule(code="N5", reason="Income of the household", when="income < 10", decision="decline"),
)


def applicants(rows: int = 400, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    ages = chance.integers(15, 70, rows).astype(float)
    ages[::17] = np.nan
    frame = pd.DataFrame({"age": ages, "income": chance.integers(-10, 100, rows).astype(float)})
    return frame, chance.random(rows) < 0.8, chance.integers(1, 4, rows).astype(float)


def test_figures_are_those_counted_by_hand() -> None:
    X, good, weight = applicants()
    sex = np.where(np.arange(len(X)) % 3 == 0, "f", "m")
    groups = Groups.from_frame({"sex": sex}, reference={"sex": "m"})
    model = ruled(*RULES)
    effect = policy_effect(model, X, good, groups=groups, sample_weight=weight)
    age, income = X["age"], X["income"]
    masks = {
        "K1": (income < 0) & (income != -9),  # a special code is in no interval
        "N1": income > 80,
        "N2": income > 90,
        "N3": age < 40,
        "N4": (age < 30) | age.isna(),
        "N5": (income < 10) & (income != -9),
    }
    assert [rule.code for rule in effect.rules] == list(masks)
    assert {rule.code: rule.alone for rule in effect.rules} == {code: int(mask.sum()) for code, mask in masks.items()}
    knocked = masks["K1"] | masks["N1"] | masks["N2"]
    order = {
        "K1": masks["K1"],
        "N1": masks["N1"],
        "N2": masks["N2"] & ~masks["N1"],
        "N3": masks["N3"] & ~knocked,
        "N4": masks["N4"] & ~knocked,
        "N5": masks["N5"] & ~knocked & ~masks["N4"],
    }
    for rule in effect.rules:
        beside = int((masks[rule.code] & ~order[rule.code]).sum())
        if 0 < beside < 5:
            assert (rule.in_order, rule.in_order_share) == (None, None)
            continue
        assert rule.in_order == int(order[rule.code].sum())
        assert rule.in_order_share == pytest.approx(weight[order[rule.code]].sum() / weight.sum())
    approved = np.asarray(evaluate(model, X).approved)
    after = effect.after
    assert after.approval_rate == pytest.approx(weight[approved].sum() / weight.sum())
    assert after.bad_rate == pytest.approx(weight[approved & ~good].sum() / weight[approved].sum())
    rates = {each: np.average(approved[sex == each], weights=weight[sex == each]) for each in "fm"}
    by_group = {each.group: each for each in after.groups}
    assert by_group["f"].approval_rate == pytest.approx(rates["f"])
    assert by_group["f"].adverse_impact_ratio == pytest.approx(rates["f"] / rates["m"])
    women = approved & (sex == "f")
    assert by_group["f"].bad_rate == pytest.approx(weight[women & ~good].sum() / weight[women].sum())
    assert after.four_fifths == (("sex", pytest.approx(min(rates.values()) / max(rates.values()))),)


def test_steps_end_with_the_models_own_decisions_for_segments_too() -> None:
    data = make_credit(600, seed=3)
    model = models_named()["segmented-model"]
    rule = OverrideRule(code="N1", reason="Amount is high", when="amount > 3", decision="decline")
    both = add_rules(model, [rule], **SIGNED).model
    chance = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "amount": chance.integers(0, 9, 600).astype(float),
            "job": chance.choice(["cook", "nurse"], 600),
            "region": chance.integers(0, 4, 600).astype(float),
            "age": chance.integers(15, 70, 600).astype(float),
        }
    )
    effect = policy_effect(both, X, data.y.to_numpy() == 0)
    found = evaluate(both, X)
    assert effect.after.approval_rate == pytest.approx(found.approved.mean())
    [own] = [rule for rule in effect.rules if rule.code == "N1"]
    assert own.alone == int((X["amount"] > 3).sum())
    assert own.in_order == int((found.override == "N1").sum())


def test_rules_that_hit_nobody_that_others_cover_and_that_contradict_are_named() -> None:
    X, *_ = applicants()
    model = ruled(*RULES, knock_out("N6", "age > 500"), knock_out("N7", "income > 85 and age > 18"))
    effect = policy_effect(model, X)
    by_code = {rule.code: rule for rule in effect.rules}
    assert by_code["N2"].remarks == ("covered",)
    assert (by_code["N2"].covered_by, by_code["N2"].always) == (("N1",), True)
    assert by_code["N6"].remarks == ("hits nobody",)
    assert by_code["N7"].covered_by == ("N1",)
    pairs = {(each.decides, each.against) for each in effect.contradictions}
    assert {("N4", "N5"), ("N1", "N4"), ("K1", "N4")} <= pairs
    assert not any(each.against == "N2" for each in effect.contradictions)
    told = list(effect.lines())
    assert "N2 decides about nobody: N1 comes first for everybody it hits, whoever applies." in told
    assert "N6 hits none of these applicants." in told
    assert any(line.startswith("N4 and N5 contradict each other for ") for line in told)


def test_a_rule_that_others_cover_by_chance_is_not_called_covered_always() -> None:
    X = pd.DataFrame({"age": [40.0] * 20, "income": [95.0] * 10 + [50.0] * 10})
    effect = policy_effect(ruled(knock_out("N1", "income > 90"), knock_out("N2", "income > 60")), X)
    assert (effect.rules[-1].covered_by, effect.rules[-1].always) == (("N1",), False)


def test_a_rule_that_changes_no_decision_is_named() -> None:
    X = pd.DataFrame({"age": [10.0] * 20 + [40.0] * 20, "income": [5.0] * 40})
    before = evaluate(STUMPS, X).approved
    low = "age < 20" if not before[:20].any() else "age > 20"
    effect = policy_effect(ruled(knock_out("N1", low)), X)
    assert effect.rules[-1].changed == 0
    assert list(effect.lines())[-1].startswith("N1 changes no decision")


def test_counts_of_few_people_are_kept_back_and_rates_that_they_change() -> None:
    X = pd.DataFrame({"age": [40.0] * 100, "income": [200.0] * 3 + [150.0] * 3 + [50.0] * 94})
    model = ruled(knock_out("N1", "income > 180"), knock_out("N2", "income > 120"))
    assert evaluate(STUMPS, X).approved.all()
    first, second = policy_effect(model, X).rules[1:]
    assert (first.alone, first.alone_share, first.in_order, first.changed) == (None, None, None, None)
    assert first.after.approval_rate is None
    assert (second.alone, second.in_order, second.changed) == (6, None, None)
    assert second.after.approval_rate == pytest.approx(0.94)
    plain = policy_effect(model, X).to_dict()["rules"][1]
    assert plain["alone"] is None
    assert plain["after"]["approval_rate"] is None


def test_few_people_whom_an_earlier_rule_decides_about_are_not_told_by_a_difference() -> None:
    X = pd.DataFrame(
        {"age": [40.0] * 50 + [60.0] * 50, "income": [200.0] * 8 + [50.0] * 40 + [200.0] * 2 + [50.0] * 50}
    )
    model = ruled(knock_out("N1", "income > 180"), knock_out("N2", "age > 50"), knock_out("N3", "income < 60"))
    last, *_ = reversed(policy_effect(model, X).rules)
    assert (last.alone, last.in_order) == (90, 40)
    X["age"] = [40.0] * 47 + [60.0] * 53
    second = policy_effect(model, X).rules[2]
    assert (second.alone, second.in_order, second.in_order_share) == (53, None, None)


def test_few_people_whose_decision_a_rule_leaves_are_not_told_by_a_difference() -> None:
    X = pd.DataFrame({"age": [60.0] * 20 + [40.0] * 80, "income": [50.0] * 18 + [5.0] * 2 + [50.0] * 80})
    assert evaluate(STUMPS, X).approved.tolist() == (X["income"] > 10).tolist()
    rule = policy_effect(ruled(knock_out("N1", "age > 50")), X).rules[-1]
    assert (rule.alone, rule.in_order, rule.changed) == (20, 20, None)
    X["income"] = [50.0] * 15 + [5.0] * 5 + [50.0] * 80
    assert policy_effect(ruled(knock_out("N1", "age > 50")), X).rules[-1].changed == 15


def test_few_people_about_whom_two_rules_agree_are_not_told_by_a_difference() -> None:
    X = pd.DataFrame({"age": [25.0] * 20 + [40.0] * 80, "income": [200.0] * 18 + [50.0] * 82})
    approve = OverrideRule(code="N2", reason="Known for long", when="age < 30", decision="approve")
    effect = policy_effect(ruled(knock_out("N1", "income > 180"), approve), X)
    assert effect.rules[-1].alone == 20
    assert [pair.rows for pair in effect.contradictions] == [None]
    assert "N1 and N2 contradict each other for some applicants; N1 decides." in effect.lines()
    X["income"] = [200.0] * 15 + [50.0] * 85
    assert [pair.rows for pair in policy_effect(ruled(knock_out("N1", "income > 180"), approve), X).contradictions] == [
        15
    ]


def test_groups_are_told_of_together_and_small_ones_are_pooled() -> None:
    X = pd.DataFrame({"age": [40.0] * 100, "income": [200.0] * 8 + [50.0] * 92})
    race = ["a"] * 2 + ["b"] * 6 + ["a"] * 48 + ["b"] * 42 + ["c"] * 2
    effect = policy_effect(
        ruled(knock_out("N1", "income > 180")), X, groups=Groups.from_frame({"race": race}, min_group_size=0)
    )
    assert {each.group for each in effect.before.groups} == {"a", "b"}
    assert effect.after.approval_rate == pytest.approx(0.92)
    assert [each.approval_rate for each in effect.after.groups] == [None, None]  # two of a would be told
    assert effect.after.four_fifths == (("race", None),)


@settings(deadline=None, derandomize=True, database=None, max_examples=100)
@given(st.lists(st.lists(st.booleans(), min_size=8, max_size=8), min_size=2, max_size=6))
def test_two_rates_that_are_told_never_differ_by_few(decisions: list[list[bool]]) -> None:
    steps, told = Told(least=3), []
    for each in map(np.array, decisions):
        if steps.tells("rate", each, [np.ones(8, dtype=bool)]):
            told.append(each)
    changes = [int((one != two).sum()) for one, two in itertools.combinations(told, 2)]
    assert all(change == 0 or change >= 3 for change in changes)


def test_rules_on_protected_attributes_are_refused_and_so_are_copies_of_them() -> None:
    X, *_ = applicants()
    model = ruled(knock_out("N1", "age < 18"))
    groups = Groups.from_frame({"age": np.where(np.arange(400) % 2 == 0, "x", "y")})
    with pytest.raises(InputError, match="knock-out 'N1', column 'age': a rule reads a column that is a protected"):
        policy_effect(model, X, groups=groups)
    told = Groups.from_frame({"rich": np.where(X["income"] > 50, "yes", "no")})
    with pytest.raises(InputError, match=r"column 'income': an input tells the protected attribute 'rich'"):
        policy_effect(model, X, groups=told)
    assert policy_effect(model, X, groups=told, allow_protected=["income"]).rules


def test_a_model_without_rules_is_measured_by_groups_too() -> None:
    X, good, _ = applicants()
    bare = remove_rules(STUMPS, ["K1"], **SIGNED).model
    groups = Groups.from_frame({"sex": np.where(np.arange(len(X)) % 3 == 0, "f", "m")})
    effect = policy_effect(bare, X, good, groups=groups)
    assert effect.rules == ()
    assert effect.before == effect.after
    assert [each.group for each in effect.after.groups] == ["f", "m"]


def test_rules_are_tried_on_a_frame_before_they_are_added() -> None:
    X, good, weight = applicants()
    sex = np.where(np.arange(len(X)) % 3 == 0, "f", "m")
    [unfavourable] = [each for each in STUMPS.outcome.classes if each != STUMPS.outcome.favourable]
    outcome = np.where(good, STUMPS.outcome.favourable, unfavourable)
    frame = X.assign(sex=sex, paid=outcome, w=weight)
    config = DataConfig(target="paid", protected=("sex",), weight="w")
    tried = try_rules(STUMPS, frame, config, rules=RULES)
    groups = Groups.from_frame({"sex": sex})
    direct = policy_effect(ruled(*RULES), X, good, groups=groups, sample_weight=weight)
    assert tried.to_dict() == direct.to_dict()
    unknown = try_rules(STUMPS, frame, replace(config, target=""), rules=RULES)
    assert unknown.after.approval_rate == direct.after.approval_rate
    assert np.isnan(unknown.after.bad_rate)
    with pytest.raises(InputError, match="column 'sex': a rule reads a column that is a protected attribute"):
        try_rules(STUMPS, frame, config, rules=[knock_out("N1", "sex = 'f'")])


def test_results_read_as_frames_and_pictures() -> None:
    X, good, _ = applicants()
    groups = Groups.from_frame({"sex": np.where(np.arange(len(X)) % 3 == 0, "f", "m")})
    effect = policy_effect(ruled(*RULES), X, good, groups=groups)
    frame = effect.frame()
    assert frame.columns.tolist()[:3] == ["code", "attribute", "group"]
    assert len(frame) == 7 * 3
    figure = effect.plot()
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "approval rate",
        "adverse\nimpact ratio",
        "bad rate among\nthe approved",
    ]
    assert [text.get_text() for text in figure.axes[-1].get_xticklabels()][:2] == ["score alone", "K1"]
    assert repr(effect).startswith("PolicyEffect(400 rows, 6 rules: ")


def test_it_is_said_why_steps_have_no_rates() -> None:
    X = pd.DataFrame({"age": [40.0] * 100, "income": [200.0] * 3 + [150.0] * 3 + [50.0] * 94})
    few = policy_effect(ruled(knock_out("N1", "income > 180"), knock_out("N2", "income > 120")), X)
    why = [line for line in few.lines() if line.startswith("A step's rates are kept back where fewer than 5 people")]
    assert len(why) == 1
    many = policy_effect(ruled(knock_out("N1", "income > 120")), X)
    assert not [line for line in many.lines() if "kept back" in line]
