"""Two scorecards as one, each characteristic with the sums of the points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scrutable.data import TrainingData, min_cell
from scrutable.model import (
    UNIT,
    Attribute,
    Characteristic,
    Clause,
    Feature,
    Interval,
    Leaf,
    Node,
    Otherwise,
    Scorecard,
    Split,
    TreeEnsemble,
    rounded,
    scorecard_of,
)

Floats = NDArray[np.float64]

#: How far sums of points with decimals may be from what the decimals say: each of the two by half a unit.
_FROM_SNAPPING = 2 * UNIT


def summed(before: Scorecard, added: Scorecard, features: Sequence[Feature]) -> Scorecard:
    """The scorecard with the sums of the points, on attributes that neither of the two parts.

    Cutoff, calibration and scaling are those of the one before; where its points have decimals, sums have them, too.
    Tables of pairs, reasons and policies are left aside.

    Parameters
    ----------
    features : that characteristics of either read, in their order.
    """
    cards = (before, added)
    every = [each for card in cards for each in card.characteristics]
    rest: dict[str, float] = {}
    for each in every:
        rest[each.feature] = rest.get(each.feature, 0.0) + _of_others(each)
    ensemble = TreeEnsemble(
        outcome=added.outcome,
        features=tuple(features),
        trees=tuple(tree for each in every for tree in _stumps(each)),
        base_score=sum(card.base_points for card in cards) + sum(rest.values()),
        cutoff=before.cutoff,
        calibration=before.calibration,
    )
    whole = scorecard_of(ensemble)
    held = {each.feature: rest[each.feature] for each in whole.characteristics}
    decimals = None if before.scaling is None else before.scaling.decimals
    return replace(
        whole,
        base_points=_as_declared(whole.base_points - sum(held.values()), decimals),
        characteristics=tuple(_moved(each, held[each.feature], decimals) for each in whole.characteristics),
        scaling=before.scaling,
    )


def aligned(added: Scorecard, before: Scorecard, data: TrainingData) -> Scorecard:
    """The card whose cuts are those of the scorecard before, wherever fewer rows are between than may be told of.

    Else there would be attributes between the two of hardly anybody, with points that nobody meant.
    """
    cuts = {each.feature: _cuts(each) for each in before.characteristics}
    known = {feature.name: feature for feature in data.features}
    made = [
        _aligned(each, cuts[each.feature], known[each.feature], data) if cuts.get(each.feature) else each
        for each in added.characteristics
    ]
    return replace(added, characteristics=tuple(made))


def _aligned(
    characteristic: Characteristic, cuts: Sequence[float], feature: Feature, data: TrainingData
) -> Characteristic:
    own = _cuts(characteristic)
    counts = data.counts_between(feature, sorted({*own, *cuts}))
    there = ~counts.column.missing
    moves = moved_cuts(own, cuts, counts.column.values[there], counts.rows.sum(axis=1)[there], min_cell())
    return replace(
        characteristic,
        attributes=tuple(
            replace(a, condition=_between(a.condition, moves)) if isinstance(a.condition, Interval) else a
            for a in characteristic.attributes
        ),
    )


def moved_cuts(
    own: Sequence[float], others: Sequence[float], values: Floats, rows: NDArray[np.intp], least: int
) -> dict[float, float]:
    """Which cuts become others, with fewer than so many rows between, and no further cut.

    Parameters
    ----------
    own, others : ascending.
    values, rows : (k,) values, or the least ones of buckets that no cut divides, ascending, and the rows of each.

    Examples
    --------
    >>> moved_cuts([22, 42], [24, 36], np.array([20, 22, 30, 36, 42]), np.array([2, 1, 1, 2, 1]), 2)
    {22: 24}
    """
    moves: dict[float, float] = {}
    every = sorted({*own, *others})
    below = np.concatenate([[0], np.cumsum(rows)])
    place = dict(zip(every, below[np.searchsorted(values, every)].tolist(), strict=True))
    taken = {*own}
    beside = [pair for pair in itertools.pairwise(every) if (pair[0] in taken) != (pair[1] in taken)]
    for low, high in sorted(beside, key=lambda pair: (place[pair[1]] - place[pair[0]], pair)):
        cut, other = (low, high) if low in own else (high, low)
        if place[high] - place[low] < least and other not in taken and cut not in others and cut not in moves:
            moves[cut] = other
            taken.add(other)
    return moves


def _between(interval: Interval, moves: Mapping[float, float]) -> Interval:
    lower, upper = (moves.get(limit, limit) for limit in (interval.lower, interval.upper))
    return replace(interval, lower=lower, upper=upper)


def _cuts(characteristic: Characteristic) -> list[float]:
    """The least numbers of all intervals but the lowest, ascending."""
    conditions = [a.condition for a in characteristic.attributes]
    return sorted(each.first for each in conditions if isinstance(each, Interval) and np.isfinite(each.lower))


def _of_others(characteristic: Characteristic) -> float:
    """The points of categories that nobody had; 0 where that cannot be."""
    return sum(a.points for a in characteristic.attributes if isinstance(a.condition, Otherwise))


def _stumps(characteristic: Characteristic) -> Iterator[Node]:
    """A tree for each attribute, counted from the points of categories that nobody had."""
    rest = _of_others(characteristic)
    for attribute in characteristic.attributes:
        if not isinstance(attribute.condition, Otherwise):
            clause = Clause(characteristic.feature, (attribute.condition,))
            yield Split(clause, Leaf(attribute.points - rest), Leaf(0.0))


def _moved(characteristic: Characteristic, by: float, decimals: int | None) -> Characteristic:
    def moved(attribute: Attribute) -> Attribute:
        return replace(attribute, points=_as_declared(attribute.points + by, decimals))

    return replace(characteristic, attributes=tuple(map(moved, characteristic.attributes)))


def _as_declared(points: float, decimals: int | None) -> float:
    """Points as their decimals are held: sums of two that are held so may be apart from that by rounding."""
    if decimals is None:
        return points
    nearest = rounded(points, decimals)
    return nearest if abs(points - nearest) <= _FROM_SNAPPING else points
