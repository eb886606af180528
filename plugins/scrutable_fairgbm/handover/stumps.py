"""Stumps as a scorecard: what all stumps of a feature add up to is one step function, its points exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.model import (
    Attribute,
    Categories,
    Characteristic,
    Feature,
    Interval,
    Missing,
    Otherwise,
    Policy,
    Scorecard,
    Special,
    TreeEnsemble,
)
from scrutable.model.conditions import AttributeCondition, ClauseCondition
from scrutable.model.evaluator import evaluate
from scrutable.model.features import Value
from scrutable.model.trees import Leaf, Node, splits

#: A part of a feature's domain on which no clause changes, and a value in it.
_Part = tuple[AttributeCondition, Value | None]
_Pair = tuple[AttributeCondition, float]


def scorecard_of(ensemble: TreeEnsemble) -> Scorecard:
    """The scorecard whose score, decision and probability are the ensemble's in every row, bit for bit.

    Special codes and missing have attributes of their own. Neighbouring intervals of equal points are one, and so are
    categories of equal points; those worth what any other category is are not named. A feature that is worth the same
    whatever its value is left out.

    Parameters
    ----------
    ensemble : every tree asks for one feature, at any depth, or for none.

    Raises
    ------
    InputError : a tree asks for several features; a split sets infinity apart from the largest double.

    Examples
    --------
    >>> from scrutable.model import *
    >>> def stump(t, low, high):
    ...     return Split(Clause("age", (Interval(upper=t, closed="right"), Missing())), Leaf(low), Leaf(high))
    >>> ensemble = TreeEnsemble(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), trees=(stump(21, -1, 0.5), stump(35, -0.25, 1)),
    ...     base_score=0.5, cutoff=0, calibration=Calibration(slope=1))
    >>> for attribute in scorecard_of(ensemble).characteristics[0].attributes:
    ...     print(attribute.title, attribute.points)
    <= 21 -1.25
    (21, 35] 0.25
    > 35 1.5
    missing -1.25
    """
    trees, base = _by_feature(ensemble)
    characteristics = []
    for feature in ensemble.features:
        if not trees[feature.name]:  # only the policy reads it
            continue
        attributes = _attributes(ensemble, feature, trees[feature.name])
        if len({attribute.points for attribute in attributes}) > 1:
            characteristics.append(Characteristic(feature=feature.name, attributes=attributes))
        else:
            base += attributes[0].points
    used = {characteristic.feature for characteristic in characteristics} | ensemble.policy.features
    return Scorecard(
        outcome=ensemble.outcome,
        features=tuple(feature for feature in ensemble.features if feature.name in used),
        characteristics=tuple(characteristics),
        base_points=base,
        cutoff=ensemble.cutoff,
        calibration=ensemble.calibration,
        policy=ensemble.policy,
        provenance=ensemble.provenance,
    )


def _by_feature(ensemble: TreeEnsemble) -> tuple[dict[str, list[Node]], float]:
    """The trees of each feature, and what those without a split add to the base score."""
    found: dict[str, list[Node]] = {feature.name: [] for feature in ensemble.features}
    base = ensemble.base_score
    for position, tree in enumerate(ensemble.trees):
        if isinstance(tree, Leaf):
            base += tree.value
            continue
        names = sorted({split.when.feature for split in splits(tree)})
        if len(names) > 1:
            raise InputError(
                "the tree asks for several features",
                where=f"tree {position}",
                got=names,
                allowed="one feature a tree",
                fix="grow trees of depth 1",
            )
        found[names[0]].append(tree)
    return found, base


def _attributes(ensemble: TreeEnsemble, feature: Feature, trees: Sequence[Node]) -> tuple[Attribute, ...]:
    """The step function of one feature."""
    conditions = [condition for tree in trees for split in splits(tree) for condition in split.when.any_of]
    ordinary = _categories(feature, conditions) if _nominal(feature, conditions) else _intervals(feature, conditions)
    others: list[_Part] = [*((Special((code,)), code) for code in feature.special_codes), (Missing(), None)]
    worth = _worth(ensemble, feature, trees, [value for _, value in [*ordinary, *others]])
    pairs = [(condition, points) for (condition, _), points in zip([*ordinary, *others], worth, strict=True)]
    first, rest = pairs[: len(ordinary)], pairs[len(ordinary) :]
    merged = _merge_categories(first) if _nominal(feature, conditions) else _merge_intervals(feature, first)
    return tuple(Attribute(condition=condition, points=points) for condition, points in [*merged, *rest])


def _nominal(feature: Feature, conditions: Sequence[ClauseCondition]) -> bool:
    kinds = {type(condition) for condition in conditions}
    return feature.kind == "categorical" or (Categories in kinds and Interval not in kinds)


def _intervals(feature: Feature, conditions: Sequence[ClauseCondition]) -> list[_Part]:
    """[-inf, inf] cut wherever a condition begins or ends; a part of special codes alone belongs to the one below."""
    cuts: set[float] = set()
    for condition in conditions:
        if isinstance(condition, Interval):
            cuts.add(condition.lower if condition.closed_lower else _next(condition.lower))
            if condition.upper < math.inf:
                cuts.add(_next(condition.upper) if condition.closed_upper else condition.upper)
        elif isinstance(condition, Categories):
            cuts.update(end for value in condition.values for end in (float(value), _next(float(value))))
    bounds = [-math.inf, *sorted(cuts - {-math.inf}), math.inf]
    parts: list[_Part] = []
    for lower, upper in pairwise(bounds):
        value = lower
        while value in feature.special_codes:
            value = _next(value)
        if value < upper or value == math.inf:
            parts.append((Interval(lower, upper), value))
    return parts


def _categories(feature: Feature, conditions: Sequence[ClauseCondition]) -> list[_Part]:
    """Every category that a condition names, and any other."""
    named = {value for condition in conditions if isinstance(condition, Categories) for value in condition.values}
    unseen: Value = math.inf
    if feature.kind == "categorical":
        unseen = "?".join(["", *map(str, named), *map(str, feature.special_codes), ""])  # longer than any
    numbers = sorted(value for value in named if isinstance(value, float))
    texts = sorted(value for value in named if isinstance(value, str))
    values: list[Value] = [*numbers, *texts]
    return [*((Categories((value,)), value) for value in values), (Otherwise(), unseen)]


def _worth(
    ensemble: TreeEnsemble, feature: Feature, trees: Sequence[Node], values: Sequence[Value | None]
) -> list[float]:
    """What these trees add up to at each value; fixed-point numbers, so no sum is rounded."""
    own = replace(ensemble, features=(feature,), trees=tuple(trees), base_score=0.0, policy=Policy())
    column: NDArray[Any] = np.array(values, dtype=float if feature.kind == "numeric" else object)
    score = evaluate(own, {feature.name: column}).score
    assert score is not None  # there are two classes
    found: list[float] = score.tolist()
    return found


def _merge_intervals(feature: Feature, pairs: Sequence[_Pair]) -> list[_Pair]:
    """One interval for neighbours of equal points."""
    lowers, points = [], []
    for its, run in groupby(pairs, key=lambda pair: pair[1]):
        condition, _ = next(run)
        if isinstance(condition, Interval):
            lowers.append(condition.lower)
            points.append(its)
    if lowers[-1] == math.inf:
        raise InputError(
            "a split sets infinity apart from the largest double",
            where=f"feature {feature.name!r}",
            allowed="cuts up to 1.7976931348623157e+308",
            fix="keep the trees as a TreeEnsemble",
        )
    bounds = pairwise([*lowers, math.inf])
    return [(Interval(lower, upper), its) for (lower, upper), its in zip(bounds, points, strict=True)]


def _merge_categories(pairs: Sequence[_Pair]) -> list[_Pair]:
    """One attribute for categories of equal points, none for those worth as much as any other."""
    otherwise = pairs[-1]
    grouped: dict[float, list[Value]] = {}
    for condition, points in pairs[:-1]:
        if points != otherwise[1] and isinstance(condition, Categories):
            grouped.setdefault(points, []).extend(condition.values)
    return [*((Categories(tuple(values)), points) for points, values in sorted(grouped.items())), otherwise]


def _next(value: float) -> float:
    return math.nextafter(value, math.inf) + 0.0  # no -0.0
