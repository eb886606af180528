"""The document in JPMML-Evaluator, against the evaluator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from cards import grouped, is_told_apart, knocked_out, rows_for, shared, tied
from hypothesis import HealthCheck, assume, given, settings
from scrutable.errors import PluginError, UnsupportedModel
from scrutable.model import FrozenMapping, RegressionScorecard, Scorecard
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.testing import ExporterSuite
from scrutable.testing import card as named_card
from scrutable.testing.strategies import regression_scorecards, scorecards

from scrutable_interchange.pmml.exporter import PMMLExporter

NAME = "{http://www.dmg.org/PMML-4_4}"


class TestPMML(ExporterSuite):
    component = "pmml"


@pytest.fixture(scope="module")
def exporter() -> PMMLExporter:
    exporter = PMMLExporter()
    try:
        exporter.engine()
    except PluginError as error:
        pytest.skip(str(error))
    return exporter


@pytest.mark.parametrize("base", [500.0, 0.1, -40.0])
def test_scores_and_tied_reasons_are_the_evaluators(exporter: PMMLExporter, base: float) -> None:
    card = replace(grouped(), base_points=base)
    frame = rows_for(card, 1000)
    assert is_told_apart(card, frame)
    assert_equal(exporter, card, frame)


@pytest.mark.parametrize("order", [("R3", "R4", "R2", "R1"), ("R1", "R2", "R4", "R3"), ("R2", "R4", "R3", "R1")])
def test_ties_go_by_the_policys_order(exporter: PMMLExporter, order: tuple[str, ...]) -> None:
    card = tied(order)
    row = pd.DataFrame({"age": [10.0], "job": ["n/a"], "region code": [1.0]})  # each is 10 points short
    found = exporter.run(exporter.export(card), row)
    assert [found[f"reason_{i}"][0] for i in (1, 2, 3)] == [code for code in order if code != "R4"]


def test_nothing_short_is_no_reason(exporter: PMMLExporter) -> None:
    row = pd.DataFrame({"age": [40.0], "job": pd.Series([None], dtype=object), "region code": [7.0]})
    found = exporter.run(exporter.export(grouped()), row)
    assert [found[f"reason_{i}"][0] for i in (1, 2, 3)] == [None, None, None]


@settings(max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(drawn=scorecards())
def test_any_scorecard_is_equal_or_refused(exporter: PMMLExporter, drawn: Scorecard) -> None:
    card = drawn
    try:
        exporter.export(card)
    except UnsupportedModel:
        assume(False)
    assert_equal(exporter, card, rows_for(card, 30))


def test_hostile_names_and_texts_stay_what_they_are(exporter: PMMLExporter) -> None:
    categories = ("", " ", "a\tb", "a\nb", "a\r\nb", "]]>", "&lt;", '"', "\u00e9", "\U0001f600", "cook ")
    card = named_card(amount='a"<&>\n\t x', job="'j' ", categories=categories, words="</PMML>", code="<c>")
    assert_equal(exporter, card, rows_for(card))


def test_the_document_is_valid_by_the_schema(exporter: PMMLExporter) -> None:
    validate = Validator()
    text = exporter.export(named_card(amount='a"<', categories=("", "\n"))).text
    validate(text)
    validate(exporter.export(grouped()).text)
    with pytest.raises(Exception, match="partialSc"):
        validate(text.replace("partialScore", "partialSc"))


class Validator:
    """PMML's XML Schema as JPMML's own library carries it, applied by Java."""

    def __init__(self) -> None:
        import jpype

        schema = jpype.JClass("org.dmg.pmml.PMML").class_.getResource("/pmml.xsd")
        factory = jpype.JClass("javax.xml.validation.SchemaFactory")
        self._validator = factory.newInstance("http://www.w3.org/2001/XMLSchema").newSchema(schema).newValidator()
        self._source = jpype.JClass("javax.xml.transform.stream.StreamSource")
        self._reader = jpype.JClass("java.io.StringReader")

    def __call__(self, text: str) -> None:
        self._validator.validate(self._source(self._reader(text)))


def test_the_baselines_are_told_as_they_are() -> None:
    root = ElementTree.fromstring(PMMLExporter().export(grouped()).text)
    told = [part.find(f"{NAME}Extension[@name='baseline']") for part in root.iter(f"{NAME}Characteristic")]
    assert [each.get("value") for each in told if each is not None] == ["20.0", "20.0", "20.0"]
    lowered = [float(part.get("baselineScore", "")) for part in root.iter(f"{NAME}Characteristic")]
    assert all(0 < 20 - value < 2.0**-30 for value in lowered)


def refusals() -> Iterator[tuple[Any, str]]:
    yield shared(), "adds up what characteristics of a reason code"
    yield tied(("R3", "R2", "R4", "R1")), "must stand together"
    yield named_card(amount="score"), "name of a result"
    yield named_card(categories=("a\x01",)), "XML cannot hold"
    yield named_card(code="\ufffe"), "strip white space"
    yield named_card(words="a\x02"), "XML cannot hold"
    far = named_card()
    assert far.reasons is not None
    baselines = FrozenMapping({"amount": 2**22 + 2.0**-30, "job": 3})
    yield replace(far, reasons=replace(far.reasons, baselines=baselines)), "too large"


@pytest.mark.parametrize(("card", "what"), list(refusals()))
def test_what_pmml_cannot_hold_is_refused(card: Scorecard, what: str) -> None:
    with pytest.raises(UnsupportedModel, match=what):
        PMMLExporter().export(card)


@settings(max_examples=3, deadline=None, database=None, derandomize=True)
@given(model=regression_scorecards())
def test_other_models_are_refused(model: RegressionScorecard) -> None:
    with pytest.raises(UnsupportedModel, match="only scorecards"):
        PMMLExporter().export(model)


@pytest.mark.parametrize("k", [1, 3])
def test_knock_outs_decline_and_come_first(exporter: PMMLExporter, k: int) -> None:
    card = knocked_out(k)
    frame = rows_for(card, 1000)
    found = evaluate(card, frame)
    assert set(found.knock_out.tolist()) == {None, "K1", "K2"}
    assert (found.score[found.knock_out == np.array("K1", dtype=object)] >= card.cutoff).any()
    assert_equal(exporter, card, frame)


def test_a_card_without_reasons_has_none(exporter: PMMLExporter) -> None:
    card = replace(grouped(), reasons=None)
    assert 'useReasonCodes="false"' in exporter.export(card).text
    assert_equal(exporter, card, rows_for(card))


def test_rows_that_java_cannot_get_are_told() -> None:
    jobs = pd.Series(["cook", "\ud800", None], dtype=object)
    frame = pd.DataFrame({"age": 1.0, "job": jobs, "region code": np.inf})
    export = PMMLExporter().export(grouped())
    assert "surrogate" in export.excluded
    assert PMMLExporter().holds(export, frame).tolist() == [True, False, True]


def assert_equal(exporter: PMMLExporter, card: Scorecard, frame: pd.DataFrame) -> None:
    """The columns that the file computes, on the rows that the engine holds."""
    export = exporter.export(card)
    frame = frame[exporter.holds(export, frame)]
    ours = evaluate(card, frame).frame()
    assert export.results is not None
    wanted = OutputFrame({name: ours[name] for name in export.results})
    assert len(frame) > 0
    assert differences(wanted, exporter.run(export, frame)) == {}
