"""Trees of several features: one TreeEnsembleRegressor finds the leaves, whose values are then looked up.

The operator compares single-precision numbers with thresholds; it knows no special codes, no categories and only one
place for missing. So it gets ranks of cells instead of values, and gives positions of leaves instead of what they are
worth: small whole numbers, of which none is rounded.

For the ranks the clauses of a feature are put into chains, in each of which every clause holds wherever the one before
does. A cell's rank in a chain is the position of the first clause that holds on it; so clause j of the chain holds
exactly where the rank is at most j.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from scrutable.model import Cells, Clause, Leaf, Node, splits
from scrutable_onnx.columns import Columns
from scrutable_onnx.graph import ML

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Chain:
    """Sets of cells of one feature, each a part of the next, and the clauses that hold on them or on what is left."""

    feature: str
    sets: list[Mask] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)

    def ranks(self) -> NDArray[np.float32]:
        """Position of the first set that holds each cell, the number of sets where none does."""
        ranks: NDArray[np.float32] = (~np.stack(self.sets)).sum(axis=0).astype(np.float32)
        return ranks

    def words(self) -> str:
        """What the ranks mean."""
        listed = "; ".join(f"{i} {words}" for i, words in enumerate(self.clauses))
        return f"{self.feature}: the first of these that holds: {listed}"


@dataclass(frozen=True, slots=True)
class Test:
    """Where a clause holds: rank in the chain at most `last`, or above it if `negated`."""

    chain: int
    last: int
    negated: bool


@dataclass(slots=True)
class _Nodes:
    """The operator's attributes, as far as trees have been written, and the values of the leaves of each tree."""

    tests: Mapping[Clause, Test]
    trees: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    other: list[int] = field(default_factory=list)
    leaves: list[list[float]] = field(default_factory=list)
    leaf_trees: list[int] = field(default_factory=list)
    leaf_numbers: list[int] = field(default_factory=list)
    leaf_positions: list[float] = field(default_factory=list)

    def add(self, tree: Node) -> None:
        """Write one more tree."""
        self.leaves.append([])
        self._write(tree, len(self.numbers))

    def _write(self, node: Node, first: int) -> int:
        """Write a subtree of the tree whose nodes start at this place, and return its number there."""
        place, tree = len(self.numbers), len(self.leaves) - 1
        test = None if isinstance(node, Leaf) else self.tests[node.when]
        self.trees.append(tree)
        self.numbers.append(place - first)
        self.modes.append("LEAF" if test is None else "BRANCH_LEQ")
        self.columns.append(0 if test is None else test.chain)
        self.limits.append(0.0 if test is None else float(test.last))
        self.held.append(0)
        self.other.append(0)
        if isinstance(node, Leaf):
            self.leaf_trees.append(tree)
            self.leaf_numbers.append(place - first)
            self.leaf_positions.append(float(len(self.leaves[tree])))
            self.leaves[tree].append(node.value)
        else:
            ends = self._write(node.then, first), self._write(node.otherwise, first)
            negated = self.tests[node.when].negated
            self.held[place], self.other[place] = ends[::-1] if negated else ends
        return place - first

    def attributes(self) -> dict[str, Any]:
        """The operator's attributes: each tree adds the position of a leaf to a target of its own."""
        return {
            "aggregate_function": "SUM",
            "n_targets": len(self.leaves),
            "nodes_treeids": self.trees,
            "nodes_nodeids": self.numbers,
            "nodes_modes": self.modes,
            "nodes_featureids": self.columns,
            "nodes_values": self.limits,
            "nodes_truenodeids": self.held,
            "nodes_falsenodeids": self.other,
            "target_treeids": self.leaf_trees,
            "target_nodeids": self.leaf_numbers,
            "target_ids": self.leaf_trees,
            "target_weights": self.leaf_positions,
        }

    def values(self) -> NDArray[np.float64]:
        """(trees, most leaves) what each leaf is worth."""
        worth = np.zeros((len(self.leaves), max(map(len, self.leaves))))
        for tree, values in enumerate(self.leaves):
            worth[tree, : len(values)] = values
        return worth


def leaves_added_up(trees: Sequence[Node], columns: Columns) -> str:
    """(N,) the leaves of these trees, added up: fixed-point numbers, so that no sum is rounded."""
    graph = columns.graph
    chains, tests = chained([split.when for tree in trees for split in splits(tree)], columns.cells)
    nodes = _Nodes(tests)
    for tree in trees:
        nodes.add(tree)
    ranks = [
        columns.look_up(chain.feature, chain.ranks(), f"{chain.feature}: rank {i}", chain.words())
        for i, chain in enumerate(chains)
    ]
    matrix = graph.node("Transpose", [graph.stack(ranks, "ranks")], "ranks by row", perm=[1, 0])
    doc = "\n".join(["Columns of the input.", *(f"{i}: {chain.words()}" for i, chain in enumerate(chains))])
    reached = graph.node(
        "TreeEnsembleRegressor", [matrix], "leaf of each tree", doc=doc, domain=ML, **nodes.attributes()
    )
    positions = graph.node("Cast", [reached], "leaf of each tree, as an integer", to=TensorProto.INT32)
    by_tree = graph.node("Transpose", [positions], "leaf by tree", perm=[1, 0])
    table = graph.constant("leaves", nodes.values(), "A row each tree, its leaves from left to right.")
    worth = graph.node("GatherElements", [table, by_tree], "what the leaves are worth", axis=1)
    total = graph.total(worth, "leaves added up, one row")
    return graph.node("Reshape", [total, graph.constant("one axis", np.array([-1]))], "leaves added up")


def chained(clauses: Iterable[Clause], cells: Mapping[str, Cells]) -> tuple[list[Chain], dict[Clause, Test]]:
    """Arrange clauses in as few chains as a simple search finds; the chains, and where each clause is in them.

    Of a clause and its negation, the one that holds for missing is in the chain.
    """
    masks = {clause: cells[clause.feature].truth(clause) for clause in dict.fromkeys(clauses)}
    negated = {clause: not mask[0] for clause, mask in masks.items()}
    kept = {clause: ~mask if negated[clause] else mask for clause, mask in masks.items()}
    chains: list[Chain] = []
    tests: dict[Clause, Test] = {}
    for clause in sorted(masks, key=lambda clause: int(kept[clause].sum())):
        position = _place(clause.feature, kept[clause], chains)
        words = clause.describe()
        chains[position].clauses.append(f"not ({words})" if negated[clause] else words)
        tests[clause] = Test(position, len(chains[position].sets) - 1, negated[clause])
    return chains, tests


def _place(feature: str, mask: Mask, chains: list[Chain]) -> int:
    """The chain whose last set is now this one."""
    for position, chain in enumerate(chains):
        if chain.feature == feature and not (chain.sets[-1] & ~mask).any():
            chain.sets.append(mask)
            return position
    chains.append(Chain(feature, [mask]))
    return len(chains) - 1
