"""Scorecards: points looked up by the cell of each characteristic, and added up."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from scrutable.model import Characteristic, RegressionScorecard, Scorecard, number_of_reasons
from scrutable_onnx.clauses import Clauses, knock_out
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import add_up, both, decision, probability
from scrutable_onnx.graph import Result
from scrutable_onnx.options import ONNXOptions
from scrutable_onnx.reasons import reasons, shortfalls_of_scorecard


def results(model: Scorecard, columns: Columns, options: ONNXOptions) -> list[Result]:
    """The outputs of a scorecard."""
    points = [points_of(item, columns) for item in model.characteristics]
    score = add_up(columns, model.base_points, points)
    knocked = knock_out(model.policy, Clauses(columns, model.features))
    chance = probability(model.calibration, score, columns)
    outputs = [
        *both(model.outcome, chance, columns.graph),
        Result("score", score, TensorProto.DOUBLE),
        Result("probability", chance, TensorProto.DOUBLE),
        *decision(model, score, knocked, columns.graph),
    ]
    why = reasons(
        model, columns, score, knocked, options, lambda policy: shortfalls_of_scorecard(model, policy, columns)
    )
    return outputs + _shown_points(model, points, options) + why


def results_of_prediction(model: RegressionScorecard, columns: Columns, options: ONNXOptions) -> list[Result]:
    """The outputs of a scorecard that predicts a quantity.

    Raises
    ------
    UnsupportedModel : reasons are asked for, and there are none for a prediction.
    """
    number_of_reasons(None, options.reasons)
    points = [points_of(item, columns) for item in model.characteristics]
    score = add_up(columns, model.base_points, points)
    return [Result("score", score, TensorProto.DOUBLE), *_shown_points(model, points, options)]


def points_of(item: Characteristic, columns: Columns) -> str:
    """(N,) the points of the attribute that each row has."""
    cells = columns.cells[item.feature]
    attributes = cells.attributes(item.conditions)
    table = np.array([attribute.points for attribute in item.attributes])[attributes]
    titles = item.titles
    lines = [
        f"{i}: {titles[place]}: {points!r} points"
        for i, (place, points) in enumerate(zip(attributes.tolist(), table.tolist(), strict=True))
    ]
    doc = "\n".join([f"Points of {cells.feature.title} by cell.", *lines])
    return columns.look_up(item.feature, table, f"{item.feature}: points", doc)


def _shown_points(model: Scorecard | RegressionScorecard, points: list[str], options: ONNXOptions) -> list[Result]:
    if not options.points:
        return []
    names = [f"points_{item.feature}" for item in model.characteristics]
    return [Result(name, value, TensorProto.DOUBLE) for name, value in zip(names, points, strict=True)]
