"""How far each feature falls short on each row, whatever the kind of model."""

from __future__ import annotations

from typing import Any

from scrutable.errors import ModelError
from scrutable.model.evaluator.evaluate import evaluate, read_inputs
from scrutable.model.evaluator.outputs import Floats
from scrutable.model.evaluator.programs import program_for, program_of
from scrutable.model.program.running import run
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import SingleModel

#: How the names of the outputs begin that say it.
_PREFIX = "shortfall_"


def shortfalls_by_feature(model: SingleModel, X: Any) -> dict[str, Floats]:
    """Per feature that can be a reason, (n,) how far it falls short of its baseline; below 0 where it does not.

    Parameters
    ----------
    model : with a reason policy, which says what is measured; see `scrutable.model.ReasonPolicy`.
    X : as in `evaluate`, n rows.

    Raises
    ------
    ModelError : the model has no reason policy.
    InputError, KindError : as in `evaluate`.
    """
    policy = model.reasons
    if policy is None:
        raise ModelError("the model holds no reason policy", where=type(model).__name__)
    if isinstance(model, Scorecard):
        points = evaluate(model, X, reasons=False).points
        return {feature: baseline - points[feature] for feature, baseline in policy.baselines.items()}
    columns, n_rows = read_inputs(model, X)
    names = [name for name in program_of(model).names if name.startswith(_PREFIX)]
    values = run(program_for(model, names), columns, n_rows)
    return {name.removeprefix(_PREFIX): each for name, each in values.items()}
