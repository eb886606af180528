"""Exact Shapley values of shallow trees, against a reference population."""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

from scrutable.data import exact_bincount
from scrutable.errors import UnsupportedModel
from scrutable.model import Leaf, LeafEffects, Path, TreeEnsemble, features_of, paths
from scrutable.model.evaluator import ClauseMasks, satisfied

#: Most values that effects may hold, so that the model stays a file that people open.
MOST_VALUES = 50_000


def tree_effects(
    model: TreeEnsemble, masks: ClauseMasks, weight: NDArray[np.float64]
) -> tuple[dict[str, float], tuple[tuple[LeafEffects, ...], ...]]:
    """What the trees of a single feature give on average, by feature; and the effects of each leaf of the others.

    A leaf adds its value where a row has all that its path asks for. That is a game of the features on the path: a set
    of them takes its values from the row and the rest from a row of the reference population. If A are the features
    whose conditions only the row meets and B those that only the other one meets, the leaf is reached where all of A
    and none of B are taken from the row, so that a feature of A has the Shapley value (|A| - 1)! |B|! / (|A| + |B|)!
    times the leaf's value, and one of B the value - |A|! (|B| - 1)! / (|A| + |B|)! times it; none has any where both
    rows miss a condition. Effects are the averages over the population.

    Parameters
    ----------
    masks : of the reference population, m rows.
    weight : (m,) of its rows.

    Raises
    ------
    UnsupportedModel : a path asks for too many features, or there are too many leaves.

    References
    ----------
    Shapley, "A value for n-person games", 1953; Janzing, Minorics and Blöbaum, "Feature relevance quantification in
    explainable AI: a causal problem", AISTATS 2020 (interventional baselines); Lundberg et al., "From local
    explanations to global understanding with explainable AI for trees", Nature Machine Intelligence 2, 2020.
    """
    _refuse_deep(model)
    share = weight / weight.sum()
    average = dict.fromkeys(sorted({name for tree in model.trees for name in features_of(tree)}), 0.0)
    effects = []
    for tree in model.trees:
        names = features_of(tree)
        if len(names) == 1:
            average[next(iter(names))] += _average(list(paths(tree)), masks, share)
        elif names:
            effects.append(tuple(_leaf_effects(leaf, path, masks, share) for leaf, path in paths(tree)))
    return average, tuple(effects)


def _average(leaves: list[tuple[Leaf, Path]], masks: ClauseMasks, share: NDArray[np.float64]) -> float:
    """What a tree of one feature gives on average."""
    reached = np.stack([satisfied(path, (path[0][0].feature,), masks, len(share)) for _, path in leaves])
    chances = exact_bincount(reached.argmax(axis=0), share, len(leaves))
    return math.fsum(leaf.value * chance for (leaf, _), chance in zip(leaves, chances.tolist(), strict=True))


def _leaf_effects(leaf: Leaf, path: Path, masks: ClauseMasks, share: NDArray[np.float64]) -> LeafEffects:
    features = _features(path)
    met = satisfied(path, features, masks, len(share))
    chances = exact_bincount(met, share, 2 ** len(features))
    values = leaf.value * np.einsum("rzf,z->rf", _shapley_weights(len(features)), chances)
    return LeafEffects(features, tuple(map(tuple, values.tolist())))


@functools.cache
def _shapley_weights(count: int) -> NDArray[np.float64]:
    """(2 ** count, 2 ** count, count): the value of each feature for what a row meets and what another one meets."""
    every = range(2**count)
    weights = np.zeros((2**count, 2**count, count))
    for mine in every:
        for other in every:
            if mine | other == 2**count - 1:
                weights[mine, other] = _values(mine & ~other, other & ~mine, count)
    return weights


def _values(only_mine: int, only_other: int, count: int) -> list[float]:
    a, b = only_mine.bit_count(), only_other.bit_count()
    together = math.factorial(a + b)
    gain = math.factorial(a - 1) * math.factorial(b) / together if a else 0.0
    loss = math.factorial(a) * math.factorial(b - 1) / together if b else 0.0
    return [gain if only_mine >> i & 1 else -loss if only_other >> i & 1 else 0.0 for i in range(count)]


def _features(path: Path) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause.feature for clause, _ in path))


def _refuse_deep(model: TreeEnsemble) -> None:
    counts = [len(_features(path)) for tree in model.trees if len(features_of(tree)) > 1 for _, path in paths(tree)]
    widest, values = max(counts, default=0), sum(count * 2**count for count in counts)
    if widest > LeafEffects.MOST_FEATURES or values > MOST_VALUES:
        raise UnsupportedModel(
            "the trees are too deep, or too many, for exact Shapley values that a model can hold",
            where="reason codes",
            got=f"{widest} features on a path, {values:,} values",
            allowed=f"at most {LeafEffects.MOST_FEATURES} features, {MOST_VALUES:,} values",
            fix="learn shallower or fewer trees; with depth 1 a scorecard",
        )
