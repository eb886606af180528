"""How far each row is from the other decision, in points, as scikit-learn's `decision_function` asks for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable.data.values import LIMIT, UNIT
from scrutable.model.evaluator.outputs import Evaluation, Floats
from scrutable.model.segments import DecisionModel, SegmentedModel

#: What a rule decides against the score lies further from the cutoff than any score does.
_BEYOND = 2.0 * LIMIT


def margins(model: DecisionModel, evaluation: Evaluation) -> Floats:
    """Points from the cutoff towards the last class; of more than two classes their votes.

    A margin is above zero just where the last class is predicted. A score at the cutoff is favourable, so that its
    margin is half a unit of the points where that is the last class. What a knock-out, an override or a fallback
    decides against the score has a margin beyond those of all scores.

    Parameters
    ----------
    model : two classes or more; each segment has a cutoff of its own.
    evaluation : what the model says of n rows.

    Returns
    -------
    (n,) points; of more classes (n, classes) votes, or their shares where there are segments, whose first largest is
    that of the predicted class.
    """
    if evaluation.score is None:
        return _votes(evaluation)
    over = evaluation.score - _cutoffs(model, evaluation)
    favourable_last = evaluation.outcome.favourable_index == 1
    signed = np.where(over == 0, UNIT / 2, over) if favourable_last else -over
    by_rule = evaluation.knocked_out | evaluation.let_in | ((signed > 0) != (evaluation.predicted == 1))
    return np.where(by_rule, np.where(evaluation.predicted == 1, _BEYOND, -_BEYOND), signed)


def _cutoffs(model: DecisionModel, evaluation: Evaluation) -> Floats:
    """The cutoff of each row."""
    cutoffs = np.zeros(len(evaluation.predicted))
    if not isinstance(model, SegmentedModel):
        return cutoffs + (model.cutoff or 0.0)
    for segment in model.segments:
        cutoffs[evaluation.of_segment(segment.name)] = segment.model.cutoff or 0.0
    return cutoffs


def _votes(evaluation: Evaluation) -> NDArray[np.float64]:
    """Votes by class, of segments their shares, with the predicted one ahead where a rule decides against them."""
    votes = np.array(evaluation.class_probability if evaluation.class_scores is None else evaluation.class_scores)
    rows = np.flatnonzero(votes.argmax(axis=1) != evaluation.predicted)
    votes[rows, evaluation.predicted[rows]] = _BEYOND
    return votes
