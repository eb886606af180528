"""Names in a row, of which there may be thousands."""

from __future__ import annotations

from collections.abc import Sequence

#: Names that are listed one by one.
MOST_NAMES = 100


def listed(names: Sequence[str]) -> str:
    """Names in a row, of which there may be thousands: the first `MOST_NAMES`, and how many others.

    >>> listed(["age", "job"]), listed([f"c{i}" for i in range(1000)])[-18:]
    ('age, job', 'c99 and 900 others')
    """
    others = len(names) - MOST_NAMES
    return ", ".join(names) if others <= 0 else f"{', '.join(names[:MOST_NAMES])} and {others:,} others"
