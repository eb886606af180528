"""Tree ensembles: points of the features that trees ask for alone, and the leaves of the other trees."""

from __future__ import annotations

from onnx import TensorProto

from scrutable.model import TreeEnsemble
from scrutable.stepwise import StepFunctions
from scrutable_onnx.clauses import Clauses, knock_out
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import add_up, both, decision, probability
from scrutable_onnx.graph import Result
from scrutable_onnx.scorecards import points_of
from scrutable_onnx.trees import leaves_added_up


def results(model: TreeEnsemble, found: StepFunctions, columns: Columns) -> list[Result]:
    """The outputs of an ensemble, of which the step functions are known."""
    terms = [points_of(item, columns) for item in found.characteristics]
    if found.trees:
        terms.append(leaves_added_up(found.trees, columns))
    score = add_up(columns, found.base_score, terms)
    knocked = knock_out(model.policy, Clauses(columns, model.features))
    chance = probability(model.calibration, score, columns)
    return [
        *both(model.outcome, chance, columns.graph),
        Result("score", score, TensorProto.DOUBLE),
        Result("probability", chance, TensorProto.DOUBLE),
        *decision(model, score, knocked, columns.graph),
    ]
