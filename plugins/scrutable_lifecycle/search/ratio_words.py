"""How the ratios of approval rates that may be judged are called, and what each compares."""

from __future__ import annotations

from scrutable.fairness import RatioKind

#: Each kind in words.
RATIO_TITLES: dict[RatioKind, str] = {"four-fifths": "four-fifths ratio", "adverse-impact": "adverse impact ratio"}


def meaning_of(kind: RatioKind, reference: str) -> str:
    """What a ratio divides.

    >>> meaning_of("adverse-impact", "white")
    "a group's approval rate divided by that of 'white', and 1 for a group that is approved more often"
    """
    if kind == "four-fifths":
        return "the lowest approval rate among groups divided by the highest"
    return f"a group's approval rate divided by that of {reference!r}, and 1 for a group that is approved more often"
