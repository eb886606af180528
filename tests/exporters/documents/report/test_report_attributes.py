"""What the document tells of characteristics and their attributes: bins, intervals, shapes, trends."""

from __future__ import annotations

from typing import Any

import pytest
from tests.exporters.documents.report.told import DATA, NUMERIC, document, gaps, tables

from scrutable import create
from scrutable.model import POINT_INTERVALS, FrozenMapping, PointIntervals, titles_of
from scrutable.model.evidence import Evidence
from scrutable.testing.cards import card
from scrutable_documents.common.sections import Section, Table
from scrutable_lifecycle.validation.stability import population_stability_index


def test_binning_tables_and_stability(fitted: Any) -> None:
    test = DATA.frame.iloc[600:]
    found = document(fitted.model_, fitted.evidence_, data=test)
    binned = fitted.evidence_.binning["tables"]
    overview = {row[0]: row for row in tables(found["characteristics"])["Characteristics"].rows}
    assert overview["Credit amount"][1] == f"{binned['credit_amount']['iv']:.3f}"
    assert overview["Credit amount"][2] == binned["credit_amount"]["strength"]
    card_ = fitted.model_
    amount = next(each for each in card_.characteristics if each.feature == "credit_amount")
    table = next(its for name, its in tables(found["characteristics"]).items() if name.startswith("Credit amount"))
    assert [row[0] for row in table.rows] == list(amount.titles)
    assert [row[1] for row in table.rows] == [f"{attribute.statistics.count:,.0f}" for attribute in amount.attributes]
    counts = [
        sum(low <= value < high for value in test["credit_amount"])
        for low, high in ((a.condition.lower, a.condition.upper) for a in amount.attributes[:-1])
    ]
    expected = population_stability_index([a.statistics.share for a in amount.attributes], [*counts, 0])
    stable = {row[0]: row[1] for row in next(iter(tables(found["stability"]).values())).rows}
    assert stable["Credit amount"] == f"{expected:.3f}"
    assert "Give them as reference" in gaps(found["stability"])


def with_intervals(model: Any) -> Evidence:
    """Evidence of a model's points: half a point and one point beside each that somebody had."""
    sides = {
        each.feature: [(a.points - 0.5, a.points + 1) if a.statistics.count else None for a in each.attributes]
        for each in model.characteristics
    }
    return Evidence(
        model_sha256="", metrics=FrozenMapping({POINT_INTERVALS: PointIntervals.about(model, sides).to_json()})
    )


def attribute_tables(model: Any, evidence: Evidence | None = None) -> list[tuple[Table, Any]]:
    """The table of each characteristic, and the characteristic."""
    found, titles = tables(document(model, evidence)["characteristics"]), titles_of(model)
    named = {name.rpartition(" (IV")[0]: table for name, table in found.items() if " (IV" in name}
    return [(named[titles[each.feature]], each) for each in model.characteristics]


def test_intervals_stand_beside_the_points_that_they_are_of(fitted: Any) -> None:
    shown = 0
    for table, characteristic in attribute_tables(fitted.model_, with_intervals(fitted.model_)):
        place = table.headers.index("95 % interval")
        for row, attribute in zip(table.rows, characteristic.attributes, strict=True):
            seen = attribute.statistics.count > 0
            ends = [float(end.replace("\u2212", "-")) for end in str(row[place]).split(" to ")] if row[place] else []
            assert ends == pytest.approx([attribute.points - 0.5, attribute.points + 1] if seen else [], abs=0.06)
            assert ("#22272e" in str(row[-1])) == seen
            shown += seen
    assert shown > 5


def test_intervals_of_other_points_are_not_told(fitted: Any) -> None:
    other = with_intervals(fitted.model_.with_points(lambda points: points + 1))
    for evidence in (None, other):
        for table, _ in attribute_tables(fitted.model_, evidence):
            assert not [header for header in table.headers if "interval" in header]
            assert not [row for row in table.rows if "#22272e" in str(row[-1])]


def test_shapes_and_woe_are_told_of_each_characteristic(fitted: Any) -> None:
    model = fitted.model_
    overview = tables(document(model)["characteristics"])["Characteristics"]
    place = overview.headers.index("Points as it rises")
    assert [row[place] for row in overview.rows] == [each.trend_in_words for each in model.characteristics]
    assert any(row[place] for row in overview.rows)
    for table, _ in attribute_tables(model):
        assert {"Event rate", "WoE"} <= set(table.headers)


def test_trends_are_told_as_they_were_asked_for() -> None:
    asked = {"duration_months": "descending", "credit_amount": "descending"}
    X, y = DATA.X[NUMERIC].iloc[:600], DATA.y.iloc[:600]
    own = create("learner", "additive", trends=asked, favourable="good", steps=9).fit(X, y)
    binner = create("binner", "quantile", trends=asked)
    by_binner = create("learner", "scorecard", binner=binner, favourable="good").fit(X, y)
    for learner in (own, by_binner):
        for evidence in (None, learner.evidence_):
            section = document(learner.model_, evidence)["characteristics"]
            told = trends_told(section)
            assert {name: trend for name, trend in told.items() if trend != "free"} == {
                name.replace("_", " ").capitalize(): trend for name, trend in asked.items()
            }
            assert "free" in told.values()
            assert "no cuts, merges or trends" not in str(section.blocks)


def test_trends_of_a_model_that_does_not_say_are_not_told() -> None:
    model = card()
    assert set(trends_told(document(model)["characteristics"]).values()) == {"not recorded"}


def trends_told(section: Section) -> dict[str, str]:
    """The trend that was asked for, by characteristic."""
    overview = tables(section)["Characteristics"]
    place = overview.headers.index("Trend asked for")
    return {str(row[0]): str(row[place]) for row in overview.rows}
