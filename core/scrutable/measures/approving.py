"""Scores from which a share of the rows is approved."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.data.array_checks import Floats, favourable, scores, share
from scrutable.data.sample_weights import weights
from scrutable.errors import InputError

#: Absorbs the rounding of a sum of weights, far below the share of any row.
_ROUNDING = 1e-12


def approval_threshold(
    score: Any, approval_rate: float, *, sample_weight: Any = None, knocked_out: Any = None
) -> float:
    """The highest score at which `score >= threshold` approves at least `approval_rate` of the (weighted) rows.

    Parameters
    ----------
    score, approval_rate, sample_weight, knocked_out : as in `reachable_threshold`.

    Raises
    ------
    InputError : a rate outside (0, 1], missing scores, or more than knock-outs and overrides leave.

    Examples
    --------
    >>> approval_threshold([1, 2, 3, 4], 0.5)
    3.0
    >>> approval_threshold([1, 3, 3, 4], 0.5)
    3.0
    """
    threshold = reachable_threshold(score, approval_rate, sample_weight=sample_weight, knocked_out=knocked_out)
    if threshold is None:
        left = np.average(~favourable(knocked_out, "knocked_out"), weights=sample_weight)
        raise InputError(
            "no cutoff approves so many, because knock-outs or overrides decline the others",
            where="approval_rate",
            got=approval_rate,
            allowed=f"at most {float(left)!r}",
            fix="ask for fewer",
        )
    return threshold


def reachable_threshold(
    score: Any, approval_rate: float, *, sample_weight: Any = None, knocked_out: Any = None, let_in: Any = None
) -> float | None:
    """The threshold as in `approval_threshold`; None where too many are declined anyway.

    Parameters
    ----------
    score : (n,) points, more being better for the applicant.
    approval_rate : share of all rows, above 0 and at most 1.
    sample_weight : (n,) weights; None means 1 each.
    knocked_out : (n,) booleans, True where a knock-out or an override declines: no threshold approves these rows,
        and they count among all. None where there are none.
    let_in : (n,) booleans, True where an override approves: every threshold approves these rows.

    Raises
    ------
    InputError : lengths that differ, a rate outside (0, 1], or missing scores.

    Examples
    --------
    >>> out = [False, False, False, True]
    >>> reachable_threshold([1, 2, 3, 4], 0.5, knocked_out=out), reachable_threshold([1, 2, 3, 4], 0.8, knocked_out=out)
    (2.0, None)
    >>> reachable_threshold([1, 2, 3, 4], 0.25, let_in=out) > 3  # the override's applicant is enough
    True
    """
    rate = share(approval_rate, "approval_rate", all_=True)
    levels, approved = _approved_from(scores(score), sample_weight, knocked_out, let_in)
    enough = np.flatnonzero(approved >= rate - _ROUNDING)
    return float(levels[enough[-1]]) if enough.size else None


def closest_threshold(score: Any, approval_rate: float, *, sample_weight: Any = None, knocked_out: Any = None) -> float:
    """The score at which `score >= threshold` approves as close to `approval_rate` of the rows as their ties allow.

    Of two shares that are equally close the smaller one is taken. To approve nobody is one of them: the threshold is
    then the next double above the highest score.

    Parameters
    ----------
    score, sample_weight, knocked_out : as in `reachable_threshold`.
    approval_rate : share of all rows, from 0 to 1.

    Raises
    ------
    InputError : lengths that differ, or missing scores.

    Examples
    --------
    >>> closest_threshold([1, 2, 3, 4], 0.5), closest_threshold([1, 3, 3, 3], 0.9), closest_threshold([1, 2], 0.75)
    (3.0, 1.0, 2.0)
    """
    levels, approved = _approved_from(scores(score), sample_weight, knocked_out)
    if not levels.size:
        return 0.0
    levels = np.append(levels, np.nextafter(levels[-1], np.inf))
    away = np.abs(np.append(approved, 0.0) - approval_rate)
    return float(levels[np.flatnonzero(away <= away.min() + _ROUNDING)[-1]])


def _approved_from(points: Floats, sample_weight: Any, knocked_out: Any, let_in: Any = None) -> tuple[Floats, Floats]:
    """The levels of the score that rows with weight have, rising, and the share of all rows approved from each on."""
    weight = weights(sample_weight, points.size)
    in_play, already = weight > 0, 0.0
    if knocked_out is not None:
        in_play &= ~favourable(knocked_out, "knocked_out", points.size)
    if let_in is not None:
        anyway = favourable(let_in, "let_in", points.size)
        in_play, already = in_play & ~anyway, float(weight[anyway].sum())
    levels, counts = _by_level(points, weight) if in_play.all() else _by_level(points[in_play], weight[in_play])
    approved = (already + np.cumsum(counts[::-1])[::-1]) / weight.sum()
    if not already:
        return levels, approved
    above = np.nextafter(levels[-1], np.inf) if levels.size else 0.0  # whom overrides approve, and nobody else
    return np.append(levels, above), np.append(approved, already / weight.sum())


def _by_level(points: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Different numbers of points, rising, and the weight of each; points that rise already are not sorted again."""
    if (np.diff(points) < 0).any():
        order = np.argsort(points, kind="stable")
        points, weight = points[order], weight[order]
    if not points.size:
        return points, weight
    first = np.append(0, np.flatnonzero(np.diff(points)) + 1)
    return points[first], np.add.reduceat(weight, first)
