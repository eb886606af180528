"""Interactions, score adjustments, overrides and grades beside points and reasons in one whole number."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from scrutable.model import (
    Adjustment,
    Attribute,
    Axis,
    Clause,
    FrozenMapping,
    Grade,
    Interaction,
    Interval,
    KnockOut,
    Missing,
    Override,
    Policy,
    Scorecard,
    Special,
)
from scrutable.testing.contract.examples.random_models import extended_models

from .conftest import Make
from .test_packing import ENGINES, check, drawn_card

LOW, HIGH = (Interval(upper=0.0),), (Interval(lower=0.0), Missing())
ADJUSTMENTS = (
    Adjustment(code="A1", reason="f1 is low", when=(Clause("f1", LOW),), points=-4, explained=True),
    Adjustment(code="A2", reason="both low", when=(Clause("f1", LOW), Clause("f2", LOW)), points=-7, explained=True),
    Adjustment(code="A3", reason="f3 is high", when=(Clause("f3", HIGH),), points=3),
    Adjustment(code="A4", reason="f3 is special", when=(Clause("f3", (Special((-9.0,)),)),), points=-2),
)
OVERRIDES = (
    Override(code="O1", reason="f2 is missing", when=(Clause("f2", (Missing(),)),), decision="decline", explained=True),
    Override(code="O2", reason="both high", when=(Clause("f4", HIGH), Clause("f5", HIGH)), decision="approve"),
    Override(code="O3", reason="f6 is special", when=(Clause("f6", (Special((-9.0,)),)),), decision="decline"),
)
KNOCK_OUTS = (KnockOut(code="K1", reason="f0 is very low", when=(Clause("f0", (Interval(upper=-1.0),)),)),)
GRADES = (Grade(name="it's top", at_least=30.0), Grade(name="middle", at_least=20.0), Grade(name="rest"))
#: Each part alone, and all of them.
PARTS = {
    "adjustments": {"adjustments": ADJUSTMENTS},
    "overrides": {"overrides": OVERRIDES},
    "grades": {"grades": GRADES},
    "all": {"knock_outs": KNOCK_OUTS, "adjustments": ADJUSTMENTS, "overrides": OVERRIDES, "grades": GRADES},
}


def with_table(plain: Scorecard, code: str) -> Scorecard:
    """The card with a table of two of its features, which carries a code of its own, or one of theirs."""
    rows, columns = (
        Axis(feature=name, conditions=(Interval(upper=cut), Interval(lower=cut), Special((-9.0,)), Missing()))
        for name, cut in (("f1", 0.25), ("f2", -0.5))
    )
    points = tuple(tuple(float(place * 5 % 7) for place in range(start, start + 4)) for start in range(0, 16, 4))
    table = Interaction(rows=rows, columns=columns, points=points)
    assert plain.reasons is not None
    codes = FrozenMapping({**plain.reasons.codes, table.name: code})
    reasons = replace(
        plain.reasons,
        baselines=FrozenMapping({**plain.reasons.baselines, table.name: 6.0}),
        codes=codes,
        texts=FrozenMapping({**plain.reasons.texts, code: "both"}),
        order=tuple(dict.fromkeys((*plain.reasons.order, code))),
    )
    return replace(plain, interactions=(table,), reasons=reasons)


@ENGINES
@pytest.mark.parametrize("parts", PARTS)
def test_parts_of_a_policy(make_exporter: Make, parts: str) -> None:
    model = replace(drawn_card(8, n=7), policy=Policy(**PARTS[parts]))
    for options in ({}, {"points": False, "shortfalls": False}):
        check(model, make_exporter(**options), packed=True)


@ENGINES
def test_a_table_of_two_features(make_exporter: Make) -> None:
    plain = drawn_card(9, n=7)
    for model in (with_table(plain, "R both"), replace(with_table(plain, "R both"), policy=Policy(**PARTS["all"]))):
        check(model, make_exporter(), packed=True)
    check(with_table(plain, "R f1"), make_exporter(), packed=False)


@ENGINES
@pytest.mark.parametrize("name", extended_models())
def test_random_models_of_all_parts(make_exporter: Make, name: str) -> None:
    check(extended_models()[name], make_exporter(), packed=False)


@ENGINES
def test_a_random_card_of_all_parts_with_whole_points_and_a_code_each(make_exporter: Make) -> None:
    drawn = extended_models()["scorecard with all parts"]
    assert isinstance(drawn, Scorecard)
    assert drawn.reasons is not None
    numbers = itertools.count(1)
    codes = {name: f"R{next(numbers)}" for name in drawn.reasons.codes}
    model = replace(
        drawn,
        characteristics=tuple(
            replace(each, attributes=tuple(_whole(attribute) for attribute in each.attributes))
            for each in drawn.characteristics
        ),
        interactions=tuple(
            replace(each, points=tuple(tuple(map(_rounded, row)) for row in each.points)) for each in drawn.interactions
        ),
        reasons=replace(
            drawn.reasons,
            baselines=FrozenMapping({name: _rounded(value) for name, value in drawn.reasons.baselines.items()}),
            codes=FrozenMapping(codes),
            texts=FrozenMapping({code: code for code in codes.values()}),
            order=tuple(codes.values()),
        ),
        policy=replace(
            drawn.policy,
            adjustments=tuple(replace(each, points=_rounded(each.points)) for each in drawn.policy.adjustments),
        ),
    )
    check(model, make_exporter(points=False), packed=True)


def _whole(attribute: Attribute) -> Attribute:
    return replace(attribute, points=_rounded(attribute.points), reason_code=None)


def _rounded(points: float) -> float:
    return float(round(points / 10))
