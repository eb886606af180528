"""Models of every kind that decide between two classes, reduced to a score, a cutoff, decisions, and a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any, Literal

import numpy as np

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.cohort import Cohort
from scrutable.errors import InputError
from scrutable.measures.approving import reachable_threshold
from scrutable.model import DecisionModel, Model, RegressionScorecard, SegmentedModel
from scrutable.model.evaluator import evaluate
from scrutable.model.evaluator.outputs import Evaluation

Basis = Literal["score", "score minus cutoff"]
RankedBy = Literal["score", "probability"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """What a model says of the n applicants of a cohort.

    Parameters
    ----------
    cohort : the applicants, with their columns.
    evaluation : all that the model says of them.
    score : (n,) points; of segments with cutoffs of their own the score minus the row's cutoff, because points of two
        segments say nothing about each other.
    basis : which of the two it is.
    cutoff : of these scores; 0 for segments.
    """

    cohort: Cohort
    evaluation: Evaluation
    score: Floats
    basis: Basis
    cutoff: float

    @property
    def approved(self) -> Bools:
        """(n,) the model's own decisions, knock-outs and overrides included."""
        return self.evaluation.approved

    @property
    def knocked_out(self) -> Bools:
        """(n,) True where a knock-out or an override declines."""
        return self.evaluation.knocked_out

    @property
    def declined_anyway(self) -> Bools:
        """(n,) True where no cutoff approves.

        Raises
        ------
        InputError : overrides approve some at every cutoff, which what moves cutoffs does not take into account.
        """
        if self.evaluation.let_in.any():
            raise InputError(
                "an override approves applicants whatever their score, so that no cutoff says who is approved",
                where="policy: overrides",
                got=f"{int(self.evaluation.let_in.sum())} of {self.cohort.rows} rows",
                fix="take the overrides that approve out of the model to try other cutoffs",
            )
        return self.knocked_out

    @property
    def ranking(self) -> Floats:
        """(n,) the score, and of segments the probability of the favourable outcome; see `Evaluation.ranking`.

        How far a score is above its cutoff is no ranking: the applicants of a strict segment would count as bad ones.
        """
        return self.evaluation.ranking

    @property
    def ranked_by(self) -> RankedBy:
        """What the ranking is."""
        return "score" if self.evaluation.segment is None else "probability"

    def readings(self, approval_rate: float, rows: Bools | None = None) -> dict[str, tuple[float, Bools]]:
        """The model's own decisions, and those that a fixed approval rate would take; each with its threshold.

        The rate moves one threshold of the ranking for everybody, across segments too. Whoever a knock-out or an
        override declines is declined in both, whoever an override approves is approved; where that leaves fewer than
        the rate, all others are approved. Cutoffs of segments are no
        one threshold, so theirs is NaN.

        Parameters
        ----------
        rows : (n,) the applicants that it is about; None means all.
        """
        chosen = slice(None) if rows is None else rows
        ranking, out, let_in = self.ranking[chosen], self.knocked_out[chosen], self.evaluation.let_in[chosen]
        weight = self.cohort.weight[chosen] if self.cohort.weighted else None
        threshold = reachable_threshold(ranking, approval_rate, sample_weight=weight, knocked_out=out, let_in=let_in)
        if threshold is None:
            threshold = float(ranking[~out].min(initial=np.inf))
        own = ("cutoff", self.cutoff) if self.ranked_by == "score" else ("cutoffs of segments", nan)
        at_rate: Bools = ((ranking >= threshold) & ~out) | let_in
        return {own[0]: (own[1], self.approved[chosen]), "approval rate": (threshold, at_rate)}

    def approved_from(self, cutoff: float) -> Bools:
        """(n,) decisions with another cutoff; a knock-out or an override that declines does so at every one."""
        approved: Bools = (self.score >= cutoff) & ~self.declined_anyway
        return approved


def score_rows(model: Model, X: Any, *, where: str = "model") -> Scored:
    """Score rows of which nothing but their columns is known; see `score_cohort`.

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
    return score_cohort(model, Cohort.read(X), where=where)


def score_cohort(model: Model, cohort: Cohort, *, where: str = "model", reasons: bool = False) -> Scored:
    """Score applicants with any model that decides between two classes.

    Parameters
    ----------
    cohort : applicants with their columns.
    where : how errors name the model.
    reasons : whether to find the reasons of decisions as well.

    Raises
    ------
    InputError : a model that approves nobody, or one with more than two classes; rows as in `evaluate`.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> rows = {"amount": [1.0, 9.0], "job": ["cook", None], "age": [30.0, 40.0], "region": [1.0, 1.0]}
    >>> scored = score_cohort(models_named()["segmented-model"], Cohort.read(rows))
    >>> scored.basis, scored.cutoff, scored.ranked_by
    ('score minus cutoff', 0.0, 'probability')
    """
    if isinstance(model, RegressionScorecard) or not model.outcome.binary:
        raise InputError(
            "strategies need a model that decides between two classes by a score",
            where=where,
            got=repr(model),
            fix="give a scorecard, trees, a rule set of two classes, or segments of these",
        )
    return _scored(model, cohort, evaluate(model, cohort.table, reasons=reasons))


def _scored(model: DecisionModel, cohort: Cohort, evaluation: Evaluation) -> Scored:
    assert evaluation.score is not None
    if not isinstance(model, SegmentedModel):
        assert model.cutoff is not None
        return Scored(cohort=cohort, evaluation=evaluation, score=evaluation.score, basis="score", cutoff=model.cutoff)
    assert evaluation.segment is not None
    cutoffs = {segment.name: segment.model.cutoff for segment in model.segments}
    own = np.array([cutoffs[name] for name in evaluation.segment], dtype=np.float64)
    return Scored(
        cohort=cohort, evaluation=evaluation, score=evaluation.score - own, basis="score minus cutoff", cutoff=0.0
    )
