"""Tree ensembles: points of the features that trees ask for alone, and the leaves of the other trees."""

from __future__ import annotations

from onnx import TensorProto

from scrutable.model import ReasonPolicy, StepFunctions, TreeEnsemble
from scrutable_onnx.clauses import Clauses, knock_out
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import add_up, both, decision, probability
from scrutable_onnx.effects import short_of_trees
from scrutable_onnx.graph import Result
from scrutable_onnx.options import ONNXOptions
from scrutable_onnx.reasons import reasons, shortfalls_of_features
from scrutable_onnx.scorecards import points_of
from scrutable_onnx.trees import leaves_added_up


def results(model: TreeEnsemble, steps: StepFunctions, columns: Columns, options: ONNXOptions) -> list[Result]:
    """The outputs of an ensemble, of which the step functions are known."""
    points = [points_of(item, columns) for item in steps.characteristics]
    leaves = [leaves_added_up(steps.trees, columns)] if steps.trees else []
    score = add_up(columns, steps.base_score, points + leaves)
    knocked = knock_out(model.policy, Clauses(columns, model.features))
    chance = probability(model.calibration, score, columns)

    def shortfalls(policy: ReasonPolicy) -> dict[str, str]:
        return shortfalls_of_features(policy, short_of_trees(policy, steps, points, columns), columns.graph)

    return [
        *both(model.outcome, chance, columns.graph),
        Result("score", score, TensorProto.DOUBLE),
        Result("probability", chance, TensorProto.DOUBLE),
        *decision(model, score, knocked, columns.graph),
        *reasons(model, columns, score, knocked, options, shortfalls),
    ]
