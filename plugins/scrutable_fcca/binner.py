"""Binner: attributes between the thresholds that counterfactuals of a black box cross."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any, Self

import numpy as np

from scrutable.binning import Binning, Trends
from scrutable.data import TrainingData, is_nominal
from scrutable.model import Categories, Feature
from scrutable.plugins.bases import Binner, Proposal, estimator
from scrutable_fcca.changes import Changes
from scrutable_fcca.counterfactuals.problem import Costs
from scrutable_fcca.discretising.algorithm import Discretisation, DiscretisingOptions, Ranking, discretise
from scrutable_fcca.inputs import NumberColumn
from scrutable_fcca.training import TargetKind, TargetOptions


@estimator
class FCCABinner(Binner):
    """Attributes between the thresholds of a target model that counterfactuals cross (Algorithm 1 of the paper).

    A target model is trained; for each applicant that it classifies correctly the cheapest change is found that would
    turn its prediction, exactly; the thresholds which such changes cross are the cuts. Each category that a change
    gives up or takes on is an attribute of its own, all others are one. A feature that no change touches is one
    attribute. Other parameters as in `Binner`.

    The simpler rankings are for comparison, and often as good: see the plugin's page.

    Parameters
    ----------
    target : "boosting", "forest" or "linear", or `TargetOptions`.
    ranking : what makes and ranks thresholds: "counterfactuals", the "gain" of the target model's splits, or the
        thresholds that are left when the model is "refitted" on ever fewer of them (GTRE).
    quantile : Q of the paper: keep the thresholds that count for at least this quantile of them, from 0 (all) to 1.
    probability : p0 and p1 of the paper: counterfactuals are searched of applicants whose class the target model
        predicts with a probability in between.
    costs : what changes cost, equation (2) of the paper; None for its defaults.
    changes : what may change in a counterfactual; None for everything but missing and special values.
    rare_share : categories seen less often than this share of the applicants are not told apart.
    random_state : seed of what the target model draws.
    verbose : applicants after which the search prints a line again; 0 for none.

    Attributes
    ----------
    thresholds_ : data frame of all thresholds: feature, what lies above it, importance, and the largest quantile that
        keeps it.
    compression_ : compression and inconsistency rates of the training data for every quantile.

    References
    ----------
    Piccialli, V., Romero Morales, D., Salvatore, C. (2024). Supervised feature compression based on counterfactual
    analysis. European Journal of Operational Research.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(500, seed=1)
    >>> fine = FCCABinner().fit(data.X[["income", "debt_ratio"]], data.y)
    >>> coarse = FCCABinner(quantile=0.8).fit(data.X[["income", "debt_ratio"]], data.y)
    >>> len(coarse.binning_["income"].ordered) < len(fine.binning_["income"].ordered)
    True
    >>> int(fine.compression_.n_thresholds[0]) == len(fine.thresholds_)
    True
    """

    #: What fit found on the way to its binning; learners, which call bin, want nothing of it kept.
    _fitting: list[Discretisation] | None = None

    target: TargetOptions | TargetKind = "boosting"
    ranking: Ranking = "counterfactuals"
    quantile: float = 0.0
    probability: tuple[float, float] = (0.5, 1.0)
    costs: Costs | None = None
    changes: Changes | None = None
    rare_share: float = 0.01
    random_state: int = 0
    verbose: int = 0

    def versions(self) -> dict[str, str]:
        return {"scikit-learn": metadata.version("scikit-learn")}

    def fit(self, X: Any, y: Any = None, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        discretisations: list[Discretisation] = []
        self._fitting = discretisations
        try:
            super().fit(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        finally:
            del self._fitting
        self.thresholds_, self.compression_ = discretisations[-1].table(), discretisations[-1].compression
        return self

    def bin(self, data: TrainingData) -> Binning:
        self.check_options(data)
        discretisation = self._discretised(data)
        if self._fitting is not None:
            self._fitting.append(discretisation)
        return _Found(self._proposals(data, discretisation), self).bin(data)

    def propose(self, data: TrainingData, trends: Trends) -> dict[str, Proposal]:
        return self._proposals(data, self._discretised(data))

    def _discretised(self, data: TrainingData) -> Discretisation:
        return discretise(data, tuple(self.categorical), DiscretisingOptions.of(self))

    def _proposals(self, data: TrainingData, discretisation: Discretisation) -> dict[str, Proposal]:
        crossed: dict[str, list[Any]] = {feature.name: [] for feature in data.features}
        for j, value in zip(discretisation.kept.column.tolist(), discretisation.kept.value.tolist(), strict=True):
            column = discretisation.inputs.columns[j]
            if isinstance(column, NumberColumn):
                crossed[column.feature.name].append(column.cut(value))
            elif isinstance(column.condition, Categories):
                crossed[column.feature.name] += column.condition.values
        return {
            feature.name: self._groups(feature, data, crossed[feature.name])
            if is_nominal(feature, data.columns[feature.name], self.categorical)
            else crossed[feature.name]
            for feature in data.features
        }

    def _groups(self, feature: Feature, data: TrainingData, alone: list[Any]) -> Proposal:
        """A group for each category that was crossed, and one for all others of the training rows."""
        values = self._sample(feature, data, None).values
        rest = [value for value in values.tolist() if value not in alone and value not in (np.inf, -np.inf)]
        return [(value,) for value in alone] + ([tuple(rest)] if rest else [])


class _Found(Binner):
    """Tabulates what another binner found, with its edits and trends."""

    def __init__(self, proposals: Mapping[str, Proposal], binner: Binner) -> None:
        super().__init__(
            trends=binner.trends,
            cuts=binner.cuts,
            merges=binner.merges,
            edits=binner.edits,
            categorical=binner.categorical,
        )
        self.proposals = proposals

    def propose(self, data: TrainingData, trends: Trends) -> dict[str, Proposal]:
        return {feature.name: self.proposals[feature.name] for feature in data.features}
