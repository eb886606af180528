"""What may be told of rules: no two rates that few decisions tell apart."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.data import Bools, told_count


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
        if any(told_count(int((changed & part).sum()), self._least) is None for changed in changes for part in parts):
            return False
        before.append(decided)
        return True
