"""What is bad, what is indeterminate, and when that is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from scrutable.data import Floats, finite_number
from scrutable.errors import InputError

#: What days past due below zero mean.
Negative = Literal["refuse", "current", "missing"]
GOOD, BAD, INDETERMINATE = "good", "bad", "indeterminate"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeDefinition:
    """Bad is who was ever so late within the window; indeterminate who was less late, and good everybody else.

    Parameters
    ----------
    bad : days past due from which on an account is bad.
    indeterminate : days from which on one that is not bad is neither good nor bad; None where there are no such.
    window : months of the performance window, which begins with the month after the observation.
    least_months : months of the window that must be in the history of an account that is not bad.
    least_balance : below it, a month counts as paid in time; where the balance is missing, the days count.
    negative : what days below zero mean: an error, paid ahead ("current"), or a month that is not known ("missing").

    Raises
    ------
    InputError : thresholds that are not above zero and in order, a window that is no whole number of months, or
        fewer months than the window has.

    Examples
    --------
    >>> OutcomeDefinition(bad=60).in_words()
    'bad: ever 60 or more days past due in months 1 to 12 after observation; indeterminate: 30 to 59; good: all else'
    """

    bad: float = 90
    indeterminate: float | None = 30
    window: int = 12
    least_months: int = 1
    least_balance: float | None = None
    negative: Negative = "refuse"

    def __post_init__(self) -> None:
        if finite_number(self.bad, "bad") <= 0:
            raise InputError("nobody would be good", where="bad", got=self.bad, allowed="above 0", fix="90 is usual")
        if self.indeterminate is not None and not 0 < finite_number(self.indeterminate, "indeterminate") < self.bad:
            fix = "give fewer days than of bad, or none"
            raise InputError(
                "indeterminates are less late than the bad",
                where="indeterminate",
                got=self.indeterminate,
                allowed=f"above 0 and below {self.bad:g}",
                fix=fix,
            )
        check_months(self.window, "window", 1)
        check_months(self.least_months, "least_months", 1, self.window)
        if self.negative not in get_args(Negative):
            allowed = " or ".join(map(repr, get_args(Negative)))
            raise InputError("unknown", where="negative", got=self.negative, allowed=allowed, fix="give one of these")

    def outcomes(self, worst: Floats) -> list[str]:
        """(n,) outcome of accounts by their worst days past due within the window.

        >>> import numpy as np
        >>> OutcomeDefinition().outcomes(np.array([0.0, 30.0, 90.0]))
        ['good', 'indeterminate', 'bad']
        """
        between = self.bad if self.indeterminate is None else self.indeterminate
        return [BAD if days >= self.bad else INDETERMINATE if days >= between else GOOD for days in worst.tolist()]

    def in_words(self) -> str:
        """The definition in a line."""
        window = f"in months 1 to {self.window} after observation"
        neither = "" if self.indeterminate is None else f"; indeterminate: {between(self.indeterminate, self.bad)}"
        return f"bad: ever {self.bad:g} or more days past due {window}{neither}; good: all else"


def between(lower: float, upper: float | None) -> str:
    """Days past due from a number on, and below another one.

    >>> between(30, 60), between(30, 30.5), between(90, None), between(0, 1)
    ('30 to 59', '30 to < 30.5', '90 or more', '0')
    """
    if upper is None:
        return f"{lower:g} or more"
    if not (float(lower).is_integer() and float(upper).is_integer()):
        return f"{lower:g} to < {upper:g}"
    return f"{lower:g}" if upper - lower == 1 else f"{lower:g} to {upper - 1:g}"


def check_months(value: int, where: str, least: int, most: int | None = None) -> int:
    """A whole number of months.

    >>> check_months(12, "window", 1)
    12
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        allowed = f"a whole number from {least} {'on' if most is None else f'to {most}'}"
        raise InputError("not a number of months", where=where, got=value, allowed=allowed, fix="give so many months")
    return value
