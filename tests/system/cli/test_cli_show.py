"""`scrutable show`: every kind of model as a person reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.model import (
    Calibration,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Model,
    Outcome,
    Policy,
    Rule,
    RuleSet,
    Segment,
    SegmentedModel,
    Split,
    TreeEnsemble,
    dump,
)

OUTCOME = Outcome(classes=("bad", "good"), favourable="good", target="paid")
AGE = Feature(name="age_in_years", kind="numeric")
YOUNG = Clause("age_in_years", (Interval(upper=21),))
RULES = RuleSet(
    outcome=OUTCOME,
    features=(AGE,),
    rules=(Rule(when=(YOUNG,), outcome="bad", weight=0.5),),
    fallback=(Rule(when=(), outcome="good"),),
    policy=Policy(knock_outs=(KnockOut(code="K1", reason="Under age", when=(YOUNG,)),)),
)
TREES = TreeEnsemble(
    outcome=OUTCOME,
    features=(AGE,),
    trees=(Split(YOUNG, Leaf(-2.0), Leaf(3.0)),),
    base_score=1.0,
    cutoff=0.0,
    calibration=Calibration(slope=1.0),
)
BOTH = SegmentedModel(
    segments=(Segment(name="young", model=TREES, when=(YOUNG,)), Segment(name="rest", model=RULES)), routing=(AGE,)
)


@pytest.mark.parametrize(
    ("model", "texts"),
    [
        (
            RULES,
            [
                "paid: the favourable outcome is 'good'",
                "Knock-out K1: Under age",
                "if Age in years < 21 then bad",
                "0.5",
            ],
        ),
        (TREES, ["Tree 1", "if Age in years < 21", "    -2", "    +3"]),
        (BOTH, ["Segment young", "Segment rest", "Tree 1", "then bad"]),
    ],
)
def test_rules_trees_and_segments(run: Callable[..., Any], tmp_path: Path, model: Model, texts: list[str]) -> None:
    dump(model, tmp_path / "model.json")
    result = run("show", tmp_path / "model.json")
    assert result.exit_code == 0, result.output
    assert [text for text in texts if text not in result.stdout] == []


def test_a_scorecard_shows_every_characteristic(run: Callable[..., Any], model: Path) -> None:
    from scrutable.model import Scorecard, load

    card = load(model)
    assert isinstance(card, Scorecard)
    printed = run("show", model).stdout
    assert "Base points" in printed
    assert [feature.title for feature in card.features if feature.title not in printed] == []
