"""A tree of binary features, and what it weighs on the rows it was grown on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scrutable.errors import InputError
from scrutable_fcca.target import LEAF, Doubles, Flags, Indices

#: A tree without numbers: a leaf's class (True: good), or a feature and the trees of rows without and with it.
Plan = bool | tuple[int, "Plan", "Plan"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BinaryTree:
    """A classification tree of N nodes; node 0 is the root, and a node comes before those below it.

    Parameters
    ----------
    feature : (N,) feature that a node asks about, `LEAF` at a leaf.
    absent, present : (N,) node that follows for rows without and with the feature; `LEAF` at a leaf.
    good : (N,) class that a leaf predicts, True for good; False at other nodes.
    weight : (N, 2) weight of the rows grown on that reach a node, bad and good ones.
    leaf_penalty : what a leaf adds to the objective.
    bound : no tree of the depth allowed has a lower objective than this.

    Examples
    --------
    >>> features = np.array([[False, True], [True, True], [True, False], [False, False]])
    >>> tree = BinaryTree.of((0, False, True), features, np.array([False, True, True, True]), np.ones(4),
    ...                      leaf_penalty=0.01, bound=0.02)
    >>> tree.n_leaves, tree.errors, tree.objective, tree.predict(features).tolist()
    (2, 0.25, 0.27, [False, True, True, False])
    """

    feature: Indices
    absent: Indices
    present: Indices
    good: Flags
    weight: Doubles
    leaf_penalty: float
    bound: float

    @classmethod
    def of(
        cls, plan: Plan, features: Flags, good: Flags, weight: Doubles, *, leaf_penalty: float, bound: float
    ) -> BinaryTree:
        """The tree of a plan, weighed on (n, F) features, (n,) classes and (n,) weights of rows.

        A bound above its objective says that it is the best.
        """
        nodes: list[tuple[int, int, int, bool]] = []
        weights: list[tuple[float, float]] = []

        def add(plan: Plan, rows: Indices) -> int:
            node = len(nodes)
            weights.append((weight[rows[~good[rows]]].sum(), weight[rows[good[rows]]].sum()))
            if isinstance(plan, bool):
                nodes.append((LEAF, LEAF, LEAF, plan))
                return node
            feature, absent, present = plan
            nodes.append((feature, LEAF, LEAF, False))
            has = features[rows, feature]
            nodes[node] = (feature, add(absent, rows[~has]), add(present, rows[has]), False)
            return node

        add(plan, np.arange(len(features)))
        feature, absent, present = (np.array([node[i] for node in nodes], dtype=np.int64) for i in range(3))
        tree = cls(
            feature=feature,
            absent=absent,
            present=present,
            good=np.array([node[3] for node in nodes]),
            weight=np.array(weights),
            leaf_penalty=leaf_penalty,
            bound=bound,
        )
        return replace(tree, bound=min(bound, tree.objective))

    def plan(self, node: int = 0) -> Plan:
        """The tree below a node without its numbers."""
        if self.feature[node] == LEAF:
            return bool(self.good[node])
        return int(self.feature[node]), self.plan(int(self.absent[node])), self.plan(int(self.present[node]))

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.feature == LEAF).sum())

    @property
    def depth(self) -> int:
        """Number of splits on the longest path."""
        depth = np.zeros(len(self.feature), dtype=np.int64)
        for node in np.flatnonzero(self.feature != LEAF):
            depth[[self.absent[node], self.present[node]]] = depth[node] + 1
        return int(depth.max())

    @property
    def errors(self) -> float:
        """Share of the weight of the rows grown on that the tree gives the other class."""
        leaf = self.feature == LEAF
        wrong = self.weight[leaf, 1 - self.good[leaf].astype(np.int64)].sum()
        return float(wrong / self.weight[0].sum())

    @property
    def objective(self) -> float:
        """Errors plus the penalties of the leaves."""
        return self.errors + self.leaf_penalty * self.n_leaves

    @property
    def proven(self) -> bool:
        """Whether no tree of the depth allowed is better."""
        return self.objective <= self.bound

    def leaf_of(self, features: Flags) -> Indices:
        """(n,) leaf that each row of (n, F) features reaches."""
        node = np.zeros(len(features), dtype=np.int64)
        for parent in np.flatnonzero(self.feature != LEAF):
            here = node == parent
            follows = np.where(features[here, self.feature[parent]], self.present[parent], self.absent[parent])
            node[here] = follows
        return node

    def predict(self, features: Flags) -> Flags:
        """(n,) whether each row of (n, F) features is predicted to be good."""
        predicted: Flags = self.good[self.leaf_of(features)]
        return predicted


def check_rows(features: Flags, good: Flags, weight: Doubles) -> None:
    """Refuse rows that no tree can be grown on."""
    if features.ndim != 2 or not len(features):
        raise InputError("there are no rows", where="features", got=features.shape, allowed="(rows, features)")
    for name, values in (("good", good), ("weight", weight)):
        if values.shape != (len(features),):
            raise InputError(
                "expected one value for each row", where=name, got=values.shape, allowed=f"({len(features)},)"
            )
    if not (weight >= 0).all() or not 0 < weight.sum() < np.inf:
        raise InputError("unusable weights", where="weight", allowed="0 or more, finite, and not all 0")
