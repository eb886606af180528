"""Edges at which converters lose a missing value or a boundary, faults of the engine, and a second implementation."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import onnx
import pytest
from cards import numbers
from onnx.reference import ReferenceEvaluator

from scrutable.model import Attribute, Calibration, Characteristic, Interval, Missing, Scorecard
from scrutable.model.evaluator import OutputFrame, differences, evaluate
from scrutable.proof.edges import edge_rows
from scrutable.testing import reasoned
from scrutable_onnx.exporter import ONNXExporter

from . import cards

BELOW, CUT, SINGLE = math.nextafter(0.1, 0), 0.1, float(np.float32(0.1))


def test_missing_and_the_doubles_beside_a_cut_go_where_the_scorecard_sends_them() -> None:
    rows = {"income": [BELOW, CUT, SINGLE, None, -9.0, math.inf], "job": ["cook", "Cook", "cook ", "", None, "cook"]}
    exporter = ONNXExporter()
    found = exporter.run(exporter.export(cards.card()), rows)
    assert found["points_income"].tolist() == [-10, 25, 25, 1, 3, 25]
    assert found["points_job"].tolist() == [7, -2, -2, -2, 0, 7]
    assert found["reason_1"].tolist() == ["R1", "R2", "R2", "R1", "R1", None]


def test_missing_and_the_doubles_beside_a_threshold_go_where_the_trees_send_them() -> None:
    rows = {"income": [CUT, math.nextafter(0.1, 1), None, -9.0, -9.0], "job": ["cook", "cook", None, "cook", "x"]}
    exporter = ONNXExporter()
    found = exporter.run(exporter.export(cards.trees()), rows)
    assert found["score"].tolist() == [2.375, 4.625, 2.375, 16.375, 8.375]


def test_a_knock_out_pushes_out_the_last_reason_and_stands_alone_where_the_score_passes() -> None:
    rows = {"income": [-101.0, -101.0, -9.0], "job": ["x", None, "x"]}
    exporter = ONNXExporter(reasons=2)
    found = exporter.run(exporter.export(cards.card(cutoff=490)), rows)
    assert found["score"].tolist() == [488, 490, 501]
    assert found["knock_out"].tolist() == ["K1", "K1", None]
    assert found["approved"].tolist() == [0, 0, 1]
    assert [found["reason_1"].tolist(), found["reason_2"].tolist()] == [["K1", "K1", "R1"], ["R1", None, "R2"]]
    np.testing.assert_array_equal(found["short_1"], [np.nan, np.nan, 22])
    np.testing.assert_array_equal(found["short_2"], [35, np.nan, 9])


@pytest.mark.parametrize("slope", [1 + 2.0**-40, 1 - 2.0**-40, 1.0, 0.0])
@pytest.mark.parametrize("intercept", [1e-60, -1e-60, 0.0])
@pytest.mark.parametrize("link", ["identity", "logit"])
def test_the_optimiser_leaves_the_calibration_alone(slope: float, intercept: float, link: Any) -> None:
    """onnxruntime takes 1 + 2^-40 for 1, and 1e-60 for 0, in a constant that a double is multiplied by or added to."""
    model = cards.card(calibration=Calibration(slope=slope, intercept=intercept, link=link), base_points=-24.5)
    rows = {"income": [0.2, -1.0, -9.0], "job": [None, "cook", "x"]}
    exporter = ONNXExporter()
    assert differences(evaluate(model, rows).frame(), exporter.run(exporter.export(model), rows), ulp=2) == {}


def test_the_probability_is_near_to_the_evaluators_at_every_score() -> None:
    """Within the bounds of the linear predictor, and beyond them."""
    exporter, rng = ONNXExporter(), np.random.default_rng(0)
    for points in (rng.normal(size=900) * 8, rng.uniform(-40, 40, 900), rng.uniform(-800, 800, 400)):
        model, rows = steps(points), {"x": np.arange(float(len(points)))}
        theirs = exporter.run(exporter.export(model), rows)
        assert differences(evaluate(model, rows).frame(), theirs) == {}


def steps(points: Any) -> Scorecard:
    """As many attributes as points, one for each whole number from 0."""
    ends = [-math.inf, *range(1, len(points)), math.inf]
    tiles = [Interval(*its) for its in pairwise(map(float, ends))]
    attributes = [Attribute(condition=tile, points=its) for tile, its in zip(tiles, points, strict=True)]
    return Scorecard(
        outcome=cards.OUTCOME,
        features=numbers("x"),
        characteristics=(
            Characteristic(feature="x", attributes=(*attributes, Attribute(condition=Missing(), points=0))),
        ),
        base_points=0,
        cutoff=0,
        calibration=Calibration(slope=1.0),
    )


MODELS = {"card": cards.card(), "small rules": cards.rules(), "small trees": cards.trees(), **reasoned.MODELS}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_reference_implementation_of_onnx_agrees(model: Any) -> None:
    rows = edge_rows(model, n_random=20)
    content = ONNXExporter().export(model).files["score.onnx"]
    assert isinstance(content, bytes)
    whole = onnx.load_from_string(content)
    missing = rows["job"].isna().to_numpy()
    feeds = {
        **{name: column.to_numpy() for name, column in rows.items()},
        "job": np.where(missing, "", rows["job"]).astype(object),
        "job__missing": missing,
    }
    names = [output.name for output in whole.graph.output]
    theirs = dict(zip(names, ReferenceEvaluator(whole).run(None, feeds), strict=True))
    ours = evaluate(model, rows).frame()
    shared = [name for name in ours if name in theirs]
    plain = {
        name: np.where(np.equal(ours[name], None), "", ours[name]) for name in shared if ours[name].dtype == object
    }
    mine = OutputFrame({name: plain.get(name, ours[name]) for name in shared})
    assert differences(mine, OutputFrame(theirs)) == {}
