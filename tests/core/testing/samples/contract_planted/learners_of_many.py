"""Learners that look at the first of many rows, columns, codes and texts alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import Changing
from scrutable.model import Attribute, Categories, Missing, Special


def among(data: Any, rows: Any) -> Any:
    """Training data of which only some rows weigh anything."""
    return replace(data, weight=np.where(rows, data.weight, 0.0))


@patched(TinyLearner, "learn", check="late-rows-of-many-count")
def learns_from_a_thousand(self: Any, data: Any) -> Any:
    """Takes the first thousand rows for all of them."""
    return TinyLearner.learn(self, among(data, np.arange(len(data.weight)) < 1000))


@patched(TinyLearner, "learn", check="late-rows-of-many-count")
def weighs_a_thousand(self: Any, data: Any) -> Any:
    """Weighs the first thousand rows, and lets each of the others weigh one."""
    return TinyLearner.learn(self, replace(data, weight=np.where(np.arange(len(data.weight)) < 1000, data.weight, 1.0)))


@planted("learner", check="values-that-come-late-count")
class SeesValuesInTheFirst(Changing):
    """Gives 0 points to missing values that only late rows have."""

    def learn(self, data: Any) -> Any:
        early = np.arange(len(data.weight)) < 400
        [column, *_] = data.columns.values()
        self._seen = bool((column.missing & early).any()) or not column.missing.any()
        return super().learn(data)

    def change(self, attribute: Attribute) -> Attribute:
        late = isinstance(attribute.condition, Missing) and not self._seen
        return replace(attribute, points=0.0) if late else attribute


@patched(TinyLearner, "learn", check="each-of-many-columns-counts")
def missing_in_the_first(self: Any, data: Any) -> Any:
    """Gives points to missing values in the first characteristic alone."""

    def neutral(one: Attribute) -> Attribute:
        return replace(one, points=0.0) if isinstance(one.condition, Missing) else one

    model, evidence = TinyLearner.learn(self, data)
    first, *others = model.characteristics
    parts = [replace(each, attributes=tuple(map(neutral, each.attributes))) for each in others]
    return replace(model, characteristics=(first, *parts)), evidence


@patched(TinyLearner, "learn", check="each-special-code-of-each-column-counts")
def one_code_each(self: Any, data: Any) -> Any:
    """Gives points to the lowest special code of each characteristic alone."""
    model, evidence = TinyLearner.learn(self, data)
    parts = []
    for each in model.characteristics:
        special = [one for one in each.attributes if isinstance(one.condition, Special)]
        lost = [one for one in special if one is not special[0]]
        attributes = [replace(one, points=0.0) if one in lost else one for one in each.attributes]
        parts.append(replace(each, attributes=tuple(attributes)))
    return replace(model, characteristics=tuple(parts)), evidence


@patched(Changing, "change", check="each-of-many-texts-counts")
def thirty_texts(self: Any, attribute: Attribute) -> Attribute:
    """Gives no points to texts behind the thirtieth."""
    late = isinstance(attribute.condition, Categories) and min(map(str, attribute.condition.values)) >= "kind 30"
    return replace(attribute, points=0.0) if late else attribute


@patched(TinyLearner, "learn", check="columns-that-tell-nothing-do-no-harm")
def reads_ten_columns(self: Any, data: Any) -> Any:
    """Gives points to the last ten characteristics alone."""
    model, evidence = TinyLearner.learn(self, data)
    silent = {each.feature for each in model.characteristics[:-10]}
    parts = [
        replace(each, attributes=tuple(replace(one, points=0.0) for one in each.attributes))
        if each.feature in silent
        else each
        for each in model.characteristics
    ]
    return replace(model, characteristics=tuple(parts)), evidence
