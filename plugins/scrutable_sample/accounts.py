"""The accounts: their dates and exclusions, and the columns that a sample adds to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scrutable.data import Bools, CalendarDate, ReadingConfig, label, read_rows
from scrutable.data.frames import known_column
from scrutable.errors import InputError
from scrutable_sample.columns import SampleColumns
from scrutable_sample.months import NO_MONTH, Months, month_of, months_of, plain_dates

#: Columns that a sample adds.
OUTCOME, WEIGHT = "outcome", "weight"
#: A value of a column whose accounts are left out, or several.
Excluded = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Accounts:
    """Rows of accounts.

    Parameters
    ----------
    rows : (n,) as they are.
    account : (n,) what names each.
    observed, opened : (n,) months.
    dates : (n,) dates of observation.
    excluded : (n,) rows that are left out by a condition, by the condition in words.
    """

    rows: pd.DataFrame
    account: pd.Series
    observed: Months
    opened: Months
    dates: pd.Series
    excluded: dict[str, Bools]


def read_accounts(data: Any, columns: SampleColumns, exclude: Excluded, told: ReadingConfig) -> Accounts:
    """Read accounts.

    Raises
    ------
    InputError : a column that is not there, or that has the name of one that is added; dates that cannot be read; an
        account that is observed twice in a month; a value to exclude that no account has.
    """
    is_file = isinstance(data, str) or hasattr(data, "__fspath__")
    rows = read_rows(data, told, text=[columns.account] if is_file else ())
    known_column(columns.account, rows.columns, "account of the accounts")
    for name in (OUTCOME, WEIGHT):
        if name in rows.columns:
            raise InputError(
                "the accounts have a column of the name that the sample adds",
                where=f"column {name!r}",
                fix="rename it, or leave it out",
            )
    dates = _dates(rows, columns.observed)
    observed = months_of(dates, f"column {columns.observed!r}")
    opened = observed
    if columns.opened is not None:
        known_column(columns.opened, rows.columns, "opened")
        opened = months_of(rows[columns.opened], f"column {columns.opened!r}")
    account = rows[columns.account]
    _refuse_twice(account, observed, columns.account)
    excluded = dict(_conditions(rows, exclude))
    return Accounts(rows=rows, account=account, observed=observed, opened=opened, dates=dates, excluded=excluded)


def _dates(rows: pd.DataFrame, observed: str) -> pd.Series:
    """The dates of observation: a column, or one date for all."""
    if observed in rows.columns:
        return plain_dates(rows[observed])
    try:
        CalendarDate.read([observed])
    except InputError:
        known_column(observed, rows.columns, "observed")
    month_of(observed, "observed")
    return pd.Series([observed] * len(rows))


def _refuse_twice(account: pd.Series, observed: Months, name: str) -> None:
    whole = account.notna() & (observed != NO_MONTH)
    twice = pd.DataFrame({"account": account, "month": observed})[whole].duplicated()
    if twice.any():
        raise InputError(
            f"{int(twice.sum())} rows have the account and month of observation of another row",
            where=f"accounts, column {name!r}, row {twice.index[int(np.argmax(twice))]}",
            allowed="each account once for each month of observation",
            fix="leave repeated rows out",
        )


def _conditions(rows: pd.DataFrame, exclude: Excluded) -> list[tuple[str, Bools]]:
    conditions = []
    for column, given in exclude.items():
        known_column(column, rows.columns, "exclude")
        codes, levels = pd.factorize(rows[column])
        labels = [label(level) for level in levels]
        for value in given if isinstance(given, Sequence) and not isinstance(given, str) else [given]:
            if label(value) not in labels:
                raise InputError(
                    "no account has this value",
                    where=f"exclude {column!r}",
                    got=value,
                    fix="leave it out, or write it as in the file",
                )
            conditions.append((f"{column} = {label(value)}", codes == labels.index(label(value))))
    return conditions
