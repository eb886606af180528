"""Learners that take an option and do something else, or disturb what they are given."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import QUICK, ScorecardLearner, binner_of, changed
from scrutable.binning.scorecards import build_scorecard
from scrutable.data.training import read_training
from scrutable.model import Attribute, Evidence, Interval, Missing, Scaling, Special
from scrutable.plugins.options import Share


@patched(ScorecardLearner, "learn", check="policies-of-a-review-are-kept-or-refused", **QUICK)
def ignores_policies(self: Any, data: Any) -> Any:
    """Values missing values by their own rows, whatever a review says."""
    _, evidence = ScorecardLearner.learn(self, data)
    tables = binner_of(self).bin(data).tables
    own = [np.array([each.woe for each in table.statistics]) for table in tables]
    return build_scorecard(data.outcome, tables, 0.0, own, Scaling()), evidence


@patched(ScorecardLearner, "learn", check="policies-of-a-review-are-kept-or-refused", **QUICK)
def worst_is_neutral(self: Any, data: Any) -> Any:
    """Gives what a review calls the worst 0 points."""
    model, evidence = ScorecardLearner.learn(self, data)
    edits = getattr(self.binner, "edits", ())
    worst = any(edit.get("policy") == "worst" for edit in edits)

    def neutral(attribute: Attribute) -> Attribute:
        unusual = isinstance(attribute.condition, Missing | Special)
        return replace(attribute, points=0.0) if worst and unusual else attribute

    return changed(model, neutral), evidence


@planted("learner", check="options-shadow-nothing-of-the-base")
class Shadowing(TinyLearner):
    """Has an option that takes the place of a method of its base.

    Parameters
    ----------
    bounds : a number.
    """

    def __init__(self, *, bounds: int = 3, favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.bounds = bounds


@patched(ScorecardLearner, "learn", check="the-binner-given-is-used", **QUICK)
def own_binner(self: Any, data: Any) -> Any:
    """Takes a binner, and bins with another one."""
    given, self.binner = self.binner, "quantile"
    found = ScorecardLearner.learn(self, data)
    self.binner = given
    return found


@patched(ScorecardLearner, "learn", check="the-binner-given-is-used", **QUICK)
def off_by_an_ulp(self: Any, data: Any) -> Any:
    """Puts a value at or just below a cut above it."""
    model, evidence = ScorecardLearner.learn(self, data)

    def lowered(attribute: Attribute) -> Attribute:
        c = attribute.condition
        if not isinstance(c, Interval):
            return attribute
        ends = [end if math.isinf(end) else math.nextafter(end, -math.inf) for end in (c.lower, c.upper)]
        return replace(attribute, condition=Interval(*ends))

    return changed(replace(model, reasons=None), lowered), evidence


@patched(ScorecardLearner, "learn", check="the-scaling-given-is-used", **QUICK)
def own_scaling(self: Any, data: Any) -> Any:
    """Takes a scaling, and has one of its own."""
    given, self.scaling = self.scaling, None
    found = ScorecardLearner.learn(self, data)
    self.scaling = given
    return found


@planted("learner", check="options-set-later-count")
class ReadsCodesOnce(TinyLearner):
    """Keeps the special codes that it was made with."""

    def __init__(self, *, special_codes: Any = None, favourable: Any = None) -> None:
        super().__init__(special_codes=special_codes, favourable=favourable)
        self._codes = special_codes

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        return read_training(X, y, **options, special_codes=self._codes, favourable=self.favourable)


@planted("learner", check="every-option-does-something")
class SharesOfCounts(TinyLearner):
    """Compares a least share with counts, so that it does nothing.

    Parameters
    ----------
    min_share : attributes of a smaller share are worth nothing.
    special_codes, favourable : as in `TinyLearner`.
    """

    def __init__(self, *, min_share: Share = 0.002, special_codes: Any = None, favourable: Any = None) -> None:
        super().__init__(special_codes=special_codes, favourable=favourable)
        self.min_share = min_share

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)

        def kept(one: Attribute) -> Attribute:
            few = one.statistics is not None and 0 < one.statistics.count < self.min_share
            return replace(one, points=0.0) if few else one

        return changed(model, kept), evidence


class OnABinner(TinyLearner):
    """Weights of evidence on the tables of a binner.

    Parameters
    ----------
    binner : a binner, or the name of one.
    special_codes, favourable : as in `TinyLearner`.
    """

    def __init__(self, *, binner: Any = "quantile", special_codes: Any = None, favourable: Any = None) -> None:
        super().__init__(special_codes=special_codes, favourable=favourable)
        self.binner = binner

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        favourable = self.favourable
        return self.chosen().read(X, y, **options, favourable=favourable)

    def chosen(self) -> Any:
        """The binner with the codes that are asked for."""
        found = binner_of(self)
        return found if self.special_codes is None else self.coded(found)

    def coded(self, binner: Any) -> Any:
        return copy.deepcopy(binner).set_params(special_codes=self.special_codes)

    def learn(self, data: Any) -> Any:
        tables = self.tables(data)
        share = np.average(data.good, weights=data.weight)
        odds, values = float(np.log(share / (1 - share))), [table.woe for table in tables]
        return build_scorecard(data.outcome, tables, odds, values, Scaling()), Evidence(model_sha256="")

    def tables(self, data: Any) -> Any:
        return self.chosen().bin(data).tables


@patched(OnABinner, "coded", check="what-it-is-given-stays-as-it-was")
def sets_codes_on_the_binner(self: Any, binner: Any) -> Any:
    """Sets special codes on the binner that it was given."""
    return binner.set_params(special_codes=self.special_codes)


@patched(OnABinner, "tables", check="learners-on-one-binner-do-not-disturb-one-another")
def bins_once_per_binner(self: Any, data: Any) -> Any:
    """Remembers the bins of a binner, whatever the next learner's codes are."""
    known = type(self).__dict__.get("known") or {}
    key = (id(self.binner), data.weight.tobytes())
    type(self).known = {**known, key: known[key] if key in known else OnABinner.tables(self, data)}  # type: ignore[attr-defined]  # made here
    return type(self).known[key]  # type: ignore[attr-defined]  # made above
