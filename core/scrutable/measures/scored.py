"""Models of every kind that decide between two classes, reduced to a score, a cutoff, decisions, and a ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import Any, Literal

import numpy as np

from scrutable.data.arrays import Bools, Floats
from scrutable.errors import InputError
from scrutable.measures.approving import reachable_threshold
from scrutable.model import DecisionModel, Model, RegressionScorecard, SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable.model.evaluator.outputs import Evaluation

Basis = Literal["score", "score minus cutoff"]
RankedBy = Literal["score", "probability"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """What a model says of n rows.

    Parameters
    ----------
    score : (n,) points; of segments with cutoffs of their own the score minus the row's cutoff, because points of two
        segments say nothing about each other.
    basis : which of the two it is.
    cutoff : of these scores; 0 for segments.
    approved : (n,) the model's own decisions, knock-outs included.
    knocked_out : (n,) True where a knock-out declines.
    ranking : (n,) as `Evaluation.ranking`: the score, and of segments the probability of the favourable outcome. How
        far a score is above its cutoff is no ranking: the applicants of a strict segment would count as bad ones.
    ranked_by : which of the two it is.
    """

    score: Floats
    basis: Basis
    cutoff: float
    approved: Bools
    knocked_out: Bools
    ranking: Floats
    ranked_by: RankedBy

    def subset(self, rows: Bools) -> Scored:
        """What the model says of some of the rows."""
        arrays = ("score", "approved", "knocked_out", "ranking")
        return replace(self, **{name: getattr(self, name)[rows] for name in arrays})

    def readings(self, approval_rate: float, weight: Floats | None) -> dict[str, tuple[float, Bools]]:
        """The model's own decisions, and those that a fixed approval rate would take; each with its threshold.

        The rate moves one threshold of the ranking for everybody, across segments too. Whoever a knock-out declines is
        declined in both; where that leaves fewer than the rate, all others are approved. Cutoffs of segments are no
        one threshold, so theirs is NaN.
        """
        threshold = reachable_threshold(self.ranking, approval_rate, sample_weight=weight, knocked_out=self.knocked_out)
        if threshold is None:
            threshold = float(self.ranking[~self.knocked_out].min(initial=np.inf))
        own = ("cutoff", self.cutoff) if self.ranked_by == "score" else ("cutoffs of segments", nan)
        at_rate: Bools = (self.ranking >= threshold) & ~self.knocked_out
        return {own[0]: (own[1], self.approved), "approval rate": (threshold, at_rate)}

    def approved_from(self, cutoff: float) -> Bools:
        """(n,) decisions with another cutoff; a knock-out declines at every one."""
        approved: Bools = (self.score >= cutoff) & ~self.knocked_out
        return approved


def score_rows(model: Model, X: Any, *, where: str = "model") -> Scored:
    """Score rows with any model that decides between two classes.

    Parameters
    ----------
    where : how errors name the model.

    Raises
    ------
    InputError : a model that approves nobody, or one with more than two classes; rows as in `evaluate`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(300, seed=1)
    >>> model = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y).model_
    >>> found = score_rows(model, data.X)
    >>> found.basis, bool((found.approved == (found.score >= model.cutoff)).all())
    ('score', True)
    """
    if isinstance(model, RegressionScorecard) or not model.outcome.binary:
        raise InputError(
            "strategies need a model that decides between two classes by a score",
            where=where,
            got=repr(model),
            fix="give a scorecard, trees, a rule set of two classes, or segments of these",
        )
    return scored(model, evaluate(model, X, reasons=False))


def scored(model: DecisionModel, found: Evaluation) -> Scored:
    """The same of what a model of two classes said of rows.

    Examples
    --------
    >>> from scrutable.testing.contract.models import models_named
    >>> model = models_named()["segmented-model"]
    >>> rows = {"amount": [1.0, 9.0], "job": ["cook", None], "age": [30.0, 40.0], "region": [1.0, 1.0]}
    >>> its = scored(model, evaluate(model, rows))
    >>> its.basis, its.cutoff, its.ranked_by
    ('score minus cutoff', 0.0, 'probability')
    """
    assert found.score is not None
    if isinstance(model, SegmentedModel):
        assert found.segment is not None
        cutoffs = {segment.name: segment.model.cutoff for segment in model.segments}
        own = np.array([cutoffs[name] for name in found.segment], dtype=np.float64)
        return Scored(
            score=found.score - own,
            basis="score minus cutoff",
            cutoff=0.0,
            approved=found.approved,
            knocked_out=found.knocked_out,
            ranking=found.ranking,
            ranked_by="probability",
        )
    assert model.cutoff is not None
    return Scored(
        score=found.score,
        basis="score",
        cutoff=model.cutoff,
        approved=found.approved,
        knocked_out=found.knocked_out,
        ranking=found.ranking,
        ranked_by="score",
    )
