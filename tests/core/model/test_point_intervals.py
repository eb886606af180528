"""Intervals of points in evidence: those of the model's points, and of no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scrutable.errors import ModelError
from scrutable.model import (
    POINT_INTERVALS,
    Evidence,
    FrozenMapping,
    PointIntervals,
    Policy,
    Scorecard,
    dump_evidence,
    freeze,
    load_evidence,
    rounded,
)
from scrutable.testing.cards import card

MODEL = card()
SIDES = {"amount": [(-2.5, 2.5), (8.0, 12.0), (15, 25), None], "job": [None, (-3.0, 1.0), None]}


def evidence_of(entry: Any) -> Evidence:
    return Evidence(model_sha256="", metrics=FrozenMapping({POINT_INTERVALS: freeze(entry)}))


KNOWN = Evidence(
    model_sha256="", metrics=FrozenMapping({POINT_INTERVALS: PointIntervals.about(MODEL, SIDES).to_json()})
)


def sides(known: PointIntervals | None) -> dict[str, Any]:
    assert known is not None
    return {name: list(each.sides) for name, each in known.characteristics.items()}


def with_points(feature: str, change: Callable[[float], float]) -> Scorecard:
    """The model with other points of one characteristic."""
    own = (each.with_points(change) if each.feature == feature else each for each in MODEL.characteristics)
    return replace(MODEL, characteristics=tuple(own), reasons=None)


def test_a_file_says_what_was_written(tmp_path: Any) -> None:
    dump_evidence(KNOWN, tmp_path / "evidence.json")
    known = PointIntervals.of(load_evidence(tmp_path / "evidence.json"), MODEL)
    assert sides(known) == SIDES
    assert known is not None
    assert known.confidence == 0.95
    assert known.sides("nothing") is None


def test_other_points_have_none() -> None:
    assert sides(PointIntervals.of(KNOWN, with_points("job", lambda points: points + 1))) == {"amount": SIDES["amount"]}
    assert PointIntervals.of(KNOWN, MODEL.with_points(lambda points: points + 2.0**-30)) is None
    assert PointIntervals.of(KNOWN, replace(MODEL, base_points=0.0, cutoff=700.0, reasons=None)) is not None
    assert PointIntervals.of(Evidence(model_sha256=""), MODEL) is None


def test_a_model_without_points_has_all_intervals_that_there_are() -> None:
    none = replace(MODEL, features=(), characteristics=(), policy=Policy(), reasons=None)
    told = evidence_of(PointIntervals.about(none, {}).to_json())
    assert sides(PointIntervals.of(told, none)) == {}
    assert PointIntervals.of(KNOWN, none) is None
    assert PointIntervals.of(told, MODEL) is None


def test_points_that_were_multiplied_and_rounded_have_theirs() -> None:
    made = MODEL.with_points(lambda points: rounded(1.2345 * points, 1))
    moved = PointIntervals.moved(KNOWN, made, 1.2345, lambda points: rounded(points, 1))
    expected = {
        name: [None if each is None else tuple(1.2345 * end for end in each) for each in own]
        for name, own in SIDES.items()
    }
    assert sides(moved) == expected
    assert moved is not None
    again = Evidence(model_sha256="", metrics=FrozenMapping({POINT_INTERVALS: moved.to_json()}))
    assert sides(PointIntervals.of(again, made)) == expected
    assert PointIntervals.moved(KNOWN, made, 1.5, lambda points: rounded(points, 1)) is None
    assert PointIntervals.moved(KNOWN, made, 1.0, float) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"confidence": 95}, "confidence.*expected a share; got 95"),
        ({"confidence": "0.95"}, "confidence: unexpected value"),
        ({"characteristics": {"amount": {"points": [1.0], "low": [0.0], "high": []}}}, r"amount.*got \[1, 1, 0\]"),
        ({"characteristics": {"amount": {"points": [1.0], "low": [2.0], "high": [0.0]}}}, "a lower and an upper end"),
        ({"characteristics": {"amount": {"points": [1.0], "low": [2.0], "high": [None]}}}, "a lower and an upper end"),
        ({"characteristics": {"amount": {"points": [1.0], "low": [2.0]}}}, "a field is missing"),
        ({"characteristics": [1]}, "characteristics: unexpected value"),
        ({"more": 1}, "unknown field; got 'more'"),
    ],
)
def test_what_cannot_be_read_is_named(change: dict[str, Any], words: str) -> None:
    entry = {"confidence": 0.95, "characteristics": {}} | change
    with pytest.raises(ModelError, match=f"evidence: metrics: point_intervals.*{words}"):
        PointIntervals.of(evidence_of(entry), MODEL)
    with pytest.raises(ModelError, match="point_intervals: unexpected value"):
        PointIntervals.of(evidence_of([1, 2]), MODEL)


def test_ends_of_what_the_model_has_not_are_refused() -> None:
    with pytest.raises(ModelError, match=r"intervals of 'amuont': no such characteristic.*did you mean 'amount'\?"):
        PointIntervals.about(MODEL, {"amuont": [None] * 4})
    with pytest.raises(ModelError, match="intervals of 'amount': expected ends for each attribute; got 3; allowed: 4"):
        PointIntervals.about(MODEL, {"amount": [None] * 3})
