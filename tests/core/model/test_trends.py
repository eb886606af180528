"""What points do as a number rises."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.model import Attribute, Categories, Characteristic, Interval, Missing, Otherwise, Special


def of(*points: float) -> Characteristic:
    """A characteristic with these points below 1, from 1 to 2 and so on, and others for what is no number."""
    ends = [-math.inf, *map(float, range(1, len(points))), math.inf]
    steps = [Attribute(condition=Interval(*ends), points=own) for ends, own in zip(pairwise(ends), points, strict=True)]
    rest = [Attribute(condition=Special((-9,)), points=99), Attribute(condition=Missing(), points=-99)]
    return Characteristic(feature="age", attributes=(*steps, *rest))


@pytest.mark.parametrize(
    ("points", "trend", "words"),
    [
        ((5,), None, ""),
        ((5, 5, 5), None, ""),
        ((1, 2, 2, 3), "ascending", "rise"),
        ((3, 3, 1), "descending", "fall"),
        ((1, 4, 2), "neither", "rise up to [1, 2) and fall above"),
        ((1, 4, 4, 2), "neither", "rise up to [1, 3) and fall above"),
        ((4, 1, 1, 2, 3), "neither", "fall down to [1, 3) and rise above"),
        ((4, 1, 2, 0), "neither", "rise and fall"),
    ],
)
def test_points_and_their_trend(points: tuple[float, ...], trend: str | None, words: str) -> None:
    assert (of(*points).trend, of(*points).trend_in_words) == (trend, words)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7))
def test_a_trend_is_what_every_two_points_say(points: list[int]) -> None:
    pairs = [(low, high) for place, low in enumerate(points) for high in points[place:]]
    up, down = (all(low <= high for low, high in pairs), all(low >= high for low, high in pairs))
    expected = None if up and down else "ascending" if up else "descending" if down else "neither"
    own = of(*points)
    assert own.trend == expected
    assert (own.trend_in_words == "") == (expected is None)
    flipped = of(*(-each for each in points)).trend
    assert flipped == {"ascending": "descending", "descending": "ascending"}.get(str(own.trend), own.trend)


@pytest.mark.parametrize(
    ("cuts", "words"),
    [
        ((-1.0000000180025095e-35, 1.0000000180025095e-35, 1.5000000000000002), "rise up to 0 and fall above"),
        (
            (2.5000000000000004, 7.500000000000001, 9.0),
            "rise up to [2.5000000000000004, 7.500000000000001) and fall above",
        ),
        ((2.5000000000000004, 7.500000000000001, 9.000000000000002), "rise up to (2.5, 7.5] and fall above"),
    ],
)
def test_intervals_are_told_as_the_attributes_are(cuts: tuple[float, ...], words: str) -> None:
    """Such as LightGBM's zero, and limits next above a short decimal, if all of them are."""
    steps = [Interval(*ends) for ends in pairwise((-math.inf, *cuts, math.inf))]
    attributes = [Attribute(condition=each, points=own) for each, own in zip(steps, (1.0, 4.0, 2.0, 1.0), strict=True)]
    late = Characteristic(feature="late", attributes=(*attributes, Attribute(condition=Missing(), points=0)))
    assert late.trend_in_words == words
    assert words == "rise up to 0 and fall above" or late.titles[1] in words


def test_categories_have_no_trend() -> None:
    own = [Categories(("rent",)), Otherwise(), Missing()]
    attributes = tuple(Attribute(condition=each, points=float(place)) for place, each in enumerate(own))
    characteristic = Characteristic(feature="housing", attributes=attributes)
    assert (characteristic.trend, characteristic.trend_in_words) == (None, "")
