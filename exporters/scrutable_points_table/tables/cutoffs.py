"""Cutoffs: what one needs to decide as sums of the table's decimals do, and whether it decides anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scrutable.model import UNIT, Scorecard, snap
from scrutable.plugins.bases import Finding
from scrutable.writing import number

_MOST_DECIMALS = 6


def decimals_of(points: Iterable[float]) -> int | None:
    """The fewest decimals that give all points back; None where they take more than a few.

    >>> decimals_of([10, -0.25]), decimals_of([1 / 3])
    (2, None)
    """
    every = list(points)
    enough = (n for n in range(_MOST_DECIMALS + 1) if all(round(each, n) == each for each in every))
    return next(enough, None)


def margin_of(points: Sequence[float], characteristics: int) -> float:
    """How much lower a cutoff has to be for every score that equals it in the table to reach it.

    A model holds 10.1 and 20.2 as the next multiples of 2^-30, whose sum falls short of 30.3. Scores in decimals are a
    last decimal apart, so a margin far below that, and above what sums can move by, changes no other decision.

    Parameters
    ----------
    points : all that may be added, base points and those for gaps too, as the table and the options have them.
    characteristics : how many points a score adds to the base points.

    Returns
    -------
    float
        0 where no points move, or they are no decimals, between which no score need be far from a cutoff.

    Examples
    --------
    >>> margin_of([10.5, 20], 2), margin_of([1 / 3], 1), 0 < margin_of([10.1, 20.2], 2) < 1e-8
    (0.0, 0.0, True)
    """
    decimals = decimals_of(points)
    if decimals is None or all(snap(each) == each for each in points):
        return 0.0
    margin = (characteristics + 1) * UNIT  # twice what rounding to the nearest multiple can move a sum by
    return margin if margin < 10.0**-decimals / 4 else 0.0


def told_idle(model: Scorecard, given: float | None, *, worse: bool, decimals: int | None) -> Iterator[Finding]:
    """What is told of a cutoff that approves everybody or nobody.

    Parameters
    ----------
    given : in the table's points; None where the model's own was assumed or comes from a scaling.
    worse : whether the model's points are the table's with their sign changed.
    decimals : of all points.
    """
    low, high = model.score_range
    if low < model.cutoff <= high:
        return
    who = "nobody" if model.cutoff > high else "everybody"
    sign = -1.0 if worse else 1.0
    least, most = (
        f"{each:g}" if decimals is None else number(round(each, decimals)) for each in sorted((sign * low, sign * high))
    )
    cutoff = f"{sign * model.cutoff:g}" if given is None else number(given)
    what = f"{cutoff} is taken as it is, though scores go from {least} to {most}: {who} is approved"
    yield Finding(kind="assumption", where="cutoff", what=what)
