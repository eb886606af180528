"""A compiled search of all conjunctions of up to L literals for those that gain most.

Branch and bound, depth first. Literals have numbers, those of a feature in a row, and a conjunction is built by rising
number. At each node one pass over its rows fills histograms, from which the gain of every conjunction that is longer
by one literal follows by adding up. No extension of a conjunction gains more than the positive gains of the rows it
covers, less what the shortest extension costs: where this is no more than the best gain so far, it is not entered.
The search can stop after any node and go on from there, so that whoever waits for it can look at the clock.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled, compiled_part
from scrutable_rug.literals import BELOW, EQUAL, FROM, UNEQUAL

Codes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Positions = NDArray[np.int64]

_GLANCE = 0.1  # seconds between two looks at the clock, about


class Literals(NamedTuple):
    """All literals by rising number.

    of : (P, 4) feature, kind, code and extras of each.
    after : (P,) the first literal that can narrow a conjunction that ends with this one.
    first : (F + 1,) number of the first literal of each feature.
    offsets : (F + 1,) where the codes of each feature begin in a histogram.
    ordinary : (F,) number of ordinary codes.
    """

    of: Positions
    after: Positions
    first: Positions
    offsets: Positions
    ordinary: Positions


class Price(NamedTuple):
    """What conjunctions cost.

    fixed : cost of any.
    literal : cost of each literal.
    feature : cost of each feature that is named.
    least : only gains above this are looked for.
    """

    fixed: float
    literal: float
    feature: float
    least: float


class Found(NamedTuple):
    """What a search found.

    best : the largest gain, costs taken off, of the conjunctions looked at; `Price.least` where none has more.
    bound : no conjunction gains more than this; the same as `best` where the search came to its end.
    gain : (r,) gains of the conjunctions kept.
    literals : (r, L) their literals; -1 where they are shorter.
    visited : number of nodes.
    """

    best: float
    bound: float
    gain: Floats
    literals: Positions
    visited: int


class State(NamedTuple):
    """Where a search is.

    rows, n_rows : (L, p), (L,) patterns that the node of each level covers.
    todo, limit : (L, P) literals by which each level's node is still to be extended, and the most that can gain.
    n_todo, next_todo : (L,) how many there are, and which of them is next.
    path : (L,) literals of the nodes that are open.
    kept_gain, kept : (r,), (r, L) the conjunctions kept.
    best : (1,) the largest gain so far.
    at : (3,) level, whether its node is still to be visited, and number of nodes visited; the level is -1 at the end.
    """

    rows: NDArray[np.int32]
    n_rows: Positions
    todo: Positions
    limit: Floats
    n_todo: Positions
    next_todo: Positions
    path: Positions
    kept_gain: Floats
    kept: Positions
    best: Floats
    at: Positions


def search(
    codes: Codes,
    gain: Floats,
    literals: Literals,
    longest: int,
    price: Price,
    most_kept: int,
    most_visited: int,
    until: float | None = None,
) -> Found:
    """Search the conjunctions of 1 to `longest` literals.

    Parameters
    ----------
    codes : (F, p) codes of p patterns.
    gain : (p,) what covering each is worth, positive or negative.
    most_kept : how many conjunctions to keep, each the best that one node is extended to by a literal.
    most_visited : nodes after which the search ends early.
    until : moment of `time.monotonic` after which it ends early, looked at about every tenth of a second; at least one
        node is visited. None means never.
    """
    state = _begin(len(gain), len(literals.of), longest, price.least, most_kept)
    if until is None:
        _go_on(codes, gain, literals, price, state, most_visited)
    else:
        nodes, visited = 1, 0
        while visited < most_visited and state.at[0] >= 0 and (visited == 0 or time.monotonic() < until):
            start = time.monotonic()
            _go_on(codes, gain, literals, price, state, min(nodes, most_visited - visited))
            visited = int(state.at[2])
            took = time.monotonic() - start
            nodes = 2 * nodes if took < _GLANCE / 2 else max(nodes // 2, 1) if took > _GLANCE else nodes
    best = float(state.best[0])
    return Found(best, _bound(state, best), state.kept_gain, state.kept, int(state.at[2]))


def _begin(size: int, n_literals: int, longest: int, least: float, most_kept: int) -> State:
    """A search of which nothing is done; its first node covers everything."""
    state = State(
        rows=np.empty((longest, size), np.int32),
        n_rows=np.zeros(longest, np.int64),
        todo=np.empty((longest, n_literals), np.int64),
        limit=np.empty((longest, n_literals)),
        n_todo=np.zeros(longest, np.int64),
        next_todo=np.zeros(longest, np.int64),
        path=np.full(longest, -1, np.int64),
        kept_gain=np.full(most_kept, least),
        kept=np.full((most_kept, longest), -1, np.int64),
        best=np.full(1, least),
        at=np.array([0, 1, 0], np.int64),
    )
    state.n_rows[0] = size
    state.rows[0] = np.arange(size)
    return state


def _bound(state: State, best: float) -> float:
    """No conjunction gains more: those looked at have no more than the best, the others no more than their limits.

    The node that is still to be visited needs no limit of its own. What extends it has a later literal, which could
    extend the node above in its place: that is among what is still to be done there, and its limit is no smaller.
    """
    for above in range(int(state.at[0])):
        todo = slice(state.next_todo[above], state.n_todo[above])
        best = max(best, state.limit[above, todo].max(initial=best))
    return float(best)


@compiled
def _go_on(codes: Codes, gain: Floats, literals: Literals, price: Price, state: State, most: int) -> None:
    """Visit up to `most` further nodes."""
    longest, n_literals = len(state.path), len(literals.of)
    value, positive = np.empty(n_literals), np.empty(n_literals)
    hist = np.empty((literals.offsets[-1], 3))
    level, fresh, visited = state.at[0], state.at[1] == 1, state.at[2]
    best, path, rows = state.best[0], state.path, state.rows
    last_visited = visited + most
    while level >= 0:
        if fresh:
            if visited == last_visited:
                break
            visited += 1
            spent = price.fixed
            for i in range(level):
                spent += price.literal
                if i == 0 or literals.of[path[i], 0] != literals.of[path[i - 1], 0]:
                    spent += price.feature
            begin = literals.after[path[level - 1]] if level else 0
            most_rows = state.n_rows[level] - (
                level > 0
            )  # a literal must narrow the conjunction, unless it is the first
            covered = rows[level, : state.n_rows[level]]
            _extend(codes, gain, literals, covered, begin, most_rows, hist, value, positive)
            last = literals.of[path[level - 1], 0] if level else -1
            top, top_literal, count = price.least, -1, 0
            for literal in range(begin, n_literals):
                if value[literal] == -np.inf:
                    continue
                cost = spent + price.literal + (price.feature if literals.of[literal, 0] != last else 0.0)
                if value[literal] - cost > top:
                    top, top_literal = value[literal] - cost, literal
                reach = positive[literal] - cost - price.literal
                if level + 1 < longest and reach > best:
                    state.todo[level, count], state.limit[level, count], count = literal, reach, count + 1
            state.n_todo[level], state.next_todo[level] = count, 0
            if top_literal >= 0:
                best = max(best, top)
                _keep(state.kept_gain, state.kept, top, path, level, top_literal)
        fresh = False
        if state.next_todo[level] == state.n_todo[level]:
            level -= 1
            continue
        at = state.next_todo[level]
        state.next_todo[level] += 1
        if state.limit[level, at] <= best:
            continue
        literal = state.todo[level, at]
        path[level] = literal
        state.n_rows[level + 1] = _filter(codes, literals, literal, rows[level, : state.n_rows[level]], rows[level + 1])
        level += 1
        fresh = True
    state.at[0], state.at[1], state.at[2] = level, 1 if fresh else 0, visited
    state.best[0] = best


@compiled_part
def _extend(
    codes: Codes,
    gain: Floats,
    literals: Literals,
    rows: NDArray[np.int32],
    begin: int,
    most_rows: int,
    hist: Floats,
    value: Floats,
    positive: Floats,
) -> None:
    """The gain, and the sum of positive gains, of a node's rows that each literal from `begin` on lets through.

    -inf where a literal lets through no row or more than the most, or the same rows as another of its kind does.
    """
    for feature in range(len(literals.ordinary)):
        if literals.first[feature + 1] <= begin:
            continue
        start, stop = literals.offsets[feature], literals.offsets[feature + 1]
        hist[start:stop] = 0.0
        column = codes[feature]
        for i in rows:
            at = start + np.int64(column[i])
            hist[at, 0] += gain[i]
            hist[at, 1] += max(gain[i], 0.0)
            hist[at, 2] += 1.0
        _add_up(literals, feature, most_rows, begin, hist[start:stop], value, positive)


@compiled_part
def _add_up(
    literals: Literals, feature: int, most_rows: int, begin: int, hist: Floats, value: Floats, positive: Floats
) -> None:
    ordinary = literals.ordinary[feature]
    total, extra = np.zeros(3), np.zeros(3)
    for code in range(len(hist)):
        for k in range(3):
            total[k] += hist[code, k]
            extra[k] += hist[code, k] if code >= ordinary else 0.0
    below, upto, own = np.zeros(3), 0, np.zeros(3)
    kind_before = -1
    for literal in range(literals.first[feature], literals.first[feature + 1]):
        kind, code, extras = literals.of[literal, 1], literals.of[literal, 2], literals.of[literal, 3]
        if kind == FROM and kind_before != FROM:
            below[:] = 0.0
            upto = 0
        kind_before = kind
        same = False
        if kind in (BELOW, FROM):
            while upto < code:
                for k in range(3):
                    below[k] += hist[upto, k]
                upto += 1
            empty, nearer = (code - 1, code > 1) if kind == BELOW else (code, code < ordinary - 1)
            same = nearer and hist[empty, 2] == 0
            same |= extras == 1 and extra[2] == 0
            for k in range(3):
                part = below[k] if kind == BELOW else total[k] - extra[k] - below[k]
                own[k] = part + (extra[k] if extras == 1 else 0.0)
        else:
            for k in range(3):
                own[k] = hist[code, k] if kind == EQUAL else total[k] - hist[code, k]
        if literal >= begin:
            useless = same or own[2] == 0 or own[2] > most_rows
            value[literal] = -np.inf if useless else own[0]
            positive[literal] = own[1]


@compiled_part
def _filter(codes: Codes, literals: Literals, literal: int, rows: NDArray[np.int32], into: NDArray[np.int32]) -> int:
    """Copy the rows that a literal lets through; returns their number."""
    feature, kind, code, extras = literals.of[literal]
    ordinary, column, count = literals.ordinary[feature], codes[feature], 0
    for i in rows:
        own = np.int64(column[i])
        if kind in (EQUAL, UNEQUAL):
            inside = (own == code) == (kind == EQUAL)
        elif own >= ordinary:
            inside = extras == 1
        else:
            inside = (own < code) == (kind == BELOW)
        if inside:
            into[count] = i
            count += 1
    return count


@compiled_part
def _keep(kept_gain: Floats, kept: Positions, gain: float, path: Positions, level: int, literal: int) -> None:
    """Put a conjunction in the place of the one kept that gains least, if that gains less."""
    at = 0
    for other in range(len(kept_gain)):
        if kept_gain[other] < kept_gain[at]:
            at = other
    if gain > kept_gain[at]:
        kept_gain[at] = gain
        kept[at] = -1
        for i in range(level):
            kept[at, i] = path[i]
        kept[at, level] = literal
