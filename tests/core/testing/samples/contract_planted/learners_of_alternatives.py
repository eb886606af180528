"""Learners whose alternatives are not what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched, planted
from contract_planted.faulty_learner import changed, negated
from scrutable.model import Attribute, Missing
from scrutable.plugins.bases import Alternative
from scrutable.plugins.bases.alternative import BASELINE


class Varying(TinyLearner):
    """Leaves out one characteristic after the other.

    Parameters
    ----------
    approval_rate : share of the rows that each model approves.
    """

    def __init__(self, *, approval_rate: Any = None, favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.approval_rate = approval_rate

    def vary(self, data: Any) -> Iterator[Alternative]:
        model, evidence = self.learn(data)
        yield Alternative(method=BASELINE, model=model, evidence=evidence)
        for left in self.order(model):
            kept = tuple(each for each in model.characteristics if each.feature != left)
            features = tuple(each for each in model.features if each.name != left)
            other = replace(model, characteristics=kept, features=features)
            yield Alternative(method="without", parameters={"left": left}, model=other, evidence=evidence)

    def order(self, model: Any) -> list[str]:
        return [each.feature for each in model.characteristics]


VARY = {"produces": ("scorecard", "alternatives")}


@patched(Varying, "order", check="alternatives-are-deterministic", **VARY)
def varies_at_random(self: Any, model: Any) -> list[str]:
    """Makes alternatives in an order that a die says."""
    return ["xz"[place] for place in np.random.default_rng().integers(2, size=12)]


@patched(Varying, "vary", check="alternatives-approve-what-is-asked", **VARY)
def varies_the_rate(self: Any, data: Any) -> Iterator[Alternative]:
    """Cuts the baseline by the approval rate, and forgets the rate for the others."""
    rate = self.approval_rate
    for each in Varying.vary(self, data):
        yield each
        self.approval_rate = None
    self.approval_rate = rate


@patched(Varying, "vary", check="alternatives-begin-with-the-baseline", **VARY)
def another_baseline(self: Any, data: Any) -> Iterator[Alternative]:
    """Calls a model baseline that fit does not give."""
    for each in Varying.vary(self, data):
        yield replace(each, model=changed(each.model, negated))


@planted("learner", check="alternatives-begin-with-the-baseline", accepts=("divergence",), **VARY)
class BoundBaseline(Varying):
    """Calls a model baseline that keeps the constraints.

    Parameters
    ----------
    approval_rate : share of the rows that each model approves.
    constraints : what it keeps.
    """

    accepts_bounds = ("divergence",)

    def __init__(self, *, approval_rate: Any = None, favourable: Any = None, constraints: Any = ()) -> None:
        super().__init__(approval_rate=approval_rate, favourable=favourable)
        self.constraints = constraints

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return (changed(model, negated) if self.constraints else model), evidence


@patched(Varying, "vary", check="alternatives-differ", **VARY)
def varies_nothing(self: Any, data: Any) -> Iterator[Alternative]:
    """Makes one model under several names."""
    first = next(Varying.vary(self, data))
    yield first
    for place in range(3):
        yield replace(first, method="again", parameters={"place": place})


@planted("learner", check="the-alternatives-it-makes-are-declared", **VARY)
class PromisesAlternatives(TinyLearner):
    """Says that it makes alternatives, and makes none."""


@patched(Varying, "completed", check="cutoff-and-approval-rate-are-kept")
def approves_the_rest(self: Any, model: Any, evidence: Any, data: Any) -> Any:
    """Takes the approval rate for the rate of those who are declined."""
    rate = self.approval_rate
    self.approval_rate = None if rate is None else 1 - rate
    whole = Varying.completed(self, model, evidence, data)
    self.approval_rate = rate
    return whole


def others_of(learner: Any, data: Any, other: Any) -> Iterator[Alternative]:
    """The baseline of some data, and the further alternatives of other data."""
    first, *_ = Varying.vary(learner, data)
    yield first
    yield from list(Varying.vary(learner, other))[1:]


@patched(Varying, "vary", check="every-alternative-follows-weights", **VARY)
def varies_unweighted(self: Any, data: Any) -> Iterator[Alternative]:
    """Makes the baseline of weighted rows, and the others of rows."""
    rows = np.where(np.arange(len(data.weight)) < len(data.weight) / 2, 1.01, 1.0)
    return others_of(self, data, replace(data, weight=rows))


@patched(Varying, "vary", check="every-alternative-follows-the-favourable-class", **VARY)
def varies_for_the_last_class(self: Any, data: Any) -> Iterator[Alternative]:
    """Turns the points of all alternatives but the baseline where the first class is favourable."""
    first, *others = Varying.vary(self, data)
    yield first
    turned = data.outcome.favourable_index == 0
    yield from (replace(each, model=changed(each.model, negated)) if turned else each for each in others)


@patched(Varying, "alternatives_of", check="every-alternative-does-what-it-says", **VARY)
def cuts_by_rows(self: Any, data: Any) -> Iterator[Alternative]:
    """Cuts alternatives so that the rate is one of rows, not of weight."""
    return Varying.alternatives_of(self, replace(data, weight=np.ones_like(data.weight)))


@patched(Varying, "vary", check="every-alternative-follows-missing-values", **VARY)
def varies_without_missing(self: Any, data: Any) -> Iterator[Alternative]:
    """Gives missing values 0 points in every alternative but the baseline."""
    first, *others = Varying.vary(self, data)
    yield first

    def lost(attribute: Attribute) -> Attribute:
        missing = isinstance(attribute.condition, Missing)
        return replace(attribute, points=0.0 if missing else attribute.points)

    yield from (replace(each, model=changed(each.model, lost)) for each in others)
