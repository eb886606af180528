"""What people call trends, and what they are called here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrutable.errors import did_you_mean

_SAID = {
    "ascending": ("up", "upward", "rising", "increasing", "increase", "asc", "positive", "+", "1"),
    "descending": ("down", "downward", "falling", "decreasing", "decrease", "desc", "negative", "-", "-1"),
}


def trend_meant(word: Any, known: Sequence[str]) -> str:
    """What to write for a word that is no trend, such as "up" or the 1 of other software.

    >>> trend_meant("up", ["ascending", "descending"]), trend_meant("ascendign", ["ascending", "descending"])
    ("write 'ascending' for 'up'", "did you mean 'ascending'?")
    """
    said = str(word).casefold()
    for trend, words in _SAID.items():
        if trend in known and said in words:
            return f"write {trend!r} for {word!r}"
    return did_you_mean(word, known)
