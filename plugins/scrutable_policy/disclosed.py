"""What may be told of rules one after another: no count of few people, and no change of a rate that few make."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.data import Bools


def told_count(rows: Bools, least: int) -> int | None:
    """How many rows; None where there are some, and fewer than may be told of.

    >>> import numpy as np
    >>> told_count(np.array([True, False]), 5), told_count(np.array([False, False]), 5)
    (None, 0)
    """
    count = int(rows.sum())
    return count if count == 0 or count >= least else None


class Steps:
    """Decisions that change step by step, of which rates are told where enough people make the difference.

    Two rates that are told one after another tell how many decisions changed between them. So a rate is told where none
    did since it was told last, or at least `least`; if not, it is told again at a later step where these are enough.

    Examples
    --------
    >>> import numpy as np
    >>> everybody = np.ones(6, dtype=bool)
    >>> steps = Steps(least=3)
    >>> steps.tells("rate", everybody, [everybody])
    True
    >>> steps.tells("rate", np.array([False, False, True, True, True, True]), [everybody])
    False
    >>> steps.tells("rate", np.array([False, False, False, True, True, True]), [everybody])
    True
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._last: dict[str, Bools] = {}

    def tells(self, name: str, decided: Bools, parts: Sequence[Bools]) -> bool:
        """Whether a rate may be told of these decisions.

        Parameters
        ----------
        name : of the rate, or of rates that are told together.
        decided : (n,) the decisions.
        parts : (n,) rows of each part of which there is a rate.
        """
        changed = decided != self._last.get(name, decided)
        if any(told_count(changed & part, self._least) is None for part in parts):
            return False
        self._last[name] = decided
        return True
