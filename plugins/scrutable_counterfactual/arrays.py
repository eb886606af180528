"""A problem as flat arrays for the compiled loops: the moves that are left, feature by feature."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Shape(NamedTuple):
    """The distance of outcomes: 0 none, 1 points, 2 probability by logit, 3 probability as is; see `Distance`."""

    kind: int
    target: float
    slope: float
    intercept: float


class Moves(NamedTuple):
    """What may change, and by how much.

    current : (n,) the applicant's cells.
    forbidden : as in `Problem`.
    shape : the distance of outcomes.
    feature : (t,) features that can change, rising.
    start : (t + 1,) where the moves of each begin, those that gain most first.
    cell : (moves,) the cell that a move leads to.
    gain : (moves,) points that it gains.
    cost : (terms, moves) separable cost of it.
    closeness, outcome : (terms,) weights.
    columns : (n, n) columns[j, i] is what a point of feature j adds to residual i <= j.
    residual : (n,) of the applicant.
    score, low, high : the applicant's score and the window; both ends finite, within what moves can reach.
    must_rise, must_fall : whether the lower, the upper end of the window keeps some moves out.
    needed : as in `Problem`.
    most : features that may change at most.
    gains, losses : (t + 1, most + 1) the most that q changes among the first t features gain, and lose (negative).
    """

    current: Positions
    forbidden: Flags
    shape: Shape
    feature: Positions
    start: Positions
    cell: Positions
    gain: Floats
    cost: Floats
    closeness: Floats
    outcome: Floats
    columns: Floats
    residual: Floats
    score: float
    low: float
    high: float
    must_rise: bool
    must_fall: bool
    needed: bool
    most: int
    gains: Floats
    losses: Floats


@compiled
def moves_of(
    points: Floats,
    current: Positions,
    allowed: Flags,
    costs: Floats,
    closeness: Floats,
    outcome: Floats,
    whitening: Floats,
    centre: Floats,
    base: float,
    window: Floats,
    max_changes: int,
    needed: bool,
    forbidden: Flags,
    shape: Shape,
) -> Moves:
    """The moves of one applicant; `costs` is (terms, n, cells), `window` the lowest and highest score."""
    n = len(points)
    feature, start = np.empty(n, np.int64), np.zeros(n + 1, np.int64)
    total = allowed.sum()
    cell, gain, cost = np.empty(total, np.int64), np.empty(total), np.empty((len(closeness), total))
    many = at = 0
    for i in range(n):
        for o in np.argsort(-points[i]):
            if allowed[i, o]:
                cell[at], gain[at] = o, points[i, o] - points[i, current[i]]
                cost[:, at] = costs[:, i, o]
                at += 1
        if at > start[many]:
            feature[many] = i
            many += 1
            start[many] = at
    score, offset = base, np.empty(n)
    for i in range(n):
        score += points[i, current[i]]
        offset[i] = points[i, current[i]] - centre[i]
    residual = np.zeros(n)
    for i in range(n):
        for j in range(i, n):
            residual[i] += whitening[i, j] * offset[j]
    most = min(max_changes, many)
    best, worst = np.zeros(many), np.zeros(many)
    for t in range(many):
        for o in range(start[t], start[t + 1]):
            best[t], worst[t] = max(best[t], gain[o]), min(worst[t], gain[o])
    gains, losses = most_of(best, most), -most_of(-worst, most)
    return Moves(
        current,
        forbidden,
        shape,
        feature[:many],
        start[: many + 1],
        cell,
        gain,
        cost,
        closeness,
        outcome,
        np.ascontiguousarray(whitening.T),
        residual,
        score,
        max(window[0], score + losses[many, most]),
        min(window[1], score + gains[many, most]),
        window[0] > score + losses[many, most],
        window[1] < score + gains[many, most],
        needed,
        most,
        gains,
        losses,
    )


@compiled
def most_of(values: Floats, most: int) -> Floats:
    """(t + 1, most + 1) sum of the q largest of the first t values, none of them negative."""
    sums = np.zeros((len(values) + 1, most + 1))
    largest = np.zeros(most)
    for t in range(len(values)):
        value = values[t]
        for q in range(most):
            if value > largest[q]:
                value, largest[q] = largest[q], value
        total = 0.0
        for q in range(most):
            total += largest[q]
            sums[t + 1, q + 1] = total
    return sums
