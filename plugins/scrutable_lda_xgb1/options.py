"""What a merged bin must hold, and how many of them there may be."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

from scrutable.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOptions:
    """How merged bins may look.

    Parameters
    ----------
    min_share : smallest share of all rows in a merged bin, from 0 to 1.
    min_events : fewest good and fewest bad rows in a merged bin, by weight.
    max_bins : most merged bins, missing values and special codes aside; None for any number.

    One bin over all pre-bins is allowed whatever it holds.

    Raises
    ------
    InputError : a value out of range.

    Examples
    --------
    >>> MergeOptions(max_bins=5)
    MergeOptions(min_share=0.0, min_events=0, max_bins=5)
    """

    min_share: float = 0.0
    min_events: float = 0
    max_bins: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.min_share <= 1:
            raise InputError("unusable share", where="min_share", got=self.min_share, allowed="0 to 1")
        if not 0 <= self.min_events < float("inf"):
            raise InputError("unusable count", where="min_events", got=self.min_events, allowed="0 or more, and finite")
        if self.max_bins is not None and not (isinstance(self.max_bins, Integral) and self.max_bins >= 1):
            raise InputError(
                "unusable number of bins", where="max_bins", got=self.max_bins, allowed="a whole number from 1, or None"
            )
