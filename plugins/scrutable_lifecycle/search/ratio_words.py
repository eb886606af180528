"""How the ratios of approval rates that may be judged are called, and what each compares."""

from __future__ import annotations

from scrutable.fairness import RatioKind

#: Each kind in words.
RATIO_TITLES: dict[RatioKind, str] = {"four-fifths": "four-fifths ratio", "adverse-impact": "adverse impact ratio"}


#: What each divides.
RATIO_MEANINGS: dict[RatioKind, str] = {
    "four-fifths": "the lowest approval rate among groups divided by the highest",
    "adverse-impact": "a group's approval rate divided by its reference's",
}
