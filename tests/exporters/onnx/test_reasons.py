"""Reasons of tree ensembles and rule sets, and by how much each falls short."""

from __future__ import annotations

from typing import Any

import onnx
import pytest

from scrutable.errors import UnsupportedModel
from scrutable.model.evaluator import OutputFrame, differences
from scrutable.testing.reasoned import MODELS, small_rules, small_trees, telling_rows
from scrutable_onnx.exporter import ONNXExporter

from . import cards


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
