"""What LibreOffice computes from the workbook as a person would use it."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from scrutable.data.frames import Column
from scrutable.errors import InputError
from scrutable.model import Calibration, Scorecard
from scrutable.model.evaluator import differences, evaluate, read_inputs
from scrutable.testing.contract.examples.random_models import drawn_models, rows_to_run
from scrutable_excel import libreoffice, score_sheet, workbook
from scrutable_excel.columns import Layout
from scrutable_excel.domain import supported
from scrutable_excel.exporter import FILE, ExcelExporter
from scrutable_excel.stored import results

from .conftest import RunAll
from .models import ROWS, card, coded, plain


def sheets_of(*contents: Any) -> list[list[list[str]]]:
    """The cells of the rows of the sheet "Score" that have formulas, of each workbook."""
    return [cells[score_sheet.TOP :] for cells in libreoffice.recalculate(contents, 1, score_sheet.SHEET)]


def test_run_gives_the_columns_of_the_evaluator(soffice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrutable_excel.exporter._BLOCK", 5)  # three workbooks
    exporter = ExcelExporter()
    export = exporter.export(card())
    assert differences(evaluate(card(), ROWS).frame(), exporter.run(export, ROWS)) == {}
    assert re.fullmatch(r"LibreOffice \d+\.\d+.*", exporter.engine())
    with pytest.raises(InputError, match=r"row 3: a row that a workbook cannot hold.*inf"):
        exporter.run(export, {**ROWS, "amount": [1.0] * 3 + [math.inf] + [1.0] * 8})


def test_a_knock_out_stands_alone_where_the_score_reaches_the_cutoff(run_all: RunAll) -> None:
    rows = {"amount": [-51.0, -51.0, 1.0], "job": ["cook", "x", "x"], "coded": [1.0, 1.0, 1.0]}
    score = evaluate(card(), rows).score
    assert score is not None
    model = card(cutoff=score[0])
    (found,) = run_all([(model, rows)])
    assert differences(evaluate(model, rows).frame(), found) == {}
    assert [each >= model.cutoff for each in found["score"].tolist()] == [True, False, False]
    assert found["reason_1"].tolist() == ["Kc", "Kc", "2c"]
    assert found["reason_2"].tolist() == [None, "2c", None]
    np.testing.assert_array_equal(found["short_1"], [math.nan, math.nan, 2])
    np.testing.assert_array_equal(found["short_2"], [math.nan, 2, math.nan])


def test_the_formulas_that_run_are_those_that_are_exported(soffice: str) -> None:
    """The exported file says what it has stored once LibreOffice computed it, in the working too."""
    model = card()
    columns, n_rows = read_inputs(model, ROWS)
    layout = Layout(supported(model))
    expected = results(layout, columns, n_rows)
    [cells] = sheets_of(ExcelExporter(rows=20, applicants=ROWS).export(model).files[FILE])
    assert len(cells) == 20
    working = [place for place, each in enumerate(layout.columns) if each.look == "count"]
    assert len(working) > 10
    for place in (layout.check, layout.results["approved"], *working):
        told, stored = [
            [float(value) if value != "" else math.nan for value in values]
            for values in ([row[place] for row in cells[:n_rows]], expected[place])
        ]
        assert told == pytest.approx(stored, rel=1e-12, nan_ok=True), layout.columns[place].title
    assert {cell for row in cells[n_rows:] for cell in row} == {""}


def test_many_rows_are_worked_out_alike(run_all: RunAll) -> None:
    """LibreOffice works many rows out on several threads."""
    models = [model for name, model in drawn_models().items() if name in ("rule set 1", "tree ensemble 1")]
    pairs = []
    for model in models:
        rows = rows_to_run(model).frame
        pairs.append((model, rows[ExcelExporter().holds(ExcelExporter(rows=1).export(model), rows)]))
        assert len(pairs[-1][1]) > 150
    for (model, frame), theirs in zip(pairs, run_all(pairs), strict=True):
        assert differences(evaluate(model, frame).frame(), theirs) == {}


def test_cuts_outside_of_the_domain_part_what_is_inside(run_all: RunAll) -> None:
    """Cells hold neither subnormal numbers nor infinities; trees ask for x <= 0, which is x < 5e-324."""
    rows = {"x": [0.0, -0.0, 1e-290, -1e-290, 1.0, -1.0, 1e290, -1e290]}
    cuts = ((5e-324,), (-5e-324,), (-5e-324, 5e-324), (-1.7976931348623157e308, 1.7976931348623157e308))
    models = [plain(*each) for each in cuts]
    for model, theirs in zip(models, run_all([(model, rows) for model in models]), strict=True):
        assert differences(evaluate(model, rows).frame(), theirs) == {}


def test_the_results_that_are_stored_are_not_trusted(soffice: str) -> None:
    model = card()
    columns, n_rows = read_inputs(model, ROWS)
    stored = workbook.write(model, supported(model), n_rows, columns, n_stored=n_rows)
    empty = workbook.write(model, supported(model), n_rows, columns)
    assert stored != empty
    one, other = sheets_of(stored, empty)
    assert one == other


def test_a_value_of_another_kind_gives_no_score(soffice: str) -> None:
    model = card()
    objects = {
        "amount": np.array(["12", 0.1, 0.1, None, 0.1], dtype=object),
        "job": np.array(["cook", 5.0, "cook", None, "cook"], dtype=object),
        "coded": np.array([1.0, 1.0, "x", None, 1.0], dtype=object),
    }
    columns = {name: Column(name, "categorical", values) for name, values in objects.items()}
    layout = Layout(supported(model))
    [cells] = sheets_of(workbook.write(model, supported(model), 5, columns))
    shown = [place for name, place in layout.results.items() if not name.startswith("points_")]
    for row in cells[:3]:
        assert row[layout.check] == "1"
        assert {row[place] for place in shown} == {"#N/A"}
    assert set(cells[3]) == {""}
    assert cells[4][layout.check] == "0"
    assert float(cells[4][layout.results["score"]]) == pytest.approx(504.2)


def near_zero() -> Scorecard:
    """Linear predictors that almost cancel: spreadsheets' own sums would take them for 0."""
    slope = 0.1
    cuts = [float(i) for i in range(1, 8)]
    return plain(*cuts, base_points=511.3, calibration=Calibration(slope=slope, intercept=-51.13))


def test_probabilities_where_the_sum_almost_cancels(run_all: RunAll) -> None:
    models = [near_zero()]
    for link in ("logit", "identity"):
        for base in (7.1, 333.3, 0.7, 100_000.3):
            calibration = Calibration(slope=1 / 3, intercept=-base / 3, link=link)
            models.append(plain(1.0, base_points=base, calibration=calibration))
    rows = {"x": [0.0, 1.0, 3.5]}
    for model, found in zip(models, run_all([(model, rows) for model in models]), strict=True):
        assert differences(evaluate(model, rows).frame(), found) == {}


def test_a_cutoff_one_bit_away_decides(run_all: RunAll) -> None:
    rows = {"x": [0.0, 1.0]}
    score = evaluate(plain(1.0, base_points=500), rows).score
    assert score is not None
    cutoffs = [float(score[1]), math.nextafter(score[1], 0), math.nextafter(score[1], math.inf)]
    models = [plain(1.0, base_points=500, cutoff=cutoff) for cutoff in cutoffs]
    found = run_all([(model, rows) for model in models])
    assert [frame["approved"].tolist() for frame in found] == [[0, 1], [0, 1], [0, 0]]


def test_hundreds_of_cuts_and_codes(run_all: RunAll) -> None:
    """As many as a formula has room for, or nearly so."""
    rows = {"x": [-1.0, 0.0, 0.5, 100.0, 228.5, 229.0, 1e9, 209.0, 210.0]}
    models = [plain(*map(float, range(230))), coded(210)]
    for model, found in zip(models, run_all([(model, rows) for model in models]), strict=True):
        assert differences(evaluate(model, rows).frame(), found) == {}
