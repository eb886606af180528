"""Reasons of tree ensembles and rule sets, and by how much each falls short."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from scrutable.errors import UnsupportedModel
from scrutable.model.evaluator import OutputFrame, differences
from scrutable.testing.reasoned import BY_HAND, MODELS, ROWS, small_rules, small_trees, telling_rows
from scrutable_onnx.exporter import ONNXExporter

from . import cards

#: Everybody is knocked out; the reasons and the second shortfall by hand. The first shortfall is a knock-out's, none.
KNOCKED = {"age": [40.0, 10.0, 10.0], "income": [-1.0, -1.0, -1.0], "job": ["x", "cook", "x"]}
ALONE = {
    "trees": ([3, -3, -3], [None, "R1", "R1"], [math.nan, 2.75, 2.75]),
    "rules": ([-1, 0.25, -0.75], ["R1", None, "R1"], [1, math.nan, 0.75]),
}


@pytest.mark.parametrize(
    ("model", "kind"), [(small_trees(), "trees"), (small_rules(), "rules")], ids=["trees", "rules"]
)
def test_reasons_that_were_worked_out_by_hand(model: Any, kind: str) -> None:
    exporter = ONNXExporter()
    found = exporter.run(exporter.export(model), ROWS)
    for name, values in BY_HAND[kind].items():
        np.testing.assert_array_equal(found[name], np.array(values, dtype=found[name].dtype), err_msg=name)


@pytest.mark.parametrize(
    ("model", "kind"), [(small_trees(), "trees"), (small_rules(), "rules")], ids=["trees", "rules"]
)
def test_a_knock_out_stands_alone_where_the_score_passes(model: Any, kind: str) -> None:
    found = ONNXExporter().run(ONNXExporter().export(model), KNOCKED)
    score, codes, shorts = ALONE[kind]
    assert found["score"].tolist() == score
    assert found["reason_1"].tolist() == ["K1"] * 3
    assert found["reason_2"].tolist() == codes
    np.testing.assert_array_equal(found["short_1"], [math.nan] * 3)
    np.testing.assert_array_equal(found["short_2"], shorts)


@pytest.mark.parametrize("name", ["trees", "rules"])
def test_every_row_has_the_evaluators_reasons(name: str) -> None:
    rows, ours = telling_rows(MODELS[name])
    exporter = ONNXExporter()
    theirs = exporter.run(exporter.export(MODELS[name]), rows)
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}


@pytest.mark.parametrize("name", ["trees", "rules"])
def test_the_reference_implementation_of_onnx_agrees(name: str) -> None:
    rows, ours = telling_rows(MODELS[name])
    content = ONNXExporter().export(MODELS[name]).files["score.onnx"]
    assert isinstance(content, bytes)
    whole = onnx.load_from_string(content)
    missing = rows["job"].isna().to_numpy()
    feeds = {feature: rows[feature].to_numpy() for feature in rows} | {
        "job": np.where(missing, "", rows["job"]).astype(object),
        "job__missing": missing,
    }
    outputs = [output.name for output in whole.graph.output]
    theirs = dict(zip(outputs, ReferenceEvaluator(whole).run(None, feeds), strict=True))
    for i in (1, 2, 3):
        np.testing.assert_array_equal(theirs[f"short_{i}"], ours[f"short_{i}"])
        assert theirs[f"reason_{i}"].tolist() == [text or "" for text in ours[f"reason_{i}"]]


@pytest.mark.parametrize("name", ["trees", "rules"])
def test_the_option_limits_reasons_and_shortfalls(name: str) -> None:
    rows, ours = telling_rows(MODELS[name])
    exporter = ONNXExporter(reasons=1)
    theirs = exporter.run(exporter.export(MODELS[name]), rows)
    assert [column for column in theirs if column.startswith(("reason", "short"))] == ["reason_1", "short_1"]
    assert differences(OutputFrame({column: ours[column] for column in ("reason_1", "short_1")}), theirs) == {}
    none = exporter.run(ONNXExporter(reasons=0).export(MODELS[name]), rows)
    assert not [column for column in none if column.startswith(("reason", "short"))]


@pytest.mark.parametrize(
    "model", [cards.trees(), cards.rules(), cards.three_classes()], ids=["trees", "rules", "three"]
)
def test_reasons_of_a_model_without_any_are_refused(model: Any) -> None:
    with pytest.raises(UnsupportedModel, match="has no reason policy"):
        ONNXExporter(reasons=1).export(model)


def test_an_auditor_finds_what_each_leaf_adds_and_which_votes_count() -> None:
    def constants(model: Any) -> dict[str, onnx.TensorProto]:
        content = ONNXExporter().export(model).files["score.onnx"]
        assert isinstance(content, bytes)
        return {tensor.name: tensor for tensor in onnx.load_from_string(content).graph.initializer}

    found = constants(small_trees())
    effects = found["tree 1: effects"]
    assert onnx.numpy_helper.to_array(effects)[4:8].tolist() == [[0, 0], [0.25, 0.5], [0, 0], [0.5, 0.5]]
    assert "0: age\n1: income" in effects.doc_string
    assert "1: not (Income <= 5 or missing)\n2: nothing" in found["tree 1: bits of income by cell"].doc_string
    votes = constants(small_rules())["weights of the rules against, by feature"]
    assert onnx.numpy_helper.to_array(votes).tolist() == [[0.75, 0.0], [0.75, 0.0]]
