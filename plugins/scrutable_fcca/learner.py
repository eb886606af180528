"""Learner `fcca-tree`: the optimal shallow tree on the thresholds of a black box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from scrutable.data import SpecialCodes, TrainingData
from scrutable.errors import InputError
from scrutable.fairness import Bound, MeasuredBound, RateBound, measure_bounds
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Json, TreeEnsemble, freeze
from scrutable.plugins.bases import BASELINE, Alternative, Explainer, FairnessConstraint, Learner, estimator
from scrutable_fcca.changes import Changes
from scrutable_fcca.core_model import binary_features, standing
from scrutable_fcca.counterfactuals.problem import Costs
from scrutable_fcca.discretising.algorithm import Discretisation, DiscretisingOptions, Ranking, discretise
from scrutable_fcca.discretising.compression import rates
from scrutable_fcca.target import Flags
from scrutable_fcca.training import TargetKind, TargetOptions
from scrutable_fcca.trees.constrained import grow_constrained
from scrutable_fcca.trees.exact import grow
from scrutable_fcca.trees.grown import BinaryTree

#: Leaves are paid for with as many rows as in the paper's experiments.
_ROWS_OF_A_LEAF = 10.0
#: Most alternatives that are made of the path over quantiles.
_ALTERNATIVES = 12


@estimator
class FCCATreeClassifier(Learner):
    """One shallow tree, optimal on the thresholds that counterfactuals of a black box cross (the paper's FCCA).

    A target model is trained, the binner `fcca` says how its thresholds are found, and of all trees on them the one is
    taken that classifies most applicants correctly, less a penalty for each leaf. That it is the best is proven, with a
    bound on a rate of two groups as well.

    Parameters
    ----------
    constraints : a bound on a rate of two groups, for example "demographic-parity" or "opportunity".
    target : "boosting", "forest" or "linear", or `TargetOptions`.
    ranking : what makes and ranks thresholds: "counterfactuals", the "gain" of the target model's splits, or the
        thresholds that are left when the model is "refitted" on ever fewer of them (GTRE).
    quantile : Q of the paper: keep the thresholds that count for at least this quantile of them, from 0 (all) to 1.
    probability : p0 and p1 of the paper: counterfactuals are searched of applicants whose class the target model
        predicts with a probability in between.
    costs : what changes cost, equation (2) of the paper; None for its defaults.
    changes : what may change in a counterfactual; None for everything but missing and special values.
    max_depth : most splits on the way to a leaf, up to 8, and to 3 with a constraint. More than 3 can take long.
    leaf_penalty : share of the applicants that a further leaf must classify correctly to be worth it; None for 10 rows.
    time_limit : seconds for the search of the tree; the best one found by then is taken, and said not to be proven.
        None for no limit, and with a constraint.
    explainer : the explainer that sets the reason policy, or its name, for example "reason-codes"; None for a model
        without reasons.
    rare_share : categories seen less often than this share of the applicants are not told apart.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    special_codes : values by feature that are no measurement, or a list for every feature that holds them.
    categorical : numeric features whose numbers are categories.
    favourable : the favourable class; when None, the one whose label says it ("paid"), or the last of the sorted ones.
    allow_protected : input columns that may be protected attributes or tell them.
    verbose : applicants after which the search of counterfactuals prints a line again; 0 for none.
    random_state : seed of what the target model draws.

    Attributes
    ----------
    model_ : the `TreeEnsemble` of one tree. Its score is the log-odds of the applicants in a leaf.
    evidence_ : objective, and how much lower another tree's can be; how many thresholds were kept, compression and
        inconsistency rates; how often the tree and the target model are right, and agree.
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
    >>> data = make_credit(1000, seed=1)
    >>> learner = FCCATreeClassifier(quantile=0.5, favourable=data.favourable).fit(data.X, data.y)
    >>> learner.model_  # doctest: +ELLIPSIS
    TreeEnsemble(1 trees, ... leaves, cutoff 0)
    >>> learner.evidence_.metrics["proven"]
    True
    """

    accepts_bounds = ("rate",)
    bounds_together = False

    _discretisation: Discretisation | None = None

    constraints: FairnessConstraint | Iterable[FairnessConstraint] = ()
    target: TargetKind | TargetOptions = "boosting"
    ranking: Ranking = "counterfactuals"
    quantile: float = 0.0
    probability: tuple[float, float] = (0.5, 1.0)
    costs: Costs | None = None
    changes: Changes | None = None
    max_depth: int = 3
    leaf_penalty: float | None = None
    time_limit: float | None = None
    explainer: str | Explainer | None = None
    rare_share: float = 0.01
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    favourable: Any = None
    allow_protected: Sequence[str] = ()
    verbose: int = 0
    random_state: int = 0

    def fit(self, X: Any, y: Any, *, sensitive_features: Any = None, sample_weight: Any = None) -> Self:
        super().fit(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight)
        assert self._discretisation is not None
        self.thresholds_, self.compression_ = self._discretisation.table(), self._discretisation.compression
        del self._discretisation
        return self

    def learn(self, data: TrainingData) -> tuple[TreeEnsemble, Evidence]:
        bounds = self.bounds(self.constraints, data)
        discretisation = self._discretised(data)
        model, evidence = self._grown(discretisation, bounds, data)
        self._discretisation = discretisation
        return model, evidence

    def own_decision(self, model: DecisionModel) -> str:
        return "the classes of its leaves, which the tree was grown for"

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """The tree without constraints, then trees on what ever larger quantiles keep, with the constraints."""
        bounds = self.bounds(self.constraints, data)
        discretisation = self._discretised(data)
        model, evidence = self._grown(discretisation, (), data)
        yield Alternative(method=BASELINE, model=model, evidence=evidence)
        for quantile in self._quantiles(discretisation, bounds):
            kept = replace(discretisation, kept=discretisation.thresholds.at(quantile))
            model, evidence = self._grown(kept, bounds, data)
            parameters: FrozenMapping[Json] = FrozenMapping({"quantile": quantile})
            yield Alternative(method="quantile", parameters=parameters, model=model, evidence=evidence)

    def _discretised(self, data: TrainingData) -> Discretisation:
        return discretise(data, tuple(self.categorical), DiscretisingOptions.of(self))

    def _quantiles(self, discretisation: Discretisation, bounds: Sequence[Bound]) -> list[float]:
        """At most a dozen quantiles that select differently; the learner's own, too, where there are bounds."""
        steps = discretisation.thresholds.steps()
        steps = steps[steps >= self.quantile]  # the first of them selects as the learner does
        steps = steps if bounds else steps[1:]
        spread = np.unique(np.linspace(0, max(len(steps) - 1, 0), _ALTERNATIVES).round().astype(np.int64))
        chosen: list[float] = steps[spread[: len(steps)]].tolist()
        return chosen

    def _grown(
        self, discretisation: Discretisation, bounds: Sequence[Bound], data: TrainingData
    ) -> tuple[TreeEnsemble, Evidence]:
        """The tree on the thresholds that are kept, and what is known of it."""
        clauses = (*discretisation.clauses(), *discretisation.inputs.lacking())
        features = binary_features(clauses, data)
        tree = self._tree(features, bounds, data)
        approved = tree.predict(features)
        target = discretisation.trained.target.score(discretisation.inputs.encode(data.columns)) > 0
        rows = data.weight > 0
        compression, inconsistency = rates(
            features[rows, : len(discretisation.kept)], data.good[rows], data.weight[rows]
        )
        measured: tuple[MeasuredBound, ...] = ()
        if bounds and data.groups is not None:
            measured = measure_bounds(bounds, data.good, approved, data.groups, sample_weight=data.weight)
        metrics = {
            "objective": tree.objective,
            "gap": max(0.0, tree.objective - tree.bound),
            "proven": bool(tree.proven),
            "accuracy": 1 - tree.errors,
            "target_accuracy": float(np.average(target == data.good, weights=data.weight)),
            "agreement": float(np.average(target == approved, weights=data.weight)),
            "thresholds": len(discretisation.thresholds),
            "thresholds_kept": len(discretisation.kept),
            "compression": compression,
            "inconsistency": inconsistency,
            "constraints": [each.to_dict() for each in measured],
        }
        frozen = FrozenMapping({key: freeze(value) for key, value in metrics.items()})
        return standing(tree, clauses, data), Evidence(model_sha256="", metrics=frozen)

    def _tree(self, features: Flags, bounds: Sequence[Bound], data: TrainingData) -> BinaryTree:
        share = min(1.0, _ROWS_OF_A_LEAF / np.count_nonzero(data.weight))
        penalty = share if self.leaf_penalty is None else self.leaf_penalty
        depth = self.max_depth
        if not bounds:
            limit = self.time_limit
            return grow(features, data.good, data.weight, max_depth=depth, leaf_penalty=penalty, time_limit=limit)
        bound, *others = bounds
        if others or not isinstance(bound, RateBound) or data.groups is None:
            raise InputError(
                "a tree can be grown under one bound",
                where="constraints",
                got=f"{len(bounds)} bounds",
                allowed="one constraint on an attribute of two groups",
                fix="name one attribute, and merge groups; or use rug or fairgbm for several bounds",
            )
        if self.time_limit is not None:
            raise InputError(
                "growing a tree under a bound has no limit of time",
                where="time_limit",
                got=self.time_limit,
                fix="leave time_limit or the constraints out",
            )
        contrast = bound.contrast(data.good, data.groups, sample_weight=data.weight)
        return grow_constrained(features, data.good, data.weight, contrast, max_depth=depth, leaf_penalty=penalty)
