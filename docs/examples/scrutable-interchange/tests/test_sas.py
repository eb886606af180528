"""The DATA step, read by an interpreter of the statements it uses, against the evaluator."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sas_interpreter
from cards import is_told_apart, knocked_out, rows_for, shared, tied
from hypothesis import HealthCheck, assume, given, settings
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Categories, Scorecard
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.testing import ExporterSuite
from scrutable.testing import card as named_card
from scrutable.testing.strategies import scorecards

from scrutable_interchange.sas import quoting
from scrutable_interchange.sas.exporter import SASExporter


class TestSAS(ExporterSuite):
    component = "sas"


@pytest.mark.parametrize(
    "card", [tied(), shared(), tied(base=0.1), knocked_out()], ids=["tied", "shared codes", "fractions", "knock-outs"]
)
def test_edge_rows_have_the_evaluators_results(card: Scorecard) -> None:
    frame = rows_for(card)
    if card == tied():
        assert is_told_apart(card, frame)
    assert_equal(card, frame)


@settings(max_examples=15, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(drawn=scorecards())
def test_any_scorecard_is_equal_or_refused(drawn: Scorecard) -> None:
    card = drawn
    try:
        SASExporter().export(card)
    except UnsupportedModel:
        assume(False)
    assert_equal(card, rows_for(card, 30))


def test_special_missing_values_are_missing() -> None:
    text = SASExporter().export(tied()).text
    rows = [{"age": value, "job": "cook", "region code": 1.0} for value in (None, sas_interpreter.SpecialMissing("A"))]
    plain, special = sas_interpreter.run(text, rows)
    assert plain["points_1"] == special["points_1"] == 20


def test_the_step_adds_its_results_and_nothing_else() -> None:
    [found] = sas_interpreter.run(SASExporter().export(tied()).text, [{"age": 1.0, "job": "x", "region code": 1.0}])
    own = [f"{what}_{i}" for what in ("reason", "short", "points") for i in (1, 2, 3)]
    assert set(found) == {"age", "job", "region code", "score", "probability", "approved", "knock_out", *own}


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"job": "J" * 33}, "no variable of this name"),
        ({"job": " job"}, "no variable of this name"),
        ({"job": "_N_"}, "no variable of this name"),
        ({"job": "b\u00e9ruf"}, "cannot hold"),
        ({"job": "AMOUNT"}, "upper from lower case"),
        ({"job": "Score"}, "upper from lower case"),
        ({"categories": ("",)}, "cannot hold"),
        ({"categories": ("cook ",)}, "cannot hold"),
        ({"categories": ("a\nb",)}, "cannot hold"),
        ({"categories": ("x" * 201,)}, "cannot hold"),
        ({"categories": ("'" * 120,)}, "cannot hold"),
        ({"code": " "}, "cannot hold"),
    ],
)
def test_what_sas_cannot_hold_is_refused(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(UnsupportedModel, match=what):
        SASExporter().export(named_card(**changes))


@pytest.mark.parametrize("words", [("or", "in"), ("NOT", "min"), ("then", "of"), ("input", "missing"), ("end", "Eq")])
def test_columns_may_be_called_as_operators_and_statements_are(words: tuple[str, str]) -> None:
    card = named_card(amount=words[0], job=words[1])
    text = SASExporter().export(card).text
    assert all(f"missing('{word}'n)" in text for word in words)
    assert_equal(card, rows_for(card))


def test_the_interpreter_takes_no_operator_for_a_name() -> None:
    for source in ("data b; set a; x = 1 + or; run;", "data b; set a; in = 1; run;"):
        with pytest.raises(AssertionError):
            sas_interpreter.run(source, [{}])


def test_many_long_categories_stand_in_lines_that_sas_reads() -> None:
    """In one attribute, beside words that no line holds."""
    many = tuple(f"{place:04d}" + "x o'" * 34 + "y" * 60 for place in range(400))
    card = named_card(job="'" * 32, words="no blank" + "-" * 300 + "*/" * 300 + " and 'quotes")
    amount, job = card.characteristics
    pooled = replace(job.attributes[0], condition=Categories(many))
    card = replace(card, characteristics=(amount, replace(job, attributes=(pooled, *job.attributes[1:]))))
    text = SASExporter().export(card).text
    assert 200 < max(map(len, text.splitlines())) <= sas_interpreter.LONGEST_LINE
    assert all(quoting.text(value, "category") in text for value in many)
    assert_equal(card, rows_for(card, 30))


def test_hostile_names_and_texts_stay_what_they_are() -> None:
    card = named_card(amount="a'; run; %x", job="'n b", categories=("x'; &y", "' or 1=1"), words="*/ ; run;")
    assert_equal(card, rows_for(card))


@pytest.mark.parametrize("value", [0.1, -0.1, 1e300, 1 / 3, 2.0**-30, 123456789.123, 2.0**53, -25.0, 0.5, 1e-300])
def test_numbers_are_read_back_to_the_last_bit(value: float) -> None:
    source = f"data b; set a; x = {quoting.number(value)}; run;"
    assert sas_interpreter.run(source, [{}])[0]["x"] == value


@pytest.mark.parametrize(
    ("value", "what"),
    [(math.nextafter(sys.float_info.min, 0), "close to 0"), (math.inf, "infinite"), (-math.inf, "infinite")],
)
def test_numbers_that_sas_may_not_hold_are_refused(value: float, what: str) -> None:
    with pytest.raises(UnsupportedModel, match=what):
        quoting.number(value)


@pytest.mark.parametrize("table", ["a b", "x;run", "librefistoolong.a", ""])
def test_tables_have_names_of_sas(table: str) -> None:
    with pytest.raises(InputError, match="not the name of a data set"):
        SASExporter(input_table=table)


def test_rows_outside_of_the_domain_are_told() -> None:
    export = SASExporter().export(tied())
    frame = pd.DataFrame(
        {
            "age": [1.0, math.inf, 5e-324, np.nan, 0.0, 1.0, 1.0],
            "job": ["cook", "cook", "cook", None, "", "cook ", " cook"],
            "region code": 1.0,
        }
    )
    assert SASExporter().holds(export, frame).tolist() == [True, False, False, True, False, False, True]


def assert_equal(card: Scorecard, frame: pd.DataFrame) -> None:
    """Everything that the step adds, on the rows of the declared domain."""
    exporter = SASExporter()
    export = exporter.export(card)
    frame = frame[exporter.holds(export, frame)]
    found = sas_interpreter.run(export.text, _as_table(card, frame))
    ours = dict(evaluate(card, frame).frame())
    positions = {f"points_{item.feature}": f"points_{i}" for i, item in enumerate(card.characteristics, 1)}
    theirs = {name: _column(name, positions.get(name, name), found) for name in ours}
    assert len(found) > 0
    assert differences(OutputFrame(ours), OutputFrame(theirs)) == {}


def _as_table(card: Scorecard, frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a SAS table: missing numbers are None, missing texts blank."""
    nothing = {feature.name: None if feature.kind == "numeric" else "" for feature in card.features}
    return [
        {name: nothing[name] if pd.isna(value) else value for name, value in row.items()}
        for row in frame[list(nothing)].to_dict("records")
    ]


def _column(name: str, variable: str, rows: list[dict[str, Any]]) -> Any:
    values = [row.get(variable) for row in rows]
    if name.startswith("reason") or name == "knock_out":
        return np.array([value or None for value in values], dtype=object)
    numbers = np.array([np.nan if value is None else value for value in values], dtype=float)
    return numbers.astype(np.int64) if name == "approved" else numbers
