"""The workbook as a file: what stands where, that nothing but our formulas is one, limits, refusals, the domain."""

from __future__ import annotations

import io
import math
import re
from typing import Any

import numpy as np
import openpyxl
import pytest
from cards import ensemble, numbers

from scrutable.errors import InputError, PluginError, UnsupportedModel
from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Feature,
    Missing,
    Otherwise,
    Scorecard,
    fingerprint,
)
from scrutable.model.evaluator import evaluate
from scrutable.testing.strategies import HOSTILE_TEXTS
from scrutable_excel import libreoffice, scrutable_exporters
from scrutable_excel.exporter import FILE, ExcelExporter

from .models import ROWS, card, coded, plain

#: All of them are in Excel 2010.
FUNCTIONS = {
    "CHOOSE", "COUNT", "COUNTA", "DELTA", "EXACT", "EXP", "GESTEP", "IF", "INDEX", "ISBLANK", "ISNUMBER",
    "ISTEXT", "MATCH", "MAX", "MIN", "NA", "OR", "SUM", "SUMPRODUCT",
    "T",
}  # fmt: skip
ATTACKS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "=cmd|'/c calc'!A0",
    "\t=1",
    "{=1}",
    "http://example.org",
    "<r><t>x</t></r>x",
    '&<>"',
)


def opened(content: Any, *, values: bool = False) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content), data_only=values)


def formulas(content: Any) -> dict[str, str]:
    """Every formula of the workbook by sheet and cell."""
    sheets = opened(content).worksheets
    cells = [
        (f"{sheet.title}!{cell.coordinate}", cell) for sheet in sheets for row in sheet.iter_rows() for cell in row
    ]
    return {place: cell.value for place, cell in cells if cell.data_type == "f"}


def test_the_scorecard_can_be_read_to_the_last_bit() -> None:
    model = card()
    sheets = opened(ExcelExporter().export(model).files[FILE])
    assert sheets.sheetnames == ["Score", "Model", "About"]
    rows = list(sheets["Model"].iter_rows(values_only=True))
    assert [row[1] for row in rows[3:7]] == [model.base_points, 503.3, -5, 0.01]
    assert rows[10][:7] == ("Characteristic", "Line", "Attribute", "From", "Below", "Value", "Points and texts")
    points = [attribute.points for attribute in model.characteristics[0].attributes]
    assert [row[1:7] for row in rows[11:17]] == [
        (1, "< 0.1", None, 0.1, None, points[1]),
        (2, "[0.1, 0.30000000000000004)", 0.1, 0.30000000000000004, None, points[2]),
        (3, "[0.30000000000000004, 10)", 0.30000000000000004, 10, None, points[3]),
        (4, ">= 10", 10, None, None, points[4]),
        (5, "special code -9", None, None, -9, 1),
        (6, "missing", None, None, None, points[5]),
    ]
    assert [row[5] for row in rows[17:21]] == [None, "cook", "b", None]
    told = {row[0]: row[1] for row in sheets["About"].iter_rows(values_only=True)}
    assert told["Model fingerprint"] == f"SHA-256 {fingerprint(model)}"
    assert told["Learner"] == "not recorded"
    assert told["Outside of the domain"] == ExcelExporter().export(model).excluded


def test_formulas_use_functions_of_excel_2010_and_stand_where_they_belong() -> None:
    found = formulas(ExcelExporter(rows=3).export(card()).files[FILE])
    assert {name for text in found.values() for name in re.findall(r"[A-Z][A-Z0-9.]*(?=\()", text)} == FUNCTIONS
    assert {re.sub("[A-Z]+(?=[0-9])", "", place) for place in found} == {"Score!6", "Score!7", "Score!8"}
    for text in found.values():
        assert "_xl" not in text
        assert max(np.cumsum([(c == "(") - (c == ")") for c in text])) <= 64


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_becomes_a_formula_a_link_or_markup(attack: str) -> None:
    plain_words = formulas(ExcelExporter().export(card()).files[FILE])
    rows = {**ROWS, "job": [attack] * 12}
    model = card(words=attack, code=attack, job=attack)
    content = ExcelExporter(rows=12, applicants=rows).export(model).files[FILE]
    found = formulas(content)
    assert found == {place: plain_words[place] for place in found}
    assert len(found) == len(formulas(ExcelExporter(rows=12).export(card()).files[FILE]))
    sheet = opened(content, values=True)["Score"]
    assert [sheet.cell(6 + i, 3).value for i in range(12)] == [attack] * 12
    assert not any(cell.hyperlink for row in sheet.iter_rows() for cell in row)


def test_every_hostile_text_stands_in_a_cell_of_its_own() -> None:
    texts = [text for text in HOSTILE_TEXTS if "\r" not in text]
    attributes = [Attribute(condition=Categories((text,)), points=1) for text in texts]
    rest = (Attribute(condition=Otherwise(), points=0), Attribute(condition=Missing(), points=0))
    its = Characteristic(feature="job", attributes=(*attributes, *rest))
    model = plain(features=(Feature(name="job", kind="categorical"),), characteristics=(its,))
    sheet = opened(ExcelExporter().export(model).files[FILE])["Model"]
    found = [sheet.cell(13 + place, 6).value or "" for place in range(len(texts))]
    # openpyxl leaves some of the escapes of Office Open XML as they are
    assert [re.sub("_x([0-9A-F]{4})_", lambda escape: chr(int(escape[1], 16)), text) for text in found] == texts


def test_applicants_have_their_results_stored() -> None:
    model = card()
    content = ExcelExporter(rows=3, applicants=ROWS).export(model).files[FILE]
    sheet = opened(content, values=True)["Score"]
    names = [cell.value for cell in sheet[5]]
    ours = evaluate(model, ROWS).frame()
    inputs = len(model.features) + 1
    for name, values in ours.items():
        column = names.index(name, inputs) + 1
        stored = [sheet.cell(6 + row, column).value for row in range(12)]
        assert stored == [None if value != value else value for value in values.tolist()], name
    assert sheet.max_row == 5 + 12
    with pytest.raises(InputError, match="row 0: a row that a workbook cannot hold"):
        ExcelExporter(applicants={**ROWS, "amount": [math.inf] * 12}).export(model)


def test_prepared_rows_have_no_results() -> None:
    sheet = opened(ExcelExporter(rows=7).export(card()).files[FILE], values=True)["Score"]
    assert sheet.max_row == 5 + 7
    assert {cell.value for row in sheet.iter_rows(min_row=6) for cell in row} <= {None, ""}


def test_the_sheet_is_laid_out_for_reading() -> None:
    book = opened(ExcelExporter().export(card()).files[FILE])
    assert book.properties.created.year == 2000
    sheet = book["Score"]
    assert sheet.freeze_panes == "B6"
    assert [cell.value for cell in sheet[4]][:9] == [
        "Applicant", "w", "Job", "Coded", "Check", "Score", "Probability", "Decision", "Knock-out",
    ]  # fmt: skip
    assert sheet["H6"].number_format == '[=1]"Approved";[=0]"Declined";General'
    lists = {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation if rule.type == "list"}
    assert lists == {"C6:C105": "Model!$F$19:$F$20"}
    assert len(sheet.conditional_formatting) == 2


def many_columns() -> Scorecard:
    names = [f"f{i}" for i in range(6000)]
    rest = (Attribute(condition=Otherwise(), points=0), Attribute(condition=Missing(), points=0))
    return plain(
        features=numbers(*names),
        characteristics=tuple(Characteristic(feature=name, attributes=rest) for name in names),
    )


def category(text: str) -> Scorecard:
    return card(job=text)


REFUSED: list[tuple[Any, str]] = [
    (lambda: ensemble(features=(), trees=()), "reads no column"),
    (lambda: plain(features=(), characteristics=()), "reads no column"),
    (lambda: plain(1, base_points=300_000), r"sum that is tiny.*300000\.0.*at most 2\^18 = 262,144"),
    (lambda: plain(1, cutoff=1e-300), "cutoff: spreadsheets take"),
    (lambda: plain(1, calibration=Calibration(slope=1e-300)), "slope of the calibration: spreadsheets take"),
    (lambda: category("a\rb"), "category: a text that a workbook cannot hold"),
    (lambda: category("<r>&</r>"), "a text that a workbook cannot hold as it is; got '<r>&</r>'"),
    (lambda: category("x" * 32_768), "a text that a workbook cannot hold"),
    (lambda: card(code="\r"), "a text that a workbook cannot hold"),
    (
        lambda: plain(*map(float, range(400))),
        r"'Line: X': a formula that is too long.*characters'; allowed: at most 8,192",
    ),
    (lambda: coded(300), "function MAX: more arguments.*got 301; allowed: at most 255"),
    (many_columns, "more columns than a sheet has; got 18007; allowed: at most 16,384"),
]


@pytest.mark.parametrize(("model", "message"), REFUSED, ids=[row[1] for row in REFUSED])
def test_what_a_workbook_cannot_reproduce_is_refused(model: Any, message: str) -> None:
    with pytest.raises(UnsupportedModel, match=message):
        ExcelExporter().export(model())


@pytest.mark.parametrize("rows", [0, -1, 1_000_001, True, 2.5, "10", None])
def test_mistaken_options_are_explained(rows: Any) -> None:
    with pytest.raises(InputError, match=r"option rows: not a number of rows.*1 to 1,000,000"):
        ExcelExporter(rows=rows)


def test_the_domain() -> None:
    exporter = ExcelExporter()
    export = exporter.export(card())
    amounts = [0.0, -0.0, None, 1e290, -1e290, 1e291, math.inf, -math.inf, 1e-290, 1e-291, 5e-324]
    rows = {"amount": amounts, "job": ["a"] * 11, "coded": [None] * 11}
    assert exporter.holds(export, rows).tolist() == [True] * 5 + [False] * 3 + [True, False, False]
    texts = [
        None,
        "",
        " ",
        "a\n",
        "a\r\n",
        "<r></r>",
        "<r>",
        "x" * 32_767,
        "\U0001f600" * 16_384,
        "\x00",
        "\ud800",
        "#N/A",
    ]
    rows = {"amount": [1.0] * 12, "job": texts, "coded": [None] * 12}
    holds = [True, False, True, True, False, False, True, True, False, False, False, False]
    assert exporter.holds(export, rows).tolist() == holds
    nothing = {"amount": [None, None], "job": [None, "a"], "coded": [None, None]}
    assert exporter.holds(export, nothing).tolist() == [False, True]
    for words in ("infinite", "1e290", "empty texts", "every value is missing"):
        assert words in export.excluded


def test_without_libreoffice_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    exporter = ExcelExporter()
    for start in (libreoffice.program, exporter.engine, lambda: exporter.run(exporter.export(card()), ROWS)):
        with pytest.raises(PluginError, match=r"LibreOffice is not installed.*libreoffice-calc-nogui"):
            start()


def test_what_it_says_of_itself() -> None:
    (component,) = scrutable_exporters()
    assert component.load() is ExcelExporter
    assert component.engines == ("libreoffice",)
