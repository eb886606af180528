"""A tree of segments, grown by what separate slopes of all characteristics would gain on either side of a split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable import registry
from scrutable.data import SpecialCodes
from scrutable_segmented.candidates import Candidate, candidates
from scrutable_segmented.learner import EVERYBODY_ELSE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: What makes bins: without the outcome, so that a feature that tells nothing alone can split.
_BINNER = "quantile"
#: Most characteristics in the quick fits, by information value: their cost grows with the square.
_MOST = 15
_STEPS, _RIDGE, _STILL = 25, 1.0, 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A segment.

    Parameters
    ----------
    when : conditions that all hold and decide, in an order in which the first leaf that fits is the right one.
    path : all conditions and their contraries on the way, in words.
    """

    when: tuple[str, ...]
    path: tuple[str, ...]


Tree = tuple[Leaf, ...]


def segments_of(tree: Tree) -> Mapping[str, str]:
    """The option `segments` of the learner: a condition by name, the last one "else".

    >>> segments_of((Leaf(when=("a < 1.0",), path=("a < 1.0",)), Leaf(when=(), path=("not (a < 1.0)",))))
    {'a < 1.0': 'a < 1.0', 'not (a < 1.0)': 'else'}
    """
    return {" and ".join(leaf.path) or "all": " and ".join(leaf.when) or EVERYBODY_ELSE for leaf in tree}


def grown(
    X: Any,
    good: Bools,
    weight: Floats,
    y: Any,
    favourable: Any,
    *,
    leaves: int,
    least: int,
    special_codes: SpecialCodes | None = None,
) -> list[Tree]:
    """Trees of one leaf up to so many, each a split more than the one before.

    The next split is the one that gains most log-likelihood: of a quadratic step from the fit of the leaf, made on
    either side alone. It has to gain more than it has parameters (Akaike's criterion).

    Parameters
    ----------
    X : (n, p) inputs.
    good : (n,) outcomes.
    weight : (n,) sample weights.
    y, favourable : the outcomes as classes, for the bins.
    leaves : how many at most.
    least : goods and bads that a leaf has at least.
    special_codes : values that are no measurement, as binners take them.
    """
    options = {"favourable": favourable, "encoding": "index", "special_codes": special_codes}
    binner = registry().create("binner", _BINNER, **options)
    index = binner.fit(X, y, sample_weight=weight).transform(X).astype(np.intp)
    tables = binner.binning_.tables
    told = sorted(range(len(tables)), key=lambda at: -tables[at].iv)[:_MOST]
    design = np.column_stack([np.ones(len(good)), *(tables[at].woe[index[:, at]] for at in told)])
    splits = [each for at, table in enumerate(tables) for each in candidates(table, at)]
    grower = _Grower(index=index, design=design, good=good, weight=weight, splits=splits, least=least)
    nodes = [_Node(leaf=Leaf(when=(), path=()), rows=np.ones(len(good), dtype=bool))]
    trees = [tuple(node.leaf for node in nodes)]
    best = [grower.best(node.rows) for node in nodes]
    while len(nodes) < leaves:
        at = max(range(len(nodes)), key=lambda place: best[place][0])
        split = best[at][1]
        if split is None:
            break
        sides = _divided(nodes[at], split, grower.inside(split))
        nodes[at : at + 1], best[at : at + 1] = sides, [grower.best(side.rows) for side in sides]
        trees.append(tuple(node.leaf for node in nodes))
    return trees


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Node:
    leaf: Leaf
    rows: Bools


def _divided(node: _Node, split: Candidate, inside: Bools) -> list[_Node]:
    """Both sides, first the one whose condition holds, so that the other one needs none."""
    own, path = node.leaf.when, node.leaf.path
    first = Leaf(when=(*own, split.when), path=(*path, split.when))
    second = Leaf(when=own, path=(*path, f"not ({split.when})"))
    return [_Node(leaf=first, rows=node.rows & inside), _Node(leaf=second, rows=node.rows & ~inside)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Grower:
    index: NDArray[np.intp]
    design: Floats
    good: Bools
    weight: Floats
    splits: Sequence[Candidate]
    least: int

    def inside(self, split: Candidate) -> Bools:
        """(n,) rows for which the condition of a split holds."""
        inside: Bools = split.inside[self.index[:, split.feature]]
        return inside

    def best(self, rows: Bools) -> tuple[float, Candidate | None]:
        """The split of these rows that gains most, and what it gains beyond its parameters; none where none does."""
        design, good, index = self.design[rows], self.good[rows], self.index[rows]
        left_over, curvature = _fitted(design, good, self.weight[rows])
        size = design.shape[1]
        most: tuple[float, Candidate | None] = (0.0, None)
        sums: dict[int, tuple[Floats, Floats, NDArray[np.intp]]] = {}
        for split in self.splits:
            if split.feature not in sums:
                bins = len(split.inside)
                sums[split.feature] = _by_bin(index[:, split.feature], bins, design, left_over, curvature, good)
            slopes, bends, counts = sums[split.feature]
            sides = [split.inside, ~split.inside]
            if min(int(counts[side].sum(axis=0).min()) for side in sides) < self.least:
                continue
            gain = sum(_gain(slopes[side].sum(axis=0), bends[side].sum(axis=0)) for side in sides) - size
            if gain > most[0]:
                most = (gain, split)
        return most


def _fitted(design: Floats, good: Bools, weight: Floats) -> tuple[Floats, Floats]:
    """(n,) weighted residuals and curvatures of a logistic regression with a small ridge."""
    slopes = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ slopes, -30, 30)))
        left_over, curvature = weight * (good - chance), weight * chance * (1 - chance)
        bend = design.T @ (curvature[:, np.newaxis] * design) + _RIDGE * np.eye(design.shape[1])
        step = np.linalg.solve(bend, design.T @ left_over - _RIDGE * slopes)
        slopes += step
        if np.abs(step).max() < _STILL:
            break
    return left_over, curvature


def _by_bin(
    index: NDArray[np.intp], bins: int, design: Floats, left_over: Floats, curvature: Floats, good: Bools
) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """(bins, p) slopes and (bins, p, p) curvatures of the log-likelihood, and (bins, 2) bad and good rows."""
    order = np.argsort(index, kind="stable")
    ends = np.searchsorted(index[order], np.arange(bins + 1))
    slopes, bends = np.zeros((bins, design.shape[1])), np.zeros((bins, design.shape[1], design.shape[1]))
    for place in range(bins):
        rows = order[ends[place] : ends[place + 1]]
        own = design[rows]
        slopes[place], bends[place] = own.T @ left_over[rows], own.T @ (curvature[rows, np.newaxis] * own)
    counts = np.column_stack([np.bincount(index[good == side], minlength=bins) for side in (False, True)])
    return slopes, bends, counts


def _gain(slope: Floats, bend: Floats) -> float:
    return float(0.5 * slope @ np.linalg.solve(bend + _RIDGE * np.eye(len(slope)), slope))
