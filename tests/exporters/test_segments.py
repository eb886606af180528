"""Segmented models in every exporter: what is chosen for whom, computed by hand, what the files say, and options."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import onnx
import openpyxl
import pytest
import sqlglot
from cards import ensemble, numbers, rule_set

from scrutable import create
from scrutable.errors import UnsupportedModel
from scrutable.model import (
    Calibration,
    Clause,
    Feature,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Policy,
    Rule,
    Segment,
    SegmentedModel,
    Special,
    Split,
)
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof import certify, verification_rows
from scrutable.testing.cards import card

ACCOUNTS = Feature(name="accounts", kind="numeric", special_codes=(-9,))
NAMES = ("sql", "python", "r", "onnx", "c", "java", "javascript")
#: A minus of 1 for a debt from 10 on, and a knock-out from 100 on.
HIGH, HUGE = Clause("debt", (Interval(lower=10),)), Clause("debt", (Interval(lower=100),))
ROWS = {
    "accounts": [0.0, 2.0, 3.0, 3.0, -9.0, np.nan, 2.0],
    "debt": [0.0, 10.0, 0.0, 20.0, 0.0, 0.0, 100.0],
}


def model() -> SegmentedModel:
    """Trees for few accounts, rules for none that is known, and other trees for everybody else."""
    debt = Feature(name="debt", kind="numeric")
    trees = ensemble(
        features=(debt,),
        trees=(Split(HIGH, Leaf(-1), Leaf(1)),),
        base_score=5,
        cutoff=5.5,
        calibration=Calibration(slope=0),
        policy=Policy(knock_outs=(KnockOut(code="K1", reason="debt from 100 on", when=(HUGE,)),)),
    )
    rules = rule_set(features=(debt,), rules=(Rule(when=(HIGH,), outcome="bad", weight=3),))
    few = (Clause("accounts", (Interval(upper=3), Special((-9,)))),)
    return SegmentedModel(
        segments=(
            Segment(name="it's few", model=trees, when=few),
            Segment(name="none known", model=rules, when=(Clause("accounts", (Missing(),)),)),
            Segment(name="else */ --", model=replace(trees, base_score=0, cutoff=-1, policy=Policy())),
        ),
        routing=(ACCOUNTS,),
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_applicant_gets_what_the_own_segment_says(name: str) -> None:
    exporter = create("exporter", name)
    if name == "r":
        pytest.importorskip("scrutable_r").engine.find()
    found = exporter.run(exporter.export(model()), ROWS)
    assert list(found) == ["segment", "score", "probability", "approved", "knock_out", "rules"]
    few, none, other = "it's few", "none known", "else */ --"
    assert found["segment"].tolist() == [few, few, other, other, few, none, few]
    assert found["score"].tolist() == [6, 4, 1, -1, 6, 1, 4]
    assert found["approved"].tolist() == [1, 0, 1, 1, 1, 1, 0]
    assert found["probability"].tolist() == [0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 0.5]
    assert found["knock_out"].tolist() == [None] * 6 + ["K1"]
    assert found["rules"].tolist() == [None] * 5 + ["F1", None]
    assert differences(evaluate(model(), ROWS).frame(), found) == {}


def test_a_certificate_finds_no_difference() -> None:
    whole = model()
    engines = [create("exporter", "sql", dialect=dialect) for dialect in ("duckdb", "sqlite")]
    engines += [create("exporter", "onnx"), create("exporter", "python")]
    runs = certify(whole, engines, verification_rows(whole, n_random=200)).runs
    assert [sum(run.differing().values()) for run in runs] == [0, 0, 0, 0]
    assert all(run.n_rows > 200 for run in runs)


@pytest.mark.parametrize("name", ["sql", "python", "r", "c", "java", "javascript"])
def test_the_text_says_who_belongs_where(name: str) -> None:
    text = str(create("exporter", name).export(model()).text)
    assert "Segments, each with a model of its own, for 'outcome', favourable class 'good'." in text
    assert "Segment 2, 'none known': accounts is missing; approved at a score of at least 9.313225746154785e-10" in text
    assert "Segment 3, 'else */ --': everybody else; approved at a score of at least -1.0 without a knock-out." in text


def test_a_graph_says_who_belongs_where_and_names_the_nodes_of_each_segment() -> None:
    written = onnx.load_model_from_string(create("exporter", "onnx").export(model()).files["score.onnx"])
    assert "Segment 2, 'none known': accounts is missing" in written.graph.doc_string
    outputs = [output.name for output in written.graph.output]
    assert outputs == ["segment", "score", "probability", "approved", "knock_out", "rule_hits_2", "fallback_hits_2"]
    names = {node.name for node in written.graph.node}
    who = ("it's few: Accounts < 3 or special code -9", "none known: Accounts is missing", "else */ --: everybody else")
    assert names >= {f"score of {each}" for each in who}


def test_sql_names_the_columns_of_each_segment() -> None:
    text = str(create("exporter", "sql", ids=["number"]).export(model()).text)
    [tree] = sqlglot.parse(text, dialect="duckdb")
    assert tree is not None
    columns = {column.alias for step in tree.find_all(sqlglot.exp.CTE) for column in step.this.expressions}
    own = {"segment_1_knock_out", "segment_2_rule_F1", *(f"segment_{number}_score" for number in (1, 2, 3))}
    assert {"segment_number", "rule_1", *own} <= columns
    assert "-- it's few: Accounts < 3 or special code -9\n" in text
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE applicants AS SELECT 7 AS number, 2.0 AS accounts, 0 AS debt")
        assert connection.execute(text).fetchall() == [(7, "it's few", 6.0, 0.5, 1, None, None)]


def with_reasons(*counts: int) -> SegmentedModel:
    """Scorecards with so many reasons each, apart by the amount."""
    segments = []
    for position, k in enumerate(counts):
        scorecard = card()
        assert scorecard.reasons is not None
        single = replace(scorecard, reasons=replace(scorecard.reasons, k=k))
        when = (Clause("amount", (Interval(upper=10.0 * (position + 1)),)),) if position + 1 < len(counts) else ()
        segments.append(Segment(name=f"s{position}", model=single, when=when))
    return SegmentedModel(segments=tuple(segments), routing=numbers("amount"))


@pytest.mark.parametrize("name", ["sql", "onnx"])
def test_as_many_reasons_as_any_segment_gives_and_not_more(name: str) -> None:
    whole, rows = with_reasons(1, 3), {"amount": [5.0, 12.0, 15.0], "job": ["cook", "else", None]}
    for asked, columns in ((None, 3), (2, 2), (0, 0)):
        exporter = create("exporter", name, reasons=asked)
        found = exporter.run(exporter.export(whole), rows)
        assert [key for key in found if key.startswith("reason_")] == [f"reason_{i + 1}" for i in range(columns)]
        ours = {key: its for key, its in evaluate(whole, rows).frame().items() if key in found}
        assert differences(ours, found) == {}
    with pytest.raises(UnsupportedModel, match="does not give so many reasons; got 4; allowed: 0 to 3"):
        create("exporter", name, reasons=4).export(whole)


def test_python_scores_from_a_shell(tmp_path: Path) -> None:
    (tmp_path / "score.py").write_text(str(create("exporter", "python").export(model()).text))
    done = subprocess.run(
        [sys.executable, "score.py"],
        cwd=tmp_path,
        input="debt,accounts\n10,2\n0,\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "segment,score,probability,approved,knock_out,rules",
        "it's few,4.0,0.5,0,,",
        "none known,1.0,1.0,1,,F1",
    ]


def test_without_a_choice_there_is_one_segment() -> None:
    whole = SegmentedModel(segments=(Segment(name="all", model=card()),))
    rows: dict[str, Any] = {"amount": [5.0, None], "job": ["cook", None]}
    for name in ("sql", "python", "onnx"):
        exporter = create("exporter", name)
        assert differences(evaluate(whole, rows).frame(), exporter.run(exporter.export(whole), rows)) == {}


def test_a_workbook_shows_the_segment_and_what_it_says() -> None:
    rows = {name: [values[0], values[3], values[6]] for name, values in ROWS.items()}
    content = create("exporter", "excel", rows=3, applicants=rows).export(model())
    sheet = openpyxl.load_workbook(io.BytesIO(content.files["score.xlsx"]), data_only=True)["Score"]
    names = [cell.value for cell in sheet[5]]
    ours = evaluate(model(), rows).frame()
    for name in ("segment", "score", "approved"):
        stored = [sheet.cell(row, names.index(name) + 1).value for row in (6, 7, 8)]
        assert stored == ours[name].tolist()
