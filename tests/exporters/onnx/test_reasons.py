"""Reasons of tree ensembles and rule sets, and by how much each falls short."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import onnx
import pandas as pd
import pytest
from cards import ensemble, numbers

from scrutable import create
from scrutable.errors import UnsupportedModel
from scrutable.model import Clause, Interval, Leaf, Missing, Split
from scrutable.model.evaluator import OutputFrame, differences, evaluate
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
    effects = found["short for what R1 stands for, term 3 by place"]
    assert onnx.numpy_helper.to_array(effects).tolist() == [0, -0.25, 0, -0.5]
    part = found["income: short for what R1 stands for, term 3: place, part 1 by cell"]
    assert "0: missing: 0" in part.doc_string
    weights = constants(small_rules())["weights"]
    assert onnx.numpy_helper.to_array(weights).tolist() == [[0.75]]
    assert "0: votes for class 0, case 1\nA column each.\n0: rule 1 applies" in weights.doc_string


def test_sets_of_truths_of_many_leaves_are_looked_up_together() -> None:
    rng, names = np.random.default_rng(0), [f"x{i}" for i in range(4)]

    def grown(depth: int) -> Leaf | Split:
        if not depth:
            return Leaf(float(rng.integers(-9, 9)))
        where = (
            Interval(upper=float(rng.integers(-2, 3)), closed="right"),
            *([Missing()] if rng.random() < 0.5 else []),
        )
        return Split(Clause(names[rng.integers(4)], where), grown(depth - 1), grown(depth - 1))

    forest = ensemble(outcome=cards.OUTCOME, features=numbers(*names), trees=tuple(grown(3) for _ in range(6)))
    X = pd.DataFrame({name: np.where(rng.random(300) < 0.1, np.nan, rng.integers(-3, 4, 300)) for name in names})
    model = replace(forest, reasons=create("explainer", "reason-codes", method="shapley").policy(forest, X))
    exporter = ONNXExporter()
    export = exporter.export(model)
    content = export.files["score.onnx"]
    assert isinstance(content, bytes)
    assert "BitwiseOr" in {node.op_type for node in onnx.load_from_string(content).graph.node}
    assert differences(evaluate(model, X).frame(), exporter.run(export, X)) == {}
