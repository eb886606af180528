"""Long lists in a sentence: the first of them, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence


def shortlist(texts: Sequence[str], most: int = 3) -> str:
    """The first texts, and how many more.

    >>> shortlist(["age", "job"]), shortlist(["age", "job", "term", "amount"])
    ('age, job', 'age, job, term and 1 more')
    """
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more
