"""How far each feature falls short on each row, whatever the kind of model."""

from __future__ import annotations

from typing import Any

from scrutable.errors import ModelError
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable.model.evaluator.evaluate import evaluate, read_inputs
from scrutable.model.evaluator.outputs import Floats
from scrutable.model.evaluator.path_shortfalls import short_of_rules, short_of_trees
from scrutable.model.rules import RuleSet
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import SingleModel


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
    masks = ClauseMasks(model.features, columns, n_rows)
    if isinstance(model, RuleSet):
        return short_of_rules(model, policy, masks, ~masks.any_of([rule.when for rule in model.rules]))
    return short_of_trees(model, policy, masks, n_rows)
