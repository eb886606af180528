"""A scorecard whose figures can be computed by hand, and applicants of it."""

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
    Missing,
    Otherwise,
    Outcome,
    Policy,
    ReasonPolicy,
    Scorecard,
    Special,
)


@pytest.fixture(scope="session")
def card() -> Scorecard:
    """Base 500; age below 25: 10, else 40, missing 20, -9: 0; housing own 30, else 0; cutoff 530; under 18 knocked out.

    The calibration is the identity: PD = 0.5 + 0.005 (540 - score), which is 0.45 at 550.
    """
    age = Characteristic(
        feature="age",
        attributes=(
            Attribute(condition=Interval(upper=25), points=10),
            Attribute(condition=Interval(lower=25), points=40),
            Attribute(condition=Missing(), points=20),
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
        outcome=Outcome(target="loan", classes=("bad", "good"), favourable="good"),
        features=(
            Feature(name="age", kind="numeric", special_codes=(-9,)),
            Feature(name="housing", kind="categorical"),
        ),
        characteristics=(age, housing),
        base_points=500,
        cutoff=530,
        calibration=Calibration(slope=0.005, intercept=-2.2, link="identity"),
        policy=Policy(knock_outs=(KnockOut(code="K1", reason="Under age", when=(Clause("age", (Interval(0, 18),)),)),)),
        reasons=ReasonPolicy(
            method="by hand",
            population="everybody",
            cutoff=530,
            baselines=FrozenMapping({"age": 40, "housing": 30}),
            codes=FrozenMapping({"age": "R1", "housing": "R2"}),
            texts=FrozenMapping({"R1": "Age of the applicant", "R2": "Housing of the applicant"}),
            order=("R1", "R2"),
            k=2,
        ),
    )
