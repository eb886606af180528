"""Trees that ask for one feature, added up: one step function a feature, its points exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.features import Feature, Value
from scrutable.data.values import FrozenMapping
from scrutable.errors import InputError
from scrutable.model.characteristics import Attribute, Characteristic
from scrutable.model.conditions import (
    AttributeCondition,
    Categories,
    ClauseCondition,
    Interval,
    Missing,
    Otherwise,
    Special,
)
from scrutable.model.domain import next_double
from scrutable.model.effects import LeafEffects
from scrutable.model.evaluator import evaluate
from scrutable.model.policy import Policy
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.scorecard import Scorecard
from scrutable.model.trees import Leaf, Node, TreeEnsemble, features_of, leaves, splits

#: A part of a feature's domain on which no clause changes, and a value in it.
_Part = tuple[AttributeCondition, Value | None]
_Pair = tuple[AttributeCondition, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFunctions:
    """What an ensemble adds up: the base score, the points of every characteristic, a leaf of every tree that is left.

    Parameters
    ----------
    base_score : with all that is added whatever the row.
    characteristics : one for each feature that trees ask for alone.
    trees : those that ask for several features, or set infinity apart from the largest double, which no
        characteristic does.
    constants : points, which the base score has already, of features that are worth the same whatever their value.
    """

    base_score: float
    characteristics: tuple[Characteristic, ...]
    trees: tuple[Node, ...]
    constants: FrozenMapping[float] = field(default_factory=FrozenMapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonedTrees:
    """How far each feature falls short: its start, minus its characteristic's points, minus an effect of every leaf.

    Parameters
    ----------
    starts : by feature, in the order of the policy's `baselines`: the baseline minus the feature's `constants`.
    effects : of `StepFunctions.trees`, tree by tree, and of their leaves in the order of `paths`. Where a tree asks for
        one feature alone, its leaf's value is the effect on who gets there, and 0 on all others.
    """

    starts: FrozenMapping[float]
    effects: tuple[tuple[LeafEffects, ...], ...]


def step_functions(ensemble: TreeEnsemble) -> StepFunctions:
    """The ensemble with all trees of a single feature added up; the sum is the ensemble's score, bit for bit.

    Special codes and missing have attributes of their own. Neighbouring intervals of equal points are one, and so are
    categories of equal points; those worth what any other category is are not named. A feature that is worth the same
    whatever its value has no characteristic.

    Examples
    --------
    >>> from scrutable.model import *
    >>> def stump(t, low, high):
    ...     return Split(Clause("age", (Interval(upper=t, closed="right"), Missing())), Leaf(low), Leaf(high))
    >>> ensemble = TreeEnsemble(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), trees=(stump(21, -1, 0.5), stump(35, -0.25, 1)),
    ...     base_score=0.5, cutoff=0, calibration=Calibration(slope=1))
    >>> found = step_functions(ensemble)
    >>> (ages,) = found.characteristics
    >>> for attribute, title in zip(ages.attributes, ages.titles, strict=True):
    ...     print(title, attribute.points)
    <= 21 -1.25
    (21, 35] 0.25
    > 35 1.5
    missing -1.25
    >>> found.trees
    ()
    """
    alone, rest, base = _by_feature(ensemble)
    characteristics = []
    constants = {}
    left = set(rest)
    for feature in ensemble.features:
        positions = alone.get(feature.name, [])
        attributes = _attributes(ensemble, feature, [ensemble.trees[i] for i in positions]) if positions else None
        if attributes is None:
            left.update(positions)
        elif len({attribute.points for attribute in attributes}) > 1:
            characteristics.append(Characteristic(feature=feature.name, attributes=attributes))
        else:
            constants[feature.name] = attributes[0].points
    return StepFunctions(
        base_score=base + sum(constants.values()),
        characteristics=tuple(characteristics),
        trees=tuple(ensemble.trees[i] for i in sorted(left)),
        constants=FrozenMapping(constants),
    )


def reasoned_trees(policy: ReasonPolicy, steps: StepFunctions) -> ReasonedTrees:
    """The shortfalls of an ensemble's reason policy in terms of its step functions; they are equal, bit for bit.

    Parameters
    ----------
    policy : the ensemble's.
    steps : the ensemble's step functions.
    """
    of_several = iter(policy.effects)
    effects = tuple(next(of_several) if len(features_of(tree)) > 1 else _of_one(tree) for tree in steps.trees)
    starts = {name: baseline - steps.constants.get(name, 0.0) for name, baseline in policy.baselines.items()}
    return ReasonedTrees(starts=FrozenMapping(starts), effects=effects)


def scorecard_of(ensemble: TreeEnsemble) -> Scorecard:
    """The scorecard whose score, decision, probability and reasons are the ensemble's in every row, bit for bit.

    Parameters
    ----------
    ensemble : every tree asks for one feature, at any depth, or for none.

    Raises
    ------
    InputError : a tree asks for several features; a split sets infinity apart from the largest double; a feature that
        is worth the same whatever its value falls short by the ensemble's reason policy.
    """
    steps = step_functions(ensemble)
    if steps.trees:
        _refuse(ensemble, steps.trees[0])
    used = {characteristic.feature for characteristic in steps.characteristics} | ensemble.policy.features
    return Scorecard(
        outcome=ensemble.outcome,
        features=tuple(feature for feature in ensemble.features if feature.name in used),
        characteristics=steps.characteristics,
        base_points=steps.base_score,
        cutoff=ensemble.cutoff,
        calibration=ensemble.calibration,
        policy=ensemble.policy,
        reasons=None if ensemble.reasons is None else _reasons(ensemble.reasons, steps),
        provenance=ensemble.provenance,
    )


def _reasons(policy: ReasonPolicy, steps: StepFunctions) -> ReasonPolicy:
    """The policy for the features that have characteristics; the others fall short by nothing."""
    for name, start in reasoned_trees(policy, steps).starts.items():
        if name in steps.constants and start > 0:
            raise InputError(
                "falls short for everybody, which no characteristic can say",
                where=f"reason policy: feature {name!r}",
                got=policy.baselines[name],
                allowed=f"at most {steps.constants[name]!r}, its points whatever its value",
                fix="take the policy anew",
            )
    kept = {each.feature for each in steps.characteristics}
    return replace(
        policy,
        baselines=FrozenMapping({name: baseline for name, baseline in policy.baselines.items() if name in kept}),
        codes=FrozenMapping({name: code for name, code in policy.codes.items() if name in kept}),
    )


def _by_feature(ensemble: TreeEnsemble) -> tuple[dict[str, list[int]], list[int], float]:
    """Positions of the trees of each single feature, of the others, and what those without a split add to the base."""
    alone: dict[str, list[int]] = {}
    rest: list[int] = []
    base = ensemble.base_score
    for position, tree in enumerate(ensemble.trees):
        names = {split.when.feature for split in splits(tree)}
        if isinstance(tree, Leaf):
            base += tree.value
        elif len(names) == 1:
            alone.setdefault(names.pop(), []).append(position)
        else:
            rest.append(position)
    return alone, rest, base


def _of_one(tree: Node) -> tuple[LeafEffects, ...]:
    feature = tuple(features_of(tree))
    return tuple(LeafEffects(feature, ((0.0,), (leaf.value,))) for leaf in leaves(tree))


def _refuse(ensemble: TreeEnsemble, tree: Node) -> None:
    names = sorted({split.when.feature for split in splits(tree)})
    if len(names) > 1:
        raise InputError(
            "the tree asks for several features",
            where=f"tree {ensemble.trees.index(tree)}",
            got=names,
            allowed="one feature a tree",
            fix="grow trees of depth 1",
        )
    raise InputError(
        "a split sets infinity apart from the largest double",
        where=f"feature {names[0]!r}",
        allowed="cuts up to 1.7976931348623157e+308",
        fix="keep the trees as a TreeEnsemble",
    )


def _attributes(ensemble: TreeEnsemble, feature: Feature, trees: Sequence[Node]) -> tuple[Attribute, ...] | None:
    """The step function of one feature; None where it sets infinity apart from the largest double."""
    conditions = [condition for tree in trees for split in splits(tree) for condition in split.when.any_of]
    ordinary = _categories(feature, conditions) if _nominal(feature, conditions) else _intervals(feature, conditions)
    others: list[_Part] = [*((Special((code,)), code) for code in feature.special_codes), (Missing(), None)]
    worth = _worth(ensemble, feature, trees, [value for _, value in [*ordinary, *others]])
    pairs = [(condition, points) for (condition, _), points in zip([*ordinary, *others], worth, strict=True)]
    first, rest = pairs[: len(ordinary)], pairs[len(ordinary) :]
    merged = _merge_categories(first) if _nominal(feature, conditions) else _merge_intervals(first)
    if merged is None:
        return None
    return tuple(Attribute(condition=condition, points=points) for condition, points in [*merged, *rest])


def _nominal(feature: Feature, conditions: Sequence[ClauseCondition]) -> bool:
    kinds = {type(condition) for condition in conditions}
    return feature.kind == "categorical" or (Categories in kinds and Interval not in kinds)


def _intervals(feature: Feature, conditions: Sequence[ClauseCondition]) -> list[_Part]:
    """[-inf, inf] cut wherever a condition begins or ends; a part of special codes alone belongs to the one below."""
    cuts: set[float] = set()
    for condition in conditions:
        if isinstance(condition, Interval):
            cuts.add(condition.lower if condition.closed_lower else next_double(condition.lower))
            if condition.upper < math.inf:
                cuts.add(next_double(condition.upper) if condition.closed_upper else condition.upper)
        elif isinstance(condition, Categories):
            cuts.update(end for value in condition.values for end in (float(value), next_double(float(value))))
    bounds = [-math.inf, *sorted(cuts - {-math.inf}), math.inf]
    parts: list[_Part] = []
    for lower, upper in pairwise(bounds):
        value = lower
        while value in feature.special_codes:
            value = next_double(value)
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
    own = replace(ensemble, features=(feature,), trees=tuple(trees), base_score=0.0, policy=Policy(), reasons=None)
    column: NDArray[Any] = np.array(values, dtype=float if feature.kind == "numeric" else object)
    score = evaluate(own, {feature.name: column}).score
    assert score is not None  # there are two classes
    worth: list[float] = score.tolist()
    return worth


def _merge_intervals(pairs: Sequence[_Pair]) -> list[_Pair] | None:
    """One interval for neighbours of equal points; None where infinity alone would be one."""
    lowers, points = [], []
    for worth, run in groupby(pairs, key=lambda pair: pair[1]):
        condition, _ = next(run)
        if isinstance(condition, Interval):
            lowers.append(condition.lower)
            points.append(worth)
    if lowers[-1] == math.inf:
        return None
    bounds = pairwise([*lowers, math.inf])
    return [(Interval(lower, upper), worth) for (lower, upper), worth in zip(bounds, points, strict=True)]


def _merge_categories(pairs: Sequence[_Pair]) -> list[_Pair]:
    """One attribute for categories of equal points, none for those worth as much as any other."""
    otherwise = pairs[-1]
    grouped: dict[float, list[Value]] = {}
    for condition, points in pairs[:-1]:
        if points != otherwise[1] and isinstance(condition, Categories):
            grouped.setdefault(points, []).extend(condition.values)
    return [*((Categories(tuple(values)), points) for points, values in sorted(grouped.items())), otherwise]
