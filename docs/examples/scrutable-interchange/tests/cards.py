"""Scorecards for the tests, and rows that tell their parts apart."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pandas as pd
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
from scrutable.proof import verification_rows

AGE = Feature(name="age", kind="numeric", special_codes=(-9, 30))
JOB = Feature(name="job", kind="categorical", special_codes=("n/a",))
REGION = Feature(name="region code", kind="numeric")


def tied(order: tuple[str, ...] = ("R3", "R1", "R2", "R4"), base: float = 500, k: int = 3) -> Scorecard:
    """Numbers with a special code inside an interval and a cut at 0, texts, numeric codes; reasons that tie often."""
    characteristics = (
        _characteristic(
            "age",
            (Interval(upper=0), 5),
            (Interval(0, 25.1), 10),
            (Interval(25.1), 20),
            (Special((-9,)), 0),
            (Special((30,)), 15),
            (Missing(), 20),
        ),
        _characteristic(
            "job", (Categories(("cook", "it's")), 5), (Special(("n/a",)), 10), (Otherwise(), 0), (Missing(), 20)
        ),
        _characteristic("region code", (Categories((1, 2.5)), 10), (Otherwise(), 20), (Missing(), 0.1), own="R4"),
    )
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good", target="default */ ; %let x=1; &y"),
        features=(AGE, JOB, REGION),
        characteristics=characteristics,
        base_points=base,
        cutoff=base + 30,
        calibration=Calibration(slope=0.1, intercept=-53),
        reasons=ReasonPolicy(
            method="fixed",
            population="everybody",
            cutoff=base + 30,
            baselines=FrozenMapping({"age": 20, "job": 20, "region code": 20}),
            codes=FrozenMapping({"age": "R1", "job": "R2", "region code": "R3"}),
            texts=FrozenMapping({code: f"What {code} considers */ ; run;" for code in order}),
            order=order,
            k=k,
        ),
    )


def grouped() -> Scorecard:
    """The same with the codes of each characteristic together in the order of ties."""
    return tied(("R3", "R4", "R2", "R1"))


def shared() -> Scorecard:
    """Two characteristics with the same reason code."""
    card = grouped()
    assert card.reasons is not None
    codes = FrozenMapping({"age": "R2", "job": "R2", "region code": "R3"})
    return replace(card, reasons=replace(card.reasons, codes=codes))


def knocked_out(k: int = 3) -> Scorecard:
    """The same with knock-outs that ask every kind of condition, two of a column that the score does not read."""
    debts = Feature(name="debts", kind="numeric", special_codes=(0,))
    rules = (
        KnockOut(
            code="K1",
            reason="no job that counts */",
            when=(
                Clause("job", (Categories(("cook", "clerk"), negated=True), Missing())),
                Clause("age", (Interval(20, 40, "both"), Special((-9,)))),
            ),
        ),
        KnockOut(code="K2", reason="debts", when=(Clause("debts", (Interval(-5, 5, "neither"), Interval(upper=-50))),)),
        KnockOut(code="K2b", reason="never", when=(Clause("debts", (Categories((3,)),)),)),
    )
    card = grouped()
    assert card.reasons is not None
    reasons = replace(card.reasons, k=k)
    return replace(card, features=(*card.features, debts), policy=Policy(knock_outs=rules), reasons=reasons)


def rows_for(card: Scorecard, n_random: int = 300) -> pd.DataFrame:
    """Edge rows, and random ones of the same values."""
    return verification_rows(card, n_random=n_random).frame


def _characteristic(feature: str, *attributes: tuple[Any, float], own: str | None = None) -> Characteristic:
    """Attributes of conditions and points; missing values have a code of their own, if there is one."""
    return Characteristic(
        feature=feature,
        attributes=tuple(
            Attribute(condition=condition, points=points, reason_code=own if isinstance(condition, Missing) else None)
            for condition, points in attributes
        ),
    )


def is_told_apart(card: Scorecard, frame: pd.DataFrame) -> bool:
    """Whether ties and every number of reasons are among the rows."""
    from scrutable.model.evaluator import evaluate

    found = evaluate(card, frame)
    assert found.shortfalls is not None
    counts = {sum(not math.isnan(value) for value in row) for row in found.shortfalls.tolist()}
    ties = (found.shortfalls[:, 0] == found.shortfalls[:, 1]).any()
    return bool(ties) and counts == {0, 1, 2, 3}
