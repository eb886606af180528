"""Branch and bound over the features that change: depth first, from the last feature to the first.

A proposal is a set of changes. A node adds one to those of its parent, at a feature before all of theirs, and stands
for itself (nothing further changes) and for what can be added before it. The whitening is triangular, so that the
residuals from the changed feature on are final there, and the bounds of `duality` cost a few additions a node.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_counterfactual.arrays import Floats, Moves, Positions
from scrutable_counterfactual.duality import Duals, distance

_SLACK = 1e-10


class Path(NamedTuple):
    """Where the search stands, so that it can go on later; entry d is after d changes.

    depth : (1,) number of changes on the path, -1 where the search has ended.
    at : (depths,) the feature that comes next, as a position among those that can change.
    option : (depths,) its next move; -1 before the first.
    taken : (depths,) the move that led here.
    score : (depths,) of the path, if nothing further changes.
    cost : (terms, depths) separable cost.
    residual : (depths, n).
    final : (depths, n + 1) sum of |residual| from a feature on.
    bounded : (terms, depths, n + 1) sum of slope * residual before a feature.
    known : (terms,) what is common to the bounds of a feature's moves.
    nodes : (1,) moves that were looked at.
    """

    depth: Positions
    at: Positions
    option: Positions
    taken: Positions
    score: Floats
    cost: Floats
    residual: Floats
    final: Floats
    bounded: Floats
    known: Floats
    nodes: Positions


class Kept(NamedTuple):
    """The proposals found so far.

    cells : (room, n).
    cost : (room, terms).
    filled : (1,) how many.
    distinct : whether no two may change the same features, so that the better one stays.
    every : whether all are kept that keep to the limits, rather than the best.
    """

    cells: Positions
    cost: Floats
    filled: Positions
    distinct: bool
    every: bool


@compiled
def begin(moves: Moves, duals: Duals) -> Path:
    """The path before any change."""
    terms, n = duals.slope.shape
    depths = moves.most + 1
    path = Path(
        np.zeros(1, np.int64),
        np.full(depths, len(moves.feature) - 1),
        np.full(depths, -1),
        np.full(depths, -1),
        np.full(depths, moves.score),
        np.zeros((terms, depths)),
        np.zeros((depths, n)),
        np.zeros((depths, n + 1)),
        np.zeros((terms, depths, n + 1)),
        np.zeros(terms),
        np.zeros(1, np.int64),
    )
    path.residual[0] = moves.residual
    for i in range(n):
        path.final[0, n - 1 - i] = path.final[0, n - i] + abs(moves.residual[n - 1 - i])
        path.bounded[:, 0, i + 1] = path.bounded[:, 0, i] + duals.slope[:, i] * moves.residual[i]
    return path


@compiled
def explore(moves: Moves, duals: Duals, limits: Floats, kept: Kept, path: Path, budget: int) -> bool:
    """Go on from where the path stands; whether the search ended within the budget of nodes.

    Parameters
    ----------
    limits : (terms,) what each term may cost; the first falls as proposals are found.
    """
    feature, start, gains, losses = moves.feature, moves.start, moves.gains, moves.losses
    gain, price_of, columns, closeness = moves.gain, moves.cost, moves.columns, moves.closeness
    slope, price, level, rest, least = duals.slope, duals.price, duals.level, duals.rest, duals.least
    at, option, taken, score, cost = path.at, path.option, path.taken, path.score, path.cost
    residual, final, bounded, known = path.residual, path.final, path.bounded, path.known
    low, high, most, terms = moves.low, moves.high, moves.most, len(limits)
    d, nodes = path.depth[0], path.nodes[0]
    if nodes == 0:
        nodes = 1
        if low <= score[0] <= high:
            _offer(moves, limits, kept, path, 0, final[0, 0])
    stop = nodes + budget
    ended = True
    while d >= 0:
        t = at[d]
        if t < 0:
            d -= 1
            continue
        if nodes >= stop:
            ended = False
            break
        j, left, here = feature[t], most - d - 1, score[d]
        if option[d] < 0:  # can anything at or before the t-th feature help?
            helps = here + gains[t + 1, left + 1] >= low and here + losses[t + 1, left + 1] <= high
            for m in range(terms):
                bound = cost[m, d] + closeness[m] * (final[d, j + 1] + bounded[m, d, j + 1])
                bound += level[m] - price[m] * here + least[m, t + 1, left + 1]
                helps = helps and bound <= limits[m] - _SLACK
            if not helps:
                d -= 1
                continue
            option[d] = start[t]
        for m in range(terms):
            known[m] = cost[m, d] + closeness[m] * (final[d, j + 1] + bounded[m, d, j])
            known[m] += level[m] - price[m] * here + least[m, t, left]
        need, enough = low - here - gains[t, left], high - here - losses[t, left]
        own, steep = residual[d, j], columns[j, j]
        entered = False
        for o in range(option[d], start[t + 1]):
            if kept.every and kept.filled[0] == len(kept.cost):  # no room for what this move may bring
                option[d] = o
                path.depth[0], path.nodes[0] = d, nodes
                return False
            step = gain[o]
            if step < need:  # moves are in falling order of their gain
                break
            nodes += 1
            if step > enough:
                continue
            size = abs(own + step * steep)
            fits = True
            for m in range(terms):
                fits = fits and known[m] + closeness[m] * size + rest[m, o] <= limits[m] - _SLACK
            if not fits:
                continue
            taken[d + 1], score[d + 1] = o, here + step
            final[d + 1, j + 1] = final[d, j + 1]
            total = final[d, j + 1] + size
            if left > 0:
                residual[d + 1, j] = own + step * steep
                final[d + 1, j] = total
                for i in range(j - 1, -1, -1):
                    residual[d + 1, i] = residual[d, i] + step * columns[j, i]
                    total += abs(residual[d + 1, i])
                    final[d + 1, i] = total
            else:
                for i in range(j):
                    total += abs(residual[d, i] + step * columns[j, i])
            for m in range(terms):
                cost[m, d + 1] = cost[m, d] + price_of[m, o]
            fits = low <= score[d + 1] <= high
            for m in range(terms):
                fits = fits and cost[m, d + 1] + closeness[m] * total <= limits[m]
            if fits:
                _offer(moves, limits, kept, path, d + 1, total)
            if left > 0 and t > 0:
                for m in range(terms):
                    total = 0.0
                    for i in range(j):
                        total += slope[m, i] * residual[d + 1, i]
                        bounded[m, d + 1, i + 1] = total
                option[d] = o + 1
                d += 1
                at[d], option[d] = t - 1, -1
                entered = True
                break
        if not entered:
            at[d], option[d] = t - 1, -1
    path.depth[0], path.nodes[0] = d, nodes
    return ended


@compiled
def bound_of(moves: Moves, duals: Duals, path: Path, term: int) -> float:
    """No proposal that the search has not seen costs less than this."""
    bound = math.inf
    for d in range(path.depth[0] + 1):
        if path.at[d] >= 0:
            bound = min(bound, _bound(moves, duals, path, term, d, path.at[d]))
    return bound


@compiled
def _bound(moves: Moves, duals: Duals, path: Path, m: int, d: int, t: int) -> float:
    """What every proposal costs at least that adds changes to node d among the features up to the t-th."""
    j = moves.feature[t]
    return float(
        path.cost[m, d]
        + moves.closeness[m] * (path.final[d, j + 1] + path.bounded[m, d, j + 1])
        + duals.level[m]
        - duals.price[m] * path.score[d]
        + duals.least[m, t + 1, moves.most - d]
    )


@compiled
def _offer(moves: Moves, limits: Floats, kept: Kept, path: Path, d: int, residuals: float) -> None:
    """Keep the node as a proposal, if it is one and good enough; `residuals` is the sum of their absolute values."""
    far = distance(moves.shape, path.score[d])
    costs = np.empty(len(limits))
    for m in range(len(limits)):
        costs[m] = path.cost[m, d] + moves.closeness[m] * residuals + moves.outcome[m] * far
        if costs[m] > limits[m] - (_SLACK if m == 0 else 0.0):
            return
    cells = cells_of(moves, path.taken[1 : d + 1])
    if not _is_forbidden(moves, cells) and not (moves.needed and _has_idle(moves, cells, path, d)):
        keep(moves, cells, costs, limits, kept)


@compiled
def cells_of(moves: Moves, taken: Positions) -> Positions:
    """(n,) cells after some moves."""
    cells = moves.current.copy()
    for o in taken:
        cells[moves.feature[np.searchsorted(moves.start, o, side="right") - 1]] = moves.cell[o]
    return cells


@compiled
def _has_idle(moves: Moves, cells: Positions, path: Path, d: int) -> bool:
    """Whether a node would do without one of its changes."""
    for depth in range(1, d + 1):
        o = path.taken[depth]
        if moves.low <= path.score[d] - moves.gain[o] <= moves.high:
            j = moves.feature[np.searchsorted(moves.start, o, side="right") - 1]
            cell, cells[j] = cells[j], moves.current[j]
            idle = not _is_forbidden(moves, cells)
            cells[j] = cell
            if idle:
                return True
    return False


@compiled
def _is_forbidden(moves: Moves, cells: Positions) -> bool:
    for rule in moves.forbidden:
        inside = True
        for i in range(len(cells)):
            if not rule[i, cells[i]]:
                inside = False
                break
        if inside:
            return True
    return False


@compiled
def keep(moves: Moves, cells: Positions, costs: Floats, limits: Floats, kept: Kept) -> None:
    """Add a proposal; where there is no room for all, the dearest goes, and the first limit falls to what is left."""
    place = kept.filled[0]
    if kept.distinct:
        for k in range(kept.filled[0]):
            same = True
            for i in range(len(cells)):
                same = same and (cells[i] != moves.current[i]) == (kept.cells[k, i] != moves.current[i])
            if same:
                if costs[0] >= kept.cost[k, 0]:
                    return
                place = k
    if place == len(kept.cost):
        place = np.argmax(kept.cost[:, 0])
    kept.cells[place], kept.cost[place] = cells, costs
    kept.filled[0] = max(kept.filled[0], place + 1)
    if kept.filled[0] == len(kept.cost) and not kept.every:
        limits[0] = min(limits[0], kept.cost[:, 0].max())
