"""Optimal trees: whatever tree of the depth allowed is not looked at is ruled out by a bound."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from scrutable.errors.checks import check_number, check_whole
from scrutable_fcca.target import Doubles, Flags, Indices
from scrutable_fcca.trees.counting import Planes, Words, as_whole, distinct_columns, distinct_rows, pair_sums
from scrutable_fcca.trees.grown import BinaryTree, Plan, check_rows
from scrutable_fcca.trees.stumps import leaves, stumps

#: The deepest tree that can be asked for; a level more takes as many times longer as there are features, times two.
DEEPEST = 8

_UNIT = 1024  # cost of a unit of weight; more than a tree has leaves, so that a leaf can cost 1 beside its penalty
_NO_LIMIT = 1 << 62

#: Splits below a node: None for the best with at most two on a path, else a feature and those without and with it.
Splits = tuple[int, "Splits", "Splits"] | None


def grow(
    features: Flags,
    good: Flags,
    weight: Doubles,
    *,
    max_depth: int,
    leaf_penalty: float,
    time_limit: float | None = None,
) -> BinaryTree:
    """The tree with the least share of weight misclassified, plus a penalty for each leaf.

    That is the objective of GOSDT (Lin et al., 2020), with any weights. Of trees with equal objectives it is one with
    the fewest leaves, with the first feature that such a tree can have at its root; a leaf where both classes weigh
    the same predicts bad. Weights are rounded to 2^-47 of their sum, so that the order of the rows makes no difference.

    Depth 3 takes 0.03 seconds with 100 features and 5000 rows, and grows with the cube of the features; each further
    level multiplies that by twice the number of features, less what bounds rule out.

    Parameters
    ----------
    features : (n, F) what each row has.
    good : (n,) class of each row.
    weight : (n,) of each row, 0 or more.
    max_depth : number of splits on a path at most, 0 to 8.
    leaf_penalty : for each leaf, in shares of the total weight, 0 to 1; 10 / n in the paper's section 4.2.
    time_limit : seconds after which the best tree so far is returned, if it may have three levels or more. The tree
        says whether it is proven optimal, and how much better another may be.

    Raises
    ------
    InputError : no rows, arrays that do not match, weights that are negative, infinite or all 0, numbers out of range.

    Examples
    --------
    >>> features = np.array([[a, b, a ^ b] for a in (False, True) for b in (False, True)])
    >>> tree = grow(features[:, :2], features[:, 2], np.ones(4), max_depth=2, leaf_penalty=0.05)
    >>> tree.errors, tree.n_leaves, tree.proven
    (0.0, 4, True)
    """
    check_rows(features, good, weight)
    check_whole(max_depth, "max_depth", 0, DEEPEST)
    check_number(leaf_penalty, "leaf_penalty", "0 to 1", high=1.0)
    if time_limit is not None:
        check_number(time_limit, "time_limit", "seconds, 0 or more")
    problem = _Problem.of(features, good, weight, leaf_penalty)
    search = _Search(problem, math.inf if time_limit is None else time_limit)
    plan, bound = search.plan(max_depth)
    return BinaryTree.of(plan, features, good, weight, leaf_penalty=leaf_penalty, bound=bound)


class _Problem(NamedTuple):
    """What an optimal tree depends on, in costs that are whole numbers.

    Of features that always agree, or never, the first is kept; one that never changes is not. Rows with the same
    features get the same class, so what the rarer class weighs among them is wrong in every tree, and as much of the
    other class makes no difference.

    features : (F,) place of each feature among those given.
    planes : distinct rows, with what it costs if bad ones and good ones are given the other class.
    total : (2,) cost of all bad ones and all good ones.
    penalty : cost of a leaf.
    lost : cost of what is wrong in every tree.
    scale : cost of all weight there is.
    """

    features: Indices
    planes: Planes
    total: Indices
    penalty: int
    lost: int
    scale: int

    @classmethod
    def of(cls, features: Flags, good: Flags, weight: Doubles, leaf_penalty: float) -> _Problem:
        """The problem of (n, F) features, (n,) classes and (n,) weights of rows."""
        kept = distinct_columns(features)
        whole = as_whole(weight)[0] * _UNIT
        rows, cost = distinct_rows(features[:, kept], np.stack([np.where(good, 0, whole), np.where(good, whole, 0)]))
        lost = cost.min(axis=0)
        matters = cost[0] != cost[1]
        cost = (cost - lost)[:, matters]
        scale = int(whole.sum())
        penalty = round(leaf_penalty * (scale // _UNIT)) * _UNIT + 1
        return cls(kept, Planes.of(rows[matters], cost), cost.sum(axis=1), penalty, int(lost.sum()), scale)


class _Node(NamedTuple):
    """Rows that reach a node: which, and their cost by class, for each pair of features and in all."""

    mask: Words
    costs: Indices
    total: Indices


class _Found(NamedTuple):
    """The cost of a tree, the feature at its root (-1: none), its splits, and a lower bound on any tree's cost."""

    cost: int
    root: int
    splits: Splits
    least: int


class _Search:
    """The search of one problem."""

    def __init__(self, problem: _Problem, time_limit: float) -> None:
        self._problem = problem
        mask = problem.planes.everything()
        self._whole = _Node(mask, pair_sums(problem.planes, mask), problem.total)
        self._deadline = time.monotonic() + time_limit

    def plan(self, depth: int) -> tuple[Plan, float]:
        """The best tree of a depth, and a lower bound on its objective; infinite if none is better."""
        depth = min(depth, len(self._problem.features))
        best = self._best(self._whole, depth, _NO_LIMIT)
        bound = math.inf if best.least == best.cost else (best.least + self._problem.lost) / self._problem.scale
        return self._written(self._whole, depth, best.splits), bound

    def _written(self, node: _Node, depth: int, splits: Splits) -> Plan:
        """The tree of these splits below a node."""
        feature, absent, present = splits or (self._shallow(node, min(depth, 2)).root, None, None)
        if feature < 0:
            return bool(node.total[1] > node.total[0])
        below = min(depth, 2 if splits is None else depth) - 1
        without, having = self._sides(node, feature)
        return (
            int(self._problem.features[feature]),
            self._written(without, below, absent),
            self._written(having, below, present),
        )

    def _best(self, node: _Node, depth: int, limit: int) -> _Found:
        """The best tree of a depth below a node; of those that cost more than the limit, any."""
        if depth < 3:
            return self._shallow(node, depth)
        best = self._best(node, depth - 1, limit)
        agenda = _Agenda(node, self._problem.penalty)
        while (feature := agenda.next(best, limit)) >= 0 and time.monotonic() < self._deadline:
            tree = self._split(node, feature, depth, min(best.cost, limit), agenda)
            if tree is not None and (tree.cost, feature) < (best.cost, best.root):
                best = tree
        return best._replace(least=min(best.cost, int(agenda.least.sum(axis=0).min())))

    def _split(self, node: _Node, feature: int, depth: int, limit: int, agenda: _Agenda) -> _Found | None:
        """The best tree of a depth with this feature at its root; None if it costs more than the limit."""
        sides: list[_Found] = []
        for side, child in enumerate(self._sides(node, feature)):
            room = limit - (sides[0].cost if sides else agenda.least[1, feature])
            subtree = self._best(child, depth - 1, room)
            agenda.learn(feature, side, subtree.least)
            if subtree.cost > room:
                return None
            sides.append(subtree)
        absent, present = sides
        cost = absent.cost + present.cost
        return _Found(cost, feature, (feature, absent.splits, present.splits), cost)

    def _sides(self, node: _Node, feature: int) -> tuple[_Node, _Node]:
        """The rows of a node without and with a feature; the first are what the second leave of the whole."""
        having = node.mask & self._problem.planes.words[feature]
        costs, total = pair_sums(self._problem.planes, having), node.costs[:, feature, feature]
        return _Node(node.mask & ~having, node.costs - costs, node.total - total), _Node(having, costs, total)

    def _shallow(self, node: _Node, depth: int) -> _Found:
        """The best tree of depth 0, 1 or 2 below a node."""
        leaf = int(node.total.min()) + self._problem.penalty
        if depth > 0:
            single = leaves if depth == 1 else stumps
            costs = single(node.costs, node.total, self._problem.penalty).sum(axis=0)
            feature = int(costs.argmin())
            if costs[feature] < leaf:
                return _Found(int(costs[feature]), feature, None, int(costs[feature]))
        return _Found(leaf, -1, None, leaf)


class _Agenda:
    """The features that may be at the root of the best tree below a node.

    least : (2, F) lower bounds on the cost of the rows without and with each feature. It is what a tree with one
        split costs, unless that of three leaves is less. Where two sides differ by rows of some weight, so do their
        best trees at most.
    """

    def __init__(self, node: _Node, penalty: int) -> None:
        single = stumps(node.costs, node.total, penalty)
        self.least = np.minimum(single, 3 * penalty)
        self._promise = single.sum(axis=0)
        self._open = np.ones(len(self._promise), dtype=np.bool_)
        self._joint = node.costs.sum(axis=0)
        self._having = self._joint.diagonal()
        self._without = node.total.sum() - self._having

    def next(self, best: _Found, limit: int) -> int:
        """The most promising feature that may beat the best, or be as good and come first; -1 if there is none."""
        bound = self.least.sum(axis=0)
        self._open &= (bound <= limit) & ((bound < best.cost) | (np.arange(len(bound)) < best.root))
        if not self._open.any():
            return -1
        feature = int(np.where(self._open, self._promise, _NO_LIMIT).argmin())
        self._open[feature] = False
        return feature

    def learn(self, feature: int, side: int, cost: int) -> None:
        """Note that the rows without (0) or with (1) a feature cost at least this."""
        joint = self._joint[feature]
        lost = np.stack([joint, self._having[feature] - joint])  # rows with it that others' sides lack
        if side == 0:
            lost = np.stack([self._having, self._without]) - lost
        np.maximum(self.least, cost - lost, out=self.least)
