"""Trees: one TreeEnsembleRegressor finds their leaves, whose numbers are then looked up.

The operator compares single-precision numbers with thresholds; it knows no special codes, no categories and only one
place for missing. So it gets ranks of cells instead of values, and gives positions of leaves instead of what they are
worth: small whole numbers, of which none is rounded.

For the ranks the truths about a value are put into chains, in each of which every truth holds wherever the one before
does. A cell's rank in a chain is the position of the first truth that holds on it; so truth j of the chain holds
exactly where the rank is at most j.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from scrutable.model.program import Choice, Points, Program, Ref, Sum, size_of
from scrutable_onnx.columns import Divided, listed
from scrutable_onnx.graph import ML, Graph
from scrutable_onnx.tables import Tables

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Split:
    """A truth about one value, and what follows where it does not hold and where it does: splits, or leaves."""

    by: Ref
    otherwise: Split | float
    then: Split | float

    def asked(self) -> Iterator[Ref]:
        """The truths of this split and those below."""
        yield self.by
        for each in (self.otherwise, self.then):
            if isinstance(each, Split):
                yield from each.asked()


def tree(program: Program, ref: Ref, tables: Tables) -> Split | float | None:
    """The tree that a node is, or None."""
    match program[ref]:
        case Sum(start, ()):
            return start
        case Points(by, (otherwise, then)) if by in tables.entries:
            return Split(by, otherwise, then)
        case Choice(by, (int(otherwise), int(then))) if by in tables.entries and size_of(program, by) == 2:
            branches = tree(program, otherwise, tables), tree(program, then, tables)
            return None if branches[0] is None or branches[1] is None else Split(by, branches[0], branches[1])
        case _:
            return None


#: A value, and sets of its cells, each a part of the next.
Chain = tuple[Ref, list[Mask]]
#: Where a truth holds: in which chain, at ranks up to which, or above it if it is negated.
Place = tuple[int, int, bool]


def chained(trees: Sequence[Split], tables: Tables) -> tuple[list[Chain], dict[Ref, Place]]:
    """Arrange truths in as few chains as a simple search finds; the chains, and where each truth is in them.

    Of a truth and its negation, the one that holds for missing is in the chain.
    """
    masks = {ref: tables.entries[ref] != 0 for each in trees for ref in each.asked()}
    kept = {ref: mask if mask[0] else ~mask for ref, mask in masks.items()}
    chains: list[Chain] = []
    places: dict[Ref, Place] = {}
    for ref in sorted(masks, key=lambda ref: int(kept[ref].sum())):
        chain = _next(tables.read[ref], kept[ref], chains)
        places[ref] = chain, len(chains[chain][1]) - 1, not masks[ref][0]
    return chains, places


def _next(value: Ref, mask: Mask, chains: list[Chain]) -> int:
    """The chain whose last set is now this one."""
    for i, (own, sets) in enumerate(chains):
        if own == value and not (sets[-1] & ~mask).any():
            sets.append(mask)
            return i
    chains.append((value, [mask]))
    return len(chains) - 1


class Forest:
    """The operator's attributes, as far as trees have been written, and what the leaves of each are worth."""

    def __init__(self, trees: Sequence[Split], places: dict[Ref, Place]) -> None:
        self._places = places
        self._nodes: list[tuple[int, int, str, int, float, int, int]] = []
        self._leaves: list[tuple[int, int, float]] = []
        self.worth: list[list[float]] = []
        for each in trees:
            self.worth.append([])
            self._write(each, len(self._nodes))

    def attributes(self) -> dict[str, Any]:
        """Each tree adds the position of a leaf to a target of its own."""
        of_nodes = ("treeids", "nodeids", "modes", "featureids", "values", "falsenodeids", "truenodeids")
        of_leaves = ("treeids", "nodeids", "weights")
        nodes = zip(of_nodes, map(list, zip(*self._nodes, strict=True)), strict=True)
        leaves = dict(zip(of_leaves, map(list, zip(*self._leaves, strict=True)), strict=True))
        return {
            "aggregate_function": "SUM",
            "n_targets": len(self.worth),
            "target_ids": leaves["treeids"],
            **{f"nodes_{name}": values for name, values in nodes},
            **{f"target_{name}": values for name, values in leaves.items()},
        }

    def table(self) -> NDArray[np.float64]:
        """(trees, most leaves) what each leaf is worth."""
        table = np.zeros((len(self.worth), max(map(len, self.worth))))
        for row, values in zip(table, self.worth, strict=True):
            row[: len(values)] = values
        return table

    def _write(self, node: Split | float, first: int) -> int:
        """Write a subtree of the tree whose nodes start at this place, and return its number there."""
        at, of_tree = len(self._nodes), len(self.worth) - 1
        if isinstance(node, Split):
            chain, last, negated = self._places[node.by]
            self._nodes.append((of_tree, at - first, "BRANCH_LEQ", chain, float(last), 0, 0))
            ends = self._write(node.otherwise, first), self._write(node.then, first)
            self._nodes[at] = (*self._nodes[at][:5], *(ends[::-1] if negated else ends))
        else:
            self._nodes.append((of_tree, at - first, "LEAF", 0, 0.0, 0, 0))
            self._leaves.append((of_tree, at - first, float(len(self.worth[-1]))))
            self.worth[-1].append(node)
        return at - first


def leaves_added_up(
    graph: Graph, trees: Sequence[Split], tables: Tables, read: Callable[[Ref], Divided], name: str
) -> str:
    """(N,) the numbers of the leaves that trees lead to, added up: fixed-point numbers, so that no sum is rounded.

    Parameters
    ----------
    read : gives values by their cells.
    """
    chains, places = chained(trees, tables)
    forest = Forest(trees, places)
    ranks = [_ranks(read(value), sets, f"rank {i} for {name}") for i, (value, sets) in enumerate(chains)]
    matrix = graph.node("Transpose", [graph.stack(ranks, f"{name}: ranks")], f"{name}: ranks by row", perm=[1, 0])
    doc = listed("Columns of the input", ranks)
    reached = graph.node(
        "TreeEnsembleRegressor", [matrix], f"{name}: leaf of each tree", doc=doc, domain=ML, **forest.attributes()
    )
    positions = graph.node("Cast", [reached], f"{name}: leaf of each tree, as an integer", to=TensorProto.INT32)
    by_tree = graph.node("Transpose", [positions], f"{name}: leaf by tree", perm=[1, 0])
    table = graph.constant(f"{name}: leaves", forest.table(), "A row each tree, its leaves from left to right.")
    worth = graph.node("GatherElements", [table, by_tree], f"{name}: what the leaves are worth", axis=1)
    return graph.total(worth, f"{name}: leaves added up")


def _ranks(value: Divided, sets: Sequence[Mask], name: str) -> str:
    """(N,) position of the first set that holds a row's cell, the number of sets where none does."""
    feature, ranks = value.cells.feature, (~np.stack(sets)).sum(axis=0)
    lines = [f"{words}: {rank}" for words, rank in zip(value.words, ranks, strict=True)]
    doc = listed(f"Rank of {feature.title}, by cell", lines)
    return value.look_up(ranks.astype(np.float32), f"{feature.name}: {name}", doc)
