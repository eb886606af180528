"""Which columns of the history and of the accounts say what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleColumns:
    """Names of columns.

    Parameters
    ----------
    account : of the account, in both tables.
    month : of the history: the month of a row, or a date in it.
    days : of the history: days past due.
    balance : of the history: the balance or amount past due, in the currency of `OutcomeDefinition.least_balance`.
    observed : of the accounts: the date of observation, such as that of the application; or one date for all of them.
    opened : of the accounts: the date of opening, which the cohorts of the vintage table go by; `observed` where None.
        Of an account with several, the first counts.

    Examples
    --------
    >>> SampleColumns(days="dpd").days
    'dpd'
    """

    account: str = "account"
    month: str = "month"
    days: str = "days_past_due"
    balance: str | None = None
    observed: str = "observed"
    opened: str | None = None
