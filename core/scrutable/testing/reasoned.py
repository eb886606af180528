"""Tree ensembles and rule sets with reasons, for the tests of several exporters."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from scrutable.model import (
    Calibration,
    Categories,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Outcome,
    Policy,
    ReasonPolicy,
    Rule,
    RuleSet,
    Special,
    Split,
    TreeEnsemble,
)
from scrutable.model.effects import LeafEffects
from scrutable.model.evaluator import OutputFrame, evaluate
from scrutable.model.trees import features_of, paths
from scrutable.proof.edges import edge_rows

OUTCOME = Outcome(classes=("bad", "good"), favourable="good")
AGE, INCOME = Feature(name="age", kind="numeric"), Feature(name="income", kind="numeric", special_codes=(-9,))
JOB, REGION = Feature(name="job", kind="categorical"), Feature(name="region", kind="numeric")
DEBTS = Feature(name="debts", kind="numeric")
COOK = Clause("job", (Categories(("cook",)),))
NO_DEBTOR = KnockOut(code="K1", reason="income below zero", when=(Clause("income", (Interval(upper=0),)),))

#: Rows of `small_trees` and `small_rules`, and their reasons and shortfalls by hand.
ROWS = {"age": [10.0, 25.0, 40.0, 50.0], "income": [1.0, 9.0, -1.0, None], "job": ["x", None, "cook", "x"]}
BY_HAND = {
    "trees": {
        "reason_1": ["R1", None, "K1", "R2"],
        "reason_2": ["R2", None, None, None],
        "short_1": [2.75, math.nan, math.nan, 0.5],
        "short_2": [1.0, math.nan, math.nan, math.nan],
    },
    "rules": {
        "reason_1": ["R1", "R1", "K1", None],
        "reason_2": ["R2", None, None, None],
        "short_1": [0.75, 1.0, math.nan, math.nan],
        "short_2": [0.75, math.nan, math.nan, math.nan],
    },
}


def at_most(feature: str, limit: float) -> Clause:
    """Numbers up to a limit, and missing."""
    return Clause(feature, (Interval(upper=limit, closed="right"), Missing()))


def policy(
    baselines: Mapping[str, float], codes: Mapping[str, str], *effects: tuple[LeafEffects, ...], k: int = 2
) -> ReasonPolicy:
    """A policy with the codes in falling order, so that ties show."""
    order = tuple(sorted(set(codes.values()), reverse=len(set(codes.values())) > 2))
    return ReasonPolicy(
        method="by hand",
        population="everybody",
        cutoff=0,
        baselines=FrozenMapping(baselines),
        codes=FrozenMapping(codes),
        texts=FrozenMapping({code: f"what {code} stands for" for code in order}),
        order=order,
        k=k,
        effects=effects,
    )


def ensemble(trees: tuple[Split, ...], features: tuple[Feature, ...], reasons: ReasonPolicy) -> TreeEnsemble:
    return TreeEnsemble(
        outcome=OUTCOME,
        features=features,
        trees=trees,
        base_score=0,
        cutoff=0,
        calibration=Calibration(slope=1),
        policy=Policy(knock_outs=(NO_DEBTOR,)),
        reasons=reasons,
    )


def small_trees() -> TreeEnsemble:
    """A stump, and a tree of two features."""
    trees = (
        Split(at_most("age", 20), Leaf(-1), Leaf(1)),
        Split(at_most("age", 30), Split(at_most("income", 5), Leaf(-2), Leaf(1)), Leaf(2)),
    )
    effects = (
        LeafEffects(("age", "income"), ((0, 0), (0, 0), (0, 0), (-1, -1))),
        LeafEffects(("age", "income"), ((0, 0), (0.25, 0.5), (0, 0), (0.5, 0.5))),
        LeafEffects(("age",), ((0,), (2,))),
    )
    reasons = policy({"age": 1, "income": 0.5}, {"age": "R1", "income": "R2"}, effects)
    return ensemble(trees, (AGE, INCOME), reasons)


def small_rules() -> RuleSet:
    """A rule of two features against, one for, and a fallback that is against the young."""
    older = Clause("age", (Interval(lower=40, closed="neither"),))
    return RuleSet(
        outcome=OUTCOME,
        features=(AGE, INCOME, JOB),
        rules=(
            Rule(when=(at_most("age", 20), at_most("income", 3)), outcome="bad", weight=0.75),
            Rule(when=(COOK,), outcome="good"),
        ),
        fallback=(Rule(when=(at_most("age", 40),), outcome="bad"), Rule(when=(older,), outcome="good")),
        policy=Policy(knock_outs=(NO_DEBTOR,)),
        reasons=policy({}, {"age": "R1", "income": "R2"}),
    )


def trees() -> TreeEnsemble:
    """Effects of three features, shared codes, a feature that is worth the same for all, one with infinity apart."""
    chance = random.Random(4)
    own = Clause("income", (Special((-9,)), Interval(upper=100)))
    low, high = Split(COOK, Leaf(1), Leaf(-1)), Split(at_most("age", 50), Leaf(2), Split(own, Leaf(0), Leaf(3)))
    roots = (
        Split(at_most("age", 20), Leaf(-1), Leaf(1)),
        Split(at_most("age", 30), Split(own, low, Leaf(2)), high),
        Split(at_most("region", 3), Leaf(1), Leaf(2)),
        Split(at_most("region", 3), Leaf(2), Leaf(1)),
        Split(at_most("debts", sys.float_info.max), Leaf(1), Leaf(-1)),
        Split(own, Split(COOK, Leaf(1), Leaf(-1)), Leaf(0)),
    )

    def effects_of(tree: Split) -> tuple[LeafEffects, ...]:
        ways = [tuple(dict.fromkeys(clause.feature for clause, _ in path)) for _, path in paths(tree)]
        return tuple(
            LeafEffects(way, tuple(tuple(float(chance.randint(-1, 1)) for _ in way) for _ in range(2 ** len(way))))
            for way in ways
        )

    effects = [effects_of(root) for root in roots if len(features_of(root)) > 1]
    codes = {"age": "R1", "job": "R1", "income": "R2", "debts": "R2", "region": "R3"}
    baselines = {"age": 0, "job": 0, "income": 0, "debts": 1, "region": 4}
    return ensemble(roots, (AGE, INCOME, JOB, REGION, DEBTS), policy(baselines, codes, *effects, k=3))


def rules() -> RuleSet:
    """Rules and fallback rules against, shared codes, equal weights."""
    poor, young = Clause("income", (Interval(upper=10), Special((-9,)))), at_most("age", 30)
    far = Clause("region", (Interval(lower=7),))
    near = Clause("region", (Interval(upper=7), Missing()))
    return RuleSet(
        outcome=OUTCOME,
        features=(AGE, INCOME, JOB, REGION),
        rules=(
            Rule(when=(poor,), outcome="bad"),
            Rule(when=(poor, young), outcome="bad"),
            Rule(when=(young, COOK), outcome="bad"),
            Rule(when=(COOK,), outcome="good", weight=3),
        ),
        fallback=(Rule(when=(far,), outcome="bad", weight=0.25), Rule(when=(near,), outcome="good")),
        policy=Policy(knock_outs=(NO_DEBTOR,)),
        reasons=policy({}, {"age": "R1", "job": "R1", "income": "R2", "region": "R3"}, k=3),
    )


MODELS: dict[str, TreeEnsemble | RuleSet] = {"trees": trees(), "rules": rules()}


def telling_rows(model: TreeEnsemble | RuleSet) -> tuple[Any, OutputFrame]:
    """Edge rows, ties, knock-outs and rows with fewer reasons among them, and what the evaluator says of them."""
    rows = edge_rows(model, n_random=300)
    outputs = evaluate(model, rows).frame()
    assert (outputs["short_1"] == outputs["short_2"]).any()
    assert (outputs["reason_1"] == "K1").any()
    counts = sum((outputs[f"reason_{i}"] != np.array(None)).astype(int) for i in (1, 2, 3))
    assert len(set(np.asarray(counts).tolist())) > 1
    return rows, outputs
