"""Ladders say of every value what conditions say of it, one by one and over whole columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from drawn import of_every_kind

from scrutable.data.features import Feature
from scrutable.data.frames import Column, as_table, select
from scrutable.model import Characteristic, Model, clauses_of, holds
from scrutable.model.conditions import Clause, Otherwise
from scrutable.model.domain import clause_holds, witnesses
from scrutable.model.program.buckets import bucket
from scrutable.model.program.ladders import Ladder, of_attributes, of_clause


def column(feature: Feature, values: Sequence[object]) -> Column:
    return select(as_table({feature.name: list(values)}), [(feature.name, feature.kind)])[feature.name]


def asked(model: Model) -> list[tuple[Feature, Clause]]:
    parts = [(part, {feature.name: feature for feature in part.features}) for part in model.parts]
    return [(features[clause.feature], clause) for part, features in parts for clause in clauses_of(part)]


def characteristics(model: Model) -> list[tuple[Feature, Characteristic]]:
    parts = [(part, {feature.name: feature for feature in part.features}) for part in model.parts]
    return [(features[each.feature], each) for part, features in parts for each in getattr(part, "characteristics", ())]


def assert_same(ladder: Ladder, feature: Feature, values: Sequence[Any], expected: list[int]) -> None:
    assert [ladder.bucket(value) for value in values] == expected
    assert bucket(ladder, column(feature, values)).tolist() == expected


def test_a_ladder_of_a_clause_says_where_it_holds() -> None:
    every = [pair for model in of_every_kind(15) for pair in asked(model)]
    assert len(every) > 300
    for feature, clause in every[::3]:
        values = witnesses(feature, clause.any_of)
        expected = [int(clause_holds(clause, feature, value)) for value in values]
        assert_same(of_clause(clause, feature), feature, values, expected)


def test_a_ladder_of_attributes_says_which_one_a_value_has() -> None:
    every = [pair for model in of_every_kind(15) for pair in characteristics(model)]
    assert len(every) > 40
    for feature, item in every:
        values = witnesses(feature, item.conditions)
        ask = [
            [not isinstance(each, Otherwise) and holds(each, feature, value) for each in item.conditions]
            for value in values
        ]
        other = next((place for place, each in enumerate(item.conditions) if isinstance(each, Otherwise)), -1)
        expected = [own.index(True) if any(own) else other for own in ask]
        assert_same(of_attributes(item.conditions, feature), feature, values, expected)


def test_many_cuts_and_many_names_are_found_alike() -> None:
    cuts = tuple(float(cut) for cut in range(0, 600, 2))
    named = tuple((float(name), name % 7) for name in range(1, 100, 2))
    ladder = Ladder(
        kind="numeric", size=301, rungs=tuple(range(301)), cuts=cuts, named=named, missing=300
    )  # more than 255 buckets, more than 16 names
    values: list[float | None] = [*np.arange(-1.5, 601, 0.5).tolist(), None]
    feature = Feature(name="x", kind="numeric")
    assert_same(ladder, feature, list(values), [ladder.bucket(value) for value in values])
    assert ladder.bucket(7.0) == 0
    assert ladder.bucket(7.5) == 4
