"""What faulty learners are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract_samples.healthy import TinyLearner

from scrutable import create
from scrutable.model import Attribute
from scrutable.plugins.registry import registry

ScorecardLearner: Any = registry().load("learner", "scorecard")
RegressionLearner: Any = registry().load("learner", "scorecard-regressor")
#: What faults of scorecards declare that need no better bins.
QUICK = {"options": {"binner": "quantile"}, "produces": ("scorecard",)}


def changed(model: Any, change: Any) -> Any:
    """A scorecard whose attributes are changed one by one."""
    parts = [replace(each, attributes=tuple(map(change, each.attributes))) for each in model.characteristics]
    return replace(model, characteristics=tuple(parts))


def negated(attribute: Attribute) -> Attribute:
    return replace(attribute, points=-attribute.points)


def binner_of(learner: Any) -> Any:
    """The binner that a learner was given, or the one of its name."""
    return create("binner", learner.binner) if isinstance(learner.binner, str) else learner.binner


class Changing(TinyLearner):
    """Changes attributes of a healthy model."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return changed(model, self.change), evidence

    def change(self, attribute: Attribute) -> Attribute:
        return attribute
