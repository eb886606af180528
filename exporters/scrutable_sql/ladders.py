"""Long ladders as searches: a few comparisons a row, however many cuts there are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scrutable_sql.query import Case, Rung

#: Ladders of more cuts are searched; up to here, one comparison after the other is as fast and easier to read.
LONGEST = 12
#: Parts of equal length that each level of a search tells apart. Two would compare less, and copy and nest more.
BRANCHES = 4
#: Cuts in a part up to which it is a ladder again; a further level would cost more than it saves.
_LONGEST_PART = 20


def searched(rungs: Sequence[Rung], longest: int = LONGEST) -> Case:
    """The value of the first rung that holds; the last one's condition is not asked for.

    Parameters
    ----------
    rungs : one or more, each of which holds wherever the one before does, as `x < 1`, `x < 2`, `x < 3`.
    longest : cuts up to which it is a ladder.

    Examples
    --------
    >>> few = searched([Rung("x < 1", "10"), Rung("x < 2", "20"), Rung("x IS NOT NULL", "30")])
    >>> [rung.when for rung in few.rungs], few.otherwise
    (['x < 1', 'x < 2'], '30')
    >>> many = searched([Rung(f"x < {i}", str(10 * i)) for i in range(100)])
    >>> [rung.when for rung in many.rungs]
    ['x < 24', 'x < 49', 'x < 74']
    """
    if len(rungs) - 1 <= longest:
        last = rungs[-1]
        return Case(tuple(rungs[:-1]), last.then, last.note)
    ends = [len(rungs) * i // BRANCHES for i in range(BRANCHES + 1)]
    parts = [rungs[start:end] for start, end in pairwise(ends)]
    branches = tuple(Rung(part[-1].when, searched(part, _LONGEST_PART)) for part in parts[:-1])
    return Case(branches, searched(parts[-1], _LONGEST_PART))
