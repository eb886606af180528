"""Target models, trained by scikit-learn and read as the arrays that counterfactuals are searched of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import expit, logit
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.svm import LinearSVC

from scrutable.errors import InputError
from scrutable.errors.checks import check_number, check_whole
from scrutable.model import at_most
from scrutable_fcca.target import LEAF, Doubles, Flags, Linear, Target, Trees

TargetKind = Literal["boosting", "forest", "linear"]

#: Splits on the longest path of a tree, in the paper's sections 4 and 4.3.
_DEPTHS: dict[str, int] = {"boosting": 1, "forest": 4}
_TINY = 2.0**-60
#: Values as close as this are told apart by their ranks: scikit-learn's trees take them for one, from 1e-7 on.
_CLOSE = 2e-7
#: As far as scikit-learn lets the first guess of a boosting go.
_SURE = float(np.finfo(np.float32).eps)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """The target model, the black box of section 3; the defaults are the paper's.

    Parameters
    ----------
    kind : "boosting" (gradient boosting), "forest" (random forest) or "linear" (linear support vector machine).
    n_estimators : number of trees.
    max_depth : most splits on the way to a leaf; None for 1 in boosting, where counterfactuals are found fastest, and 4
        in a forest.
    learning_rate : by which boosting multiplies the values of leaves.
    C : of the support vector machine: what it pays for rows on the wrong side of their margin.

    Raises
    ------
    InputError : an unknown kind, or a value out of range.

    Examples
    --------
    >>> TargetOptions(kind="forest").depth
    4
    """

    kind: TargetKind = "boosting"
    n_estimators: int = 100
    max_depth: int | None = None
    learning_rate: float = 0.1
    C: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in ("boosting", "forest", "linear"):
            allowed = "'boosting', 'forest' or 'linear'"
            raise InputError("unknown target model", where="target", got=self.kind, allowed=allowed)
        check_whole(self.n_estimators, "n_estimators", 1)
        if self.max_depth is not None:
            check_whole(self.max_depth, "max_depth", 1, 16)
        check_number(self.learning_rate, "learning_rate", "above 0, up to 1", low=_TINY, high=1.0)
        check_number(self.C, "C", "above 0, and finite", low=_TINY)

    @property
    def depth(self) -> int:
        """Most splits on the way to a leaf; 0 for a linear model."""
        return self.max_depth if self.max_depth is not None else _DEPTHS.get(self.kind, 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trained:
    """A trained target model.

    Parameters
    ----------
    target : the model as arrays. The score of boosting is the log-odds of class 1, that of a forest the mean share of
        class 1 less that of class 0, that of a linear model the margin.
    kind : what it is.
    gain : (N,) by how much the split of each node of the trees lowers the impurity of all rows, by weight; 0 for
        leaves. Empty for a linear model.
    """

    target: Target
    kind: TargetKind
    gain: Doubles

    def probability(self, points: Doubles) -> Doubles:
        """(n,) probability of class 1; for a linear model, which has none, the logistic function of its margin."""
        score = self.target.score(points)
        chance: Doubles = (1 + score) / 2 if self.kind == "forest" else expit(score)
        return chance


def train_target(points: Doubles, label: Flags, weight: Doubles, options: TargetOptions, *, seed: int = 0) -> Trained:
    """Train a target model.

    Boosting takes rows that are alike as one that weighs as much, in an order of its own: so neither the order of rows
    matters, nor whether a row is given twice or weighs 2. Forests and linear models take the rows as they come.

    Parameters
    ----------
    points : (n, m) in [0, 1].
    label : (n,) rows of class 1; both classes have weight.
    weight : (n,) above 0; they are scaled to average 1, so that `C` means the same in any unit.
    seed : of everything drawn.

    Examples
    --------
    >>> points = np.linspace(0, 1, 20)[:, None]
    >>> trained = train_target(points, points[:, 0] > 0.5, np.ones(20), TargetOptions())
    >>> [round(cut, 6) for cut in trained.target.thresholds()[0].tolist()]
    [0.5]
    >>> trained.probability(np.array([[0.2], [0.9]])).round(3).tolist()
    [0.0, 1.0]
    """
    if options.kind == "boosting":
        points, label, weight = _joined_rows(points, label, weight)
    scale = len(weight) / weight.sum()
    estimator = _estimator(options, seed)
    spread, ranked = (points, {}) if options.kind == "linear" else _spread(points)
    estimator.fit(spread, label, sample_weight=weight * scale)
    if options.kind == "linear":
        linear = Linear(weights=estimator.coef_[0].astype(np.float64), intercept=float(estimator.intercept_[0]))
        return Trained(target=linear, kind="linear", gain=np.empty(0))
    if options.kind == "boosting":
        trees = [each.tree_ for each in estimator.estimators_[:, 0]]
        values = [options.learning_rate * tree.value[:, 0, 0] for tree in trees]
        prior = float(np.clip(estimator.init_.class_prior_[1], _SURE, 1 - _SURE))
        base = float(logit(prior))
    else:
        trees = [each.tree_ for each in estimator.estimators_]
        values = [(tree.value[:, 0, 1] - tree.value[:, 0, 0]) / len(trees) for tree in trees]
        base = 0.0
    target = _one_after_another(trees, values, points.shape[1], base, ranked)
    return Trained(target=target, kind=options.kind, gain=np.concatenate([_gains(tree) for tree in trees]))


def _joined_rows(points: Doubles, label: Flags, weight: Doubles) -> tuple[Doubles, Flags, Doubles]:
    """Distinct rows in ascending order, and the weight of each."""
    own = label.astype(np.int64)
    for values in points.T:
        _, rank = np.unique(values, return_inverse=True)
        distinct, own = np.unique(own * (rank.max() + 1) + rank, return_inverse=True)
        if len(distinct) == len(own):
            break
    first = np.unique(own, return_index=True)[1]
    return points[first], label[first], np.bincount(own, weight).astype(np.float64)


def _spread(points: Doubles) -> tuple[Doubles, dict[int, Doubles]]:
    """Points with ranks in the columns whose values lie too close for scikit-learn, and the values of each rank.

    One applicant far from all others is enough: scaled to [0, 1], those others are next to one value.
    """
    spread, ranked = points.copy(), {}
    for j, column in enumerate(points.T):
        values, rank = np.unique(column, return_inverse=True)
        if np.diff(values).min(initial=1.0) < _CLOSE:
            spread[:, j], ranked[j] = rank, values
    return spread, ranked


def _estimator(options: TargetOptions, seed: int) -> Any:
    if options.kind == "linear":
        return LinearSVC(C=options.C, random_state=seed, max_iter=10_000)
    if options.kind == "forest":
        return RandomForestClassifier(n_estimators=options.n_estimators, max_depth=options.depth, random_state=seed)
    return GradientBoostingClassifier(
        n_estimators=options.n_estimators,
        max_depth=options.depth,
        learning_rate=options.learning_rate,
        random_state=seed,
    )


def _one_after_another(
    trees: Sequence[Any], values: Sequence[Doubles], n_columns: int, base: float, ranked: Mapping[int, Doubles]
) -> Trees:
    """The trees one after another, with the thresholds of columns that were ranked between the values."""
    roots = np.concatenate([[0], np.cumsum([tree.node_count for tree in trees])]).astype(np.int64)
    inner = np.concatenate([tree.children_left >= 0 for tree in trees])
    first = np.repeat(roots[:-1], np.diff(roots))
    column = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    threshold[inner] = [
        _between(ranked[j], cut) if j in ranked else _in_double(cut)
        for j, cut in zip(column[inner].tolist(), threshold[inner].tolist(), strict=True)
    ]
    return Trees(
        n_columns=n_columns,
        roots=roots[:-1],
        column=np.where(inner, column, LEAF).astype(np.int64),
        threshold=np.where(inner, threshold, 0.0),
        left=np.where(inner, first + np.concatenate([tree.children_left for tree in trees]), 0).astype(np.int64),
        right=np.where(inner, first + np.concatenate([tree.children_right for tree in trees]), 0).astype(np.int64),
        value=np.where(inner, 0.0, np.concatenate(values)),
        base=base,
    )


def _between(values: Doubles, rank: float) -> float:
    """The middle between the values that a threshold of ranks lies between."""
    low, high = values[int(rank) : int(rank) + 2].tolist()
    middle = (low + high) / 2
    return float(middle if middle < high else low)


def _in_double(threshold: float) -> float:
    """The double T for which x <= T exactly when float32(x) <= threshold, which is what scikit-learn's trees ask."""
    single = np.float32(threshold)
    return at_most(float(single if float(single) <= threshold else np.nextafter(single, np.float32(-np.inf))))


def _gains(tree: Any) -> Doubles:
    """(nodes,) the decrease of impurity at each split, over the weight of all rows."""
    spread = tree.weighted_n_node_samples * tree.impurity
    inner = tree.children_left >= 0
    left, right = tree.children_left[inner], tree.children_right[inner]
    gain = np.zeros(tree.node_count)
    gain[inner] = (spread[inner] - spread[left] - spread[right]) / tree.weighted_n_node_samples[0]
    return gain
