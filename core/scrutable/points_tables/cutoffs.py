"""What a cutoff needs so that the sums of points that were snapped decide as the sums of the table's decimals do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrutable.model.values import UNIT, snap

_MOST_DECIMALS = 6


def decimals_of(points: Iterable[float]) -> int | None:
    """The fewest decimals that give all points back; None where they take more than a few.

    >>> decimals_of([10, -0.25]), decimals_of([1 / 3])
    (2, None)
    """
    its = list(points)
    enough = (n for n in range(_MOST_DECIMALS + 1) if all(round(each, n) == each for each in its))
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
