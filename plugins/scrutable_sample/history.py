"""A payment history: the worst days past due of each account in each month, in order, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import Floats, Masked, ReadingConfig, label, read_rows
from scrutable.data.frames import as_table, known_column
from scrutable.errors import InputError, KindError
from scrutable_sample.columns import SampleColumns
from scrutable_sample.definition import OutcomeDefinition
from scrutable_sample.months import NO_MONTH, Months, month_of, months_of

#: More months than any date has, so that account and month are one number.
_MONTHS = 12 * 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class History:
    """Months of accounts, each once, sorted by account and month.

    Parameters
    ----------
    accounts : number of each account, by its label.
    account, month, days : (n,) the account's number, the month, and its worst days past due.
    first, last : the first and last month of any account.
    left_out : rows that were left out, by why.
    """

    accounts: dict[str, int]
    account: NDArray[np.int64]
    month: Months
    days: Floats
    first: int
    last: int
    left_out: dict[str, int]

    @property
    def _keys(self) -> NDArray[np.int64]:
        return self.account * _MONTHS + self.month

    def numbers_of(self, accounts: pd.Series) -> NDArray[np.int64]:
        """(k,) number of each account in the history; -1 where it has none."""
        codes, levels = pd.factorize(accounts)
        return np.array([*(self.accounts.get(label(each), -1) for each in levels), -1], dtype=np.int64)[codes]

    def worst(self, account: NDArray[np.int64], first: Months, last: Months) -> tuple[Floats, NDArray[np.int64]]:
        """(k,) worst days past due of accounts from one month to another, NaN where none was seen; (k,) months seen."""
        keys = self._keys
        low = np.searchsorted(keys, account * _MONTHS + first)
        high = np.searchsorted(keys, account * _MONTHS + last, side="right")
        seen = np.where(account < 0, 0, np.maximum(high - low, 0))
        ends = np.column_stack([low, np.maximum(high, low)]).ravel()
        most = np.maximum.reduceat(np.append(self.days, -np.inf), ends)[::2] if len(ends) else np.empty(0)
        return np.where(seen > 0, most, np.nan), seen

    def first_months(self, days: float) -> Months:
        """(accounts,) first month in which each was so late; `NO_MONTH` where it never was."""
        late = self.days >= days
        at = np.full(len(self.accounts), NO_MONTH, dtype=np.int64)
        numbers, where = np.unique(self.account[late], return_index=True)
        at[numbers] = self.month[late][where]
        return at


def read_history(
    data: Any, columns: SampleColumns, definition: OutcomeDefinition, told: ReadingConfig, *, until: Any = None
) -> History:
    """Read a payment history.

    Of several rows of an account in a month the worst counts. Rows without an account, a month or days are left out.

    Parameters
    ----------
    data : a path or a frame, a row for each account and month.
    told : how a file is written.
    until : the last month that is whole; later rows are left out.

    Raises
    ------
    InputError : a column that is not there, dates that cannot be read, days below 0 or infinite; no row that can be
        used.
    KindError : days or balances that are no numbers.
    """
    frame = read_rows(data, told, text=[columns.account])
    for option in ("account", "month", "days", "balance"):
        if getattr(columns, option) is not None:
            known_column(getattr(columns, option), frame.columns, f"{option} of the history")
    days = _days(frame, columns, definition)
    month = months_of(frame[columns.month], f"column {columns.month!r}")
    account, levels = pd.factorize(frame[columns.account])
    reasons = {
        "without an account": account < 0,
        "without a month": month == NO_MONTH,
        "without days past due": np.isnan(days),
        "after the last month": np.zeros(len(frame), bool) if until is None else month > month_of(until, "until"),
    }
    usable, left_out = np.ones(len(frame), dtype=bool), {}
    for reason, rows in reasons.items():
        left_out[reason] = int((usable & rows).sum())
        usable &= ~rows
    if not usable.any():
        raise InputError("no row can be used", where="history", got=left_out, fix="name the columns of the history")
    numbers = _numbered(levels)
    ordered = np.lexsort((days[usable], month[usable], numbers[account[usable]]))
    own, when, late = (each[usable][ordered] for each in (numbers[account], month, days))
    last_of = np.append((np.diff(own) != 0) | (np.diff(when) != 0), True)
    left_out["of a month that a worse or equal row tells of"] = int((~last_of).sum())
    return History(
        accounts=dict(zip(map(label, levels), numbers.tolist(), strict=True)),
        account=own[last_of],
        month=when[last_of],
        days=late[last_of],
        first=int(when.min()),
        last=int(when.max()) if until is None else month_of(until, "until"),
        left_out=left_out,
    )


def _numbered(levels: Any) -> NDArray[np.int64]:
    """(levels,) number of each account; 1 and "1" are one."""
    numbers, _ = pd.factorize(np.array([label(each) for each in levels], dtype=object))
    return numbers.astype(np.int64)


def _days(frame: pd.DataFrame, columns: SampleColumns, definition: OutcomeDefinition) -> Floats:
    days = _numbers(frame, columns.days)
    below = np.flatnonzero(days < 0)
    if below.size and definition.negative == "refuse":
        raise InputError(
            f"days past due below 0 in {below.size} of {days.size} rows",
            where=f"column {columns.days!r}, row {below[0]}",
            got=Masked(float(days[below[0]])),
            allowed="0 or more, or missing",
            fix="say what they mean: negative='current' (paid ahead) or negative='missing' (not known)",
        )
    days[below] = 0.0 if definition.negative == "current" else np.nan
    if definition.least_balance is not None:
        if columns.balance is None:
            fix = "name it by balance, or leave least_balance out"
            raise InputError("there is no column of balances", where="least_balance", fix=fix)
        small = _numbers(frame, columns.balance) < definition.least_balance
        days[small & ~np.isnan(days)] = 0.0
    return days


def _numbers(frame: pd.DataFrame, name: str) -> Floats:
    column = as_table(frame[[name]]).column(name)
    if column.kind == "categorical":
        texts = column.values[~column.missing]
        raise KindError(
            "expected numbers", where=f"column {name!r}", got=Masked(texts[0]), fix="write numbers, or nothing"
        )
    values = np.full(len(frame), np.nan) if column.kind == "empty" else np.array(column.values, dtype=np.float64)
    endless = np.flatnonzero(np.isinf(values))
    if endless.size:
        fix = "write a number, or nothing"
        raise InputError("an infinite number", where=f"column {name!r}, row {endless[0]}", got="inf", fix=fix)
    return values
