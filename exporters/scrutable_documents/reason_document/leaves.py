"""Leaves as paths, with their values and the codes that they can add to."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import Leaf, LeafEffects, Node, TreeEnsemble, features_of, leaves, paths
from scrutable_documents.common.part import Part
from scrutable_documents.common.ways import Coverage, way_words
from scrutable_documents.reason_document.line import Carried, Line, carried


def of_leaves(part: Part, model: TreeEnsemble) -> Iterator[Line]:
    """Every leaf; shares are of the applicants who get there."""
    share_of, titles = None if part.sample is None else Coverage(model, part.sample.table), part.titles
    effects = iter(() if part.policy is None else part.policy.effects)
    for number, tree in enumerate(model.trees, 1):
        several = part.policy is not None and len(features_of(tree)) > 1
        of_tree = next(effects) if several else (None,) * sum(1 for _ in leaves(tree))
        for (leaf, path), taken in zip(paths(tree), of_tree, strict=True):
            words = way_words(path, titles)
            yield Line(
                kind="leaf",
                of=f"Tree {number}",
                words=f"{leaf.label}: {words}" if leaf.label else words,
                points=leaf.value,
                share=None if share_of is None else share_of(path),
                codes=_of_one(part, tree, leaf) if taken is None else _of_several(part, taken),
            )


def _of_one(part: Part, tree: Node, leaf: Leaf) -> tuple[Carried, ...]:
    """The code of the only feature, unless no leaf gives more."""
    if leaf.value == max(each.value for each in leaves(tree)):
        return ()
    return tuple(each for feature in features_of(tree) for each in carried(part, feature, None))


def _of_several(part: Part, effects: LeafEffects) -> tuple[Carried, ...]:
    """Codes of the features that the leaf takes points from, whether or not an applicant gets there."""
    codes: list[Carried] = []
    for position, feature in enumerate(effects.features):
        most = -min(row[position] for row in effects.values)
        if most > 0:
            codes += carried(part, feature, -effects.values[-1][position], most)
    return tuple(codes)
