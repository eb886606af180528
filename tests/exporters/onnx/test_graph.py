"""The file itself: its inputs and outputs, what an auditor reads in it, its bytes, and what is refused."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import onnx
import pytest
from cards import ensemble, numbers

from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import (
    Attribute,
    Calibration,
    Characteristic,
    Interval,
    Leaf,
    Missing,
    Policy,
    Scorecard,
    fingerprint,
)
from scrutable.model.evaluator import differences, evaluate
from scrutable.plugins.registry import registry
from scrutable.testing.strategies import HOSTILE_TEXTS
from scrutable_onnx.exporter import ONNXExporter

from . import cards


def load(model: Any, **options: Any) -> onnx.ModelProto:
    content = ONNXExporter(**options).export(model).files["score.onnx"]
    assert isinstance(content, bytes)
    return onnx.load_from_string(content)


def signature(values: Any) -> list[tuple[str, int, int]]:
    return [(value.name, value.type.tensor_type.elem_type, len(value.type.tensor_type.shape.dim)) for value in values]


DOUBLE, INT64, STRING, BOOL = (
    onnx.TensorProto.DOUBLE,
    onnx.TensorProto.INT64,
    onnx.TensorProto.STRING,
    onnx.TensorProto.BOOL,
)


def test_a_graph_has_an_input_for_each_column_and_an_output_for_each_result() -> None:
    graph = load(cards.card()).graph
    assert signature(graph.input) == [("income", DOUBLE, 1), ("job", STRING, 1), ("job__missing", BOOL, 1)]
    assert signature(graph.output) == [
        ("score", DOUBLE, 1),
        ("probability", DOUBLE, 1),
        ("approved", INT64, 1),
        ("knock_out", STRING, 1),
        ("points_income", DOUBLE, 1),
        ("points_job", DOUBLE, 1),
        ("reason_1", STRING, 1),
        ("reason_2", STRING, 1),
        ("reason_3", STRING, 1),
        ("short_1", DOUBLE, 1),
        ("short_2", DOUBLE, 1),
        ("short_3", DOUBLE, 1),
    ]


def test_rules_that_apply_are_columns_of_booleans() -> None:
    graph = load(cards.rules()).graph
    assert signature(graph.output) == [
        ("score", DOUBLE, 1),
        ("probability", DOUBLE, 1),
        ("approved", INT64, 1),
        ("rule_hits", BOOL, 2),
        ("fallback_hits", BOOL, 2),
    ]


def test_an_auditor_finds_characteristics_attributes_and_the_model_that_it_is() -> None:
    model = cards.card()
    whole = load(model)
    assert {entry.key: entry.value for entry in whole.metadata_props} == {"scrutable.model_sha256": fingerprint(model)}
    assert "Approved is 1 where the score is at least 510.0" in whole.graph.doc_string
    constants = {tensor.name: tensor for tensor in whole.graph.initializer}
    points = constants["points_income by cell"]
    assert onnx.numpy_helper.to_array(points).tolist() == [1.0, -10.0, -10.0, 3.0, -10.0, 25.0]
    assert "points of Monthly income, by cell." in points.doc_string
    assert "3: no bureau record: 3.0" in points.doc_string
    cuts = constants["income: cell: cuts"]
    assert onnx.numpy_helper.to_array(cuts).ravel().tolist() == [
        -math.inf,
        -100.0,
        -9.0,
        math.nextafter(-9, 0),
        0.1,
    ]
    assert "2: [-100, -9)" in cuts.doc_string
    assert "1: income far too low: 0" in constants["knock_out: place by cell"].doc_string
    outputs = {output.name: output.doc_string for output in whole.graph.output}
    assert outputs["knock_out"] == "code of the first knock-out that applies"
    made = {node.output[0]: list(node.input) for node in whole.graph.node}
    assert made["approved if true"] == ["score reaches 510.0", "knock_out: place is none"]


def test_rules_stand_beside_their_columns_and_their_weights() -> None:
    graph = load(cards.rules()).graph
    docs = {output.name: output.doc_string for output in graph.output}
    assert "1: if Monthly income < 10 then bad (weight 0.75)" in docs["rule_hits"]
    assert "F1: if Job is 'cook' or missing then bad" in docs["fallback_hits"]
    constants = {tensor.name: tensor for tensor in graph.initializer}
    assert onnx.numpy_helper.to_array(constants["weights"]).tolist() == [[0.5]]
    assert "A row each.\n0: votes for class " in constants["weights"].doc_string
    assert "A column each.\n0: rule 2 applies" in constants["weights"].doc_string
    made = {node.output[0]: list(node.input) for node in graph.node}
    assert made["rule 2 applies"] == ["Monthly income >= 5 or special code -9", "Job is 'cook'"]


@pytest.mark.parametrize("model", [cards.card(), cards.rules(), cards.trees()], ids=["card", "rules", "trees"])
def test_the_operator_sets_are_old_enough_to_be_known_everywhere(model: Any) -> None:
    assert {each.domain: each.version for each in load(model).opset_import} == {"": 18, "ai.onnx.ml": 3}


def test_options_leave_out_points_and_reasons_and_name_inputs() -> None:
    graph = load(cards.card(), points=False, reasons=1, columns={"job": "Job title"}).graph
    assert [value.name for value in graph.input] == ["income", "Job title", "Job title__missing"]
    names = ["score", "probability", "approved", "knock_out", "reason_1", "short_1"]
    assert [value.name for value in graph.output] == names


@pytest.mark.parametrize("text", [text for text in HOSTILE_TEXTS if text])
def test_any_text_is_a_name_and_a_category(text: str) -> None:
    rows = {text: [0.0, None], "job": ["cook", None]}
    model = cards.card(income_name=text)
    exporter = ONNXExporter()
    ours = evaluate(model, rows).frame()
    assert differences(ours, exporter.run(exporter.export(model), rows)) == {}


def test_names_of_values_in_between_give_way_to_the_users_names() -> None:
    model = cards.card(income_name="job: cell", job_name="job")
    rows = {"job: cell": [0.0, 1.0], "job": ["cook", "other"]}
    exporter = ONNXExporter()
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


@pytest.mark.parametrize(
    ("income_name", "twice"), [("job__missing", "job__missing"), ("score", "score"), ("points_job", "points_job")]
)
def test_two_meanings_of_one_name_are_refused(income_name: str, twice: str) -> None:
    model = cards.card(income_name=income_name)
    with pytest.raises(UnsupportedModel, match=f"of the same name; got '{twice}'"):
        ONNXExporter().export(model)
    assert ONNXExporter(columns={income_name: "mine"}).export(model).files


def test_models_without_columns_and_too_many_reasons_are_refused() -> None:
    empty = ensemble(outcome=cards.OUTCOME, features=(), trees=(Leaf(1),))
    with pytest.raises(UnsupportedModel, match="cannot tell how many rows there are"):
        ONNXExporter().export(empty)
    with pytest.raises(UnsupportedModel, match="does not give so many reasons; got 4; allowed: 0 to 3"):
        ONNXExporter(reasons=4).export(cards.card())
    with pytest.raises(UnsupportedModel, match="has no reason policy"):
        ONNXExporter(reasons=1).export(cards.card(reasons=None))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"points": "yes"}, "option points: not a value that the option can have; got 'yes'"),
        ({"reasons": -1}, "option reasons: .* got -1"),
        ({"columns": {"income": ""}}, "option columns: "),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ONNXExporter(**options)


def test_an_option_for_no_feature_is_told() -> None:
    with pytest.raises(InputError, match=r"reads no such feature; got 'jop'.*did you mean 'job'"):
        ONNXExporter(columns={"jop": "x"}).export(cards.card())


def test_the_component_names_its_engine() -> None:
    component = registry().component("exporter", "onnx")
    exporter = component.load().at(component.engines[0])
    assert exporter.engine().startswith("ONNX Runtime 1.")


def test_texts_that_are_no_unicode_are_outside_of_the_domain() -> None:
    exporter, rows = ONNXExporter(), {"income": [1.0, 2.0, 3.0], "job": ["cook", "\ud800", None]}
    export = exporter.export(cards.card())
    assert "lone surrogate" in export.excluded
    assert exporter.holds(export, rows).tolist() == [True, False, True]
    with pytest.raises(InputError, match="column 'job': a text with a lone surrogate"):
        exporter.run(export, rows)


def test_numbers_alone_exclude_no_rows() -> None:
    model = cards.card(characteristics=(cards.income(),), features=cards.features()[:1], reasons=None, policy=Policy())
    export = ONNXExporter().export(model)
    assert export.excluded == ""
    assert ONNXExporter().holds(export, {"income": [1.0, None]}).all()


def ladder(n_cuts: int) -> Scorecard:
    """One characteristic with this many cuts, points all different."""
    cuts = [-math.inf, *(float(i) / 7 for i in range(n_cuts)), math.inf]
    tiles = tuple(Attribute(condition=Interval(*ends), points=i) for i, ends in enumerate(pairwise(cuts), 1))
    characteristic = Characteristic(feature="x", attributes=(*tiles, Attribute(condition=Missing(), points=0)))
    return Scorecard(
        outcome=cards.OUTCOME,
        features=numbers("x"),
        characteristics=(characteristic,),
        base_points=0,
        cutoff=3,
        calibration=Calibration(slope=0.1),
    )


@pytest.mark.parametrize("n_cuts", [1, 15, 16, 17, 24, 25, 63, 64, 65, 300])
def test_any_number_of_cuts_is_counted_right(n_cuts: int) -> None:
    model, exporter = ladder(n_cuts), ONNXExporter()
    cuts = np.arange(n_cuts) / 7
    beside = [np.nextafter(cuts, -np.inf), cuts, np.nextafter(cuts, np.inf)]
    rows = {"x": np.concatenate([*beside, [-np.inf, np.inf, np.nan, -0.0, 5e-324, -5e-324]])}
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}


def test_rows_are_scored_in_blocks_and_come_back_in_their_order() -> None:
    model, exporter = ladder(20), ONNXExporter()
    rows = {"x": np.random.default_rng(0).normal(size=40_000)}
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows)) == {}
