"""What a score means: the odds and the PD at a score, and the score at odds or a PD."""

from __future__ import annotations

import math

import numpy as np

from scrutable.data import finite_number, share
from scrutable.errors import InputError
from scrutable.model import Calibration, Model, RuleSet, Scorecard, SegmentedModel, TreeEnsemble
from scrutable.model.evaluator import probability

#: Models that store what their score means.
CalibratedModel = Scorecard | TreeEnsemble


def odds_at(model: Model, score: float) -> float:
    """Odds of the favourable outcome, good to bad, at a score, by the model's calibration.

    Raises
    ------
    InputError : a model without a calibration on the log-odds, or no finite score.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> card = models_named()["scorecard"]
    >>> round(score_at(card, odds=odds_at(card, 55.0)), 9)
    55.0
    """
    line = log_odds_line(model)
    return math.exp(line.intercept + line.slope * finite_number(score, "score"))


def pd_at(model: Model, score: float) -> float:
    """Probability of the unfavourable outcome at a score, as the evaluator gives it; as `odds_at` otherwise."""
    calibration = refuse_uncalibrated(model, "model").calibration
    return 1.0 - float(probability(calibration, np.array([finite_number(score, "score")]))[0])


def score_at(model: Model, *, odds: float | None = None, pd: float | None = None) -> float:
    """The score at which the odds of the favourable outcome, good to bad, or the PD are these.

    Raises
    ------
    InputError : not exactly one of the two, one that is out of range, or a model without a slope on the log-odds.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> card = models_named()["scorecard"]
    >>> round(pd_at(card, score_at(card, pd=0.1)), 12)
    0.1
    """
    if (odds is None) == (pd is None):
        raise InputError("give one of the two", where="odds, pd", got=(odds, pd), fix="odds=30, or pd=0.05")
    line = log_odds_line(model)
    if odds is None:
        risk = share(pd if pd is not None else math.nan, "pd")
        odds = (1 - risk) / risk
    elif finite_number(odds, "odds") <= 0:
        raise InputError("expected odds above 0", where="odds", got=odds, fix="give 30 for 30 good to 1 bad")
    return (math.log(odds) - line.intercept) / line.slope


def log_odds_line(model: Model) -> Calibration:
    """A calibration in which the score is a straight line in the log-odds, so that it can be turned round.

    Raises
    ------
    InputError : a model that has none.
    """
    calibration = refuse_uncalibrated(model, "model").calibration
    if calibration.link != "logit" or not calibration.slope:
        raise InputError(
            "the score is no straight line in the log-odds",
            where="calibration",
            got=f"link {calibration.link!r}, slope {calibration.slope:g}",
            allowed="link 'logit' with a slope above 0",
            fix="calibrate the model first, on applicants with known outcomes",
        )
    return calibration


def refuse_uncalibrated(model: Model, where: str) -> CalibratedModel:
    """The model, if it stores what its score means.

    Raises
    ------
    InputError : says why it does not.
    """
    if isinstance(model, Scorecard | TreeEnsemble):
        return model
    if isinstance(model, RuleSet):
        what = "a rule set stores no calibration: its probability is the share of votes"
        fix = "calibrate a scorecard or trees, or read the rule set as decisions only"
    elif isinstance(model, SegmentedModel):
        what, fix = "each segment has a calibration of its own", "ask the model of one segment"
    else:
        what, fix = "a prediction of a quantity is no probability", "give a model that decides between two classes"
    raise InputError(what, where=where, got=type(model).__name__, allowed="a scorecard or trees", fix=fix)
