"""How the tables are made that show where a definition settles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from scrutable.data import finite_number, share
from scrutable.errors import InputError
from scrutable_sample.definition import check_months

Period = Literal["month", "quarter", "year"]
PERIODS: tuple[Period, ...] = get_args(Period)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """Statuses, windows and cohorts.

    Parameters
    ----------
    statuses : days past due at which statuses of the roll-rate table begin, beside those of the definition and 0 and 1.
    roll_months : months of each of the two windows of the roll-rate table, the first after the observation; half of the
        performance window where None.
    cohort : what accounts of a vintage have in common: the month, quarter or year that they were opened in.
    settled : the cumulative bad rate has settled where it grows by less than this share of itself a month.
    step : months on book from one count of a cohort to the next; fewer months, and more counts are too few to be told.

    Raises
    ------
    InputError : days that are not above 0, months that are no whole number, an unknown cohort, or no share.

    Examples
    --------
    >>> TableOptions().statuses
    (30, 60, 90)
    """

    statuses: tuple[float, ...] = (30, 60, 90)
    roll_months: int | None = None
    cohort: Period = "quarter"
    settled: float = 0.02
    step: int = 3

    def __post_init__(self) -> None:
        for days in self.statuses:
            if finite_number(days, "statuses") <= 0:
                raise InputError("statuses begin above 0 days", where="statuses", got=days, fix="give 30,60,90, say")
        if self.roll_months is not None:
            check_months(self.roll_months, "roll_months", 1)
        check_months(self.step, "step", 1)
        if self.cohort not in PERIODS:
            allowed = " or ".join(map(repr, PERIODS))
            raise InputError("unknown", where="cohort", got=self.cohort, allowed=allowed, fix="give one of these")
        share(self.settled, "settled")
