"""A score read at a fixed approval rate, ties approved in part, so that coarse and fine scores compare."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lda.data import Case
from scrutable.fairness import auc
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate


@dataclass(frozen=True, kw_only=True)
class Scored:
    """What a model says of the test rows; `own_rate` is the share that its cutoff approves."""

    name: str
    score: np.ndarray
    auc: float
    own_rate: float
    own_ratio: float


def scored(name: str, model: DecisionModel, case: Case) -> Scored:
    """Score the test rows."""
    found = evaluate(model, case.test[case.inputs], reasons=False)
    assert found.score is not None
    approved = found.approved
    return Scored(
        name=name,
        score=found.score,
        auc=auc(case.good, found.score),
        own_rate=float(approved.mean()),
        own_ratio=float(approved[case.is_protected].mean() / approved[~case.is_protected].mean()),
    )


def at_rate(score: np.ndarray, rate: float, case: Case) -> tuple[float, float]:
    """Adverse impact ratio, and bad rate among the approved, where exactly this share is approved.

    The last score level is approved in part: what drawing among equals gives on average.
    """
    threshold = np.sort(score)[::-1][int(np.ceil(rate * len(score))) - 1]
    approved = (score > threshold).astype(float)
    tied = score == threshold
    approved[tied] = (rate * len(score) - approved.sum()) / tied.sum()
    ratio = approved[case.is_protected].mean() / approved[~case.is_protected].mean()
    return float(ratio), float(approved[~case.good].sum() / approved.sum())
