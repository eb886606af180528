"""Scorecards to draw: a fitted one, and one of everything that a drawing could stumble over."""

from __future__ import annotations

import pytest

from scrutable import create
from scrutable.binning.tables import categories, intervals
from scrutable.data.datasets import Dataset, make_credit
from scrutable.model import Attribute, Calibration, Characteristic, Feature, Outcome, Scorecard, Statistics
from scrutable.model.conditions import AttributeCondition

#: Texts that are markup, mathematics, commands to a terminal, very long, or of many scripts.
HOSTILE = (
    r"$\frac{",
    "<b>&amp;</b>",
    "]]> -- <!-- x",
    "\x1b[31mred\x07",
    "two\nlines",
    "W" * 5000,
    "收入",
    "دخل",
    "Zinsverpflichtungen im Verhältnis zum verfügbaren Einkommen",
    "_",
    " ",
)


@pytest.fixture(scope="session")
def data() -> Dataset:
    return make_credit(3000, seed=5)


@pytest.fixture(scope="session")
def fitted(data: Dataset) -> Scorecard:
    """A scorecard with numbers, categories, missing values and a special code."""
    codes = {"bureau_score": (-9.0,)}
    binner = create("binner", "quantile", special_codes=codes)
    learner = create("learner", "scorecard", favourable=0, binner=binner, select=None)
    model = learner.fit(data.X, data.y).model_
    assert isinstance(model, Scorecard)
    return model


@pytest.fixture(scope="session")
def hostile() -> Scorecard:
    """Every hostile text as a name and as categories, and numbers at the ends of the doubles."""
    cuts: list[list[float]] = [[], [0], [1e308], [-1.7e308, 1.7e308], [5e-324, 1e-323], [1, 1 + 2**-52], [1e-9, 1, 1e9]]
    features, parts = [], []
    for position, text in enumerate(HOSTILE):
        values = Feature(name=f"{text} of", kind="categorical", special_codes=(f"{text}!",))
        features.append(values)
        parts.append(_characteristic(values, categories([[text], [f"{text} too", "", "x" * 300]], values), position))
    for position, ends in enumerate(cuts):
        numbers = Feature(name=f"number {position}", kind="numeric", special_codes=tuple(range(-9, -9 + position)))
        features.append(numbers)
        parts.append(_characteristic(numbers, intervals(ends, numbers), 5**position))
    return Scorecard(
        outcome=Outcome(classes=("$\\bad", "<good>"), favourable="<good>", target="\x1b[0m$x_"),
        features=tuple(features),
        characteristics=tuple(parts),
        base_points=0,
        cutoff=0,
        calibration=Calibration(slope=0.01),
    )


def _characteristic(feature: Feature, conditions: tuple[AttributeCondition, ...], size: float) -> Characteristic:
    share = 1 / len(conditions)
    seen = Statistics(good=1, bad=1, share=share, woe=0)
    attributes = (
        Attribute(condition=condition, points=size * (place - 1.5), statistics=seen)
        for place, condition in enumerate(conditions)
    )
    return Characteristic(feature=feature.name, attributes=tuple(attributes))
