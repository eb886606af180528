"""The accounts: their dates and exclusions, and the columns that a sample adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scrutable.data import Bools, CalendarDate, ReadingConfig, read_rows
from scrutable.data.frames import Column, as_table, known_column
from scrutable.errors import InputError
from scrutable.model import Feature, read_conditions
from scrutable.model.evaluator import ClauseMasks
from scrutable_sample.columns import SampleColumns
from scrutable_sample.months import NO_MONTH, Months, month_of, months_of, plain_dates

#: Columns that a sample adds.
OUTCOME, WEIGHT = "outcome", "weight"


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


def read_accounts(data: Any, columns: SampleColumns, exclude: Sequence[str], told: ReadingConfig) -> Accounts:
    """Read accounts.

    Raises
    ------
    InputError : a column that is not there, or that has the name of one that is added; dates that cannot be read; an
        account that is observed twice in a month; a condition that cannot be read or holds for no account.
    """
    rows = read_rows(data, told, text=[columns.account])
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
    excluded = _conditions(rows, exclude)
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


def _conditions(rows: pd.DataFrame, exclude: Sequence[str]) -> dict[str, Bools]:
    """(n,) rows for which each condition holds, by its text."""
    table = as_table(rows)
    holds = {}
    for text in exclude:
        clauses = read_conditions(text)
        for clause in clauses:
            known_column(clause.feature, table, f"exclude {text!r}")
        columns = {clause.feature: table.column(clause.feature) for clause in clauses}
        features = {name: _feature(column) for name, column in columns.items()}
        for clause in clauses:
            clause.check(features, f"exclude {text!r}")
        holds[text] = ClauseMasks(tuple(features.values()), columns, len(rows)).conjunction(clauses)
        if not holds[text].any():
            fix = "leave it out, or write values as in the file"
            raise InputError("the condition holds for no account", where="exclude", got=text, fix=fix)
    return holds


def _feature(column: Column) -> Feature:
    return Feature(name=column.name, kind="categorical" if column.kind == "categorical" else "numeric")
