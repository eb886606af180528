"""Vintages: how the share of bad accounts of each opening cohort grows with the months on book."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Floats, told_count
from scrutable.writing import plain_fields
from scrutable_sample.disclosed import Told, told_steps
from scrutable_sample.months import Months, month_name
from scrutable_sample.table_options import Period

_LENGTHS: dict[Period, int] = {"month": 1, "quarter": 3, "year": 12}
#: The curve of all is told as far as cohorts with this share of the accounts are seen: later it is that of a few.
_ENOUGH = 0.1
#: Months at the end of the curve that have to be quiet for it to have settled.
_QUIET = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """Accounts opened in one period.

    Parameters
    ----------
    name : the period.
    accounts : how many were opened.
    bads : how many were ever bad, at each step of months on book, as far as all of them are seen; None where a count
        is kept back, since it would tell of few people.
    """

    name: str
    accounts: int
    bads: tuple[Told, ...]

    @property
    def rates(self) -> tuple[float | None, ...]:
        """Cumulative bad rate, at each step of months on book."""
        return tuple(None if bads is None else bads / self.accounts for bads in self.bads)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with the rates."""
        return {**plain_fields(self), "rates": list(self.rates)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Vintages:
    """Cumulative bad rates by months on book, of each cohort and of all.

    Parameters
    ----------
    bad : days past due from which on an account is bad.
    window : months of the performance window.
    settled : the share of itself that a settled rate grows by at most in a month.
    step : months on book from one count of a cohort to the next.
    cohorts : in the order of time.
    rates : of all cohorts, by months on book from 1, as far as a tenth of the accounts is seen; each month counts
        those that are still seen. None where it would tell of few people.
    settles : the month on book from which on the rate of all has settled; None where it has not.
    seen : the share of those who are bad at the end of `rates` that is bad by the end of the window; None where `rates`
        is shorter than the window, or without any bad.
    left_out : accounts without a place in the table, by why; None where they are few.
    """

    bad: float
    window: int
    settled: float
    step: int
    cohorts: tuple[Cohort, ...]
    rates: tuple[float | None, ...]
    settles: int | None
    seen: float | None
    left_out: dict[str, Told]

    def in_words(self) -> str:
        """From which month on the curve has settled, and what the window sees of it."""
        if not any(self.rates):
            return "no account became bad within the months that are seen, or too few to be told of"
        share = f"{self.settled:.1%}"
        if self.settles is None:
            told = (
                f"the cumulative bad rate still grows by {share} of itself a month or more at month {len(self.rates)}"
            )
        else:
            told = f"from month {self.settles} on, the cumulative bad rate grows by less than {share} of itself a month"
        if self.seen is None:
            return f"{told}; the window of {self.window} months is longer than what is seen of enough accounts"
        return f"{told}; the window of {self.window} months sees {self.seen:.0%} of the bad of {len(self.rates)} months"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with what they say in words."""
        return {**plain_fields(self), "in_words": self.in_words()}


def vintages(
    opened: Months,
    first_bad: Months,
    *,
    history: tuple[int, int],
    bad: float,
    window: int,
    cohort: Period,
    settled: float,
    step: int,
    least: int,
) -> Vintages:
    """Count accounts that are ever bad by their months on book.

    Parameters
    ----------
    opened : (n,) month of opening; below 0 where it is not known.
    first_bad : (n,) first month in which each was bad; below 0 where it never was.
    history : the first and last month of the history.
    bad, window : of the definition.
    cohort, settled, step : as in `TableOptions`.
    least : accounts that a count is told of at least.

    Examples
    --------
    >>> opened, first_bad = np.array([24228] * 4), np.array([24231, 24230, -1, -1])
    >>> table = vintages(opened, first_bad, history=(24228, 24232), bad=90, window=3, cohort="month", settled=0.02,
    ...                  step=1, least=1)
    >>> table.cohorts[0].name, table.cohorts[0].bads
    ('2019-01', (0, 1, 2, 2))
    """
    reasons = {
        "without a month of opening": opened < 0,
        "opened before the history begins": opened < history[0] - 1,
        "opened in its last month or later": opened >= history[1],
        "bad before month 1": (first_bad >= 0) & (first_bad <= opened),
    }
    usable, left_out = np.ones(len(opened), dtype=bool), {}
    for reason, rows in reasons.items():
        left_out[reason] = told_count(int((usable & rows).sum()), least)
        usable &= ~rows
    opening, months = opened[usable], np.where(first_bad < 0, 0, first_bad - opened)[usable]
    counted = [
        _counted(name, opening[rows], months[rows], history[1]) for name, rows in _cohorts(opening, cohort, least)
    ]
    rates, told = _of_all(counted, step, least)
    return Vintages(
        bad=bad,
        window=window,
        settled=settled,
        step=step,
        cohorts=tuple(
            Cohort(name=name, accounts=total, bads=told_steps(bads[step - 1 :: step].tolist(), total, least))
            for name, total, bads in counted
        ),
        rates=tuple(rate if shown else None for rate, shown in zip(rates.tolist(), told, strict=True)),
        settles=_settles(rates, settled),
        seen=float(rates[window - 1] / rates[-1]) if len(rates) >= window and rates[-1] > 0 else None,
        left_out=left_out,
    )


#: Name, accounts, and cumulative bads by months on book.
_Counted = tuple[str, int, NDArray[np.int64]]


def _cohorts(opening: Months, cohort: Period, least: int) -> list[tuple[str, NDArray[np.bool_]]]:
    """Name and rows of each cohort; one of few accounts goes with the next one, the last with the one before."""
    length = _LENGTHS[cohort]
    periods, counts = np.unique(opening // length, return_counts=True)
    groups: list[list[int]] = []
    for period in periods.tolist():
        if groups and sum(counts[np.isin(periods, groups[-1])]) < least:
            groups[-1].append(period)
        else:
            groups.append([period])
    if len(groups) > 1 and sum(counts[np.isin(periods, groups[-1])]) < least:
        groups[-2:] = [groups[-2] + groups[-1]]
    if groups and sum(counts[np.isin(periods, groups[-1])]) < least:
        return []
    return [(_name(group, cohort), np.isin(opening // length, group)) for group in groups]


def _name(periods: list[int], cohort: Period) -> str:
    names = [_period(periods[0], cohort), _period(periods[-1], cohort)]
    return " to ".join(dict.fromkeys(names))


def _period(period: int, cohort: Period) -> str:
    if cohort == "quarter":
        return f"{period // 4:04d}Q{period % 4 + 1}"
    return month_name(period) if cohort == "month" else f"{period:04d}"


def _counted(name: str, opening: Months, months: NDArray[np.int64], last: int) -> _Counted:
    length = int(last - opening.max())
    within = months[(months > 0) & (months <= length)]
    return name, len(opening), np.cumsum(np.bincount(within, minlength=length + 1)[1:])


def _of_all(counted: list[_Counted], step: int, least: int) -> tuple[Floats, list[bool]]:
    """Cumulative rate of all by months on book, and whether each may be told.

    As cohorts leave, those that stay say how the rate grows: by the share of those not yet bad that become so. A rate
    is told where it grows by enough people, and where those whom the cohorts keep back are enough together.
    """
    everybody, longest = sum(total for _, total, _ in counted), max((len(bads) for *_, bads in counted), default=0)
    good, rates, told, new = 1.0, [], [], 0
    for month in range(longest):
        seen = [(total, bads) for _, total, bads in counted if len(bads) > month]
        if sum(total for total, _ in seen) < max(_ENOUGH * everybody, least):
            break
        before = sum(int(bads[month - 1]) if month else 0 for _, bads in seen)
        total, now = sum(total for total, _ in seen), sum(int(bads[month]) for _, bads in seen)
        good *= 1 - (now - before) / (total - before) if total > before else 1.0
        rates.append(1 - good)
        kept_back = now - sum(_last_told(bads[step - 1 : month + 1 : step], own, least) for own, bads in seen)
        new += now - before
        told.append(told_count(kept_back, least) is not None and told_count(new, least) is not None)
        new = 0 if told[-1] else new
    return np.array(rates), told


def _last_told(bads: NDArray[np.int64], total: int, least: int) -> int:
    told = [each for each in told_steps(bads.tolist(), total, least) if each is not None]
    return told[-1] if told else 0


def _settles(rates: Floats, settled: float) -> int | None:
    """The first month on book from which on the rate grows by less than this share of itself, in several months."""
    quiet = [before > 0 and after - before < settled * before for before, after in itertools.pairwise(rates.tolist())]
    lasting = len(list(itertools.takewhile(bool, reversed(quiet))))
    return len(rates) - lasting + 1 if lasting >= _QUIET else None
