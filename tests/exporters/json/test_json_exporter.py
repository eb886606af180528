"""The files say all of the model: the text alone gives the evaluator's results, and fits the schema beside it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from drawn import KINDS, drawn
from jsonschema import Draft202012Validator

from scrutable.errors import ModelError
from scrutable.model import Calibration, Model, Outcome, Scorecard, load
from scrutable.model.evaluator import differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable_json import scrutable_exporters
from scrutable_json.exporter import MODEL, SCHEMA, JSONExporter

PUBLISHED = Path(__file__).parents[3] / "docs" / "model.schema.json"
EXPORTER = JSONExporter()
EMPTY = Scorecard(
    outcome=Outcome(classes=("bad", "good"), favourable="good"),
    features=(),
    characteristics=(),
    base_points=600,
    cutoff=500,
    calibration=Calibration(slope=1),
)


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_is_the_model(kind: str) -> None:
    for model in drawn(kind, 7):
        check(model)


def check(model: Model) -> None:
    """The text holds all that the evaluator needs, as the schema beside it says."""
    export = EXPORTER.export(model)
    validator = Draft202012Validator(json.loads(export.files[SCHEMA]))
    validator.validate(json.loads(export.text))
    rows = edge_rows(model, n_random=5)
    # what `run` finds is read from the text: an Export of another model object changes nothing
    theirs = EXPORTER.run(replace(export, model=EMPTY), rows)
    ours = evaluate(model, rows).frame()
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}
    assert EXPORTER.holds(export, rows).all()
    assert EXPORTER.export(model).files == export.files


def test_the_schema_is_the_published_one() -> None:
    assert EXPORTER.export(EMPTY).files[SCHEMA] == PUBLISHED.read_text(encoding="utf-8")


def test_the_files_are_read_by_load(tmp_path: Path) -> None:
    EXPORTER.export(EMPTY).write(tmp_path)
    assert load(tmp_path / MODEL) == EMPTY


def test_a_text_that_was_changed_is_refused() -> None:
    export = EXPORTER.export(EMPTY)
    broken = export.text.replace('"cutoff": 500.0', '"cutoff": NaN')
    with pytest.raises(ModelError, match="NaN"):
        EXPORTER.run(replace(export, files={MODEL: broken}), {"x": [1.0]})


def test_what_it_says_of_itself() -> None:
    (component,) = scrutable_exporters()
    assert component.load() is JSONExporter
    assert component.engines == ()  # it would compare the evaluator with itself
    assert re.fullmatch(r"Scrutable \d+\.\d+.*", EXPORTER.engine())
