"""Parts of growing a tree in NumPy, as they run where a tree is too small to compile loops for; the bits are the same.

Sums add one row or code after another, as the loops do: by `bincount` and `cumsum`, never by NumPy's `sum`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable_rug.grown import Cases, Codes, Floats, Layout, Positions


def weigh(cases: Cases, start: int, stop: int, weight: Floats) -> int:
    """Add up the weight of each class; returns the number of rows."""
    weight += np.bincount(cases.label[start:stop], cases.weight[start:stop], len(weight))
    return int(cases.n_rows[start:stop].sum())


def count(
    codes: Codes, layout: Layout, chosen: Positions, cases: Cases, start: int, stop: int, n_classes: int, hist: Floats
) -> None:
    """The histogram of a node."""
    width = n_classes + 1
    place, label = cases.place[start:stop], cases.label[start:stop]
    for feature in chosen:
        own = hist[layout.offsets[feature] * width : layout.offsets[feature + 1] * width]
        at = codes[feature][place].astype(np.int64) * width
        own[:] = np.bincount(at + label, cases.weight[start:stop], len(own))
        own[n_classes::width] = np.bincount(at // width, cases.n_rows[start:stop], len(own) // width)


def subtract(layout: Layout, chosen: Positions, n_classes: int, hist: Floats, other: Floats) -> None:
    """Take the histogram of one child from that of both."""
    for feature in chosen:
        own = slice(layout.offsets[feature] * (n_classes + 1), layout.offsets[feature + 1] * (n_classes + 1))
        hist[own] -= other[own]


def best_threshold(
    hist: Floats, ordinary: int, total: Floats, least_rows: int, best: float, tie: float, left: Floats, extra: Floats
) -> tuple[float, int, int]:
    """Score, code and extras of the best threshold of a feature that beats the best so far; code 0 for none."""
    by_code = hist.reshape(-1, len(left))
    counts = by_code[:, -1]
    extra[:] = np.cumsum(by_code[ordinary:], axis=0)[-1] if len(by_code) > ordinary else 0.0
    rows, others = counts.sum(), extra[-1]
    told = np.flatnonzero(counts[: ordinary - 1]) + 1  # codes below which there are more rows than below the one before
    below = np.cumsum(by_code[told - 1], axis=0)
    beyond = rows - others - below[:, -1]
    told, below, beyond = told[beyond != 0], below[beyond != 0], beyond[beyond != 0]
    alone = (below[:, -1] >= least_rows) & (rows - below[:, -1] >= least_rows)
    joined = (others > 0) & (below[:, -1] + others >= least_rows) & (beyond >= least_rows)
    scores = np.full((len(told), 2), -np.inf)
    scores[alone, 0] = _scores(below[alone], total)
    scores[joined, 1] = _scores(below[joined] + extra, total)
    code, extras = 0, 0
    best, at = _last_that_beats(scores.ravel(), best, tie)
    if at >= 0:
        code = int(told[at // 2])
        extras = at % 2 or int(others == 0 and below[at // 2, -1] > beyond[at // 2])
    if np.count_nonzero(counts[ordinary:]) > 1 and others >= least_rows and rows - others >= least_rows:
        best, at = _last_that_beats(_scores(extra[None], total), best, tie)
        code, extras = (code, extras) if at < 0 else (ordinary, 0)
    return best, code, extras


def best_single(
    hist: Floats, ordinary: int, first: int, total: Floats, least_rows: int, best: float, tie: float
) -> tuple[float, int]:
    """Score and code of the best single code from the first on that beats the best so far; code -1 for none."""
    by_code = hist.reshape(-1, len(total) + 1)
    own = by_code[first:, -1]
    usable = (own >= least_rows) & (by_code[:, -1].sum() - own >= least_rows)
    usable &= np.arange(first, len(by_code)) != ordinary - 1
    scores = np.where(usable, _scores(by_code[first:], total), -np.inf)
    best, at = _last_that_beats(scores, best, tie)
    return best, first + at if at >= 0 else -1


def share_out(column: Codes, cases: Cases, spare: Cases, start: int, stop: int, inside: NDArray[np.bool_]) -> int:
    """Sort the cases of a node so that those of its left child come first; returns where the others begin."""
    enters = inside[column[cases.place[start:stop]]]
    order = np.concatenate([np.flatnonzero(enters), np.flatnonzero(~enters)])
    for values in cases:
        values[start:stop] = values[start:stop][order]
    return start + int(np.count_nonzero(enters))


def follow(codes: Codes, inside: NDArray[np.bool_], split: Positions, children: Positions, leaf: NDArray[Any]) -> None:
    """Take each row from the root, where all are, to its leaf, a level at a time."""
    here = np.arange(len(leaf))
    while len(here := here[split[leaf[here], 0] >= 0]):
        node = leaf[here]
        enters = inside[node, codes[split[node, 0], here]]
        leaf[here] = children[node, np.where(enters, 0, 1)]


def _scores(left: NDArray[np.float64], total: Floats) -> NDArray[np.float64]:
    """(codes,) squared class weights over the weight of each child, summed, of (codes, K or more) weights."""
    weight, own, other = np.zeros(len(left)), np.zeros(len(left)), np.zeros(len(left))
    whole = 0.0
    for k in range(len(total)):
        weight += left[:, k]
        whole += total[k]
        own += left[:, k] * left[:, k]
        other += (total[k] - left[:, k]) * (total[k] - left[:, k])
    scores: NDArray[np.float64] = np.where(
        (weight <= 0) | (whole <= weight), -1.0, own / weight + other / (whole - weight)
    )
    return scores


def _last_that_beats(scores: NDArray[np.float64], best: float, tie: float) -> tuple[float, int]:
    """Go through scores of which each counts that beats the best so far; the best then, and its place or -1."""
    last = -1
    while len(higher := np.flatnonzero(scores[last + 1 :] > best + tie)):
        last += 1 + int(higher[0])
        best = float(scores[last])
    return best, last
