"""Long ladders, stumps and rules: what the text looks like and that it stays exact."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import numpy as np
import pytest
import sqlglot
from cards import card, ensemble, ladder, numbers, reason_policy

from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Clause,
    Feature,
    Interval,
    Leaf,
    Missing,
    Special,
    Split,
    TreeEnsemble,
)
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_sql.dialects import DIALECTS
from scrutable_sql.exporter import SQLExporter
from scrutable_sql.ladders import LONGEST, searched
from scrutable_sql.query import Case, Rung

from .conftest import Make
from .models import three_classes, trees, two_classes


def stumps(count: int, n_features: int, seed: int = 0) -> TreeEnsemble:
    """Trees of one split at a cut of their own; missing goes to either side."""
    chance = random.Random(seed)

    def stump(i: int) -> Split:
        where: tuple[Any, ...] = (Interval(upper=chance.gauss(0, 1), closed="right"),)
        where += (Missing(),) if chance.random() < 0.5 else ()
        return Split(Clause(f"f{i % n_features}", where), Leaf(chance.gauss(0, 1)), Leaf(chance.gauss(0, 1)))

    return ensemble(
        features=tuple(Feature(name=f"f{i}", kind="numeric") for i in range(n_features)),
        trees=tuple(stump(i) for i in range(count)),
        base_score=0.25,
        calibration=Calibration(slope=0.1),
    )


def depth(text: str) -> int:
    """How deep CASE nests."""
    deepest = level = 0
    for word in re.findall(r"\b(?:CASE|END)\b", re.sub(r"--.*|'[^']*'", "", text)):
        level += 1 if word == "CASE" else -1
        deepest = max(deepest, level)
    return deepest


@pytest.mark.parametrize(("count", "n_features"), [(400, 15), (1500, 1)])
def test_stumps_are_searches_on_every_engine(dialect: str, make_exporter: Make, count: int, n_features: int) -> None:
    if dialect == "spark":
        count //= 8  # it compiles every statement
    model = stumps(count, n_features)
    rows = edge_rows(model, n_random=200).sample(2000, replace=True, random_state=0)
    exporter = make_exporter()
    export = exporter.export(model)
    held = exporter.holds(export, rows)
    assert held.sum() > 500
    assert differences(evaluate(model, rows[held]).frame(), exporter.run(export, rows[held])) == {}


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_searches_are_shallow_and_parsed_everywhere(dialect: str) -> None:
    shapes = {"duckdb": [(1000, 15), (5000, 1)], "tsql": [(1000, 15)]}.get(dialect, [(300, 2)])
    for count, n_features in shapes:
        text = SQLExporter(dialect=dialect).export(stumps(count, n_features)).text
        assert depth(text) <= 8
        assert sqlglot.parse_one(text, dialect=DIALECTS[dialect].sqlglot) is not None


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_trees_that_nest_too_deep_are_refused(dialect: str) -> None:
    tree: Split | Leaf = Leaf(1.0)
    for i in range(16):
        tree = Split(Clause(("a", "b")[i % 2], (Interval(upper=float(i)),)), tree, Leaf(float(i)))
    model = ensemble(features=numbers("a", "b"), trees=(tree,))  # fmt: skip
    exporter = SQLExporter(dialect=dialect)
    if dialect == "tsql":
        with pytest.raises(UnsupportedModel, match=r"CASE nests deeper.*got 16; allowed: at most 10"):
            exporter.export(model)
    else:
        assert depth(exporter.export(model).text) == 16


@pytest.mark.parametrize("count", [1, 2, 12, 13, 14, 15, 17, 20, 21, 60, 83, 84, 85, 88, 199, 350])
def test_a_search_finds_what_a_ladder_would(count: int) -> None:
    def found(case: Case, x: float) -> str:
        for rung in case.rungs:
            if x < float(rung.when.removeprefix("x < ")):
                return rung.then if isinstance(rung.then, str) else found(rung.then, x)
        return case.otherwise if isinstance(case.otherwise, str) else found(case.otherwise, x)

    case = searched([*(Rung(f"x < {i}", str(i)) for i in range(count - 1)), Rung("x IS NOT NULL", "rest")])
    for x in range(-1, count):
        assert found(case, x) == (str(x + 1) if x + 1 < count - 1 else "rest")


def test_short_ladders_stay_as_they_are_and_long_ones_are_searched(make_exporter: Make) -> None:
    for cuts in (LONGEST, LONGEST + 1):
        plain = ladder("x", *map(float, range(cuts)))
        special = Attribute(condition=Special((3.5,)), points=77)
        item = Characteristic(feature="x", attributes=(*plain.attributes, special))
        features = (Feature(name="x", kind="numeric", special_codes=(3.5,)),)
        model = card(item, features=features)
        model = card(item, features=features, reasons=reason_policy(model, baseline=30))
        exporter = make_exporter()
        export, rows = exporter.export(model), {"x": [*np.arange(-1, LONGEST + 2, 0.5), math.nan]}
        assert differences(evaluate(model, rows).frame(), exporter.run(export, rows)) == {}
        text = make_exporter(reasons=0).export(model).text
        step = text.split("points AS ")[1].split("FROM inputs")[0]
        assert (depth(step) > 1) == (cuts > LONGEST)
        assert "= 3.5 THEN 77" in next(line for line in step.splitlines() if " WHEN " in line)
        assert re.search("\n +ELSE -5  -- missing\n", step)
        assert ("THEN" if cuts == LONGEST else "ELSE") + " 20  -- [1, 2)" in step


def test_trees_of_one_feature_are_one_ladder() -> None:
    text = SQLExporter().export(trees()).text
    assert "      -- what an x adds by itself\n      CAST(CASE\n" in text
    assert text.count('"x_x" <= 0.5') == 2  # in the ladder, and in the tree that asks for two features
    assert text.count('"x_x" < 7') == 1


def test_rules_are_columns_in_words_and_their_numbers_a_text() -> None:
    text = SQLExporter().export(two_classes()).text
    assert "-- Rule 1: if {{ age }} in [20, 60] then good (weight 0.29" in text
    assert "-- Rule 2: cooks {% are %} out\n" in text
    assert "WHEN rule_3 = 1 THEN ' 3' ELSE '' END" in text
    assert "-- Rule F1: if {{ age }} < 25 then bad (weight 0.5)\n" in text
    assert '"x_age" < 25 THEN 1 ELSE 0 END AS rule_F1' in text


def test_the_rules_that_apply(make_exporter: Make) -> None:
    exporter = make_exporter()
    rows = {"age": [30, 30, 10, 70, math.nan], "job": ["cook", "smith", "it's \\", None, "Cook"]}
    found = exporter.run(exporter.export(two_classes()), rows)
    assert list(found)[-1] == "rules"
    assert found["rules"].tolist() == ["1 2 3", "1", "2", "F2", "F2"]
    ages = {"age": [10, 30, 50, math.nan]}
    assert exporter.run(exporter.export(three_classes()), ages)["rules"].tolist() == ["1 2", "2", "F1", "F1"]
    without = make_exporter(points=False)
    assert "rules" not in without.run(without.export(three_classes()), ages)
