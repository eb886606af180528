"""Ensembles of shallow trees: the score is a base score plus one leaf value of every tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from scrutable.data.features import Feature, index_features, refuse_unused
from scrutable.data.outcome import Calibration, Outcome
from scrutable.data.values import finite, snap, text, within_limit
from scrutable.errors import ModelError
from scrutable.model.conditions import Clause
from scrutable.model.policy import Policy
from scrutable.model.provenance import Provenance
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.single import Single
from scrutable.writing.decimals import points_in_words
from scrutable.writing.notebooks import NotebookTable


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value that the tree adds to the score, snapped to a multiple of 2^-30."""

    value: float
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", snap(self.value))
        text(self.label, "leaf label")


@dataclass(frozen=True, slots=True)
class Split:
    """Rows that satisfy the clause go to `then`, all others to `otherwise`; missing goes where the clause says."""

    when: Clause
    then: Split | Leaf
    otherwise: Split | Leaf


Node = Split | Leaf

#: Clauses on the way to a leaf, and whether each holds there.
Path = tuple[tuple[Clause, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEnsemble(Single):
    """Shallow trees for a binary outcome; `score >= cutoff` is the favourable decision."""

    #: Deeper trees are not readable, and nest deeper than some engines' CASE expressions can.
    MAX_DEPTH: ClassVar[int] = 16

    outcome: Outcome
    features: tuple[Feature, ...]
    trees: tuple[Node, ...]
    base_score: float
    cutoff: float
    calibration: Calibration
    policy: Policy = field(default_factory=Policy)
    reasons: ReasonPolicy | None = None
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_score", snap(self.base_score))
        object.__setattr__(self, "cutoff", finite(self.cutoff, "cutoff"))
        if not self.outcome.binary:
            raise ModelError("a tree ensemble decides between two classes", where="outcome", got=self.outcome.classes)
        features = index_features(self.features)
        largest, used = abs(self.base_score), set()
        for position, tree in enumerate(self.trees):
            where = f"tree {position}"
            if depth(tree) > self.MAX_DEPTH:
                raise ModelError(
                    "the tree is too deep", where=where, got=depth(tree), allowed=f"at most {self.MAX_DEPTH}"
                )
            for split in splits(tree):
                split.when.check(features, where)
                used.add(split.when.feature)
            largest += max(abs(leaf.value) for leaf in leaves(tree))
        self.policy.check(features)
        refuse_unused(features, used | self.policy.features)
        within_limit(largest + sum(abs(each.points) for each in self.policy.adjustments), "tree ensemble")
        if self.reasons is not None:
            self.reasons.check(used, self.policy, self.cutoff)
            self.reasons.check_baselines(used)
            self._check_effects(self.reasons)

    def _check_effects(self, reasons: ReasonPolicy) -> None:
        several = tuple(tree for tree in self.trees if len(features_of(tree)) > 1)
        if len(reasons.effects) != len(several):
            raise ModelError(
                "every tree of several features needs effects, and no other",
                where="reason policy",
                got=len(reasons.effects),
                allowed=str(len(several)),
            )
        largest = {feature: abs(points) for feature, points in reasons.baselines.items()}
        for tree in self.trees:
            for feature in features_of(tree) if len(features_of(tree)) == 1 else ():
                largest[feature] += max(abs(leaf.value) for leaf in leaves(tree))
        for position, (tree, effects) in enumerate(zip(several, reasons.effects, strict=True)):
            asked = [tuple(dict.fromkeys(clause.feature for clause, _ in path)) for _, path in paths(tree)]
            if asked != [each.features for each in effects]:
                raise ModelError(
                    "effects must name the features on the path to each leaf",
                    where=f"reason policy: effects of tree {position} of several features",
                    got=[each.features for each in effects],
                    allowed=str(asked),
                )
            for each in effects:
                for feature in each.features:
                    largest[feature] += each.largest(feature)
        for feature, points in largest.items():
            within_limit(points, f"reason policy: effects of {feature!r}")

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """A row for each tree: what it reads, and its range of values."""
        titles, rows = {feature.name: feature.title for feature in self.features}, []
        for number, tree in enumerate(self.trees, 1):
            values = [leaf.value for leaf in leaves(tree)]
            read = ", ".join(titles[name] for name in sorted(features_of(tree)))
            rows.append([str(number), read, str(len(values)), *map(points_in_words, (min(values), max(values)))])
        headers = ("tree", "features", "leaves", "lowest", "highest")
        yield NotebookTable(headers=headers, rows=rows, numbers=frozenset({0, 2, 3, 4}))

    def __repr__(self) -> str:
        ends = sum(1 for tree in self.trees for _ in leaves(tree))
        return f"TreeEnsemble({len(self.trees)} trees, {ends} leaves, cutoff {self.cutoff:.6g})"


def depth(node: Node) -> int:
    """Number of splits on the longest path."""
    deepest, level = 0, [(node, 0)]
    while level:
        current, above = level.pop()
        deepest = max(deepest, above)
        if isinstance(current, Split):
            level += [(current.then, above + 1), (current.otherwise, above + 1)]
    return deepest


def splits(node: Node) -> Iterator[Split]:
    """Every split, parents before children, `then` before `otherwise`."""
    return (each for each in _nodes(node) if isinstance(each, Split))


def leaves(node: Node) -> Iterator[Leaf]:
    """Every leaf, `then` before `otherwise`."""
    return (each for each in _nodes(node) if isinstance(each, Leaf))


def features_of(node: Node) -> set[str]:
    """Names of the features that the splits ask for."""
    return {split.when.feature for split in splits(node)}


def paths(node: Node, above: Path = ()) -> Iterator[tuple[Leaf, Path]]:
    """Every leaf in the order of `leaves`, with the splits on its path: the clause, and whether it holds there."""
    if isinstance(node, Leaf):
        yield node, above
        return
    yield from paths(node.then, (*above, (node.when, True)))
    yield from paths(node.otherwise, (*above, (node.when, False)))


def _nodes(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        if isinstance(current, Split):
            waiting += (current.otherwise, current.then)
