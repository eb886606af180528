"""Small models that several tests need."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cards import card, categories, ensemble, knocking_out, ladder, numbers, policy_of, reason_policy, rule_set

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    Leaf,
    Missing,
    Outcome,
    Policy,
    ReasonPolicy,
    Rule,
    RuleSet,
    Scorecard,
    SegmentedModel,
    Special,
    Split,
    TreeEnsemble,
)
from scrutable.model.effects import LeafEffects
from scrutable.model.trees import Path, features_of, paths
from scrutable_segmented.combining import combine

WORDS = ("cook", "it's", "a\\b", '"{{ 7 }}"', "{% x %}{#", "own ", "OWN", "\r\n", "${x}")


def whole_card() -> Scorecard:
    """Every kind of condition, knock-outs and reasons with shared codes; names and texts with quotes and braces."""
    special = Characteristic(
        feature="debt {{ 1 }}",
        attributes=(
            Attribute(condition=Interval(upper=0.1), points=12.5),
            Attribute(condition=Interval(0.1, 1e300), points=-3.25),
            Attribute(condition=Interval(lower=1e300), points=7),
            Attribute(condition=Special((-9.0,)), points=0.0078125, reason_code="R age"),
            Attribute(condition=Missing(), points=0),
        ),
    )
    parts = (ladder("age", 25.0, 40.5, label="it's -- a {% label %}"), special, categories("job", *WORDS))
    plain = card(*parts[:1], *parts[2:])
    policy = reason_policy(plain)
    reasons = replace(
        policy,
        baselines=FrozenMapping({**policy.baselines, special.feature: 5.0}),
        codes=FrozenMapping({**policy.codes, special.feature: "R {# debt"}),
        texts=FrozenMapping({**policy.texts, "R {# debt": "{{ debt }}"}),
        order=("R job", "R {# debt", "R age"),
    )
    features = tuple(
        Feature(name=part.feature, kind="categorical" if part.feature == "job" else "numeric",
                special_codes=(-9.0,) if part is special else ())
        for part in parts
    )  # fmt: skip
    return card(*parts, features=features, reasons=reasons, policy=knocking_out("age", 18))


def two_classes() -> RuleSet:
    """Overlapping rules with weights, one of them of two features, and a fallback of two."""
    age = Feature(name="age", kind="numeric", label="{{ age }}")
    young, old = Clause("age", (Interval(upper=25),)), Clause("age", (Interval(lower=25), Missing()))
    middle = Clause("age", (Interval(lower=20, upper=60, closed="both"),))
    cook = Clause("job", (Categories(("cook", "it's \\")),))
    return rule_set(
        features=(age, Feature(name="job", kind="categorical")),
        rules=(
            Rule(when=(middle,), outcome="good", weight=0.3),
            Rule(when=(cook,), outcome="bad", label="cooks {% are %} out"),
            Rule(when=(middle, cook), outcome="good", weight=2),
        ),
        fallback=(Rule(when=(young,), outcome="bad", weight=0.5), Rule(when=(old,), outcome="good")),
    )


def three_classes() -> RuleSet:
    """A rule and a fallback of one."""
    return RuleSet(
        outcome=Outcome(classes=("a", "b", "c"), favourable="a"),
        features=numbers("age"),
        rules=(
            Rule(when=(Clause("age", (Interval(upper=25),)),), outcome="b"),
            Rule(when=(Clause("age", (Interval(upper=40),)),), outcome="c", weight=0.1),
        ),
        fallback=(Rule(when=(), outcome="a"),),
    )


def trees() -> TreeEnsemble:
    """Two stumps of one feature, a tree of that feature alone, and one of two features."""
    low, high = Clause("x", (Interval(upper=0.5, closed="right"), Missing())), Clause("x", (Interval(upper=7),))
    cook = Clause("job", (Categories(("cook",)),))
    return ensemble(
        features=(Feature(name="x", kind="numeric", label="an x"), Feature(name="job", kind="categorical")),
        trees=(
            Split(low, Leaf(-1), Leaf(0.25)),
            Split(high, Leaf(0.1), Leaf(0.7)),
            Split(low, Leaf(0), Split(high, Leaf(1), Leaf(2))),
            Split(cook, Split(low, Leaf(3), Leaf(4)), Leaf(-5)),
        ),
        base_score=0.5,
        cutoff=1,
        calibration=Calibration(slope=0.5, intercept=0.1),
    )


def tree_reasons(model: TreeEnsemble, codes: dict[str, str], *, k: int = 4, baseline: float = 2) -> TreeEnsemble:
    """The model with a reason policy; the effects of leaves are numbers of which no two are alike."""
    asked = sorted({feature for tree in model.trees for feature in features_of(tree)})
    count = itertools.count(1)
    effects = tuple(
        tuple(_effects(path, count) for _, path in paths(tree)) for tree in model.trees if len(features_of(tree)) > 1
    )
    return replace(model, reasons=shared_policy(codes, dict.fromkeys(asked, baseline), k=k, effects=effects))


def _effects(path: Path, count: Iterator[int]) -> LeafEffects:
    asked = tuple(dict.fromkeys(clause.feature for clause, _ in path))
    rows = [tuple((next(count) * 7 % 31 - 15) / 8 for _ in asked) for _ in range(2 ** len(asked))]
    return LeafEffects(asked, tuple(rows))


def shared_policy(codes: dict[str, str], baselines: dict[str, float], **changes: Any) -> ReasonPolicy:
    """Codes by feature, in the order of the features."""
    texts = {code: f"{code}: it's {{{{ low }}}} -- 'very'" for code in dict.fromkeys(codes.values())}
    return policy_of(baselines=baselines, codes=codes, texts=texts, **changes)


def trees_with_reasons() -> TreeEnsemble:
    """Those of `trees`, and further ones: of three features, of one that sets infinity apart, of one without effect."""
    plain = trees()
    low, old = Clause("x", (Interval(upper=0.5, closed="right"),)), Clause("y", (Interval(lower=3), Missing()))
    cook = Clause("job", (Categories(("cook", "it's")),))
    beyond = Clause("z", (Interval(upper=1.7976931348623157e308, closed="right"),))
    model = replace(
        plain,
        features=(*plain.features, *(Feature(name=name, kind="numeric") for name in "yzn")),
        trees=(
            *plain.trees,
            Split(old, Split(cook, Leaf(1), Split(low, Leaf(-2), Leaf(0.5))), Leaf(-1)),
            Split(beyond, Leaf(0.5), Leaf(0.25)),
            Split(Clause("n", (Missing(),)), Leaf(0.75), Leaf(0.75)),
        ),
        policy=knocking_out("x", -5, reason="x below"),
    )
    return tree_reasons(model, {"x": "R x", "job": "R '{{ shared }}", "y": "R '{{ shared }}", "z": "R z", "n": "R n"})


def rules_with_reasons() -> RuleSet:
    """Rules of up to three features against and for, fallback rules either way, and a knock-out."""
    age, job = Feature(name="age", kind="numeric"), Feature(name="job", kind="categorical")
    debt = Feature(name="debt", kind="numeric", special_codes=(-9.0,))
    young, old = Clause("age", (Interval(upper=25),)), Clause("age", (Interval(lower=25), Missing()))
    cook, owing = Clause("job", (Categories(("cook",)),)), Clause("debt", (Interval(lower=100.0), Special((-9.0,))))
    return rule_set(
        features=(age, job, debt),
        rules=(
            Rule(when=(young, cook), outcome="bad", weight=0.3),
            Rule(when=(owing,), outcome="bad", weight=0.3),
            Rule(when=(cook,), outcome="good", weight=0.1),
            Rule(when=(young, cook, owing), outcome="bad", weight=0.7),
        ),
        fallback=(Rule(when=(young,), outcome="bad", weight=2), Rule(when=(old,), outcome="good")),
        policy=knocking_out("age", 18, reason="a minor"),
        reasons=shared_policy({"job": "R job", "age": "R age", "debt": "R debt"}, {}, k=3),
    )


def segments() -> SegmentedModel:
    """A scorecard, trees and rules, each with reasons, by conditions on a number, a text and missing values."""
    thin, other = "it's {{ thin }}\n--", "x"
    trees, rules = (
        replace(model, policy=Policy(knock_outs=tuple(replace(each, code=code) for each in model.policy.knock_outs)))
        for model, code in ((trees_with_reasons(), "K2"), (rules_with_reasons(), "K3"))
    )
    return combine(
        {thin: whole_card(), other: trees, "else": rules},
        {thin: {"age": [Interval(upper=21), Missing()]}, other: {"job": Categories(("cook", "own "), negated=True)}},
    )
