"""What a first table meets: a cutoff that decides nothing, codes without a row, a title above the header, texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrutable import evaluate
from scrutable.errors import InputError
from scrutable.model import Outcome, Scaling
from scrutable_points_table.tables import ImportedCard, read_points_table

from .files import workbook, written

HEADER = "characteristic,attribute,lower,upper,values,points"
#: -9 has a row in a and b, none in c.
CODED = [
    *("a,interval,,5,,100", "a,interval,5,,,150", "a,special,,,-9,120", "a,missing,,,,100"),
    *("b,interval,,5,,100", "b,interval,5,,,150", "b,special,,,-9,120", "b,missing,,,,100"),
    *("c,interval,,48.5,,120.75", "c,interval,48.5,,,186.25", "c,missing,,,,150"),
]


def assumed(found: ImportedCard, where: str) -> list[str]:
    return [each.what for each in found.report.of("assumption") if each.where == where]


# --- cutoffs that decide nothing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cutoff", "who"), [(600, "nobody"), (486.5, "nobody"), (320.75, "everybody"), (-1, "everybody")]
)
def test_a_cutoff_out_of_the_scores_is_told(tmp_path: Path, cutoff: float, who: str) -> None:
    found = read_points_table(written(tmp_path, HEADER, *CODED), cutoff=cutoff)
    [what] = assumed(found, "cutoff")
    assert what == f"{cutoff} is taken as it is, though scores go from 320.75 to 486.25: {who} is approved"
    ends: dict[str, Any] = {"a": [0.0, 9.0], "b": [0.0, 9.0], "c": [0.0, 99.0]}
    assert evaluate(found.model, ends).approved.tolist() == [who == "everybody"] * 2


@pytest.mark.parametrize("cutoff", [321, 486.25])
def test_a_cutoff_among_the_scores_is_not(tmp_path: Path, cutoff: float) -> None:
    assert assumed(read_points_table(written(tmp_path, HEADER, *CODED), cutoff=cutoff), "cutoff") == []


def test_the_scores_are_told_as_the_table_has_them() -> None:
    table = {"characteristic": ["x", "x"], "lower": [None, 0], "upper": [0, None], "points": [10.1, 20.2]}
    options: dict[str, Any] = {"missing": 30.25, "orientation": "more-is-worse"}
    [what] = assumed(read_points_table(table, cutoff=5, **options), "cutoff")
    assert what == "5 is taken as it is, though scores go from 10.1 to 30.25: nobody is approved"
    assert assumed(read_points_table(table, cutoff=10.1, **options), "cutoff") == []
    [what] = assumed(read_points_table(table, cutoff=40, **options), "cutoff")
    assert what.endswith("everybody is approved")


def test_even_odds_out_of_the_scores_are_told_too() -> None:
    table = {"characteristic": ["x", "x"], "lower": [None, 0], "upper": [0, None], "points": [600, 620]}
    _, what = assumed(read_points_table(table, missing=600, scaling=Scaling()), "cutoff")
    assert "though scores go from 600 to 620: everybody is approved" in what


# --- codes ------------------------------------------------------------------------------------------------------------


def test_a_code_that_one_characteristic_has_no_row_for_is_told(tmp_path: Path) -> None:
    found = read_points_table(written(tmp_path, HEADER, *CODED), cutoff=400)
    assert assumed(found, "special codes") == [
        "code -9 has a row in 'a' and 'b'; in 'c' it counts as < 48.5; if it is a code there too, "
        "add a row for it (attribute special, and the code in values)"
    ]
    whole = read_points_table(written(tmp_path, HEADER, *CODED, "c,special,,,-9,130"), cutoff=400)
    assert assumed(whole, "special codes") == []


def test_codes_of_texts_and_numbers_that_are_categories() -> None:
    table = {
        "characteristic": ["n", "n", "k", "k", "k", "t", "t", "u", "u"],
        "kind": ["numeric"] * 5 + ["categorical"] * 4,
        "attribute": ["interval", "special", "values", "values", "other", "special", "other", "values", "other"],
        "values": [None, -9, -9, 1, None, "?", None, "cook", None],
        "points": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    }
    [what] = assumed(read_points_table(table, missing=0, cutoff=20), "special codes")
    assert what.startswith("code '?' has a row in 't'; in 'u' it counts as any other value; if")


def test_a_row_of_which_no_code_was_named_can_be_given_it() -> None:
    table = {
        "Variable": ["a"] * 3 + ["c"] * 3,
        "Bin": ["(-inf, inf)", "Special", "Missing"] * 2,
        "Points": [1, 2, 3, 4, 5, 6],
        "Non-event": [5, 5, 5, 5, 0, 5],
        "Event": [5, 5, 5, 5, 0, 5],
    }
    [what] = assumed(read_points_table(table, special_codes={"a": -9}, cutoff=6), "special codes")
    assert what.endswith(
        "in 'c' it counts as any number; if it is a code there too, name it with special_codes for 'c'"
    )
    assert assumed(read_points_table(table, special_codes={"a": -9, "c": -9}, cutoff=6), "special codes") == []


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        (-8, r"got -8\. Fix: add a row for the code to the table \(attribute special, and the code in values\)"),
        (-9, r"leave it out; the table has a row for it in 'a', 'b'; add one where it has none"),
        ({"c": -9}, r"the table has a row for it in 'a', 'b'; add one where it has none \(attribute special"),
    ],
)
def test_a_code_that_no_row_can_hold_needs_one(tmp_path: Path, codes: Any, text: str) -> None:
    with pytest.raises(InputError, match=f"no row of special codes can hold it.*{text}"):
        read_points_table(written(tmp_path, HEADER, *CODED), special_codes=codes)


def test_a_code_of_another_kind_than_the_column() -> None:
    table = {"Variable": ["job"] * 2, "Bin": ["['cook']", "Special"], "Points": [1, 2]}
    with pytest.raises(InputError, match="texts are codes among texts, numbers among numbers"):
        read_points_table(table, special_codes=-9)


# --- headers and numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "options", "text"),
    [
        ("Scorecard of May,,,,,", {}, "no known layout.*line 2 was taken for it; or rename"),
        ("Scorecard of May,,,,,", {"layout": "plain"}, "lacks a column.*line 2 was taken for it; or rename"),
        ("Scorecard of May", {}, "another length than the header.*line 2, which begins with 'Scorecard of May', was"),
    ],
)
def test_a_title_above_the_header_is_told(tmp_path: Path, title: str, options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        read_points_table(written(tmp_path, "", title, HEADER, *CODED), **options)
    assert "make the header the first line with words; line 2" in str(caught.value.fix)


def test_a_frame_has_no_lines_above_its_header() -> None:
    with pytest.raises(InputError, match="no known layout") as caught:
        read_points_table({"Scorecard of May": [1]})
    assert caught.value.fix == "rename the columns as the layout plain has them"


def test_a_title_in_a_workbook(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Scorecard of May"], ["characteristic", "lower", "points"], ["age", None, 1]]
    with pytest.raises(InputError, match=r"no known layout.*first line with words; line 1 was taken for it"):
        read_points_table(workbook(tmp_path, *rows))


def test_a_number_that_is_a_text_in_a_workbook(tmp_path: Path) -> None:
    path = workbook(tmp_path, ["characteristic", "attribute", "points"], ["age", "interval", "300,5"])
    with pytest.raises(InputError, match=r"got '300,5'.*in a workbook make the cell a number instead of a text"):
        read_points_table(path)


# --- classes ----------------------------------------------------------------------------------------------------------


def test_classes_that_nobody_named_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER, *CODED)
    what = "the classes are taken to be 'bad' and 'good', as none were given; outcome names others"
    assert assumed(read_points_table(path, cutoff=400), "outcome") == [what]
    given = read_points_table(path, cutoff=400, outcome=Outcome(classes=("bad", "good"), favourable="good"))
    assert assumed(given, "outcome") == []
