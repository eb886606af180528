"""Fuzzy augmentation: each declined applicant counts as good and as bad, by the probabilities of a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.reject_inference.augmented import Augmented, read_applied


def fuzzy_augmentation(
    model: DecisionModel,
    y: Any,
    rejected: Any,
    *,
    factor: float = 1.0,
    sample_weight: Any = None,
    rejected_weight: Any = None,
) -> Augmented:
    """Give each declined row twice: as good with weight w (1 - p), and as bad with weight w p.

    p is the PD of a model that was fitted on the accepted, its odds multiplied by `factor`. (Siddiqi, "Credit Risk
    Scorecards", 2006, chapter 6.) With factor 1 the guesses say what the model says already, so that a learner of the
    same kind comes back to it: nothing is learned about the rejected. A larger factor says how much worse they are
    believed to be than accepted applicants with the same inputs; the data cannot tell (Crook and Banasik, "Does reject
    inference really improve the performance of application scoring models?", Journal of Banking & Finance 28, 2004).

    Parameters
    ----------
    model : fitted on the accepted.
    y : (n,) classes of the accepted.
    rejected : (m,) frame of the declined.
    factor : of the odds of default; above 0.
    sample_weight, rejected_weight : (n,) and (m,) weights; None means 1 each.

    Raises
    ------
    InputError, KindError : as `evaluate`; a missing outcome, more than two classes, unusable weights or factor.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(1500, seed=1)
    >>> accepted, y, rejected = data.X[:1000], data.y[:1000], data.X[1000:]
    >>> model = create("learner", "lda-xgb1", favourable=0).fit(accepted, y).model_
    >>> augmented = fuzzy_augmentation(model, y, rejected, factor=2.0)
    >>> len(augmented.y), round(float(augmented.sample_weight.sum()), 6), augmented.join(accepted, rejected).shape
    (2000, 1500.0, (2000, 11))
    """
    applied = read_applied(model, y, rejected, sample_weight, rejected_weight, factor)
    probability = evaluate(model, rejected, reasons=False).probability
    bad = factor * (1.0 - probability)
    risk = bad / (probability + bad)
    rows = np.arange(len(risk))
    weight = applied.rejected_weight
    return applied.augmented(
        np.concatenate([rows, rows]),
        np.repeat([True, False], len(rows)),
        np.concatenate([weight * (1.0 - risk), weight * risk]),
    )
