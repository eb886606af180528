"""Tidy tables: hand-computed scores, every gap and overlap, and what the options make of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from scrutable import evaluate
from scrutable.errors import InputError
from scrutable.model import Calibration, Outcome, Scaling, dumps, loads
from scrutable_points_table.tables import csv_text, layout_named, read_points_table, read_sheet

from .files import written

#: Base points, an interval table with a special code, and a categorical one with other and missing.
WHOLE = """\
characteristic,attribute,lower,upper,values,points,good,bad,reason_code
,,,,,400,,,
age,,,25,,-10.5,20,20,R1
age,,25,,,40,50,5,R1
age,special,,,-9|-8,7,3,2,R2
age,missing,,,,5,1,1,
job,values,,,clerk|cook,12,30,10,
job,values,,,own\\|er|\\e,30,40,10,
job,other,,,,0,4,6,
job,missing,,,,-3,0,2,
"""
ROWS = pd.DataFrame(
    {
        "age": [24.999, 25.0, -9.0, -8.0, math.nan, -math.inf, math.inf],
        "job": ["clerk", "own|er", "", "pilot", None, "cook", "Clerk"],
    }
)
BY_HAND = [400 - 10.5 + 12, 400 + 40 + 30, 400 + 7 + 30, 400 + 7 + 0, 400 + 5 - 3, 400 - 10.5 + 12, 400 + 40 + 0]


def ages(*rows: tuple[Any, Any, float], missing: bool = True) -> dict[str, list[Any]]:
    """A table of one numeric characteristic."""
    listed = [("interval", *row) for row in rows] + ([("missing", None, None, 1.0)] if missing else [])
    columns = zip(*listed, strict=True)
    return {
        "characteristic": ["age"] * len(listed),
        **dict(zip(("attribute", "lower", "upper", "points"), columns, strict=True)),
    }


def jobs(**points: float) -> dict[str, list[Any]]:
    return {
        "characteristic": ["job"] * len(points),
        "attribute": ["values"] * len(points),
        "values": list(points),
        "points": list(points.values()),
    }


def test_scores_by_hand(tmp_path: Path) -> None:
    found = read_points_table(written(tmp_path, WHOLE), cutoff=420)
    assert evaluate(found.model, ROWS).score.tolist() == BY_HAND
    assert evaluate(found.model, ROWS).approved.tolist() == [score >= 420 for score in BY_HAND]
    assert (found.report.largest_difference, found.report.decimals, found.report.negated) == (0.0, 1, False)
    assert found.report.of("gap") == ()
    young = found.model.characteristics[0].attributes[0]
    assert (young.reason_code, young.statistics.good, young.statistics.bad) == ("R1", 20.0, 20.0)
    assert young.statistics.woe == pytest.approx(math.log(20 / 74) - math.log(20 / 28))
    assert found.model.provenance.learner == "imported"
    assert str(tmp_path) not in dumps(found.model)
    assert loads(dumps(found.model)) == found.model


def test_it_writes_what_it_read(tmp_path: Path) -> None:
    model = read_points_table(written(tmp_path, WHOLE), cutoff=420).model
    path = written(tmp_path, csv_text(layout_named("plain").write(model)), name="again.csv")
    again = read_points_table(path, cutoff=420)
    assert (again.model.characteristics, again.model.features) == (model.characteristics, model.features)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_and_a_byte_order_mark(tmp_path: Path, separator: str) -> None:
    text = "\ufeff" + separator.join(["characteristic", "lower", "upper", "points"]) + "\n"
    text += "".join(separator.join(row) + "\n" for row in (["a", "", "3", "1"], ["a", "3", "", "2"]))
    model = read_points_table(written(tmp_path, text), missing=0, cutoff=1).model
    assert evaluate(model, {"a": [2.0, 3.0, None]}).score.tolist() == [1.0, 2.0, 0.0]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_give_the_same_model(frame: Any) -> None:
    table = ages((None, 25, 10.0), (25, None, 20.0))
    assert read_points_table(frame(table), cutoff=15).model.characteristics == (
        read_points_table(table, cutoff=15).model.characteristics
    )


def test_a_workbook_is_read_with_its_sheet(tmp_path: Path) -> None:
    path = tmp_path / "card.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"nothing": [1]}).to_excel(book, sheet_name="Notes", index=False)
        pd.DataFrame(ages((None, 25, 10.25), (25, None, 20))).to_excel(book, sheet_name="Card", index=False)
    found = read_points_table(path, sheet="Card", cutoff=15)
    assert evaluate(found.model, {"age": [24.0, None]}).score.tolist() == [10.25, 1.0]
    with pytest.raises(InputError, match="no such sheet; got 'Kard'; allowed: Notes, Card"):
        read_points_table(path, sheet="Kard")
    with pytest.raises(InputError, match="no known layout"):
        read_points_table(path)


def test_no_openpyxl_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "card.xlsx"
    pd.DataFrame(ages((None, None, 1))).to_excel(path, index=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs openpyxl.*scrutable\[points-table\]"):
        read_points_table(path)


# --- gaps -----------------------------------------------------------------------------------------------------


def test_gaps_are_refused_by_default() -> None:
    table = ages((18, 25, 10), (26, 60, 30))
    with pytest.raises(
        InputError, match=r"numbers that no interval covers; the same for 'age': \[25, 26\), 'age': >= 60"
    ):
        read_points_table(table)


@pytest.mark.parametrize(
    ("gaps", "scores"),
    [
        ("extend", [10, 10, 30, 30]),
        ("neutral", [20, 20, 30, 20]),
        ("worst", [10, 10, 30, 10]),
        (-4.5, [-4.5, -4.5, 30, -4.5]),
    ],
)
def test_gaps_are_filled_as_said(gaps: Any, scores: list[float]) -> None:
    found = read_points_table(ages((18, 25, 10), (26, 60, 30)), gaps=gaps, cutoff=15)
    assert evaluate(found.model, {"age": [17.0, 25.5, 26.0, 60.0]}).score.tolist() == scores
    assert len(found.report.of("gap")) in (2, 3)


def test_ends_that_are_included() -> None:
    found = read_points_table(ages((None, 25, 10), (26, None, 30)), closed="both", gaps="extend", cutoff=15)
    assert evaluate(found.model, {"age": [25.0, 25.5, 26.0]}).score.tolist() == [10, 10, 30]
    found = read_points_table(ages((None, 25, 10), (25, None, 30)), closed="right", cutoff=15)
    assert evaluate(found.model, {"age": [25.0, math.nextafter(25, 26)]}).score.tolist() == [10, 30]


@pytest.mark.parametrize(("option", "text"), [("missing", "no row for missing values"), ("unseen", "not listed")])
def test_no_row_for_missing_or_other_values_is_refused_and_filled(option: str, text: str) -> None:
    table, other = jobs(clerk=10, cook=20), {"missing": "unseen", "unseen": "missing"}[option]
    with pytest.raises(InputError, match=text):
        read_points_table(table, **{other: 0})
    value = [None] if option == "missing" else ["pilot"]
    for policy, points in (("neutral", 15.0), ("worst", 10.0), (3, 3.0)):
        found = read_points_table(table, **{other: 0, option: policy}, cutoff=1)
        assert evaluate(found.model, {"job": value}).score.tolist() == [points]
        assert any("no row for" in finding.what for finding in found.report.of("gap"))


def test_the_mean_is_weighted_by_counts() -> None:
    table = jobs(clerk=10, cook=20) | {"good": [5, 30], "bad": [5, 0]}
    found = read_points_table(table, missing="neutral", unseen=0, cutoff=1)
    assert evaluate(found.model, {"job": [None]}).score.tolist() == [round((10 * 10 + 20 * 30) / 40)]


# --- overlaps -------------------------------------------------------------------------------------------------


def test_overlaps_are_refused_with_their_rows() -> None:
    with pytest.raises(InputError, match=r"characteristic 'age', rows 1 and 2: rows overlap"):
        read_points_table(ages((None, 30, 10), (25, None, 20)))
    table = jobs(clerk=10, **{"cook|clerk": 20})
    with pytest.raises(InputError, match=r"rows 1 and 2: rows overlap at 'clerk'"):
        read_points_table(table, missing=0, unseen=0)


def test_the_same_row_twice_is_taken_once() -> None:
    found = read_points_table(ages((None, 25, 10), (None, 25, 10), (25, None, 20)), cutoff=1)
    [finding] = found.report.of("overlap")
    assert (finding.rows, len(found.model.characteristics[0].attributes)) == ((1, 2), 3)
    with pytest.raises(InputError, match="rows overlap"):
        read_points_table(ages((None, 25, 10), (None, 25, 11), (25, None, 20)))


# --- orientation, cutoff, probability -----------------------------------------------------------------------------


def test_points_that_run_the_other_way_are_negated_and_it_is_said() -> None:
    table = ages((None, 25, 30), (25, None, 10)) | {"good": [10, 90, 0], "bad": [40, 10, 0]}
    found = read_points_table(table, cutoff=20, missing="worst")
    assert found.report.negated
    assert evaluate(found.model, {"age": [20.0, 30.0]}).score.tolist() == [-30.0, -10.0]
    assert evaluate(found.model, {"age": [20.0, 30.0]}).approved.tolist() == [False, True]
    assert any("sign changed" in finding.what for finding in found.report.findings)
    forced = read_points_table(table, cutoff=20, orientation="more-is-better")
    assert evaluate(forced.model, {"age": [20.0]}).score.tolist() == [30.0]
    with pytest.raises(InputError, match="run the other way"):
        read_points_table(table, scaling=Scaling())


def test_the_worst_of_points_that_run_the_other_way_is_the_most() -> None:
    table = ages((None, 25, 30), (25, None, 10), missing=False)
    found = read_points_table(table, missing="worst", orientation="more-is-worse", cutoff=20)
    assert evaluate(found.model, {"age": [None]}).score.tolist() == [-30.0]


def test_what_is_not_given_is_assumed_and_said() -> None:
    found = read_points_table(ages((None, 25, 10), (25, None, 30)))
    assert found.model.cutoff == (1 + 30) / 2
    assert {finding.where for finding in found.report.of("assumption")} >= {"cutoff", "probability", "orientation"}
    at_cutoff = 1 / (1 + math.exp(-(found.model.calibration.intercept + found.model.calibration.slope * 15.5)))
    assert at_cutoff == pytest.approx(0.5)


def test_scaling_gives_cutoff_and_probability() -> None:
    scaling = Scaling(pdo=20, base_score=600, base_odds=50)
    found = read_points_table(ages((None, 25, 600), (25, None, 620)), scaling=scaling)
    assert evaluate(found.model, {"age": [20.0, 30.0]}).probability == pytest.approx([50 / 51, 100 / 101])
    assert found.model.cutoff == scaling.offset
    calibration = Calibration(slope=0.5, intercept=-2)
    given = read_points_table(ages((None, 25, 600), (25, None, 620)), calibration=calibration, cutoff=1)
    assert given.model.calibration == calibration
    assert "probability" not in {finding.where for finding in given.report.of("assumption")}


def test_the_outcome_is_said() -> None:
    outcome = Outcome(target="default", classes=(0, 1), favourable=0)
    found = read_points_table(ages((None, None, 1)), outcome=outcome)
    assert "default: 0 is favourable" in found.report.describe()


def test_points_with_many_digits_are_snapped_and_the_bound_holds() -> None:
    found = read_points_table(ages((None, 25, 1 / 3), (25, None, 2 / 3)), cutoff=0.5)
    assert found.report.decimals is None
    assert 0 < abs(evaluate(found.model, {"age": [20.0]}).score[0] - 1 / 3) <= found.report.largest_difference <= 2**-31


# --- what is no table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"a": [1]}, "no known layout"),
        ({"characteristic": ["age"], "points": [1]}, "lacks a column"),
        (ages((None, None, "ten")), "row 1, points: expected a number; got 'ten'"),
        (ages((30, 20, 1)), "the interval holds no number"),
        ({**jobs(clerk=1), "attribute": ["valeus"]}, "unknown attribute; got 'valeus'.*did you mean 'values'"),
        ({**jobs(clerk=1), "values": [None]}, "no value is listed"),
        ({**jobs(clerk=1), "kind": ["text"]}, "unknown kind; got 'text'"),
        ({"characteristic": [None], "attribute": [None], "points": [1]}, "no characteristic in it"),
        ({"characteristic": [], "points": []}, "no points table in it"),
    ],
)
def test_tables_that_cannot_be_used_say_why(table: dict[str, list[Any]], text: str) -> None:
    with pytest.raises(InputError, match=text):
        read_points_table(table)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"layout": "plian"}, "unknown layout; got 'plian'.*did you mean 'plain'"),
        ({"missing": "median"}, "missing: unknown word; got 'median'; allowed: refuse, software"),
        ({"orientation": "up"}, "orientation: unknown word"),
        ({"cutof": 1}, "unknown option; got 'cutof'.*cutoff"),
        ({"event": "maybe"}, "not a class of the outcome"),
        ({"outcome": Outcome(classes=(1, 2, 3), favourable=1)}, "between two classes"),
        ({"scaling": Scaling(), "calibration": Calibration(slope=1)}, "two ways to a probability"),
    ],
)
def test_options_that_cannot_be_used_say_why(options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        read_points_table(ages((None, None, 1)), **options)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("card.txt", "a", "unknown kind of file; got '.txt'"),
        ("card.xlsx", "a", "cannot be read as a workbook"),
        ("card.csv", "characteristic,points\nage\n", "row 1: a row of another length"),
        ("card.csv", "points,points\n1,2\n", "two columns have one name"),
        ("card.csv", 'characteristic,points\nage,1\n"a" b,2\n', "line 3: not CSV.*double the quotes"),
    ],
)
def test_files_that_cannot_be_used_say_why(tmp_path: Path, name: str, content: str, text: str) -> None:
    with pytest.raises(InputError, match=text):
        read_points_table(written(tmp_path, content, name=name))


def test_the_fingerprint_is_that_of_the_file(tmp_path: Path) -> None:
    first, second = (read_sheet(written(tmp_path, text, name="c.csv")).fingerprint for text in (WHOLE, WHOLE + "\n"))
    assert len(first) == 64
    assert first != second


def test_headers_that_differ_in_case_only_are_refused() -> None:
    table = {"Characteristic": ["age"], "attribute": ["missing"], "points": [480], "Points": [490]}
    with pytest.raises(InputError, match=r"header: two columns have one name; got 'points'"):
        read_points_table(table)
