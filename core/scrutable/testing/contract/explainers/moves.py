"""What a change of values does to a score, part by part, as the model itself says it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.model import Model, Policy
from scrutable.model.evaluator import ClauseMasks, evaluate, read_inputs
from scrutable.testing.contract.explainers.explaining import scores_of

Points = Mapping[str, NDArray[np.float64]]


def parts_of(model: Model, rows: pd.DataFrame) -> Points:
    """(n,) points of each part of the score that has a name: characteristics, interactions and score adjustments.

    A characteristic has the name of its feature, a score adjustment its code. Leaves of trees have none.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.random_models import drawn_rows, extended_models
    >>> card = extended_models()["scorecard with all parts"]
    >>> parts, [table] = parts_of(card, drawn_rows(card)), card.interactions
    >>> table.name in parts, "A2" in parts
    (True, True)
    """
    return {**terms_of(model, rows), **_adjustments_of(model, rows)}


def terms_of(model: Model, rows: pd.DataFrame) -> Points:
    """(n,) points of each characteristic and interaction: what can be compared with those of a population."""
    return evaluate(model, rows, reasons=False).points


def unadjusted(model: Model, rows: pd.DataFrame) -> NDArray[np.float64]:
    """(n,) scores before score adjustments."""
    adjusted = getattr(evaluate(model, rows, reasons=False), "adjustment", None)
    return scores_of(model, rows) - (0.0 if adjusted is None else adjusted)


def moves(model: Model, feature: str, rows: pd.DataFrame, named: Collection[str]) -> Points:
    """By how many points each named part moves from the first row to each, where the rows differ in one feature alone.

    What the score moves beside the named parts is due to the feature: leaves of trees are, and so is an interaction or
    a score adjustment that an explanation does not name.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> rows = pd.DataFrame({"age": [19.0, 30.0], "income": [1.0, 1.0]})
    >>> {name: step.tolist() for name, step in moves(models_named()["stumps"], "age", rows, []).items()}
    {'age': [0.0, 2.0]}
    """
    steps = {name: points - points[0] for name, points in parts_of(model, rows).items() if name in named}
    scores = scores_of(model, rows)
    rest = scores - scores[0] - sum(steps.values(), np.zeros(len(rows)))
    return {**steps, feature: steps.get(feature, 0.0) + rest}


def _adjustments_of(model: Model, rows: pd.DataFrame) -> Points:
    masks = ClauseMasks(model.features, *read_inputs(model, rows))
    adjustments = getattr(model, "policy", Policy()).adjustments
    return {each.code: np.where(masks.conjunction(each.when), each.points, 0.0) for each in adjustments}
