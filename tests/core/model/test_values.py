"""Fixed-point numbers, texts and frozen mappings."""

from __future__ import annotations

import copy
import math
import pickle
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.data.values import LIMIT, UNIT, finite, freeze, text
from scrutable.errors import ModelError
from scrutable.model import FrozenMapping, snap
from scrutable.testing.strategies import numbers, texts

quick = settings(max_examples=200, deadline=None, derandomize=True, database=None)
points = st.floats(-LIMIT, LIMIT) | numbers().filter(lambda value: abs(value) <= LIMIT)


@quick
@given(points)
def test_snap_is_near_exact_and_idempotent(value: float) -> None:
    snapped = snap(value)
    assert abs(Fraction(snapped) - Fraction(value)) <= Fraction(1, 2**31)
    assert (Fraction(snapped) * 2**30).denominator == 1
    assert snap(snapped) == snapped
    assert math.copysign(1, snap(-0.0)) == 1


@quick
@given(st.lists(points.map(lambda value: snap(value / 64)), max_size=64), st.integers(0, 2**32))
def test_sums_are_exact_in_any_order(values: list[float], seed: int) -> None:
    exact = sum(map(Fraction, values), Fraction(0))
    random.Random(seed).shuffle(values)
    assert Fraction(sum(values)) == exact
    assert Fraction(sum(reversed(values))) == exact


@pytest.mark.parametrize(("units", "snapped"), [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2)])
def test_ties_go_to_even(units: float, snapped: int) -> None:
    assert snap(units * UNIT) == snapped * UNIT


@pytest.mark.parametrize("value", [math.nextafter(LIMIT, math.inf), -1e300, 10**400, math.inf, math.nan, "1", None])
def test_unusable_points(value: object) -> None:
    with pytest.raises(ModelError, match=r"too large|finite|NaN is not a number|expected a number"):
        snap(value)


def test_minus_zero_is_zero() -> None:
    assert math.copysign(1, finite(-0.0, "here")) == 1


@quick
@given(texts())
def test_storable_texts_are_kept(value: str) -> None:
    assert text(value, "here") is value
    assert value.encode().decode() == value


@pytest.mark.parametrize("value", ["\x00", "a\x00b", "\ud800", 1, None, b"a"])
def test_unstorable_texts_are_refused(value: object) -> None:
    with pytest.raises(ModelError, match=r"here: (expected text|text with NUL or a lone surrogate)"):
        text(value, "here")


def test_frozen_mapping() -> None:
    one, other = FrozenMapping({"b": 1, "a": (2, 3)}), FrozenMapping({"a": (2, 3), "b": 1})
    assert [*one] == ["a", "b"]
    assert one == other == {"a": (2, 3), "b": 1}
    assert hash(one) == hash(other)
    assert one != FrozenMapping({"a": (2, 3)})
    assert {one: "found"}[other] == "found"
    assert copy.deepcopy(one) == copy.copy(one) == pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "FrozenMapping({'a': (2, 3), 'b': 1})"
    assert FrozenMapping() == FrozenMapping({}) == {}
    with pytest.raises(TypeError, match="does not support item assignment"):
        one["a"] = 1
    with pytest.raises(AttributeError):
        one.other = 1


def test_equal_mappings_have_equal_hashes() -> None:
    assert FrozenMapping({"a": 1}) == FrozenMapping({"a": 1.0})
    assert hash(FrozenMapping({"a": 1})) == hash(FrozenMapping({"a": 1.0}))


def test_freeze() -> None:
    assert freeze({"b": [1, None], "a": {"c": math.nan, 1: True}}) == {"a": {"1": True, "c": None}, "b": (1, None)}
    with pytest.raises(ModelError, match=r"value\.a\[1\]: expected a finite number; got inf"):
        freeze({"a": [0, math.inf]})
    with pytest.raises(ModelError, match=r"value\.a: not a value that JSON can hold; got \{1\}"):
        freeze({"a": {1}})
    with pytest.raises(ModelError, match="NUL or a lone surrogate"):
        freeze({"\ud800": 1})
