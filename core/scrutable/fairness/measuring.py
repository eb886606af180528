"""How well a model separates, and what it approves of whom, measured on rows that it did not see."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.cohort import Cohort
from scrutable.data.disclosure.groups import pooled_groups
from scrutable.data.groups import Groups
from scrutable.fairness.report import decision_points
from scrutable.fairness.results import FairnessReport, OperatingPoint
from scrutable.measures.scored import RankedBy, score_cohort
from scrutable.measures.separating_power import Performance, performance
from scrutable.model.segments import DecisionModel


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One model on n rows; `fairness` is None without protected attributes.

    Parameters
    ----------
    points : decisions at the model's cutoff, or at the cutoffs of its segments, and at a fixed approval rate.
    ranked_by : what separation and the fixed approval rate are about: the score, or the probability of the favourable
        outcome where there are segments.
    """

    n_rows: int
    performance: Performance
    points: tuple[OperatingPoint, OperatingPoint]
    requested_approval_rate: float
    fairness: FairnessReport | None
    ranked_by: RankedBy = "score"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        at_cutoff, at_rate = (point.to_dict() for point in self.points)
        return {
            "rows": self.n_rows,
            "ranked_by": self.ranked_by,
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
    """Separation and decisions of a model on n rows; None for a model of more than two classes.

    Give rows that the model did not learn from: on those it did, every measure flatters it.

    Scores of two segments may be on scales of their own. A model of segments therefore ranks applicants by the
    calibrated probability of the favourable outcome: separation is that of the probability, and the fixed approval
    rate cuts it once for all segments. At the cutoff the decisions are the model's own, which are those at each
    segment's cutoff. A knock-out or an override declines in both readings.

    Parameters
    ----------
    X, y : n applicants, and their outcomes in the model's classes.
    groups : protected groups of the same rows; without them the report holds no groups. Those of few rows are counted
        with others, see `scrutable.data.disclosure`.
    sample_weight : (n,) weights; None means 1 each.
    approval_rate : of the second reading; the share of favourable outcomes when None.
    seed : of the bootstrap.

    Raises
    ------
    InputError, KindError : as `fairness_report`, and as `evaluate` of the rows; an outcome that is missing, or none of
        the model's classes.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(400, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X[:300], data.y[:300])
    >>> found = measure(learner.model_, data.X[300:], data.y[300:], approval_rate=0.5)
    >>> found.n_rows, found.performance.auc > 0.5, found.fairness
    (100, True, None)
    """
    if not model.outcome.binary:
        return None
    groups = None if groups is None else pooled_groups(groups, sample_weight)
    cohort = Cohort.read(X, y, outcome=model.outcome, groups=groups, sample_weight=sample_weight, complete=True)
    scored, good = score_cohort(model, cohort), cohort.good
    rate = float(np.average(good, weights=sample_weight)) if approval_rate is None else approval_rate
    separation = performance(good, scored.ranking, seed=seed, sample_weight=sample_weight)
    decisions = scored.readings(rate)
    report = None
    if groups is None:
        first, second = (operating_point(basis, *each, good, sample_weight) for basis, each in decisions.items())
    else:
        first, second = decision_points(
            good, decisions, groups, score=scored.ranking, seed=seed, sample_weight=sample_weight
        )
        report = FairnessReport(
            at_cutoff=first,
            at_approval_rate=second,
            requested_approval_rate=float(rate),
            confidence=separation.confidence,
            n_boot=separation.n_boot,
            seed=seed,
        )
    return Measured(
        n_rows=len(good),
        performance=separation,
        points=(first, second),
        requested_approval_rate=rate,
        fairness=report,
        ranked_by=scored.ranked_by,
    )


def operating_point(
    basis: str,
    threshold: float,
    approved: NDArray[np.bool_],
    good: NDArray[np.bool_],
    weight: NDArray[np.float64] | None,
) -> OperatingPoint:
    """What decisions mean for everyone; without groups.

    Parameters
    ----------
    threshold : to tell; NaN where the decisions have none.
    """
    among = None if weight is None else weight[approved]
    approves = bool(approved.any() if among is None else among.any())
    return OperatingPoint(
        basis=basis,
        threshold=threshold,
        approval_rate=float(np.average(approved, weights=weight)),
        bad_rate_among_approved=float(np.average(~good[approved], weights=among)) if approves else nan,
        groups=(),
    )
