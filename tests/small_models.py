"""Fixtures: one small model of every kind, written by hand so that tests can break a known place of it."""

from __future__ import annotations

import pytest

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
    Model,
    Otherwise,
    Outcome,
    Policy,
    Provenance,
    ReasonPolicy,
    Rule,
    RuleSet,
    Scaling,
    Scorecard,
    Segment,
    SegmentedModel,
    Special,
    Split,
    Statistics,
    TreeEnsemble,
)

OUTCOME = Outcome(target="credit_risk", classes=("bad", "good"), favourable="good")
AGE = Feature(name="age", kind="numeric", special_codes=(-9,))
HOUSING = Feature(name="housing", kind="categorical", label="Wohnverhältnis")


@pytest.fixture
def scorecard() -> Scorecard:
    age = Characteristic(
        feature="age",
        attributes=(
            Attribute(
                condition=Interval(upper=25), points=10.5, statistics=Statistics(good=3, bad=1, share=0.4, woe=0.1)
            ),
            Attribute(condition=Interval(lower=25), points=40),
            Attribute(condition=Missing(), points=20, label="no age", reason_code="R3"),
            Attribute(condition=Special((-9,)), points=0),
        ),
    )
    housing = Characteristic(
        feature="housing",
        attributes=(
            Attribute(condition=Categories(("own",)), points=30),
            Attribute(condition=Otherwise(), points=0),
            Attribute(condition=Missing(), points=0),
        ),
    )
    return Scorecard(
        outcome=OUTCOME,
        features=(AGE, HOUSING),
        characteristics=(age, housing),
        base_points=500,
        cutoff=530,
        calibration=Calibration(slope=0.03, intercept=-16),
        scaling=Scaling(decimals=0),
        policy=Policy(
            knock_outs=(KnockOut(code="K1", reason="under age", when=(Clause("age", (Interval(upper=18),)),)),)
        ),
        reasons=ReasonPolicy(
            method="by hand",
            population="everybody",
            cutoff=530,
            baselines=FrozenMapping({"age": 30, "housing": 15}),
            codes=FrozenMapping({"age": "R1", "housing": "R2"}),
            texts=FrozenMapping({"R1": "age", "R2": "housing", "R3": "no age"}),
            order=("R2", "R1", "R3"),
            k=2,
        ),
        provenance=Provenance(learner="by hand", parameters=FrozenMapping({"cuts": (25, FrozenMapping({"é": None}))})),
    )


@pytest.fixture
def rule_set() -> RuleSet:
    old, owner = Clause("age", (Interval(lower=60), Special((-9,)))), Clause("housing", (Categories(("own",)),))
    others = Clause("housing", (Categories(("own",), negated=True), Missing()))
    return RuleSet(
        outcome=Outcome(classes=(1, 2, 3), favourable=1),
        features=(AGE, HOUSING),
        rules=(Rule(when=(old, owner), outcome=1, weight=1.5), Rule(when=(old,), outcome=3, label="old")),
        fallback=(Rule(when=(owner,), outcome=1), Rule(when=(others,), outcome=2)),
    )


@pytest.fixture
def trees() -> TreeEnsemble:
    inner = Split(Clause("housing", (Categories(("own",)),)), Leaf(0.25), Leaf(-0.5, "tenant"))
    return TreeEnsemble(
        outcome=OUTCOME,
        features=(AGE, HOUSING),
        trees=(Split(Clause("age", (Interval(upper=30.5, closed="right"), Missing())), inner, Leaf(1)), Leaf(0.125)),
        base_score=0.1,
        cutoff=0.3,
        calibration=Calibration(slope=1),
    )


@pytest.fixture
def segmented(scorecard: Scorecard, trees: TreeEnsemble) -> SegmentedModel:
    thin = Segment(name="thin file", when=(Clause("age", (Missing(), Interval(upper=21))),), model=trees)
    return SegmentedModel(segments=(thin, Segment(name="thick file", model=scorecard)), routing=(AGE,))


@pytest.fixture
def every_kind(
    scorecard: Scorecard, rule_set: RuleSet, trees: TreeEnsemble, segmented: SegmentedModel
) -> tuple[Model, ...]:
    return scorecard, rule_set, trees, segmented
