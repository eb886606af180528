"""What scorecards, rule sets, trees and their parts refuse when they are built."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import ModelError
from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    Rule,
    RuleSet,
    Scaling,
    Scorecard,
    SegmentedModel,
    Special,
    Split,
    TreeEnsemble,
)
from scrutable.model.characteristics import check_partition
from scrutable.model.domain import holds, witnesses
from scrutable.model.effects import LeafEffects
from scrutable.model.trees import leaves
from scrutable.testing.strategies.conditions import attribute_conditions
from scrutable.testing.strategies.values import Domain, domains

AGE = Feature(name="age", kind="numeric", special_codes=(-9.0, -8.0))
JOB = Feature(name="job", kind="categorical", special_codes=("?",))
LOW, HIGH, NONE, CODES = Interval(upper=25), Interval(lower=25), Missing(), Special((-9, -8))
COOK, OTHER, ODD = Categories(("cook", "chef")), Otherwise(), Special(("?",))


@pytest.mark.parametrize(
    ("feature", "conditions", "message"),
    [
        (AGE, (LOW, Interval(lower=24), NONE, CODES), r"attributes overlap; got '>= 24'; allowed: lower end 25"),
        (AGE, (LOW, Interval(), NONE, CODES), "attributes overlap; got 'any number'"),
        (AGE, (HIGH, LOW, NONE, CODES), r"attributes leave a gap; got 'nothing covers \[-inf, 25\)'"),
        (AGE, (Interval(), Interval(float("inf")), NONE, CODES), "attributes overlap; got '>= inf'"),
        (AGE, (LOW, Interval(lower=26), NONE, CODES), r"attributes leave a gap; got 'nothing covers \[25, 26\)'"),
        (AGE, (LOW, NONE, CODES), "gap; got 'nothing covers >= 25'. Fix: end the last interval at inf"),
        (AGE, (NONE, CODES), "attributes leave a gap; got 'no interval'"),
        (
            AGE,
            (LOW, Interval(25, 30, "both"), NONE, CODES),
            r"scorecard intervals are \[lower, upper\); got '\[25, 30\]'",
        ),
        (AGE, (LOW, HIGH, CODES), "attributes leave a gap; got '0 attributes for Missing'; allowed: exactly one"),
        (AGE, (LOW, HIGH, NONE, NONE, CODES), "attributes overlap; got '2 attributes for Missing'"),
        (AGE, (LOW, HIGH, NONE), "attributes leave a gap; got 'special code -9.0'"),
        (AGE, (LOW, HIGH, NONE, Special((-9,))), "attributes leave a gap; got 'special code -8.0'"),
        (AGE, (LOW, HIGH, NONE, CODES, Special((-8,))), "attributes overlap; got 'special code -8.0'"),
        (AGE, (LOW, HIGH, NONE, Special((-7,))), "not a special code of the feature; got -7.0"),
        (AGE, (LOW, HIGH, Categories((1,)), OTHER, NONE, CODES), "intervals cannot be mixed"),
        (AGE, (LOW, OTHER, NONE, CODES), "intervals cannot be mixed with categories or Otherwise"),
        (AGE, (Categories((1, 2)), NONE, CODES), "attributes leave a gap; got '0 attributes for Otherwise'"),
        (AGE, (Categories((1, 2)), Categories((2,)), OTHER, NONE, CODES), "attributes overlap; got 2.0"),
        (JOB, (COOK, NONE, ODD), "characteristic 'job': attributes leave a gap; got '0 attributes for Otherwise'"),
        (JOB, (COOK, OTHER, OTHER, NONE, ODD), "attributes overlap; got '2 attributes for Otherwise'"),
        (JOB, (COOK, Categories(("chef",)), OTHER, NONE, ODD), "attributes overlap; got 'chef'"),
        (JOB, (Categories(("a",), negated=True), OTHER, NONE, ODD), "negated categories .*Fix: use Otherwise"),
        (JOB, (COOK, OTHER, ODD), "'0 attributes for Missing'"),
        (JOB, (COOK, OTHER, NONE), r"gap; got \"special code '\?'\""),
        (JOB, (LOW, HIGH, NONE, ODD), "an interval needs a numeric feature"),
    ],
)
def test_attributes_that_overlap_or_leave_a_gap(feature: Feature, conditions: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check_partition(feature, conditions)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(domains(), st.data())
def test_a_partition_is_refused_as_soon_as_one_attribute_is_missing_or_repeated(
    domain: Domain, data: st.DataObject
) -> None:
    conditions = data.draw(attribute_conditions(domain))
    check_partition(domain.feature, tuple(conditions))
    named = [c for c in conditions if not isinstance(c, Otherwise)]
    for value in witnesses(domain.feature, conditions):
        others = len(named) < len(conditions)
        assert sum(holds(c, domain.feature, value) for c in named) in ((0, 1) if others else (1,))
    position = data.draw(st.integers(0, len(conditions) - 1))
    twice = [*conditions[: position + 1], *conditions[position:]]
    with pytest.raises(ModelError, match="overlap"):
        check_partition(domain.feature, tuple(twice))
    del conditions[position]
    if not (isinstance(twice[position], Categories)):  # what is no longer listed is Otherwise
        with pytest.raises(ModelError, match="gap"):
            check_partition(domain.feature, tuple(conditions))


def test_scorecard_refusals(scorecard: Scorecard) -> None:
    age, housing = scorecard.characteristics
    sex = Feature(name="sex", kind="categorical")
    for changes, message in (
        ({"features": (*scorecard.features, sex)}, "feature 'sex': the feature is not used. Fix: leave it out"),
        ({"features": scorecard.features[:1]}, "characteristic: unknown feature; got 'housing'"),
        ({"features": (*scorecard.features, AGE)}, "features: listed twice; got 'age'"),
        ({"characteristics": (age, age, housing)}, "characteristics: listed twice; got 'age'"),
        ({"characteristics": (age,)}, "feature 'housing': the feature is not used"),
        ({"cutoff": float("nan")}, "cutoff: NaN is not a number a model may hold"),
        ({"cutoff": float("inf")}, "cutoff: expected a finite number; got inf"),
        ({"base_points": 2**24}, "points are too large to add up exactly"),
    ):
        with pytest.raises(ModelError, match=message):
            replace(scorecard, **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 0}, "reason policy: k: unusable number of reasons; got 0; allowed: 1 to 100"),
        ({"order": ("R1", "R2")}, r"order and texts must name the same codes; got \['R3'\]"),
        ({"order": ("R1", "R2", "R3", "R1")}, "reason policy: order: listed twice; got 'R1'"),
        (
            {"baselines": FrozenMapping({"age": 1})},
            r"baselines must name every feature.*got \['housing'\]",
        ),
        ({"codes": FrozenMapping({"age": "R1", "hous": "R2"})}, r"codes must name .*got \['hous', 'housing'\]"),
        (
            {"codes": FrozenMapping({"age": "R1", "housing": "R22"})},
            r"code without a text; got 'R22'. Fix: give it one in `texts`, and a place in `order`; did you mean 'R2'",
        ),
        ({"inquiries": ("R1",)}, r"reason policy: inquiries: no feature that can be a reason; got \['R1'\]"),
        ({"k": True}, "reason policy: k: unusable number of reasons; got True"),
        (
            {"near": 5.0, "cutoff": 1.0},
            "belong to another cutoff; got .*; allowed: 1.0. Fix: take the policy",
        ),
        ({"near": -1.0}, "reason policy: near: expected points above the cutoff; got -1.0"),
        (
            {"translations": FrozenMapping({"de": FrozenMapping({"R1": "Alter"})})},
            "translation 'de': a translation",
        ),
        ({"effects": ((LeafEffects(("age",), ((0,), (1,))),),)}, "effects of leaves are for trees; got 1"),
        ({"order": ("K1",), "texts": FrozenMapping({"K1": "x"})}, "without a text"),
        (
            {"texts": FrozenMapping({"R1": "", "R2": "b", "R3": "c"})},
            "text of reason code 'R1': a name may not be empty",
        ),
    ],
)
def test_reason_policy_refusals(scorecard: Scorecard, changes: Any, message: str) -> None:
    assert scorecard.reasons is not None
    with pytest.raises(ModelError, match=message):
        replace(scorecard, reasons=replace(scorecard.reasons, **changes))


def test_a_knock_out_needs_a_code_of_its_own(scorecard: Scorecard) -> None:
    rule = scorecard.policy.knock_outs[0]
    with pytest.raises(ModelError, match="each knock-out needs a code of its own; got 'R1'"):
        replace(scorecard, policy=Policy(knock_outs=(replace(rule, code="R1"),)))
    with pytest.raises(ModelError, match=r"codes of knock-outs, .* listed twice; got 'K1'"):
        Policy(knock_outs=(rule, rule))
    with pytest.raises(ModelError, match="knock-out 'K': a knock-out without a condition declines everybody"):
        KnockOut(code="K", reason="all", when=())
    stray = KnockOut(code="K", reason="x", when=(Clause("hausing", (Missing(),)),))
    with pytest.raises(ModelError, match=r"knock-out 'K': unknown feature.*did you mean 'housing'\?"):
        replace(scorecard, policy=Policy(knock_outs=(stray,)))


@pytest.mark.parametrize("weight", [0, -1.0, 2.0**-32, -0.0])
def test_a_rule_needs_a_weight(weight: float) -> None:
    with pytest.raises(ModelError, match=r"a rule needs a positive weight; got .*Fix: leave out rules whose weight"):
        Rule(when=(), outcome=1, weight=weight)


def test_rule_set_refusals(rule_set: RuleSet) -> None:
    owner, others = rule_set.fallback
    everybody = Rule(when=(), outcome=2)
    for fallback, message in (
        ((), "fallback of the rule set: nothing applies to any row"),
        ((owner,), "fallback of the rule set: the list leaves a gap; got {'housing': None}; allowed: exactly one"),
        ((owner, others, everybody), "the list overlaps; got"),
        ((everybody, everybody), "the list overlaps; got 'every row'"),
    ):
        with pytest.raises(ModelError, match=message):
            replace(rule_set, fallback=fallback)
    with pytest.raises(ModelError, match=r"if always then 9: unknown class; got 9; allowed: \[1, 2, 3\]"):
        replace(rule_set, rules=(Rule(when=(), outcome=9),))
    with pytest.raises(ModelError, match=r"features in rule .*: listed twice; got 'age'"):
        Rule(when=(Clause("age", (Missing(),)), Clause("age", (Interval(),))), outcome=1)
    with pytest.raises(ModelError, match="the feature is not used"):
        replace(rule_set, rules=())


def test_the_default_cutoff_settles_ties_for_the_lowest_class() -> None:
    for favourable, decided in ((0, 0), (1, 0)):
        ties = RuleSet(
            outcome=Outcome(classes=(0, 1), favourable=favourable),
            features=(),
            rules=(Rule(when=(), outcome=0), Rule(when=(), outcome=1)),
            fallback=(Rule(when=(), outcome=1),),
        )
        assert ties.cutoff is not None
        approved = ties.cutoff <= 0
        assert (favourable if approved else 1 - favourable) == decided


def test_trees_may_not_be_too_deep(trees: TreeEnsemble) -> None:
    node: Any = Leaf(1)
    for _ in range(16):
        node = Split(Clause("age", (Missing(),)), node, Leaf(0))
    deep = replace(trees, trees=(node, *trees.trees))
    with pytest.raises(ModelError, match="tree 1: the tree is too deep; got 17; allowed: at most 16"):
        replace(deep, trees=(trees.trees[0], Split(Clause("age", (Missing(),)), node, Leaf(0))))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Calibration(slope=-1), "more points must not mean a lower probability; got -1.0; allowed: slope >= 0"),
        (lambda: Calibration(slope=1e308), "the linear predictor overflows"),
        (lambda: Calibration(slope=1, link="probit"), "unknown link; got 'probit'; allowed: 'logit' or 'identity'"),
        (lambda: Outcome(classes=(1.5, float("nan")), favourable=1.5), "class of the outcome: NaN is not a number"),
        (lambda: Outcome(classes=("a", "\x00"), favourable="a"), "NUL or a lone surrogate"),
        (lambda: Outcome(classes=(1, True), favourable=1), "classes of the outcome: listed twice"),
        (lambda: Scaling(pdo=0), "scaling: pdo: expected a positive number; got 0.0"),
        (lambda: Scaling(decimals=7), "unusable rounding; got 7; allowed: None or 0 to 6"),
        (
            lambda: Attribute(condition=Missing(), points=1, reason_code=""),
            "reason code of an attribute: a name may not",
        ),
        (lambda: Leaf(float("inf")), "expected a finite number"),
    ],
)
def test_refusals_of_parts(make: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()


def test_the_favourable_class_is_stored_as_listed() -> None:
    assert Outcome(classes=(False, True), favourable=1).favourable is True


def test_characteristic_order_is_free_for_missing_and_special() -> None:
    attributes = [Attribute(condition=c, points=1) for c in (NONE, LOW, CODES, HIGH)]
    Characteristic(feature="age", attributes=tuple(attributes)).check(AGE)


def test_a_model_is_shown_in_a_line(
    scorecard: Scorecard, rule_set: RuleSet, trees: TreeEnsemble, segmented: SegmentedModel
) -> None:
    ends = sum(1 for tree in trees.trees for _ in leaves(tree))
    assert repr(scorecard) == "Scorecard(2 characteristics, 7 attributes, cutoff 530)"
    assert repr(rule_set) == "RuleSet(2 rules, 2 fallback rules)"
    assert repr(trees) == f"TreeEnsemble({len(trees.trees)} trees, {ends} leaves, cutoff {trees.cutoff:.6g})"
    assert repr(segmented) == f"SegmentedModel({len(segmented.segments)} segments, {len(segmented.features)} features)"


@pytest.mark.parametrize(
    ("name", "title"),
    [("credit_amount", "Credit amount"), ("X_5", "X_5"), ("pay_0_x", "pay_0_x"), ("x5_b", "X5 b"), ("_a", " a")],
)
def test_a_title_keeps_the_names_that_are_codes(name: str, title: str) -> None:
    assert Feature(name=name, kind="numeric").title == title
    assert Feature(name=name, kind="numeric", label="label_1").title == "label_1"
