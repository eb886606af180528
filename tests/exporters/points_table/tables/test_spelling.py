"""Numbers and categories however a table writes them: codes as categories, decimal commas, quoted texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import evaluate
from scrutable.errors import InputError
from scrutable.model import Categories
from scrutable_points_table.tables import ImportedCard, read_points_table

from .files import written

CATEGORICAL = {"k": "categorical"}


def categories(found: ImportedCard) -> list[str]:
    conditions = [each.condition for each in found.model.characteristics[0].attributes]
    return [str(value) for each in conditions if isinstance(each, Categories) for value in each.values]


# --- categories that are codes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "spelt"),
    [
        ("[1 2]", ["1", "2"]),
        ("[1. 2.]", ["1", "2"]),
        ("[1.0, 2.50]", ["1", "2.50"]),
        ("[01 2]", ["01", "2"]),
        ("['1.0' '2']", ["1.0", "2"]),
        (np.array([1, 2]), ["1", "2"]),
        (np.array([1.0, 2.5]), ["1", "2.5"]),
        ([1.0, 2], ["1", "2"]),
    ],
)
def test_codes_of_optbinning_are_spelt_as_they_are_printed(printed: Any, spelt: list[str]) -> None:
    table = {"Variable": ["k", "k"], "Bin": [printed, "Missing"], "Points": [1, 0]}
    found = read_points_table(table, kinds=CATEGORICAL, cutoff=1)
    assert categories(found) == spelt
    assert evaluate(found.model, {"k": [spelt[0]]}).score.tolist() == [1]


@pytest.mark.parametrize("frame", [dict, pd.DataFrame])
def test_codes_of_a_frame_that_made_them_floats(frame: Any) -> None:
    words = ["values", "values", "missing"]
    table = frame({"characteristic": ["k"] * 3, "attribute": words, "values": [1, 2, None], "points": [1, 2, 0]})
    found = read_points_table(table, unseen=0, cutoff=1)
    assert categories(found) == ["1", "2"]
    [note] = [each.what for each in found.report.of("note") if each.where == "k"]
    assert "spelt '1', '2'" in note


def test_reason_codes_of_a_frame_that_made_them_floats() -> None:
    words = ["interval", "missing"]
    table = pd.DataFrame({"characteristic": ["k"] * 2, "attribute": words, "points": [1, 0], "reason_code": [7, None]})
    found = read_points_table(table, cutoff=1)
    assert [each.reason_code for each in found.model.characteristics[0].attributes] == ["7", None]


def test_codes_of_a_card_that_made_them_floats() -> None:
    table = pd.DataFrame({"variable": ["k", "k"], "bin": [1, 2.5], "points": [1, 2]})
    assert categories(read_points_table(table, cutoff=1)) == ["1", "2.5"]


def test_blanks_at_the_ends_of_categories_are_kept_and_told() -> None:
    table = {"characteristic": ["k"], "values": ["own | rent"], "points": [1]}
    found = read_points_table(table, missing=0, unseen=0, cutoff=1)
    assert categories(found) == ["own ", " rent"]
    assert "blanks at the ends of categories count: 'own ', ' rent'" in found.report.describe()


def test_nothing_is_said_of_words() -> None:
    table = {"variable": ["k", "k"], "bin": ["rent", "own"], "points": [1, 2]}
    assert "spelt" not in read_points_table(table, cutoff=1).report.describe()


# --- quoted categories ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("quoted", ["'a\nb'", "'a\rb'", r"'a\xzb'", r"'a\db'", "'a\0b'"])
def test_a_quoted_category_that_is_no_python_text_is_refused(quoted: str) -> None:
    table = {"Variable": ["k", "k"], "Bin": [f"['c' {quoted}]", "Missing"], "Points": [1, 0]}
    with pytest.raises(InputError, match=r"row 1, Bin: a quoted category that cannot be read.*line break.*\\n"):
        read_points_table(table)


def test_a_quoted_category_with_a_written_line_break() -> None:
    table = {"Variable": ["k", "k"], "Bin": [r"['a\nb']", "Missing"], "Points": [1, 0]}
    assert categories(read_points_table(table, cutoff=1)) == ["a\nb"]


# --- decimal commas -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas(tmp_path: Path, separator: str) -> None:
    text = 'characteristic;attribute;lower;upper;values;points;good;bad\nage;;;25,5;;-1,25;2;3\nage;;25,5;;;"2,5";4;1\n'
    text += "age;missing;;;;0;0,5;0,5\njob;;;;1,5;+1;;\njob;other;;;;,5;;\njob;missing;;;;0;;\n"
    found = read_points_table(written(tmp_path, text.replace(";", separator)), cutoff=1)
    rows = {"age": [25.4, 25.5, None], "job": ["1,5", "x", None]}
    assert evaluate(found.model, rows).score.tolist() == [-0.25, 3.0, 0.0]
    assert any("decimal commas" in each.what for each in found.report.of("assumption"))
    assert found.model.characteristics[0].attributes[2].statistics.good == 0.5


def test_decimal_commas_of_cards(tmp_path: Path) -> None:
    card = written(tmp_path, "variable;bin;points\nbasepoints;;450,5\nage;[-inf,26.5);-1,5\nage;[26.5,inf);2\n")
    assert evaluate(read_points_table(card, cutoff=1).model, {"age": [26.0, 27.0]}).score.tolist() == [449, 452.5]
    table = written(tmp_path, "Variable;Bin;Points\nage;(-inf, 4.50);1,5\nage;[4.50, inf);2,5\nage;Missing;0\n")
    assert evaluate(read_points_table(table, cutoff=1).model, {"age": [4.0, 5.0]}).score.tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('characteristic,values,points\njob,a,"1,5"\n', r"row 1, points: expected a number; got '1,5'.*separated by ;"),
        (
            "characteristic;values;points\njob;a;1,5\njob;b;2.5\n",
            r"rows 1, 2\): both decimal commas and decimal points",
        ),
        ("characteristic;values;points\njob;a;1.234,5\n", r"row 1, points: expected a number; got '1.234,5'"),
    ],
)
def test_commas_that_may_mean_something_else_are_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_points_table(written(tmp_path, text), missing=0, unseen=0)


def test_points_that_may_stand_between_thousands_are_told(tmp_path: Path) -> None:
    text = "characteristic;lower;upper;points\nage;;{};1\nage;{};;2\n"
    said = "decimal points, none between thousands, as in 1.500"
    for cut, told in (("1.500", True), ("1.5", False), ("0.500", False), ("1500", False)):
        found = read_points_table(written(tmp_path, text.format(cut, cut)), missing=0, cutoff=1)
        assert any(said in each.what for each in found.report.of("assumption")) is told
        assert evaluate(found.model, {"age": [float(cut)]}).score.tolist() == [2]


def test_decimal_points_stay_points(tmp_path: Path) -> None:
    path = written(tmp_path, "characteristic;values;points\njob;a;1.5\n")
    found = read_points_table(path, missing=0, unseen=0, cutoff=1)
    assert evaluate(found.model, {"job": ["a"]}).score.tolist() == [1.5]
    assert "decimal commas" not in found.report.describe()
