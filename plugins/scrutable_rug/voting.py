"""Votes of rules on patterns, a row for each pattern, to which rules are added."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scrutable.errors import InputError
from scrutable.measures.numerics import compiled
from scrutable_rug.patterns import Booleans, Positions

Floats = NDArray[np.float64]
Indices = NDArray[np.int32]
Votes = csr_array[np.float64, tuple[int, int]]

_MOST = np.iinfo(np.int32).max  # votes that SciPy's indices of 32 bits can number


def extended(
    votes: Votes, parents: Positions, own: Positions, covered: Booleans, classes: Positions, wrong: float
) -> Votes:
    """The votes of all rules, on patterns that new rules have split.

    Parameters
    ----------
    votes : (patterns before, J) votes of the rules so far, sorted by rule in each row.
    parents : (P,) the pattern that each was part of before.
    own : (P,) class of each pattern's samples.
    covered : (k, P) whether each new rule covers them.
    classes : (k,) class that each new rule votes for.
    wrong : what a rule votes on a sample of another class.

    Raises
    ------
    InputError : more votes than 32 bits can number.

    Examples
    --------
    The second rule splits the one pattern in two, and is wrong.

    >>> before = csr_array(np.array([[1.0]]))
    >>> extended(before, np.zeros(2, int), np.zeros(2, int), np.array([[True, False]]), np.array([1]), -1.0).toarray()
    array([[ 1., -1.],
           [ 1.,  0.]])
    """
    start = _starts(np.diff(votes.indptr)[parents] + covered.sum(axis=0))
    rule, vote = _filled(
        start, votes.indptr, votes.indices, votes.data, votes.shape[1], parents, own, covered, classes, wrong
    )
    return csr_array((vote, rule, start), shape=(len(parents), votes.shape[1] + len(covered)))


def _starts(counts: Positions) -> Indices:
    """Where each row begins that has so many votes, and where the last one ends."""
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    if starts[-1] > _MOST:
        raise InputError(
            "too many votes",
            where="rules on patterns",
            got=int(starts[-1]),
            allowed=f"up to {_MOST}",
            fix="learn from fewer rows, or with fewer iterations or a smaller max_depth",
        )
    return starts.astype(np.int32)


@compiled(steps=lambda start, *_: 2 * int(start[-1]))
def _filled(
    start: Indices,
    old: Indices,
    rules: Indices,
    votes: Floats,
    count: int,
    parents: Positions,
    own: Positions,
    covered: Booleans,
    classes: Positions,
    wrong: float,
) -> tuple[Indices, Floats]:
    """Rules and votes of each row: those of the pattern that it was part of, then the new rules that cover it."""
    rule, vote = np.empty(start[-1], np.int32), np.empty(start[-1])
    for row in range(len(parents)):
        at = start[row]
        for before in range(old[parents[row]], old[parents[row] + 1]):
            rule[at], vote[at] = rules[before], votes[before]
            at += 1
        for new in range(len(classes)):
            if covered[new, row]:
                rule[at], vote[at] = count + new, 1.0 if classes[new] == own[row] else wrong
                at += 1
    return rule, vote
