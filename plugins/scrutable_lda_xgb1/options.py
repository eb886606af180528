"""What a merged bin must hold, and how many of them there may be."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.plugins import Count, NotNegative, Share, check_options


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOptions:
    """How merged bins may look.

    Parameters
    ----------
    min_share : smallest share of all rows in a merged bin, from 0 to 1.
    min_events : fewest good and fewest bad rows in a merged bin, by weight; 0 allows pure bins.
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

    min_share: Share = 0.0
    min_events: NotNegative = 0
    max_bins: Count | None = None

    def __post_init__(self) -> None:
        check_options(self)
