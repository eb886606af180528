"""Reasons and by how much they fall short: of scorecards, trees and rules, in every engine."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cards import card, ensemble, ladder, numbers, reason_policy, rule_set

from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Attribute,
    Characteristic,
    Clause,
    FrozenMapping,
    Interval,
    Leaf,
    Missing,
    Policy,
    Rule,
    Split,
    TreeEnsemble,
)
from scrutable.model.effects import LeafEffects
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_sql import columns
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.dialects.proven import PROVEN
from scrutable_sql.exporter import SQLExporter
from scrutable_sql.ranking import Keys

from .conftest import Make
from .models import rules_with_reasons, shared_policy, tree_reasons, trees_with_reasons, whole_card

MODELS: dict[str, Callable[[], Any]] = {
    "scorecard": whole_card,
    "trees": trees_with_reasons,
    "rules": rules_with_reasons,
}


def check(model: Any, exporter: SQLExporter, rows: Any) -> dict[str, list[Any]]:
    """The same as the evaluator, by columns. On MariaDB, wide rows need a number to come back in order."""
    exporter = replace(exporter, ids=() if exporter.target.in_order else ("row id",))
    found = exporter.run(exporter.export(model), rows)
    wanted = evaluate(model, rows).frame()
    assert list(found) == list(wanted)
    assert differences(wanted, found) == {}
    return {key: [None if value != value else value for value in values.tolist()] for key, values in found.items()}


@pytest.mark.parametrize("kind", MODELS)
def test_reasons_of_every_kind_on_both_sides_of_every_cut(make_exporter: Make, kind: str) -> None:
    model, exporter = MODELS[kind](), make_exporter()
    rows = edge_rows(model, n_random=40)
    rows = rows[exporter.holds(exporter.export(model), rows)]
    found = check(model, exporter, rows)
    k = model.reasons.k
    assert {"K1", None, *model.reasons.order} >= {code for i in range(k) for code in found[f"reason_{i + 1}"]}
    assert len(set(found["reason_1"])) > 2
    assert len({short for short in found["short_2"] if short is not None}) > 1


def test_votes_against_are_added_up_and_ties_go_by_the_order(make_exporter: Make) -> None:
    columns = {
        "age": [20, 20, 30, 20, 30, 17, 17],
        "job": ["cook", "smith", "smith", "cook", None, "cook", "smith"],
        "debt": [-9, 500, 100, 5, 5, 5, 5],
    }
    found = check(rules_with_reasons(), make_exporter(), columns)
    assert found["reason_1"] == ["R job", "R debt", "R debt", "R job", None, "K1", "K1"]
    assert found["reason_2"] == ["R age", None, None, "R age", None, "R job", "R age"]
    assert found["reason_3"] == ["R debt", None, None, None, None, "R age", None]
    third, seventh = (round(weight * 2**30) / 2**30 for weight in (0.3, 0.7))
    both = third + seventh
    assert found["short_1"] == [both, third, third, third, None, None, None]
    assert found["short_2"] == [both, None, None, third, None, third, 2.0]
    assert found["short_3"] == [both, None, None, None, None, third, None]


@pytest.mark.parametrize("kind", MODELS)
def test_a_knock_out_stands_alone_where_the_score_reaches_the_cutoff(make_exporter: Make, kind: str) -> None:
    plain, exporter = MODELS[kind](), make_exporter()
    rows = edge_rows(plain, n_random=40)
    rows = rows[exporter.holds(exporter.export(plain), rows) & (evaluate(plain, rows).knock_out == "K1")]
    scores = evaluate(plain, rows).score
    assert scores is not None
    cutoff = np.unique(scores)[len(np.unique(scores)) // 2]
    found = check(replace(plain, cutoff=cutoff), exporter, rows)
    passed = scores >= cutoff
    without = evaluate(replace(plain, policy=Policy()), rows).frame()
    assert {*passed[without["reason_1"] != np.array(None)]} == {True, False}
    assert set(found["reason_1"]) == {"K1"}
    assert set(found["short_1"]) == {None}
    for place in range(2, plain.reasons.k + 1):
        codes = zip(passed, without[f"reason_{place - 1}"], strict=True)
        assert found[f"reason_{place}"] == [None if alone else code for alone, code in codes]
        short = np.where(passed, np.nan, without[f"short_{place - 1}"])
        assert found[f"short_{place}"] == [None if value != value else value for value in short.tolist()]


def test_effects_of_a_leaf_go_by_what_it_asks_of_each_feature(make_exporter: Make) -> None:
    """One tree, three features; only the first leaf's effects are not 0, and each says which row it is."""
    names = ("a", "b", "c")
    of_name = {name: Clause(name, (Interval(upper=0.0),)) for name in names}
    tree = Split(of_name["a"], Split(of_name["b"], Split(of_name["c"], Leaf(1), Leaf(2)), Leaf(3)), Leaf(4))
    asked = [names, names, names[:2], names[:1]]
    of_leaves = [LeafEffects(its, tuple((0.0,) * len(its) for _ in range(2 ** len(its)))) for its in asked]
    of_leaves[0] = LeafEffects(names, tuple((-float(m), -float(m) / 16, 0.25) for m in range(8)))
    model = ensemble(
        features=numbers(*names),
        trees=(tree,),
        reasons=shared_policy({name: name for name in names}, dict.fromkeys(names, 0.125), effects=(tuple(of_leaves),)),
    )
    rows = {name: [-1.0 if m >> i & 1 else (np.nan if m == 2 else 1.0) for m in range(8)]
            for i, name in enumerate(names)}  # fmt: skip
    found = check(model, make_exporter(), rows)
    assert found["short_1"] == [0.125 + m for m in range(8)]
    assert found["short_2"] == [0.125 + m / 16 for m in range(8)]
    assert found["reason_1"] == ["a"] * 8
    assert found["reason_2"] == ["b"] * 8
    assert found["reason_3"] == [None] * 8


def test_shortfalls_are_told_to_the_last_bit(make_exporter: Make) -> None:
    """Numbers of 53 binary places, of which two differ in the last, and as many codes as there are places left."""
    large = 2.0**22 - 2.0**-30
    points = [0.0, 2.0**-30, -(2.0**-30)]
    attributes = [
        Attribute(condition=Interval(lower, lower + 1), points=its)
        for lower, its in zip((1.0, 2.0), points, strict=False)
    ]
    ends = (
        Attribute(condition=Interval(upper=1.0), points=0.0),
        *attributes,
        Attribute(condition=Interval(lower=3.0), points=points[2]),
        Attribute(condition=Missing(), points=0),
    )
    model = card(Characteristic(feature="x", attributes=ends), ladder("y", 1.0, 2.0), base_points=0)
    policy = reason_policy(model)
    model = replace(model, reasons=replace(policy, baselines=FrozenMapping({"x": large, "y": large})))
    found = check(model, make_exporter(), {"x": [0, 2, 3, 2], "y": [1.5, 0, 0, None]})
    assert found["reason_1"] == ["R x", "R y", "R x", "R y"]
    assert found["short_1"] == [large, large, large + 2.0**-30, large + 5]
    chance = random.Random(0)
    sums = stumps(40, lambda: chance.uniform(-1e5, 1e5))
    numbers = {name: [chance.gauss(0, 1) for _ in range(50)] for name in ("a", "b", "c")}
    check(tree_reasons(sums, {name: name for name in numbers}, baseline=1e5), make_exporter(), numbers)


def stumps(count: int, value: Callable[[], float]) -> TreeEnsemble:
    """Trees of two features at cuts that differ."""
    pairs = [("a", "b"), ("b", "c"), ("c", "a")]

    def clause(i: int, name: str) -> Clause:
        return Clause(name, (Interval(upper=i / count - 0.5), Missing()) if i % 2 else (Interval(lower=i / count),))

    return ensemble(
        features=numbers(*"abc"),
        trees=tuple(
            Split(clause(i, one), Split(clause(i, other), Leaf(value()), Leaf(value())), Leaf(value()))
            for i in range(count)
            for one, other in [pairs[i % 3]]
        ),
    )


def test_more_splits_than_have_a_column_of_their_own(make_exporter: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_TRUTHS", 30)
    chance = random.Random(1)
    rows = {name: [chance.gauss(0, 0.4) for _ in range(40)] for name in "abc"}
    for count, inline in ((15, False), (20, True)):
        model = tree_reasons(stumps(count, lambda: 1.0), {"a": "A", "b": "B", "c": "A"})
        assert ("holds_1" not in make_exporter().export(model).text) == inline
        check(model, make_exporter(), rows)


#: Spark takes a minute to compile a statement of so many rules.
@pytest.mark.parametrize("dialect", [each.name for each in PROVEN if each.name != "spark"], indirect=True)
def test_more_rules_than_have_a_column_of_their_own(make_exporter: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_TRUTHS", 200)
    chance = random.Random(0)
    features = numbers(*"abc")
    rules = tuple(
        Rule(
            when=tuple(Clause(name, (Interval(lower=chance.gauss(0, 1)),)) for name in chance.sample("abc", 2)),
            outcome=chance.choice(("bad", "good")),
            weight=chance.random() + 0.1,
        )
        for _ in range(201)
    )
    fallback = (Rule(when=(), outcome="good"),)
    policy = shared_policy({"a": "A", "b": "B", "c": "A"}, {})
    model = rule_set(features=features, rules=rules, fallback=fallback, reasons=policy)
    check(model, make_exporter(), {name: [chance.gauss(0, 1) for _ in range(40)] for name in "abc"})


@pytest.mark.parametrize("kind", MODELS)
def test_as_many_as_are_asked_for_and_shortfalls_if_wanted(kind: str) -> None:
    model = MODELS[kind]()
    rows = edge_rows(model)
    whole = evaluate(model, rows).frame()
    for reasons, shortfalls in ((1, True), (0, True), (None, False)):
        exporter = SQLExporter(reasons=reasons, shortfalls=shortfalls)
        export = exporter.export(model)
        k = model.reasons.k if reasons is None else reasons
        wanted = [key for key in whole if not re.match("(reason|short)_", key) or int(key.split("_")[1]) <= k]
        wanted = [key for key in wanted if shortfalls or not key.startswith("short_")]
        assert list(export.results or ()) == wanted
        found = exporter.run(export, rows)
        assert list(found) == wanted
        assert all((found[key] == whole[key]).all() for key in wanted if whole[key].dtype == object)
    with pytest.raises(UnsupportedModel, match="the model does not give so many reasons"):
        SQLExporter(reasons=model.reasons.k + 1).export(model)


@pytest.mark.parametrize("kind", ["trees", "rules"])
@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_written_for_every_dialect_with_words_for_whoever_reads_it(dialect: str, kind: str) -> None:
    import sqlglot

    text = SQLExporter(dialect=dialect, test_rows=5).export(MODELS[kind]()).text
    assert sqlglot.parse_one(text, dialect=DIALECTS[dialect].sqlglot) is not None
    words = {
        "trees": ("-- Job is 'cook' or \"it's\"", "-- y >= 3 or missing", "-- points short for an x"),
        "rules": ("-- Rule 1: if age < 25 and job is 'cook' then bad", "-- Rule 4", "-- votes against for debt"),
    }
    assert [each for each in words[kind] if each.casefold() not in text.casefold()] == []
    assert f"CAST(best_1 - place_1 AS {DIALECTS[dialect].double})" in text


def test_more_codes_than_a_key_can_tell_are_refused() -> None:
    largest = 2.0**23 - 2.0**-30
    assert Keys.of(511, 2**30, largest).key(largest, 511) < 2**63
    with pytest.raises(UnsupportedModel, match=r"more reason codes than an integer of 64 bits.*got 512"):
        Keys.of(512, 2**30, largest)
