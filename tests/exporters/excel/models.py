"""Small scorecards that several tests need."""

from __future__ import annotations

import itertools
import math
from typing import Any

from cards import OUTCOME, numbers, policy_of

from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    Scorecard,
    Special,
)


def steps(*cuts: float) -> tuple[Attribute, ...]:
    """Attributes between cuts, worth 0, 0.1, 0.2, …"""
    ends = itertools.pairwise([-math.inf, *cuts, math.inf])
    return tuple(Attribute(condition=Interval(*pair), points=i / 10) for i, pair in enumerate(ends))


def card(words: str = "w", code: str = "c", job: str = "cook", **changes: Any) -> Scorecard:
    """A number with a special code, a text, a coded number; two codes of one characteristic, one shared; knock-outs."""
    amount = Characteristic(
        feature="amount",
        attributes=(
            Attribute(condition=Special((-9,)), points=1, reason_code=f"3{code}"),
            *steps(0.1, 0.30000000000000004, 10),
            Attribute(condition=Missing(), points=-0.1),
        ),
    )
    jobs = Characteristic(
        feature="job",
        attributes=(
            Attribute(condition=Categories((job, "b")), points=1, label=words),
            Attribute(condition=Otherwise(), points=-1),
            Attribute(condition=Missing(), points=-2),
        ),
    )
    coded = Characteristic(
        feature="coded",
        attributes=(
            Attribute(condition=Categories((1, 2)), points=3),
            Attribute(condition=Otherwise(), points=0),
            Attribute(condition=Missing(), points=0),
        ),
    )
    far, neither = (Interval(50, 60, "both"), Interval(upper=-50)), (Categories((job, "b"), negated=True),)
    unknown = Clause("coded", (Missing(), Categories((7,))))
    knock_outs = (
        KnockOut(code=f"K{code}", reason=f"{words} words", when=(Clause("amount", far),)),
        KnockOut(code=f"L{code}", reason=f"{words} words", when=(Clause("job", neither), unknown)),
    )
    arguments: dict[str, Any] = {
        "outcome": Outcome(classes=("bad", "good"), favourable="good", target=words),
        "features": (
            Feature(name="amount", kind="numeric", special_codes=(-9,), label=words),
            Feature(name="job", kind="categorical"),
            Feature(name="coded", kind="numeric"),
        ),
        "characteristics": (amount, jobs, coded),
        "base_points": 500.1,
        "cutoff": 503.3,
        "calibration": Calibration(slope=0.01, intercept=-5),
        "policy": Policy(knock_outs=knock_outs),
        "reasons": policy_of(
            cutoff=500,
            baselines={"amount": 0.2, "job": 1, "coded": 3},
            codes={"amount": f"1{code}", "job": f"2{code}", "coded": f"2{code}"},
            texts={f"{i}{code}": f"{words} words" for i in (1, 2, 3)},
            order=(f"2{code}", f"1{code}", f"3{code}"),
            k=3,
        ),
    }
    return Scorecard(**(arguments | changes))


def plain(*cuts: float, **changes: Any) -> Scorecard:
    """One number, no reasons, no knock-out."""
    its = Characteristic(feature="x", attributes=(*steps(*cuts), Attribute(condition=Missing(), points=0)))
    arguments: dict[str, Any] = {
        "outcome": OUTCOME,
        "features": numbers("x"),
        "characteristics": (its,),
        "base_points": 0,
        "cutoff": 0.1,
        "calibration": Calibration(slope=1),
    }
    return Scorecard(**(arguments | changes))


def coded(count: int) -> Scorecard:
    """One number, of which 0, 1, 2, … are codes worth something."""
    codes = Categories(tuple(map(float, range(count))))
    attributes = (
        Attribute(condition=codes, points=1),
        Attribute(condition=Otherwise(), points=0),
        Attribute(condition=Missing(), points=0),
    )
    return plain(characteristics=(Characteristic(feature="x", attributes=attributes),))


ROWS = {
    "amount": [0.1, 0.3, 0.30000000000000004, -9.0, None, 55.0, 60.0, -51.0, 9.999999999999998, 10.0, 2.0, 49.99],
    "job": ["cook", "b", "Cook", "cook ", None, "b", None, "x", "x", "caf\u00e9", "x", "b"],
    "coded": [1.0, 2.0, 1.0000000000000002, None, 7.0, 1.0, None, 1.0, None, 7.0, 3.0, 2.0],
}
