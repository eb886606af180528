"""Tables as people keep them: merged and blank cells, errors of a spreadsheet, rows of two meanings, extra columns."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from scrutable import evaluate
from scrutable.errors import InputError
from scrutable_points_table.tables import read_points_table

from . import files
from .files import workbook

HEADER = "characteristic;kind;attribute;lower;upper;values;points"
AGES = "age;;;;25;;10\nage;;;25;;;30\nage;;missing;;;;5"


def written(tmp_path: Path, *rows: str) -> Path:
    return files.written(tmp_path, HEADER, *rows)


# --- rows that would have gone elsewhere ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        (";;;25;;;30", "lower"),
        (";;;;;rent;25", "values"),
        (";;missing;;;;5", "attribute"),
        (";numeric;;;;;5", "kind"),
    ],
)
def test_a_row_below_a_merged_cell_is_no_base_points(tmp_path: Path, row: str, cell: str) -> None:
    path = written(tmp_path, "age;;;;25;;10", row)
    with pytest.raises(InputError, match=f"row 2, {cell}: no characteristic is named.*merged cells"):
        read_points_table(path, missing=0, unseen=0, gaps=0)


def test_merged_cells_of_a_workbook(tmp_path: Path) -> None:
    rows = [["characteristic", "lower", "upper", "points"], ["age", None, 25, 10], [None, 25, None, 30]]
    with pytest.raises(InputError, match="row 2, lower: no characteristic is named"):
        read_points_table(workbook(tmp_path, *rows, merged="A2:A3"), missing=0, gaps="extend")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("age;;missing;;;-99;5", "row 4, values: the row says two things; got '-99'; allowed: empty in .* missing"),
        ("age;;other;;;x;5", "row 4, values: the row says two things"),
        ("age;;interval;60;;x;5", "row 4, values: the row says two things; got 'x'.*attribute interval"),
        ("age;;special;60;;-9;5", "row 4, lower: the row says two things; got '60'"),
        ("age;;;;60;-9;5", "row 4, upper: the row says two things; got '60'; allowed: empty in .* values"),
    ],
)
def test_cells_that_have_no_meaning_in_their_row_are_refused(tmp_path: Path, row: str, text: str) -> None:
    with pytest.raises(InputError, match=text):
        read_points_table(written(tmp_path, AGES, row))


@pytest.mark.parametrize("values", [r"N\A", "C:\\", r"a\eb", "own||rent", "own|", "|own", "|"])
def test_values_of_which_something_would_be_lost_are_refused(tmp_path: Path, values: str) -> None:
    with pytest.raises(InputError, match=r"row 1, values: values that cannot be read"):
        read_points_table(written(tmp_path, f"job;;;;;{values};1"), missing=0, unseen=0)


def test_values_with_every_mark(tmp_path: Path) -> None:
    path = written(tmp_path, r'job;;;;;"a\|b\||\e|N\\A|it"", [s]";1')
    found = read_points_table(path, missing=0, unseen=0, cutoff=1)
    rows = {"job": ["a|b|", "", "N\\A", 'it", [s]', "a"]}
    assert evaluate(found.model, rows).score.tolist() == [1, 1, 1, 1, 0]


@pytest.mark.parametrize("value", [datetime.datetime(2026, 5, 1), ["own", "rent"]])
@pytest.mark.parametrize("names", [("characteristic", "values"), ("variable", "bin")])
def test_what_is_no_text_is_no_category(value: Any, names: tuple[str, str]) -> None:
    """Spreadsheets make a date of 1-5, which no column of texts holds."""
    table = {names[0]: ["job"], names[1]: [value], "points": [1]}
    with pytest.raises(InputError, match=f"row 1, {names[1]}: neither a text nor a number"):
        read_points_table(table, missing=0, unseen=0)


@pytest.mark.parametrize(("name", "columns"), [("good", ("good", "bad")), ("bad", ("bad", "good"))])
@pytest.mark.parametrize("counts", [[5, -5], [float("inf"), 1]])
def test_counts_that_are_none(name: str, columns: tuple[str, str], counts: list[float]) -> None:
    table = {"characteristic": ["job"] * 2, "values": ["a", "b"], "points": [1, 2]}
    with pytest.raises(InputError, match=f"{name}: expected a count"):
        read_points_table(table | dict(zip(columns, (counts, [0, 0]), strict=True)), missing=0, unseen=0)


def test_the_kind_may_stand_in_one_row(tmp_path: Path) -> None:
    path = written(tmp_path, "k;;;;;1;10", "k;numeric;;;;2;20", "k;;other;;;;0", "k;;missing;;;;5")
    found = read_points_table(path, cutoff=1)
    assert evaluate(found.model, {"k": [1.0, 2.0, 3.0, None]}).score.tolist() == [10, 20, 0, 5]
    path = written(tmp_path, "k;numeric;;;;1;10", "k;categorical;;;;2;20")
    with pytest.raises(InputError, match="characteristic 'k', rows 1, 2: both numbers and categories"):
        read_points_table(path, missing=0, unseen=0)


# --- blank rows, errors of a workbook -------------------------------------------------------------------------------


def test_blank_rows_are_passed_over_and_counted(tmp_path: Path) -> None:
    blank = ";;;;;;"
    found = read_points_table(written(tmp_path, blank, "age;;;;25;;10", "", blank, "age;;;30;;;30"), missing=0, gaps=7)
    assert (found.report.rows, evaluate(found.model, {"age": [20.0, 27.0, 40.0]}).score.tolist()) == (2, [10, 7, 30])
    with pytest.raises(InputError, match="rows 2 and 5: rows overlap"):
        read_points_table(written(tmp_path, blank, "age;;;;25;;10", "", blank, "age;;;20;;;30"), missing=0)


def test_blank_rows_above_the_header(tmp_path: Path) -> None:
    path = written(tmp_path, AGES)
    path.write_text("\n\n" + path.read_text())
    assert evaluate(read_points_table(path, cutoff=1).model, {"age": [20.0, None]}).score.tolist() == [10, 5]
    rows = [[None], [None, None], ["characteristic", "lower", "upper", "points"], ["age", None, 25, 10]]
    found = read_points_table(workbook(tmp_path, *rows), missing=0, gaps=0, cutoff=1)
    assert evaluate(found.model, {"age": [20.0]}).score.tolist() == [10]


def test_an_error_of_a_workbook_is_no_empty_cell(tmp_path: Path) -> None:
    rows = [["characteristic", "lower", "upper", "points"], ["age", None, 25, 10], ["age", 25, "#REF!", 30]]
    with pytest.raises(InputError, match="row 2, upper: expected a number; got '#REF!'"):
        read_points_table(workbook(tmp_path, *rows), missing=0)


# --- extra columns --------------------------------------------------------------------------------------------------


def test_columns_without_a_use_are_named() -> None:
    table = {"characteristic": ["age"], "attribute": ["interval"], "points": [1], "reason code": ["R1"], "Note": [""]}
    found = read_points_table(table, missing=0, cutoff=1)
    [note] = [each.what for each in found.report.of("note") if each.where == "columns"]
    assert note == "left out, as the layout has none of these names: 'reason code', 'Note'"
    card = {"variable": ["age"], "bin": ["[-inf,inf)"], "points": [1], "woe": [0.1]}
    assert not any(each.where == "columns" for each in read_points_table(card, cutoff=1).report.findings)


# --- cutoffs --------------------------------------------------------------------------------------------------------


def decided(points: list[tuple[float, float]], cutoff: float, value: float, **options: Any) -> tuple[bool, Any]:
    """Whether the applicant with this value everywhere is approved; points below 0 and from 0 on, by characteristic."""
    names = [f"x{place}" for place in range(len(points)) for _ in "ab"]
    table = {
        "characteristic": names,
        "lower": [None, 0] * len(points),
        "upper": [0, None] * len(points),
        "points": [each for pair in points for each in pair],
    }
    found = read_points_table(table, missing=0, cutoff=cutoff, **options)
    return bool(evaluate(found.model, {name: [value] for name in names}).approved[0]), found


@pytest.mark.parametrize(
    ("tenths", "others"), [((1, 2), (0, 0)), ((101, 202), (100, 202)), ((13, 24, 35), (13, 24, 34))]
)
def test_a_score_that_equals_the_cutoff_in_decimals_reaches_it(tenths: Any, others: Any) -> None:
    """The next multiples of 2^-30 of 10.1 and 20.2 sum to less than 30.3."""
    points = [(other / 10, tenth / 10) for other, tenth in zip(others, tenths, strict=True)]
    cutoff = sum(tenths) / 10
    for value, told in ((1.0, True), (-1.0, False)):
        approved, found = decided(points, cutoff, value)
        assert approved is told
        assert 0 < cutoff - found.model.cutoff < 1e-7
        assert any("in the table reaches it" in each.what for each in found.report.of("note") if each.where == "cutoff")


def test_where_fewer_points_are_better_the_cutoff_is_reached_from_above() -> None:
    for value, told in ((1.0, True), (-1.0, False)):
        approved, _ = decided([(10.2, 10.1), (20.2, 20.2)], 30.3, value, orientation="more-is-worse")
        assert approved is told


def test_base_points_and_points_for_gaps_count_for_the_cutoff() -> None:
    assert decided([(0, 10.1)], 30.3, 1.0, base_points=20.2)[0]
    table = {"characteristic": ["x", "y"], "attribute": ["interval"] * 2, "points": [0, 1]}
    found = read_points_table(table, missing=0.1, base_points=0.2, cutoff=0.4)
    assert evaluate(found.model, {"x": [None], "y": [None]}).approved.tolist() == [True]


@pytest.mark.parametrize("points", [[(0.5, 10.25), (7, 8)], [(1 / 3, 2 / 3), (0.1, 0.2)]])
def test_other_cutoffs_are_held_as_they_are(points: list[tuple[float, float]]) -> None:
    assert decided(points, 18.25, 1.0)[1].model.cutoff == 18.25
