"""Models of the same columns as another: in everything but its points, or in nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from scrutable.model import (
    Attribute,
    Characteristic,
    FrozenMapping,
    Leaf,
    Model,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    Split,
    TreeEnsemble,
)
from scrutable.model.segments import SingleModel
from scrutable.model.trees import Node

C = TypeVar("C", bound=Scorecard | RegressionScorecard)


def with_attributes(card: C, change: Callable[[Characteristic, Attribute], Attribute], **more: Any) -> C:
    """The scorecard with each attribute changed.

    Parameters
    ----------
    change : gives the attribute in place of that of a characteristic.
    more : what else is changed at once.
    """
    characteristics = (
        replace(each, attributes=tuple(change(each, one) for one in each.attributes)) for each in card.characteristics
    )
    return replace(card, characteristics=tuple(characteristics), **more)


def altered(model: Model) -> Model:
    """The model with other points, leaf values or weights, so that scores and the ranks of reasons are others.

    >>> from scrutable.testing.reasoned import small_trees
    >>> altered(small_trees()).base_score
    1.25
    """
    if isinstance(model, Scorecard | RegressionScorecard):
        base = model.base_points + 1.25
        return with_attributes(model, lambda _, one: replace(one, points=-one.points), base_points=base)
    if isinstance(model, RuleSet):
        rules = tuple(replace(rule, weight=(2 + place) / rule.weight) for place, rule in enumerate(model.rules))
        return replace(model, rules=rules)
    if isinstance(model, TreeEnsemble):
        return replace(model, trees=tuple(map(_negated, model.trees)), base_score=model.base_score + 1.25)
    return replace(model, segments=tuple(replace(each, model=_part(altered(each.model))) for each in model.segments))


def unlike(model: Model) -> Model:
    """A model that reads the same columns, and has other points, cutoffs, probabilities, knock-outs and baselines.

    >>> from scrutable.testing.reasoned import small_trees
    >>> unlike(small_trees()).cutoff
    3.5
    """
    if isinstance(model, SegmentedModel):
        return replace(model, segments=tuple(replace(each, model=_part(unlike(each.model))) for each in model.segments))
    other = altered(model)
    if isinstance(other, RegressionScorecard | SegmentedModel):
        return other
    turned = [replace(rule, code=f"{rule.code}!") for rule in reversed(other.policy.knock_outs)]
    other = replace(other, policy=replace(other.policy, knock_outs=tuple(turned)))
    if other.reasons is not None:
        lower = FrozenMapping({name: points - 3.5 for name, points in other.reasons.baselines.items()})
        order = other.reasons.order[::-1]
        other = replace(other, reasons=replace(other.reasons, baselines=lower, order=order, near=None))
    if isinstance(other, RuleSet):
        return other
    calibration = replace(other.calibration, slope=other.calibration.slope / 2)
    return replace(other, cutoff=other.cutoff + 3.5, calibration=calibration)


def _part(model: Model) -> SingleModel:
    assert not isinstance(model, RegressionScorecard | SegmentedModel)
    return model


def _negated(node: Node) -> Node:
    if isinstance(node, Leaf):
        return replace(node, value=-node.value)
    return Split(node.when, _negated(node.then), _negated(node.otherwise))
