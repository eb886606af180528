"""A scorecard of which every name and word can be chosen, for tests of what is written out."""

from __future__ import annotations

import itertools
import math

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
)


def card(
    amount: str = "amount",
    job: str = "job",
    categories: tuple[str, ...] = ("cook",),
    words: str = "Number of things",
    code: str = "c",
) -> Scorecard:
    """A number and a text, each with a reason, and a knock-out; all names and words can be chosen."""
    ends = [-math.inf, 10.0, 20.0, math.inf]
    steps = [
        Attribute(condition=Interval(*pair), points=10.0 * i, label=words)
        for i, pair in enumerate(itertools.pairwise(ends))
    ]
    kinds = [Attribute(condition=Categories((value,)), points=i) for i, value in enumerate(categories)]
    other = [Attribute(condition=Otherwise(), points=-1), Attribute(condition=Missing(), points=-2)]
    knock_out = KnockOut(code=f"K{code}", reason=words, when=(Clause(amount, (Interval(upper=-5),)),))
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good", target=words),
        features=(
            Feature(name=amount, kind="numeric", label=words),
            Feature(name=job, kind="categorical", label=words),
        ),
        characteristics=(
            Characteristic(feature=amount, attributes=(*steps, Attribute(condition=Missing(), points=5))),
            Characteristic(feature=job, attributes=(*kinds, *other)),
        ),
        base_points=500,
        cutoff=510,
        calibration=Calibration(slope=0.01, intercept=-5),
        policy=Policy(knock_outs=(knock_out,)),
        reasons=ReasonPolicy(
            method="fixed",
            population="everybody",
            cutoff=510,
            baselines=FrozenMapping({amount: 15, job: 3}),
            codes=FrozenMapping({amount: f"1{code}", job: f"2{code}"}),
            texts=FrozenMapping({f"1{code}": words, f"2{code}": words}),
            order=(f"1{code}", f"2{code}"),
            k=2,
        ),
    )
