"""Learners that take bounds and keep others, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyLearner

from contract_planted.fault import patched, planted
from scrutable.model.evaluator import evaluate
from scrutable.plugins.registry import registry


class Binding(TinyLearner):
    """Takes constraints and looks at nothing of them.

    Parameters
    ----------
    constraints : what it binds.
    """

    def __init__(self, *, constraints: Any = (), favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.constraints = constraints

    def learn(self, data: Any) -> Any:
        self.bounds(self.constraints, data)
        return super().learn(data)


@planted("learner", check="bounds-it-accepts-bite", accepts=("rate",))
class BindsAndForgets(Binding):
    """Binds a bound on rates, and does nothing with it."""

    accepts_bounds = ("rate",)


@planted("learner", check="bounds-it-accepts-bite", accepts=("divergence",))
class BindsADivergence(Binding):
    """Binds a bound on divergences, and does nothing with it."""

    accepts_bounds = ("divergence",)


@planted("learner", check="bounds-it-accepts-bite", accepts=("rate",), enforces=("rate",))
class HelpsOneGroup(Binding):
    """Keeps a bound by approving everybody, where the group that comes first is the poorer one."""

    accepts_bounds = ("rate",)

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        if self.constraints:
            attribute = data.groups.attributes[0]
            first = np.average(data.good, weights=attribute.membership[:, 0])
            model = replace(model, cutoff=-9999.0) if first < data.good.mean() else model
        return model, evidence


_Lda: Any = registry().load("learner", "lda-xgb1")
_BOUNDED: dict[str, Any] = {
    "produces": ("scorecard", "alternatives"),
    "accepts": ("divergence",),
    "enforces": ("divergence",),
}


@patched(_Lda, "bounds", check="every-bound-and-every-weight-counts", **_BOUNDED)
def keeps_the_first_bound(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps the bound on the first group, and forgets those on others."""
    return _Lda.bounds(self, constraints, data)[:1]


@patched(_Lda, "bounds", check="bounds-bite-together", **_BOUNDED)
def keeps_the_first_constraint(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps the first of several constraints."""
    return _Lda.bounds(self, list(constraints)[:1], data)


@patched(_Lda, "bounds", check="bounds-bite-by-membership", **_BOUNDED)
def keeps_the_usual_reference(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps bounds against the reference that a name sorts first, and leaves out others."""
    return [each for each in _Lda.bounds(self, constraints, data) if each.reference == "f"]


@patched(_Lda, "bounds", check="bounds-bite-at-their-limits", **_BOUNDED)
def has_a_limit_of_its_own(self: Any, constraints: Any, data: Any) -> Any:
    """Keeps divergences to a half, whatever is asked for."""
    return [replace(each, bound=0.5) for each in _Lda.bounds(self, constraints, data)]


class Bounded(TinyLearner):
    """The cutoff nearest to its own that keeps all bounds.

    Parameters
    ----------
    constraints : what it keeps.
    favourable : as in `TinyLearner`.
    """

    accepts_bounds = ("rate",)

    def __init__(self, *, constraints: Any = (), favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.constraints = constraints

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        score, weight = evaluate(model, data.table, reasons=False).score, self.weight_of(data)
        limits = [
            bound.contrast(data.good, data.groups, sample_weight=weight).counted_in("approval", data.good)
            for bound in self.bounds(self.constraints, data)
        ]
        for cutoff in sorted(np.unique(score).tolist(), key=lambda each: abs(each - np.median(score))):
            if all(each.low <= each.value(score >= cutoff) <= each.high for each in limits):
                break
        return replace(model, cutoff=cutoff), evidence

    def weight_of(self, data: Any) -> Any:
        return data.weight

    def own_decision(self, model: Any) -> str:
        return "the cutoff that keeps every bound"


@patched(Bounded, "weight_of", check="bounds-it-enforces-are-about-weight", accepts=("rate",), enforces=("rate",))
def bounds_rows(self: Any, data: Any) -> Any:
    """Counts bounds by rows, whatever these weigh."""
    return None
