"""Weighted classification trees on coded rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.errors.checks import check_number, check_whole
from scrutable.model import Conjunction
from scrutable_rug.bodies import Body, body_of, clauses
from scrutable_rug.coding import CodedTable
from scrutable_rug.growing import grow_nodes, leaf_of_rows
from scrutable_rug.grown import Cases, Grown, Layout, Limits
from scrutable_rug.literals import Literal
from scrutable_rug.rows import Floats, Rows

MAX_DEPTH = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """How a tree grows.

    Parameters
    ----------
    max_depth : most conditions on the way to a leaf.
    min_samples_leaf : fewest rows in a leaf; rows without weight do not count.
    min_impurity_decrease : as in scikit-learn: a split must lower the weighted Gini impurity by at least this share of
        the tree's weight, and always by more than nothing.
    feature_share : share of the features that a tree is grown on, drawn anew for each tree; at least one.
    row_share : share of the rows likewise.

    Raises
    ------
    InputError : a value out of range.
    """

    max_depth: int = 3
    min_samples_leaf: int = 1
    min_impurity_decrease: float = 0.0
    feature_share: float = 1.0
    row_share: float = 1.0

    def __post_init__(self) -> None:
        check_whole(self.max_depth, "max_depth", 1, MAX_DEPTH)
        check_whole(self.min_samples_leaf, "min_samples_leaf", 1, 2**31 - 1)
        check_number(self.min_impurity_decrease, "min_impurity_decrease", "0 or more")
        for name in ("feature_share", "row_share"):
            check_number(getattr(self, name), name, "above 0, to 1", low=5e-324, high=1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """A grown tree.

    Parameters
    ----------
    table : the coded rows that it was grown on.
    nodes : its nodes, the root first.
    """

    table: CodedTable
    nodes: Grown

    @property
    def leaves(self) -> NDArray[np.intp]:
        """Numbers of the nodes that are leaves."""
        return np.flatnonzero(self.nodes.split[:, 0] < 0)

    @property
    def label(self) -> NDArray[np.intp]:
        """(nodes,) the class with the most weight in each node, the lowest of equals."""
        label: NDArray[np.intp] = np.argmax(self.nodes.weight, axis=1)
        return label

    def leaf_of_rows(self) -> NDArray[np.int32]:
        """(n,) the leaf of each row of the table, whatever its weight."""
        return leaf_of_rows(self.table.codes, layout(self.table), self.nodes.split, self.nodes.children)

    def bodies(self) -> dict[int, Body]:
        """What each node asks for."""
        return {node: body_of(path, self.table.features) for node, path in self._paths(0, ())}

    def fallback(self) -> tuple[tuple[Conjunction, int], ...]:
        """Clauses and class of each leaf; of the clauses exactly one holds for any row, seen or not."""
        bodies, label = self.bodies(), self.label
        return tuple(
            (clauses(bodies[leaf], self.table.features, exhaustive=True), int(label[leaf]))
            for leaf in self.leaves.tolist()
        )

    def _paths(
        self, node: int, path: tuple[tuple[int, Literal], ...]
    ) -> Iterator[tuple[int, tuple[tuple[int, Literal], ...]]]:
        yield node, path
        feature, kind, code, extras = self.nodes.split[node].tolist()
        if feature >= 0:
            literal = Literal(kind, code, bool(extras))
            left, right = self.nodes.children[node].tolist()
            yield from self._paths(left, (*path, (feature, literal)))
            yield from self._paths(right, (*path, (feature, literal.negated())))


def grow(rows: Rows, weight: Floats, options: TreeOptions, random: np.random.Generator | None = None) -> Tree:
    """Grow a tree that lowers the weighted Gini impurity most at each split.

    A split is a threshold of a number, special codes and missing on the side where they fit better (where a node has
    none: on the side with more rows), all of these against the numbers, or one category, special code or missing
    against the rest. Of equal splits it is the one on the first feature, there the one with the lowest code.

    Parameters
    ----------
    weight : (n,) weights of zero or more; rows without weight have no influence.
    random : what draws features and rows where a share of `options` is below 1.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Feature, describe_all
    >>> from scrutable_rug.coding import code_table
    >>> column = as_table({"age": [20.0, 30.0, 40.0, None]}).column("age")
    >>> table = code_table([Feature(name="age", kind="numeric")], {"age": column})
    >>> tree = grow(Rows.of(table, np.array([0, 1, 1, 0]), 2), np.ones(4), TreeOptions(max_depth=1))
    >>> [(describe_all(when), label) for when, label in tree.fallback()]
    [('age < 25 or missing', 0), ('age >= 25', 1)]
    """
    if options.row_share < 1:
        weight = np.where(_generator(random).random(len(weight)) < options.row_share, weight, 0.0)
    own = rows.cases.total(weight)
    kept = np.flatnonzero(own > 0)
    cases = Cases(
        place=kept.astype(np.int32),
        label=rows.case_label[kept].astype(np.int32),
        n_rows=rows.cases.total((weight > 0).astype(np.float64))[kept].astype(np.int32),
        weight=own[kept],
    )
    limits = Limits(options.max_depth, options.min_samples_leaf, options.min_impurity_decrease)
    chosen = _chosen(len(rows.table.features), options.feature_share, random)
    nodes = grow_nodes(rows.cases.codes, layout(rows.table), chosen, cases, rows.n_classes, limits)
    return Tree(table=rows.table, nodes=nodes)


def layout(table: CodedTable) -> Layout:
    """Where codes stand in a histogram."""
    return Layout(
        offsets=table.offsets,
        ordinary=np.array([coded.n_ordinary for coded in table.features], np.int64),
        nominal=np.array([coded.nominal for coded in table.features]),
    )


def _chosen(n_features: int, share: float, random: np.random.Generator | None) -> NDArray[np.int64]:
    if share == 1:
        return np.arange(n_features, dtype=np.int64)
    size = max(1, round(share * n_features))
    return np.sort(_generator(random).choice(n_features, size, replace=False)).astype(np.int64)


def _generator(random: np.random.Generator | None) -> np.random.Generator:
    if random is None:
        raise InputError("a share below 1 needs a generator", where="random", fix="give numpy.random.default_rng(seed)")
    return random
