"""Points and reasons in one whole number: where that is done, what it must not change, and where it is not done."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from cards import card, categories, knocking_out, ladder, policy_of, reason_policy

from scrutable.model import (
    Attribute,
    Characteristic,
    Clause,
    Feature,
    Interval,
    Missing,
    Policy,
    Scorecard,
    Segment,
    SegmentedModel,
    Special,
)
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.exporter import SQLExporter

from .conftest import Make

PACKING = sorted(name for name, d in DIALECTS.items() if d.bits is not None)
ENGINES = pytest.mark.parametrize("dialect", PACKING, indirect=True)


def test_engines_that_take_numbers_apart() -> None:
    assert PACKING == ["clickhouse", "duckdb", "postgres", "sqlite"]
    assert [name for name, d in DIALECTS.items() if d.bits is not None and d.bits.wide] == ["duckdb", "clickhouse"]


def drawn_card(seed: int, unit: float = 1.0, n: int = 9) -> Scorecard:
    """A card of points at random, many of them equal, so that many shortfalls are; a special code and texts."""
    chance = random.Random(seed)
    items = []
    for i in range(n):
        cuts = [-inf, *sorted({round(chance.gauss(0, 1), 1) for _ in range(chance.randint(1, 4))}), inf]
        conditions: list[Any] = [*(Interval(low, high) for low, high in pairwise(cuts)), Special((-9.0,)), Missing()]
        attributes = [Attribute(condition=each, points=unit * chance.randint(-3, 6)) for each in conditions]
        items.append(Characteristic(feature=f"f{i}", attributes=tuple(attributes)))
    features = (
        *(Feature(name=item.feature, kind="numeric", special_codes=(-9.0,)) for item in items),
        Feature(name="job", kind="categorical"),
    )
    plain = card(*items, categories("job", "cook", "it's"), features=features)
    policy = reason_policy(plain, baseline=4 * unit, k=4)
    order = list(policy.order)
    chance.shuffle(order)
    return replace(plain, reasons=replace(policy, order=tuple(order)), policy=knocking_out("f0", -1.0))


def check(model: Any, exporter: SQLExporter, *, packed: bool) -> None:
    """The results are the evaluator's, by one whole number or not."""
    export = exporter.export(model)
    assert ("rest_1" in export.text) == packed
    rows = edge_rows(model, n_random=200)
    rows = rows[exporter.holds(export, rows)]
    found, wanted = exporter.run(export, rows), evaluate(model, rows).frame()
    assert differences(OutputFrame({key: wanted[key] for key in found}), found) == {}


@ENGINES
@pytest.mark.parametrize(("seed", "unit"), [(0, 1.0), (1, 0.25), (2, 2.0**-10), (3, 1.0)])
def test_points_reasons_and_ties_are_the_evaluators(make_exporter: Make, seed: int, unit: float) -> None:
    model = drawn_card(seed, unit)
    for options in ({}, {"points": False}, {"points": False, "shortfalls": False}, {"reasons": 1}):
        check(model, make_exporter(**options), packed=True)


@ENGINES
def test_each_segment_has_a_number_of_its_own(make_exporter: Make) -> None:
    young = card(*drawn_card(4, n=3).characteristics, features=drawn_card(4, n=3).features)
    models = [replace(young, reasons=reason_policy(young, baseline=base, k=2)) for base in (3, 5)]
    segments = (
        Segment(name="low", model=models[0], when=(Clause("f1", (Interval(upper=0.0),)),)),
        Segment(name="rest", model=models[1]),
    )
    check(SegmentedModel(segments=segments, routing=young.features[1:2]), make_exporter(), packed=True)


@ENGINES
def test_codes_that_features_share_are_compared(make_exporter: Make) -> None:
    plain = drawn_card(5)
    assert plain.reasons is not None
    names = [item.feature for item in plain.characteristics]
    policy = policy_of(
        cutoff=plain.cutoff,
        baselines=dict.fromkeys(names, 4.0),
        codes={name: f"R{i % 4}" for i, name in enumerate(names)},
        texts={f"R{i}": f"reason {i}" for i in range(4)},
        order=("R2", "R0", "R3", "R1"),
        k=3,
    )
    check(replace(plain, reasons=policy), make_exporter(), packed=False)


@ENGINES
def test_more_bits_than_a_number_has_take_a_wide_one_or_are_compared(make_exporter: Make, dialect: str) -> None:
    """Fine points and many ways to fall short: 2^30 units a point."""
    bits = DIALECTS[dialect].bits
    assert bits is not None
    for unit, packed in ((2.0**-10, True), (2.0**-30, True), (1 + 2.0**-30, bool(bits.wide))):
        model = drawn_card(6, unit)
        text = make_exporter().export(model).text
        assert ("rest_1" in text) == ("packed_points" in text)
        assert (f"AS {bits.wide})" in text) == (bits.wide != "" and unit > 1)
        check(model, make_exporter(), packed=packed)


@ENGINES
def test_more_bits_than_a_wide_number_has_are_compared(make_exporter: Make) -> None:
    check(drawn_card(6, 1 + 2.0**-30, n=30), make_exporter(points=False), packed=False)


@ENGINES
def test_where_nothing_can_fall_short_there_are_no_reasons(make_exporter: Make) -> None:
    plain = drawn_card(7)
    assert plain.reasons is not None
    check(
        replace(plain, reasons=reason_policy(plain, baseline=-50, k=2), policy=Policy()), make_exporter(), packed=False
    )


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - set(PACKING)))
def test_other_dialects_compare(dialect: str) -> None:
    text = SQLExporter(dialect=dialect).export(drawn_card(0)).text
    assert "best_1" in text
    assert "rest_1" not in text


def test_a_note_says_what_a_number_is_made_of() -> None:
    plain = card(ladder("age", 25.0, 40.5), categories("job", "cook"))
    text = SQLExporter().export(replace(plain, reasons=reason_policy(plain))).text
    assert "-- < 25: 0.0 points, 10.0 short" in text
    assert "-- [25, 40.5): 10.0 points\n" in text
