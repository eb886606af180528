"""Leaves as paths, with their values and the codes that they can add to."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import Leaf, LeafEffects, Node, Path, TreeEnsemble, features_of, leaves, paths
from scrutable.model.evaluator import ClauseMasks, read_inputs
from scrutable_documents.reason_document.line import Carried, Line, carried
from scrutable_documents.reason_document.segments import Part


def of_leaves(part: Part, model: TreeEnsemble) -> Iterator[Line]:
    """Every leaf; shares are of the applicants who get there."""
    masks, titles = _masks(part), part.titles
    effects = iter(() if part.policy is None else part.policy.effects)
    for number, tree in enumerate(model.trees, 1):
        several = part.policy is not None and len(features_of(tree)) > 1
        of_tree = next(effects) if several else (None,) * sum(1 for _ in leaves(tree))
        for (leaf, path), taken in zip(paths(tree), of_tree, strict=True):
            yield Line(
                kind="leaf",
                of=f"Tree {number}",
                words=_words(leaf, path, titles),
                points=leaf.value,
                share=None if masks is None else _share(path, masks),
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


def _words(leaf: Leaf, path: Path, titles: dict[str, str]) -> str:
    clauses = ((clause.describe(titles[clause.feature]), holds) for clause, holds in path)
    words = " and ".join(text if holds else f"not ({text})" for text, holds in clauses) or "always"
    return f"{leaf.label}: {words}" if leaf.label else words


def _masks(part: Part) -> ClauseMasks | None:
    if part.sample is None:
        return None
    columns, n_rows = read_inputs(part.model, part.sample.table)
    return ClauseMasks(part.model.features, columns, n_rows)


def _share(path: Path, masks: ClauseMasks) -> float:
    reached = masks.conjunction(())
    for clause, holds in path:
        reached &= masks.clause(clause) == holds
    return float(reached.mean())
