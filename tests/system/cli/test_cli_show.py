"""`scrutable show`: every kind of model as a person reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Model,
    Outcome,
    Policy,
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


def test_a_scorecard_shows_what_nobody_had_in_training_where_it_holds_points(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    nobody = Statistics(good=0, bad=0, share=0, woe=0)
    age = Feature(name="age", kind="numeric", special_codes=(-9.0, -8.0))
    attributes = (
        Attribute(condition=Interval(), points=1.5, statistics=Statistics(good=3, bad=1, share=1, woe=0)),
        Attribute(condition=Special((-9.0,)), points=2.5, statistics=nobody),
        Attribute(condition=Special((-8.0,)), points=0, statistics=nobody),
        Attribute(condition=Missing(), points=-0.5, statistics=nobody),
    )
    card = Scorecard(
        outcome=OUTCOME,
        features=(age,),
        characteristics=(Characteristic(feature="age", attributes=attributes),),
        base_points=0,
        cutoff=0,
        calibration=Calibration(slope=1.0),
    )
    dump(card, tmp_path / "card.json")
    said = [" ".join(line.split()) for line in run("show", tmp_path / "card.json").stdout.splitlines()]
    assert "Age any number +1.5 100.0% 25.0% +0.00" in said
    assert "special code -9 +2.5 none" in said
    assert "missing -0.5 none" in said
    assert not any("special code -8" in line for line in said)
    assert "Left out: attributes that nobody had in training, where they are worth 0 points." in said


def test_points_are_shown_with_the_decimals_of_the_scaling(run: Callable[..., Any], tmp_path: Path) -> None:
    age = Feature(name="age", kind="numeric")
    attributes = (
        Attribute(condition=Interval(upper=30), points=-0.020001),
        Attribute(condition=Interval(lower=30), points=1234.567891),
        Attribute(condition=Missing(), points=0.0),
    )
    card = Scorecard(
        outcome=OUTCOME,
        features=(age,),
        characteristics=(Characteristic(feature="age", attributes=attributes),),
        base_points=0.012346,
        cutoff=0.04,
        calibration=Calibration(slope=1.0),
        scaling=Scaling(pdo=0.05, base_score=0, base_odds=1, decimals=6),
    )
    dump(card, tmp_path / "card.json")
    shown = " ".join(run("show", tmp_path / "card.json").stdout.split())
    assert "Base points 0.012346" in shown
    assert "< 30 -0.020001" in shown
    assert ">= 30 +1234.567891" in shown


def test_a_scorecard_shows_every_characteristic(run: Callable[..., Any], model: Path) -> None:
    from scrutable.model import load

    card = load(model)
    assert isinstance(card, Scorecard)
    printed = run("show", model).stdout
    assert "Base points" in printed
    assert [feature.title for feature in card.features if feature.title not in printed] == []
    assert "bad rate WoE" in " ".join(printed.split())
    attributes = [attribute for each in card.characteristics for attribute in each.attributes]
    shown = [
        f"{each.statistics.bad_rate:.1%} {each.statistics.woe:+.2f}" for each in attributes if each.statistics.count
    ]
    assert [words for words in shown if words not in " ".join(printed.split())] == []


def test_trees_have_no_reasons_and_it_is_said_what_has(run: Callable[..., Any], tmp_path: Path) -> None:
    dump(TREES, tmp_path / "trees.json")
    (tmp_path / "new.csv").write_text("age_in_years\n30\n")
    said = run("score", tmp_path / "trees.json", tmp_path / "new.csv", "--reasons").stderr
    assert (
        "only scorecards have reasons, which other learners make, for example additive, fairgbm, lda-xgb1"
        in " ".join(said.split())
    )
    assert "scrutable explain" not in said
