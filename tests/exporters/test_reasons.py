"""Reasons of tree ensembles and rule sets, and by how much each falls short, where files are run by themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scrutable import create
from scrutable.model.evaluator import differences
from scrutable.plugins.bases import Exporter
from scrutable.testing.reasoned import BY_HAND, MODELS, ROWS, small_rules, small_trees, telling_rows

SMALL = {"trees": small_trees(), "rules": small_rules()}
#: Three more rows, which are knocked out; what stands after the knock-out, by hand: score, second reason and shortfall.
KNOCKED = {"age": [40.0, 10.0, 10.0], "income": [-1.0, -1.0, -1.0], "job": ["x", "cook", "x"]}
ALONE = {
    "trees": ([3, -3, -3], [None, "R1", "R1"], [math.nan, 2.75, 2.75]),
    "rules": ([-1, 0.25, -0.75], ["R1", None, "R1"], [1, math.nan, 0.75]),
}
ENGINES: dict[str, tuple[str, dict[str, Any]]] = {
    "c": ("c", {}),
    "java": ("java", {}),
    "javascript": ("javascript", {}),
    "onnx": ("onnx", {}),
    "python": ("python", {}),
    "r": ("r", {"locale": "C"}),
    "r in UTF-8": ("r", {"locale": "C.UTF-8"}),
}


@pytest.fixture(params=ENGINES)
def exporter(request: pytest.FixtureRequest) -> Exporter:
    """An exporter whose engine is installed."""
    name, options = ENGINES[request.param]
    if name == "r":
        request.getfixturevalue("rscript")
    if name == "onnx":
        pytest.importorskip("onnxruntime")
    made: Exporter = create("exporter", name, **options)
    return made


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("exporter", ["c", "java", "javascript", "onnx", "python", "r"], indirect=True)
def test_reasons_that_were_worked_out_by_hand(exporter: Exporter, kind: str) -> None:
    rows = {name: [*values, *KNOCKED[name]] for name, values in ROWS.items()}
    results = exporter.run(exporter.export(SMALL[kind]), rows)
    for name, values in BY_HAND[kind].items():
        told = results[name][: len(values)]
        np.testing.assert_array_equal(told, np.array(values, dtype=told.dtype), err_msg=name)
    knocked = {name: values[-len(KNOCKED["age"]) :] for name, values in results.items()}
    score, codes, shorts = ALONE[kind]
    assert knocked["score"].tolist() == score
    assert knocked["reason_1"].tolist() == ["K1"] * 3
    assert knocked["reason_2"].tolist() == codes
    np.testing.assert_array_equal(knocked["short_1"], [math.nan] * 3)
    np.testing.assert_array_equal(knocked["short_2"], shorts)


@pytest.mark.parametrize("kind", MODELS)
def test_every_row_has_the_evaluators_reasons(exporter: Exporter, kind: str) -> None:
    rows, ours = telling_rows(MODELS[kind])
    theirs = exporter.run(exporter.export(MODELS[kind]), rows)
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}
