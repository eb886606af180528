"""How far the features of a tree ensemble fall short: what each leaf adds for each feature on the way to it.

That depends on which of these features have what the path asks of them. So each cell of a feature has a row of bits, a
bit for each leaf: the one that the leaf's effects know the feature by, where the cell has what the path asks. The bits
of all features, added up, are a row of the leaf's effects; and the effects of all leaves stand in one table a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from scrutable.model import LeafEffects, Node, Path, ReasonPolicy, StepFunctions, paths, reasoned_trees
from scrutable_onnx.columns import Columns, listed


def short_of_trees(
    policy: ReasonPolicy, steps: StepFunctions, points: Sequence[str], columns: Columns
) -> dict[str, str]:
    """(N,) shortfalls by feature: fixed-point numbers, so that no sum is rounded in any order.

    Parameters
    ----------
    steps : the ensemble's step functions.
    points : (N,) what each of their characteristics gives.
    """
    graph, trees = columns.graph, reasoned_trees(policy, steps)
    given: dict[str, list[str]] = {name: [] for name in trees.starts}
    for item, column in zip(steps.characteristics, points, strict=True):
        given[item.feature].append(column)
    for number, (tree, effects) in enumerate(zip(steps.trees, trees.effects, strict=True), 1):
        for name, column in _of_tree(f"tree {number}", tree, effects, columns).items():
            given[name].append(column)
    short = {}
    for name, start in trees.starts.items():
        if given[name]:
            total = graph.node("Sum", given[name], f"{name}: points and effects")
            baseline = graph.constant(f"{name}: baseline", np.array(start))
            short[name] = graph.node("Sub", [baseline, total], f"{name}: points below the baseline")
        else:
            short[name] = columns.filled(start, f"{name}: points below the baseline")
    return short


def _of_tree(tree_name: str, tree: Node, effects: Sequence[LeafEffects], columns: Columns) -> dict[str, str]:
    """(N,) what all leaves of a tree add, by feature."""
    graph = columns.graph
    features = list(dict.fromkeys(name for each in effects for name in each.features))
    ways = [path for _, path in paths(tree)]
    bits = [
        columns.look_up_rows(
            name,
            np.stack([_bits(name, path, each, columns) for path, each in zip(ways, effects, strict=True)], axis=1),
            f"{tree_name}: bits of {name}",
            listed(f"What the path to each leaf asks of {name}", [_asked(name, path, columns) for path in ways]),
        )
        for name in features
    ]
    rows = reduce(lambda a, b: graph.node("Add", [a, b], f"{tree_name}: bits added up"), bits)
    first = np.cumsum([0, *(len(each.values) for each in effects)], dtype=np.int32)[:-1]
    starts = graph.constant(f"{tree_name}: first row of each leaf", first)
    rows = graph.node("Add", [rows, starts], f"{tree_name}: rows of effects")
    table = np.concatenate([_table(each, features) for each in effects])
    doc = listed("A column for each feature; a row for each set of them that has what the path asks", features)
    constant = graph.constant(f"{tree_name}: effects", table, doc)
    by_leaf = graph.node("Gather", [constant, rows], f"{tree_name}: effects by leaf", axis=0)
    axis = graph.constant("the second axis", np.array([1]))
    added_up = graph.node("ReduceSum", [by_leaf, axis], f"{tree_name}: effects added up", keepdims=0)
    by_feature = graph.node("Transpose", [added_up], f"{tree_name}: effects by feature", perm=[1, 0])
    return {name: graph.row(by_feature, i, f"{tree_name}: effect on {name}") for i, name in enumerate(features)}


def _bits(name: str, path: Path, effects: LeafEffects, columns: Columns) -> NDArray[np.int32]:
    """(cells,) the feature's bit where a cell has what the path asks, else 0; 0 for a path that asks nothing of it."""
    cells = columns.cells[name]
    if name not in effects.features:
        return np.zeros(len(cells.witnesses.values), dtype=np.int32)
    held = [cells.truth(clause) == wanted for clause, wanted in path if clause.feature == name]
    bits: NDArray[np.int32] = np.logical_and.reduce(held).astype(np.int32) << effects.features.index(name)
    return bits


def _table(effects: LeafEffects, features: Sequence[str]) -> NDArray[np.float64]:
    """(sets, features) the effects of a leaf, 0 for features that are not on its path."""
    table = np.zeros((len(effects.values), len(features)))
    table[:, [features.index(name) for name in effects.features]] = effects.values
    return table


def _asked(name: str, path: Path, columns: Columns) -> str:
    """What a path asks of a feature, in words."""
    title = columns.cells[name].feature.title
    steps = [(clause.describe(title), wanted) for clause, wanted in path if clause.feature == name]
    return " and ".join(words if wanted else f"not ({words})" for words, wanted in steps) or "nothing"
