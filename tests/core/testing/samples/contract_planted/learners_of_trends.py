"""Learners that claim trends and do not keep them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from contract_samples.healthy import TinyLearner
from sklearn.linear_model import LogisticRegression

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import QUICK, ScorecardLearner, binner_of, changed, negated
from scrutable import create
from scrutable.binning.scorecards import build_scorecard
from scrutable.model import Evidence, Scaling


@planted("learner", check="trends-hold-in-the-score", enforces=("trend",), **QUICK)
class ClaimsTrends(TinyLearner):
    """Claims trends, takes them, and ignores them.

    Parameters
    ----------
    trends : what it ignores.
    """

    def __init__(self, *, trends: Any = None, favourable: Any = None, binner: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.trends, self.binner = trends, binner


@patched(ScorecardLearner, "learn", check="trends-hold-against-the-rows", enforces=("trend",), **QUICK)
def trusts_the_binner(self: Any, data: Any) -> Any:
    """Keeps a trend only where the binner's bins keep it already."""
    tables = binner_of(self).bin(data).tables
    model = build_scorecard(data.outcome, tables, 0.0, [table.woe for table in tables], Scaling())
    return model, Evidence(model_sha256="")


@patched(ScorecardLearner, "learn", check="trends-hold-against-the-rows", enforces=("trend",), **QUICK)
def turns_trends_with_the_class(self: Any, data: Any) -> Any:
    """Takes a trend for one of the last class's rate, and turns it where the other is favourable."""
    model, evidence = ScorecardLearner.learn(self, data)
    trended = hasattr(self.binner, "trends") and self.binner.trends
    turn = trended and data.outcome.favourable_index == 0
    return (changed(model, negated) if turn else model), evidence


@patched(ScorecardLearner, "learn", check="trends-hold-against-the-rows", **QUICK)
def trends_of_its_option(self: Any, data: Any) -> Any:
    """Follows the trends that its binner's option names, and none that an edit sets."""
    binner = copy.copy(binner_of(self))
    edits = [each for each in binner.edits if dict(each).get("action") != "trend"]
    given, self.binner = self.binner, binner.set_params(edits=edits)
    found = ScorecardLearner.learn(self, data)
    self.binner = given
    return found


@patched(ScorecardLearner, "learn", check="each-of-several-trends-holds", enforces=("trend",), **QUICK)
def keeps_the_first_trend(self: Any, data: Any) -> Any:
    """Keeps the first trend, and drops those after it."""
    binner = binner_of(self)
    trends = dict(list((binner.trends or {}).items())[:1])
    given, self.binner = self.binner, create("binner", "quantile", trends=trends, cuts=binner.cuts)
    found = ScorecardLearner.learn(self, data)
    self.binner = given
    return found


@patched(ScorecardLearner, "learn", check="trends-hold-beside-columns-that-go-along", enforces=("trend",), **QUICK)
def coefficients_of_any_sign(self: Any, data: Any) -> Any:
    """Keeps a trend in the bins, and lets the coefficient of its characteristic turn it round."""
    tables = binner_of(self).bin(data).tables
    told = np.stack([table.woe[table.index(data.columns[table.feature.name])] for table in tables], axis=1)
    line = LogisticRegression(C=1e6).fit(told, data.good, sample_weight=data.weight)
    values = [table.woe * slope for table, slope in zip(tables, line.coef_[0], strict=True)]
    model = build_scorecard(data.outcome, tables, float(line.intercept_[0]), values, Scaling())
    return model, Evidence(model_sha256="")
