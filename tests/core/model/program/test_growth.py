"""Lowering and evaluation take no more steps than a model has parts, and rows lead to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scrutable.model import (
    Attribute,
    Characteristic,
    Clause,
    Feature,
    FrozenMapping,
    Interval,
    Leaf,
    Missing,
    Policy,
    Scorecard,
    Split,
    TreeEnsemble,
)
from scrutable.model.evaluator import evaluate
from scrutable.model.program import kept, lowered
from scrutable.model.segmented.coding import agreeing
from scrutable.testing.cards import card


def steps(work: Callable[[], object]) -> int:
    """How many calls of Python functions, and goings-on of generators, work makes."""
    counted = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


def wide(n_columns: int) -> Scorecard:
    """A scorecard with reasons and so many characteristics."""
    names = [f"x{number}" for number in range(n_columns)]
    attributes = (
        Attribute(condition=Interval(upper=0), points=1),
        Attribute(condition=Interval(lower=0), points=2),
        Attribute(condition=Missing(), points=0),
    )
    model = card()
    assert model.reasons is not None
    codes = {name: f"R{name}" for name in names}
    policy = replace(
        model.reasons,
        baselines=FrozenMapping(dict.fromkeys(names, 2.0)),
        codes=FrozenMapping(codes),
        texts=FrozenMapping({code: f"Number of {name}" for name, code in codes.items()}),
        order=tuple(codes.values()),
    )
    return replace(
        model,
        features=tuple(Feature(name=name, kind="numeric") for name in names),
        characteristics=tuple(Characteristic(feature=name, attributes=attributes) for name in names),
        policy=Policy(),
        reasons=policy,
    )


def narrow(model: Scorecard) -> object:
    """The program of the reasons alone."""
    return kept(lowered(model), ["score", "reason_1"])


def coded(model: Scorecard) -> object:
    """Two models whose codes mean different things, with codes that agree."""
    assert model.reasons is not None
    texts = FrozenMapping({code: f"{words} in all" for code, words in model.reasons.texts.items()})
    return agreeing({"low": model, "rest": replace(model, reasons=replace(model.reasons, texts=texts))})


@pytest.mark.parametrize("work", [replace, lowered, narrow, coded])
def test_a_model_of_four_times_the_columns_takes_four_times_the_steps(work: Callable[[Scorecard], object]) -> None:
    few, many = wide(50), wide(200)
    assert steps(lambda: work(many)) < 4.4 * steps(lambda: work(few))


def deep(depth: int, below: int = 0) -> Split | Leaf:
    """A tree with the digits of a binary number as columns; each leaf gives the number.

    Splits by one column would be one ladder, whichever way rows take.
    """
    if depth == 0:
        return Leaf(float(below))
    when = Clause(f"x{depth - 1}", (Interval(upper=1),))
    return Split(when=when, then=deep(depth - 1, below), otherwise=deep(depth - 1, below + 2 ** (depth - 1)))


def digits(depth: int, *numbers: int) -> dict[str, list[float]]:
    """The rows of some numbers."""
    return {f"x{place}": [float(number >> place & 1) for number in numbers] for place in range(depth)}


def test_a_row_takes_the_steps_of_its_own_path_through_a_tree() -> None:
    model = card()
    shallow, full = (
        TreeEnsemble(
            outcome=model.outcome,
            features=tuple(Feature(name=name, kind="numeric") for name in digits(depth)),
            trees=(deep(depth),),
            base_score=0.0,
            cutoff=4.0,
            calibration=model.calibration,
        )
        for depth in (3, 8)
    )
    for each, depth in ((shallow, 3), (full, 8)):
        numbers = [3, 0, 2**depth - 1]
        assert evaluate(each, digits(depth, *numbers)).score.tolist() == numbers
    assert steps(lambda: evaluate(full, digits(8, 3))) < 3 * steps(lambda: evaluate(shallow, digits(3, 3)))
