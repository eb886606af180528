"""Reasons say where neither more nor less is better throughout."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    Leaf,
    Missing,
    Outcome,
    Scorecard,
    Split,
    TreeEnsemble,
)
from scrutable_reason_codes.explainer import ReasonCodes
from scrutable_reason_codes.policies import lines_of
from scrutable_reason_codes.turning import turns_of

GOOD = Outcome(classes=("bad", "good"), favourable="good")
AGE, DEBT = (Feature(name=name, kind="numeric") for name in ("age", "debt"))
ROWS = {"age": [20.0, 50.0, 70.0, None], "debt": [9.0, 1.0, 9.0, 1.0]}


def characteristic(name: str, *points: float) -> Characteristic:
    ends = [-math.inf, *map(float, range(30, 30 * len(points), 30)), math.inf]
    steps = [Attribute(condition=Interval(*two), points=own) for two, own in zip(pairwise(ends), points, strict=True)]
    return Characteristic(feature=name, attributes=(*steps, Attribute(condition=Missing(), points=-9)))


def card() -> Scorecard:
    model = Scorecard(
        outcome=GOOD,
        features=(AGE, DEBT),
        characteristics=(characteristic("age", 0, 20, 5), characteristic("debt", 4, 1)),
        base_points=0.0,
        cutoff=40.0,
        calibration=Calibration(slope=1.0),
    )
    return replace(model, reasons=ReasonCodes(method="below-maximum").policy(model, None))


def test_a_reason_says_that_points_rise_and_fall_again() -> None:
    young, _, old, missing = ReasonCodes().explain(card(), ROWS)
    turning = "points rise up to [30, 60) and fall above"
    assert [reason.describe() for reason in young.reasons] == [
        f"Age: < 30 (20.0 points below the baseline; {turning})",
    ]
    assert old.reasons[0].describe() == f"Age: >= 60 (15.0 points below the baseline; {turning})"
    assert missing.reasons[0].describe() == "Age: missing (29.0 points below the baseline)"
    assert old.to_dict()["reasons"][0]["turns"] == "rise up to [30, 60) and fall above"


def test_what_is_better_throughout_is_said_as_before() -> None:
    falling = replace(card(), characteristics=(characteristic("age", 20, 10, 5), characteristic("debt", 4, 1)))
    told = [reason for each in ReasonCodes().explain(falling, ROWS) for reason in each.reasons]
    assert {reason.turns for reason in told} == {None}
    assert not [reason for reason in told if "points rise" in reason.describe()]


def test_the_policy_s_lines_have_it() -> None:
    told = {line.feature: line.turns for line in lines_of(card())}
    assert told == {"Age": "rise up to [30, 60) and fall above", "Debt": None}


def stump(name: str, at: float, below: float, above: float) -> Split:
    return Split(Clause(name, (Interval(upper=at),)), Leaf(below), Leaf(above))


@pytest.mark.parametrize("beside", [False, True])
def test_trees_of_one_feature_have_shapes_and_others_do_not(beside: bool) -> None:
    pair = Split(Clause("debt", (Interval(upper=5),)), stump("age", 40, 0.0, 1.0), Leaf(0.5))
    trees = (stump("age", 30, 0.0, 2.0), stump("age", 60, 0.0, -1.0), pair if beside else stump("debt", 5, 1.0, 0.0))
    model = TreeEnsemble(
        outcome=GOOD, features=(AGE, DEBT), trees=trees, base_score=0.0, cutoff=9.0, calibration=Calibration(slope=1.0)
    )
    assert turns_of(model) == ({} if beside else {"age": "rise up to [30, 60) and fall above"})


def test_a_text_of_both_sides_is_unfit() -> None:
    from scrutable.model import text_faults

    model = card()
    assert model.reasons is not None
    texts = FrozenMapping({**model.reasons.texts, model.reasons.codes["age"]: "Age too low"})
    faults = text_faults(replace(model, reasons=replace(model.reasons, texts=texts)))
    assert [each.code for each in faults if "both sides" in each.fault] == [model.reasons.codes["age"]]
