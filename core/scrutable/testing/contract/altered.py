"""A model like another in everything but its points."""

from __future__ import annotations

from dataclasses import replace

from scrutable.model import Leaf, Model, RegressionScorecard, RuleSet, Scorecard, SegmentedModel, Split, TreeEnsemble
from scrutable.model.trees import Node


def altered(model: Model) -> Model:
    """The model with other points, leaf values or weights, so that scores and the ranks of reasons are others.

    >>> from scrutable.testing.reasoned import small_trees
    >>> altered(small_trees()).base_score
    1.25
    """
    if isinstance(model, Scorecard | RegressionScorecard):
        characteristics = tuple(
            replace(each, attributes=tuple(replace(one, points=-one.points) for one in each.attributes))
            for each in model.characteristics
        )
        return replace(model, characteristics=characteristics, base_points=model.base_points + 1.25)
    if isinstance(model, RuleSet):
        rules = tuple(replace(rule, weight=(2 + place) / rule.weight) for place, rule in enumerate(model.rules))
        return replace(model, rules=rules)
    if isinstance(model, TreeEnsemble):
        return replace(model, trees=tuple(map(_negated, model.trees)), base_score=model.base_score + 1.25)
    segments = []
    for segment in model.segments:
        other = altered(segment.model)
        assert not isinstance(other, RegressionScorecard | SegmentedModel)
        segments.append(replace(segment, model=other))
    return replace(model, segments=tuple(segments))


def _negated(node: Node) -> Node:
    if isinstance(node, Leaf):
        return replace(node, value=-node.value)
    return Split(node.when, _negated(node.then), _negated(node.otherwise))
