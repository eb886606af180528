"""Learners that read values as something else: missing ones, special codes, texts, and numbers near to one another."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import QUICK, Changing, ScorecardLearner, changed
from scrutable import create
from scrutable.data.training import read_training
from scrutable.model import Attribute, Categories, Characteristic, Interval, Missing, Otherwise, Special


@patched(Changing, "change", check="missing-values-are-worth-what-their-rows-say")
def missing_is_neutral(self: Any, attribute: Attribute) -> Attribute:
    """Counts rows with missing values, and gives them 0 points."""
    return replace(attribute, points=0.0) if isinstance(attribute.condition, Missing) else attribute


@patched(Changing, "change", check="missing-values-are-worth-what-their-rows-say")
def missing_is_worst(self: Any, attribute: Attribute) -> Attribute:
    """Declines whoever says nothing."""
    return replace(attribute, points=-500.0) if isinstance(attribute.condition, Missing) else attribute


@patched(TinyLearner, "learn", check="missing-values-are-worth-what-their-rows-say")
def missing_texts_are_unseen(self: Any, data: Any) -> Any:
    """Gives missing texts what unseen ones have."""

    def neutral(one: Attribute) -> Attribute:
        return replace(one, points=0.0) if isinstance(one.condition, Missing) else one

    model, evidence = TinyLearner.learn(self, data)
    parts = []
    for each in model.characteristics:
        texts = any(isinstance(one.condition, Categories) for one in each.attributes)
        parts.append(replace(each, attributes=tuple(map(neutral, each.attributes))) if texts else each)
    return replace(model, characteristics=tuple(parts)), evidence


@patched(Changing, "change", check="special-codes-are-worth-what-their-rows-say")
def codes_are_neutral(self: Any, attribute: Attribute) -> Attribute:
    """Gives special codes 0 points."""
    return replace(attribute, points=0.0) if isinstance(attribute.condition, Special) else attribute


@patched(TinyLearner, "read", check="special-codes-are-worth-what-their-rows-say")
def codes_are_numbers(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Takes special_codes, and reads them as numbers."""
    return read_training(X, y, **options, favourable=self.favourable)


@patched(Changing, "change", check="unseen-texts-are-neither-best-nor-worst")
def unseen_is_best(self: Any, attribute: Attribute) -> Attribute:
    """Approves whoever brings a new text."""
    return replace(attribute, points=300.0) if isinstance(attribute.condition, Otherwise) else attribute


@planted("learner", check="unseen-texts-are-neither-best-nor-worst")
class UnseenIsWorst(TinyLearner):
    """Gives new texts the points of the worst that was seen."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        parts = []
        for each in model.characteristics:
            worst = min(one.points for one in each.attributes if not isinstance(one.condition, Otherwise | Missing))
            change = partial(self.change, worst=worst)
            parts.append(replace(each, attributes=tuple(map(change, each.attributes))))
        return replace(model, characteristics=tuple(parts)), evidence

    def change(self, attribute: Attribute, worst: float) -> Attribute:
        return replace(attribute, points=worst) if isinstance(attribute.condition, Otherwise) else attribute


@patched(Changing, "change", check="what-no-row-lacked-may-be-missing-later")
def never_missing_is_best(self: Any, attribute: Attribute) -> Attribute:
    """Approves whoever leaves out what nobody left out before."""
    nobody = isinstance(attribute.condition, Missing) and not attribute.statistics.count
    return replace(attribute, points=300.0) if nobody else attribute


@patched(TinyLearner, "read", check="texts-are-what-they-are")
def none_is_missing(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Takes the text "None" for a missing value."""
    return TinyLearner.read(self, X.replace("None", None) if isinstance(X, pd.DataFrame) else X, y, **options)


@patched(TinyLearner, "read", check="infinities-are-numbers")
def infinity_is_missing(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Takes infinities for missing values."""
    return TinyLearner.read(
        self, X.replace([np.inf, -np.inf], np.nan) if isinstance(X, pd.DataFrame) else X, y, **options
    )


@patched(TinyLearner, "learn", check="neighbours-are-told-apart")
def cuts_at_the_wrong_side(self: Any, data: Any) -> Any:
    """Takes `x < t` for `x <= t`: the value at a cut falls below it."""
    model, evidence = TinyLearner.learn(self, data)

    def raised(attribute: Attribute) -> Attribute:
        c = attribute.condition
        if not isinstance(c, Interval):
            return attribute
        ends = [end if math.isinf(end) else end + 1.0 for end in (c.lower, c.upper)]
        return replace(attribute, condition=Interval(*ends))

    return changed(model, raised), evidence


@patched(TinyLearner, "learn", check="values-of-many-digits-are-told-apart")
def rounds_its_cuts(self: Any, data: Any) -> Any:
    """Rounds the cuts of its characteristics to three digits once points are counted."""
    model, evidence = TinyLearner.learn(self, data)
    return replace(model, characteristics=tuple(map(rounded, model.characteristics))), evidence


def rounded(characteristic: Characteristic) -> Characteristic:
    """The characteristic with cuts of three digits, where these rise."""
    ends = [one.condition.lower for one in characteristic.attributes if isinstance(one.condition, Interval)]
    short = {end: float(f"{end:.3g}") for end in ends}
    if len(set(short.values())) < len(ends):
        return characteristic

    def cut(one: Attribute) -> Attribute:
        if not isinstance(one.condition, Interval):
            return one
        lower, upper = (short.get(end, end) for end in (one.condition.lower, one.condition.upper))
        return replace(one, condition=replace(one.condition, lower=lower, upper=upper))

    return replace(characteristic, attributes=tuple(map(cut, characteristic.attributes)))


@patched(ScorecardLearner, "read", check="numbers-that-are-categories-have-no-order", **QUICK)
def orders_categories(self: Any, X: Any, y: Any, **options: Any) -> Any:
    """Reads numbers that are categories as numbers."""
    self._codes = None
    if not isinstance(self.binner, str):
        self.binner = create("binner", "quantile", max_bins=2)
    return ScorecardLearner.read(self, X, y, **options)


@patched(TinyLearner, "learn", check="columns-may-have-any-name")
def keeps_columns_of_its_own(self: Any, data: Any) -> Any:
    """Puts outcomes and weights into the frame, over columns of the same names."""
    if "weight" in data.columns:
        column = data.columns["weight"]
        own = type(column)("weight", "numeric", data.weight.copy(), column.missing)
        data = replace(data, columns={**data.columns, "weight": own})
    return TinyLearner.learn(self, data)
