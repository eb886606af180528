"""How well a model separates, and what it approves of whom, measured on rows that it did not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.fairness import Groups, approval_threshold, fairness_report
from scrutable.fairness.performance import Performance, performance
from scrutable.fairness.results import FairnessReport, OperatingPoint
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One model on n rows; `fairness` is None without protected attributes.

    Parameters
    ----------
    points : decisions at the model's cutoff and at a fixed approval rate.
    """

    n_rows: int
    performance: Performance
    points: tuple[OperatingPoint, OperatingPoint]
    requested_approval_rate: float
    fairness: FairnessReport | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        at_cutoff, at_rate = (point.to_dict() for point in self.points)
        return {
            "rows": self.n_rows,
            "performance": self.performance.to_dict(),
            "at_cutoff": at_cutoff,
            "at_approval_rate": at_rate,
            "requested_approval_rate": self.requested_approval_rate,
        }


def measure(
    model: DecisionModel,
    X: Any,
    y: Any,
    *,
    groups: Groups | None = None,
    sample_weight: NDArray[np.float64] | None = None,
    approval_rate: float | None = None,
    seed: int = 0,
) -> Measured | None:
    """Separation and decisions of a model on n rows; None for a model without a score.

    Give rows that the model did not learn from: on those it did, every measure flatters it.

    Parameters
    ----------
    X, y : n applicants, and their outcomes in the model's classes.
    groups : protected groups of the same rows; without them the report holds no groups.
    sample_weight : (n,) weights; None means 1 each.
    approval_rate : of the second reading; the share of favourable outcomes when None.
    seed : of the bootstrap.

    Raises
    ------
    InputError, KindError : as `fairness_report`, and as `evaluate` of the rows.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.datasets import make_credit
    >>> data = make_credit(400, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X[:300], data.y[:300])
    >>> found = measure(learner.model_, data.X[300:], data.y[300:], approval_rate=0.5)
    >>> found.n_rows, found.performance.auc > 0.5, found.fairness
    (100, True, None)
    """
    score = evaluate(model, X, reasons=False).score
    cutoff = getattr(model, "cutoff", None)
    if score is None or cutoff is None:
        return None
    good = np.asarray(np.asarray(y) == model.outcome.favourable, dtype=bool)
    rate = float(np.average(good, weights=sample_weight)) if approval_rate is None else approval_rate
    separation = performance(good, score, seed=seed, sample_weight=sample_weight)
    if groups is None:
        thresholds = {"cutoff": cutoff, "approval rate": approval_threshold(score, rate, sample_weight=sample_weight)}
        at_cutoff, at_rate = (_point(basis, t, good, score, sample_weight) for basis, t in thresholds.items())
        report = None
    else:
        report = fairness_report(
            good, score, cutoff, groups, approval_rate=rate, seed=seed, sample_weight=sample_weight
        )
        at_cutoff, at_rate = report.at_cutoff, report.at_approval_rate
    return Measured(
        n_rows=len(good),
        performance=separation,
        points=(at_cutoff, at_rate),
        requested_approval_rate=rate,
        fairness=report,
    )


def _point(
    basis: str,
    threshold: float,
    good: NDArray[np.bool_],
    score: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
) -> OperatingPoint:
    approved = score >= threshold
    among = None if weight is None else weight[approved]
    return OperatingPoint(
        basis=basis,
        threshold=threshold,
        approval_rate=float(np.average(approved, weights=weight)),
        bad_rate_among_approved=float(np.average(~good[approved], weights=among)) if approved.any() else float("nan"),
        groups=(),
    )
