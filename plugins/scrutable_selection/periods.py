"""Periods of dates, over which characteristics may move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import CalendarDate

#: Quarters up to which these are the periods; more of them are put together to years.
_MOST_QUARTERS = 12


def periods_of(dates: Any) -> NDArray[np.intp]:
    """(n,) the quarter of each date, or its year where there are many quarters or none are told; from 0 on, in order.

    Parameters
    ----------
    dates : (n,) what `CalendarDate.read` reads.

    Raises
    ------
    InputError : a date that is missing or cannot be read.

    Examples
    --------
    >>> periods_of(["2019-07-31", "2020-01-02", "2019-08-01"]).tolist()
    [0, 1, 0]
    """
    known = CalendarDate.read(CalendarDate.listed(dates))
    quarters = [(date.year, date.quarter or 0) for date in known]
    told = all(quarter for _, quarter in quarters) and len({*quarters}) <= _MOST_QUARTERS
    keys = np.array([year * 4 + quarter if told else year for year, quarter in quarters])
    _, numbers = np.unique(keys, return_inverse=True)
    return numbers.astype(np.intp)
