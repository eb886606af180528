"""Learners with a fault."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyLearner

from scrutable.model import Provenance

_CALLS = itertools.count()


class SecondGuessing(TinyLearner):
    """Predicts other probabilities than its model."""

    def predict_proba(self, X: Any) -> Any:
        return np.clip(super().predict_proba(X), 0.05, 0.95)


class RowLosing(TinyLearner):
    """Learns from complete rows only."""

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> Any:
        kept = X.notna().all(axis=1) if hasattr(X, "notna") else slice(None)
        return super().read(X[kept], y[kept], sensitive_features=None, sample_weight=None)


class Dicing(TinyLearner):
    """Adds to the points what a die says."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return replace(model, base_points=model.base_points + int(np.random.default_rng().integers(1000))), evidence


class Sighing(TinyLearner):
    """Gives no score to those who do not say their income."""

    def evaluate(self, X: Any) -> Any:
        found = super().evaluate(X)
        return (
            replace(found, score=np.where(X["income"].isna(), np.nan, found.score)) if hasattr(X, "columns") else found
        )


class CountingCalls(TinyLearner):
    """Has points that depend on how often it was asked."""

    def learn(self, data: Any) -> Any:
        model, evidence = super().learn(data)
        return replace(model, base_points=float(next(_CALLS))), evidence


class AnotherKind(TinyLearner):
    """Makes scorecards, and says that it makes rule sets."""


class Boastful(TinyLearner):
    """Says that it keeps bounds, and has no option for constraints."""


class Anonymous(TinyLearner):
    """Does not say where its model comes from."""

    def fit(self, X: Any, y: Any, **more: Any) -> Any:
        super().fit(X, y, **more)
        self.model_ = replace(self.model_, provenance=Provenance())
        return self


class Unbound(TinyLearner):
    """Takes constraints and passes over them.

    Parameters
    ----------
    constraints : what it passes over.
    """

    accepts_bounds = ("rate",)

    def __init__(self, *, constraints: Any = (), trends: Any = None, favourable: Any = None) -> None:
        super().__init__(favourable=favourable)
        self.constraints = constraints
        self.trends = trends

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"constraints": self.constraints, "trends": self.trends, "favourable": self.favourable}


class Undeclaring(Unbound):
    """Takes constraints of which its descriptor says nothing.

    Parameters
    ----------
    constraints : what it passes over.
    """

    accepts_bounds = ()


class Nosy(TinyLearner):
    """Wants to know the groups of those whom it scores."""

    def predict(self, X: Any, sensitive_features: Any = None) -> Any:
        if getattr(self, "told_", False) and sensitive_features is None:
            raise ValueError("who are they?")
        return super().predict(X)

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None, sample_weight: Any = None) -> Any:
        super().fit(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        self.told_ = sensitive_features is not None
        return self


class WeightIgnoring(TinyLearner):
    """Reads weights, and lets every row count for one."""

    def learn(self, data: Any) -> Any:
        return super().learn(replace(data, weight=np.ones_like(data.weight)))


class Unordered(Unbound):
    """Names the bounds that it accepts in another order than its descriptor, which is no fault."""

    accepts_bounds = ("divergence", "rate")
