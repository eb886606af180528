"""What may be told of rules: no two counts that few people tell apart, and no two rates that few decisions do."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.data import Bools, told_count


def told_part(rows: Bools, wholes: Sequence[Bools], least: int) -> int | None:
    """How many rows; None where they are few, or where few of a whole that is counted beside them are not among them.

    Parameters
    ----------
    rows : (n,) some rows.
    wholes : (n,) others each, among which all of these are.
    least : rows that may be told of.

    Examples
    --------
    >>> import numpy as np
    >>> rows, whole = np.array([True] * 18 + [False] * 2), np.ones(20, dtype=bool)
    >>> told_part(rows, [], 5), told_part(rows, [whole], 5), told_part(rows, [whole], 2)
    (18, None, 18)
    """
    parts = [rows, *(whole & ~rows for whole in wholes)]
    return None if any(told_count(int(part.sum()), least) is None for part in parts) else int(rows.sum())


class Told:
    """Decisions of which rates are told, where enough people make the difference between any two of them.

    Two rates tell how many decisions are others. So a rate is told where those about nobody differ from each that was
    told before, or those about at least `least`.

    Examples
    --------
    >>> import numpy as np
    >>> everybody = np.ones(6, dtype=bool)
    >>> told = Told(least=3)
    >>> told.tells("rate", everybody, [everybody])
    True
    >>> told.tells("rate", np.array([False, False, True, True, True, True]), [everybody])
    False
    >>> told.tells("rate", np.array([False, False, False, True, True, True]), [everybody])
    True
    """

    def __init__(self, least: int) -> None:
        self._least = least
        self._before: dict[str, list[Bools]] = {}

    def tells(self, name: str, decided: Bools, parts: Sequence[Bools]) -> bool:
        """Whether a rate may be told of these decisions, which then counts as told.

        Parameters
        ----------
        name : of the rate, or of rates that are told together.
        decided : (n,) the decisions.
        parts : (n,) rows of each part of which there is a rate.
        """
        before = self._before.setdefault(name, [])
        changes = (decided != each for each in before)
        if any(told_part(changed & part, [], self._least) is None for changed in changes for part in parts):
            return False
        before.append(decided)
        return True
