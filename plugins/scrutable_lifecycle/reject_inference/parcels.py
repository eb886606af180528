"""Parcelling: declined applicants are made good or bad at random, as often as the accepted of their score band were."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.data import Bools, Floats
from scrutable.errors import InputError
from scrutable.errors.checks import check_whole
from scrutable.measures import MOST_BANDS, band_edges, band_of
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable_lifecycle.reject_inference.augmented import Augmented, Positions, read_applied


def parcelling(
    model: DecisionModel,
    accepted: Any,
    y: Any,
    rejected: Any,
    *,
    factor: float = 1.0,
    bands: int = 10,
    seed: int = 0,
    sample_weight: Any = None,
    rejected_weight: Any = None,
) -> Augmented:
    """Give each declined row once, with an outcome drawn within its score band.

    Bands have equal shares of the accepted by score, and of a segmented model, whose scores may be on scales of their
    own, by probability. In each, as much of the declined's weight is bad as the bad rate of the accepted there, times
    `factor` and at most 1, makes of it, as nearly as whole rows allow; a generator with the seed picks which.
    (Siddiqi, "Credit Risk Scorecards", 2006, chapter 6.) Below the lowest accepted scores the lowest band goes
    on, where nobody was observed: what holds there is an assumption, as is the factor (Crook and Banasik, 2004).

    Parameters
    ----------
    model : fitted on the accepted.
    accepted, y : n accepted applicants and their classes.
    rejected : m declined applicants.
    factor : of the bands' bad rates; above 0. 1 takes the declined to pay like the accepted of the same band.
    bands : number of score bands.
    sample_weight, rejected_weight : (n,) and (m,) weights; None means 1 each.

    Raises
    ------
    InputError, KindError : as `evaluate`; a missing outcome, more than two classes, unusable weights or options.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(1500, seed=1)
    >>> accepted, y, rejected = data.X[:1000], data.y[:1000], data.X[1000:]
    >>> model = create("learner", "lda-xgb1", favourable=0).fit(accepted, y).model_
    >>> inferred = parcelling(model, accepted, y, rejected, factor=1.5)
    >>> inferred.join(accepted, rejected).shape, bool(inferred.y[1000:].mean() > inferred.y[:1000].mean())
    ((1500, 11), True)
    """
    check_whole(bands, "bands", 2, MOST_BANDS)
    check_whole(seed, "seed", 0)
    applied = read_applied(model, y, rejected, sample_weight, rejected_weight, factor)
    ours, theirs = (evaluate(model, rows, reasons=False).ranking for rows in (accepted, rejected))
    if len(ours) != len(applied.good):
        raise InputError("the number of rows differs", where="y", got=len(applied.good), allowed=f"{len(ours)} rows")
    inside = applied.weight > 0
    edges = band_edges(ours[inside], applied.weight[inside], bands=bands, edges=None, width=None)
    place, declined = band_of(ours, edges), band_of(theirs, edges)
    generator = np.random.default_rng(seed)
    good = np.ones(len(theirs), dtype=bool)
    for band in range(len(edges) - 1):
        rate = min(1.0, factor * _bad_rate(applied.good, applied.weight, place == band))
        rows = np.flatnonzero(declined == band)
        good[_drawn(generator.permutation(rows), applied.rejected_weight, rate)] = False
    return applied.augmented(np.arange(len(theirs)), good, applied.rejected_weight)


def _bad_rate(good: Bools, weight: Floats, inside: Bools) -> float:
    return float(np.average(~good[inside], weights=weight[inside]))


def _drawn(rows: Positions, weight: Floats, rate: float) -> list[int]:
    """Rows, in the order given, whose weight is this share of all; a tie goes to more of it.

    Whatever fits is taken, and at the end the lightest row left, if that comes nearer: so the weight is off by at most
    half of the lightest row that is not taken.
    """
    chosen: list[int] = []
    left = []
    gap = rate * float(weight[rows].sum())
    for row in rows.tolist():
        if weight[row] <= gap:
            chosen.append(row)
            gap -= weight[row]
        else:
            left.append(row)
    lightest = min(left, key=lambda row: weight[row], default=None)
    if lightest is not None and weight[lightest] <= 2 * gap:
        chosen.append(lightest)
    return chosen
