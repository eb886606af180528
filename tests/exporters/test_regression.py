"""Regression scorecards in every exporter: what the files say they are, their options, and the files beside them."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import onnx
import openpyxl
import pytest
from cards import numbers

from scrutable import create
from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Quantity,
    RegressionScorecard,
    Special,
    fingerprint,
    snap,
)
from scrutable.model.evaluator import evaluate

EXPORTERS = ("sql", "python", "r", "onnx", "excel", "c", "java", "javascript")


@pytest.fixture(scope="module")
def model() -> RegressionScorecard:
    ltv = Characteristic(
        feature="ltv",
        attributes=(
            Attribute(condition=Interval(upper=0.8), points=-0.1),
            Attribute(condition=Interval(lower=0.8), points=0.3),
            Attribute(condition=Special((-9,)), points=0.05),
            Attribute(condition=Missing(), points=0.01),
        ),
    )
    kind = Characteristic(
        feature="kind",
        attributes=(
            Attribute(condition=Categories(("flat", "it's")), points=-0.02),
            Attribute(condition=Otherwise(), points=0.2),
            Attribute(condition=Missing(), points=0),
        ),
    )
    return RegressionScorecard(
        outcome=Quantity(target="loss 'given' default", unit="share\n*/ --"),
        features=(
            Feature(name="ltv", kind="numeric", special_codes=(-9,)),
            Feature(name="kind", kind="categorical"),
        ),
        characteristics=(ltv, kind),
        base_points=0.35,
    )


ROWS = {"ltv": [0.5, 0.8, -9.0, np.nan], "kind": ["flat", "it's", None, "land"]}


def text_of(exporter: str, model: RegressionScorecard, **options: Any) -> str:
    return str(create("exporter", exporter, **options).export(model).text)


@pytest.mark.parametrize("exporter", ["sql", "python", "r", "c", "java", "javascript"])
def test_the_text_says_what_it_is_and_of_no_decision(exporter: str, model: RegressionScorecard) -> None:
    text = text_of(exporter, model)
    assert "Regression scorecard for " in text
    assert "the score is the prediction." in text
    assert fingerprint(model) in text
    for word in ("robability", "approved", "knock_out", "avourable", "cutoff"):
        assert word not in text
    assert text == text_of(exporter, model)


def test_the_graph_says_what_it_is(model: RegressionScorecard) -> None:
    found = onnx.load_from_string(create("exporter", "onnx").export(model).files["score.onnx"])
    assert found.graph.name == "regression scorecard"
    assert found.graph.doc_string.startswith("Regression scorecard for ")
    assert [output.name for output in found.graph.output] == ["score", "points_ltv", "points_kind"]


@pytest.mark.parametrize("exporter", ["sql", "onnx"])
def test_options_leave_points_out_and_reasons_are_refused(exporter: str, model: RegressionScorecard) -> None:
    made = create("exporter", exporter, points=False, reasons=0)
    assert list(made.run(made.export(model), ROWS)) == ["score"]
    with pytest.raises(UnsupportedModel, match="option reasons: the model has no reason policy; got 2; allowed"):
        create("exporter", exporter, reasons=2).export(model)


def test_a_unit_test_and_a_dbt_model(model: RegressionScorecard) -> None:
    export = create("exporter", "sql", test_rows=40).export(model)
    assert duckdb.connect().execute(str(export.files["score_test.sql"])).fetchall() == []
    wrong = str(export.files["score_test.sql"]).replace(f"THEN CAST('{snap(-0.1)!r}'", "THEN CAST('-0.2'")
    found = duckdb.connect().execute(wrong).fetchall()
    assert {result for _, result, _, _ in found} == {"score", "points_ltv"}
    dbt = create("exporter", "sql", form="dbt", name="lgd")
    assert "prediction of loss 'given' default" in str(
        next(text for name, text in dbt.export(model).files.items() if name.endswith(".yml"))
    )
    assert dbt.run(dbt.export(model), ROWS)["score"].tolist() == evaluate(model, ROWS).score.tolist()


def test_many_characteristics_are_added_up_in_parts() -> None:
    names = [f"x{i}" for i in range(120)]
    tiles = (Interval(upper=0.0), Interval(lower=0.0), Missing())
    points = np.random.default_rng(0).normal(size=(120, 3)).tolist()
    model = RegressionScorecard(
        outcome=Quantity(),
        features=numbers(*names),
        characteristics=tuple(
            Characteristic(
                feature=name,
                attributes=tuple(Attribute(condition=c, points=p) for c, p in zip(tiles, its, strict=True)),
            )
            for name, its in zip(names, points, strict=True)
        ),
        base_points=0.1,
    )
    rows = dict(zip(names, np.random.default_rng(1).normal(size=(120, 50)), strict=True))
    made = create("exporter", "sql", dialect="sqlite")
    assert made.run(made.export(model), rows)["score"].tolist() == evaluate(model, rows).score.tolist()


def test_the_python_file_is_a_command(model: RegressionScorecard, tmp_path: Path) -> None:
    file = tmp_path / "score.py"
    file.write_text(text_of("python", model))
    done = subprocess.run(
        [sys.executable, "-I", str(file)],
        input="ltv,kind\n0.5,flat\n,land\n",
        capture_output=True,
        text=True,
        check=True,
    )
    found = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(found[0]) == ["score", "points_ltv", "points_kind"]
    expected = evaluate(model, {"ltv": [0.5, np.nan], "kind": ["flat", "land"]}).score.tolist()
    assert [float(row["score"]) for row in found] == expected


def test_the_r_package_documents_and_tests_the_prediction(model: RegressionScorecard) -> None:
    files = create("exporter", "r", form="package").export(model).files
    assert "loss 'given' default, in share" in str(files["man/score.Rd"])
    assert "the score is the prediction" in str(files["man/score.Rd"])
    assert "\\item{points}" in str(files["man/score.Rd"])
    assert '"points_ltv"' in str(files["tests/score.R"])
    assert "approved" not in str(files["tests/score.R"])


def test_the_workbook_shows_no_decision(model: RegressionScorecard) -> None:
    content = create("exporter", "excel", rows=3, applicants={k: v[:3] for k, v in ROWS.items()}).export(model)
    book = openpyxl.load_workbook(io.BytesIO(content.files["score.xlsx"]), data_only=True)
    score, card, about = book["Score"], book["Model"], book["About"]
    names = [cell.value for cell in score[5]]
    assert [name for name in names if name] == ["ltv", "kind", "score", "points_ltv", "points_kind"]
    stored = [score.cell(row, names.index("score") + 1).value for row in (6, 7, 8)]
    assert stored == evaluate(model, ROWS).score.tolist()[:3]
    assert [card.cell(row, 1).value for row in (4, 5, 6)] == ["Base points", None, "Characteristic"]
    told = " ".join(str(row[1].value) for row in about.iter_rows(min_row=3))
    assert "Approved is 1" not in told


def test_a_workbook_refuses_too_many_points(model: RegressionScorecard) -> None:
    large = RegressionScorecard(
        outcome=model.outcome, features=model.features, characteristics=model.characteristics, base_points=300_000
    )
    with pytest.raises(UnsupportedModel, match=r"2\^18 = 262,144 points\. Fix: measure points, or the target,"):
        create("exporter", "excel").export(large)


@pytest.mark.parametrize("exporter", EXPORTERS)
def test_exporters_declare_that_they_accept_it(exporter: str) -> None:
    from scrutable.plugins.registry import registry

    (component,) = (
        listing.component for listing in registry().listings("exporter") if listing.component.name == exporter
    )
    assert "regression-scorecard" in component.accepts
