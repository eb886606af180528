"""Points tables read back as the scorecard that was exported, to the last bit, or are refused."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import openpyxl
import pytest
from drawn import drawn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Model,
    Otherwise,
    Outcome,
    Policy,
    Scorecard,
)
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof import certify, exporter_at, verification_rows
from scrutable.proof.edges import edge_rows
from scrutable.testing.contract.examples.models import HOSTILE_TEXTS
from scrutable_points_table.exporter import PointsTableExporter
from scrutable_points_table.tables import read_points_table

LAYOUTS = ("plain", "optbinning", "scorecardpy", "r-scorecard")


def card(*categories: str, other: float = 0.0, base: float = 500.0, name: str = "job") -> Scorecard:
    job = Characteristic(
        feature=name,
        attributes=(
            *(Attribute(condition=Categories((text,)), points=place + 0.1) for place, text in enumerate(categories, 1)),
            Attribute(condition=Otherwise(), points=other),
            Attribute(condition=Missing(), points=other),
        ),
    )
    age = Characteristic(
        feature="age",
        attributes=(
            Attribute(condition=Interval(upper=0.1), points=-1 / 3),
            Attribute(condition=Interval(lower=0.1), points=40),
            Attribute(condition=Missing(), points=20),
        ),
    )
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(Feature(name=name, kind="categorical"), Feature(name="age", kind="numeric")),
        characteristics=(job, age),
        base_points=base,
        cutoff=530,
        calibration=Calibration(slope=0.03, intercept=-16),
    )


def bare(model: Model) -> Scorecard:
    """A scorecard without what no points table holds."""
    assert isinstance(model, Scorecard)
    read = {each.feature for each in model.characteristics}
    features = tuple(feature for feature in model.features if feature.name in read)
    return replace(model, features=features, interactions=(), policy=Policy(), reasons=None)


@pytest.mark.parametrize(
    ("layout", "least"), [("plain", 12), ("optbinning", 2), ("scorecardpy", 2), ("r-scorecard", 2)]
)
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_hostile_scorecards_read_back_or_are_refused(layout: str, least: int, form: Any) -> None:
    exporter = PointsTableExporter(layout=layout, format=form)
    exported = 0
    for each in map(bare, drawn("scorecards", 120)):
        model = replace(each, base_points=0) if layout == "optbinning" else each
        try:
            export = exporter.export(model)
        except UnsupportedModel:
            continue
        exported += 1
        rows = edge_rows(model, n_random=10)
        assert differences(evaluate(model, rows).frame(), exporter.run(export, rows)) == {}
        assert exporter.export(model).files == export.files
    assert exported >= least


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_ordinary_scorecards_are_exported_in_every_layout(layout: str, form: Any) -> None:
    model = card("cook", "it's", 'a "b"', "own, er", base=0 if layout == "optbinning" else 500)
    exporter = PointsTableExporter(layout=layout, format=form)
    export = exporter.export(model)
    rows = edge_rows(model, n_random=50)
    assert differences(evaluate(model, rows).frame(), exporter.run(export, rows)) == {}


@settings(max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(texts=st.lists(st.text(max_size=6), min_size=1, max_size=3, unique=True), form=st.sampled_from(["csv", "xlsx"]))
def test_any_category_reads_back_or_is_refused(texts: list[str], form: Any) -> None:
    try:
        model = card(*texts)
    except Exception:  # what no model holds
        return
    exporter = PointsTableExporter(format=form)
    try:
        export = exporter.export(model)
    except UnsupportedModel:
        return
    rows = {"job": [*texts, None], "age": [0.1] * (len(texts) + 1)}
    assert differences(evaluate(model, rows).frame(), exporter.run(export, rows)) == {}


def test_no_text_becomes_a_formula() -> None:
    for text in ("=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1", "-1+1", "-1 1", "-1%", "+1-2|3"):
        with pytest.raises(UnsupportedModel, match="take for a formula"):
            PointsTableExporter().export(card(text))
    export = PointsTableExporter(format="xlsx").export(card("=1+1", "@SUM(A1)", "http://x"))
    book = openpyxl.load_workbook(io.BytesIO(export.files["points.xlsx"]))
    cells = [cell for row in book.active for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert not any(cell.hyperlink for cell in cells)
    assert "=1+1" in {cell.value for cell in cells}


@pytest.mark.parametrize("layout", ["plain", "scorecardpy"])
def test_negative_numbers_and_lists_of_them_are_no_formulas(layout: str) -> None:
    table = {"characteristic": ["x"] * 3, "attribute": ["special", "interval", "missing"], "points": [-1.5, 2, 0]}
    model = read_points_table(table | {"values": ["-9|-8.5|1e-05", None, None]}, cutoff=0).model
    exporter = PointsTableExporter(layout=layout)
    assert exporter.run(exporter.export(model), {"x": [-9.0, -8.5, 3.0]})["score"].tolist() == [-1.5, -1.5, 2.0]


def test_all_digits_are_kept_in_a_workbook() -> None:
    exporter = PointsTableExporter(format="xlsx")
    found = exporter.run(exporter.export(card("cook")), {"job": ["cook"], "age": [0.0]})
    assert found["score"].tolist() == evaluate(card("cook"), {"job": ["cook"], "age": [0.0]}).score.tolist()


@pytest.mark.parametrize("text", [each for each in HOSTILE_TEXTS if not each.startswith("=")])
def test_hostile_texts_read_back(text: str) -> None:
    exporter = PointsTableExporter()
    assert exporter.run(exporter.export(card(text)), {"job": [text], "age": [None]})["score"].tolist() == (
        evaluate(card(text), {"job": [text], "age": [None]}).score.tolist()
    )


def test_what_runs_is_the_file() -> None:
    exporter = PointsTableExporter()
    export = exporter.export(card("cook"))
    changed = replace(export, files={"points.csv": export.text.replace("40.0", "41.0")})
    rows = {"job": [None], "age": [1.0]}
    assert exporter.run(changed, rows)["score"] - exporter.run(export, rows)["score"] == 1
    broken = replace(export, files={"points.csv": export.text.replace("40.0", "forty")})
    with pytest.raises(InputError, match="expected a number; got 'forty'"):
        exporter.run(broken, rows)


def test_a_certificate_proves_the_round_trip() -> None:
    model = card("cook", "clerk")
    certificate = certify(model, [exporter_at("points-table")], verification_rows(model, n_random=200))
    assert certificate.passed
    assert "reading its points table" in certificate.runs[0].engine


@pytest.mark.parametrize(
    ("model", "layout", "text"),
    [
        (card("cook", other=3), "scorecardpy", "points for categories that it does not list"),
        (card("cook", base=500), "optbinning", "base points"),
        (card("a%,%b"), "scorecardpy", "apart from its own marks"),
        (card("missing"), "r-scorecard", "apart from its own marks"),
        (card("(5,1)"), "scorecardpy", "apart from its own marks"),
        (card("cook", name="basepoints"), "scorecardpy", "read back"),
    ],
)
def test_what_a_layout_cannot_say_is_refused(model: Scorecard, layout: str, text: str) -> None:
    with pytest.raises(UnsupportedModel, match=text):
        PointsTableExporter(layout=layout).export(model)


def test_options_that_there_are_not() -> None:
    with pytest.raises(InputError, match="unknown layout; got 'excel'"):
        PointsTableExporter(layout="excel")
    with pytest.raises(InputError, match="unknown format; got 'ods'; allowed: 'csv' or 'xlsx'"):
        PointsTableExporter(format="ods")
