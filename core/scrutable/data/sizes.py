"""How few rows are too few to compare."""

from __future__ import annotations

#: Groups of fewer (effective) rows are shown and flagged. They are not judged, and what compares them has no interval.
MIN_GROUP_SIZE = 30

#: AUC, Gini and KS have no interval either where fewer (effective) rows than these have the scarcer outcome.
MIN_OUTCOMES = 10

#: By this share a sum of weights may be off: 150 probabilities of 0.2 are 30 rows.
_SUMMING = 1e-12


def is_small(size: float, minimum: float = MIN_GROUP_SIZE) -> bool:
    """Whether a group is below a minimum size; a sum of weights may be off by a rounding.

    >>> is_small(29.9), is_small(sum([0.2] * 150)), is_small(29.9, 20)
    (True, False, False)
    """
    return size < minimum * (1 - _SUMMING)
