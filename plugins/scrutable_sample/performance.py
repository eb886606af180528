"""From accounts and their payment history to a sample that a card is fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import Bools, Floats, Positions, ReadingConfig, date_or_share, min_cell, out_of_time, told_count
from scrutable.data.frames import kind_of, like
from scrutable.errors import InputError
from scrutable_sample.accounts import OUTCOME, WEIGHT, Accounts, read_accounts
from scrutable_sample.columns import SampleColumns
from scrutable_sample.definition import BAD, GOOD, INDETERMINATE, OutcomeDefinition
from scrutable_sample.disclosed import told_rows
from scrutable_sample.drawing import DrawnClass, drawn_rows
from scrutable_sample.history import History, read_history
from scrutable_sample.monthly_rolls import MonthlyRolls, monthly_rolls
from scrutable_sample.months import NO_MONTH, month_name
from scrutable_sample.result import PartCounts, PerformanceSample
from scrutable_sample.roll_rates import RollRates, roll_rates
from scrutable_sample.table_options import TableOptions
from scrutable_sample.vintages import Vintages, vintages

_OUTCOMES = (GOOD, BAD, INDETERMINATE)


def performance_sample(
    history: Any,
    accounts: Any,
    *,
    columns: SampleColumns | None = None,
    definition: OutcomeDefinition | None = None,
    exclude: Sequence[str] = (),
    until: Any = None,
    out_of_time_from: str | None = None,
    keep: Mapping[str, float] | None = None,
    seed: int = 0,
    tables: TableOptions | None = None,
    told: ReadingConfig | None = None,
) -> PerformanceSample:
    """Good, bad or indeterminate for each account by its payment history after the observation.

    An account is left out, and counted, where a condition says so; without a date of observation, an account's name or
    a history; where its window is not over by the last month of the history, even if it is bad already, since of the
    others nothing is known yet; bad in the month of observation; not seen in the window at all; or seen in too few
    months and not bad.

    Parameters
    ----------
    history : a path or a frame of any kind, a row for each account and month.
    accounts : a path or a frame of any kind, a row for each account and observation, with what is known then.
    columns : what the columns are called.
    definition : what is bad and indeterminate, and in which window.
    exclude : accounts that are left out: conditions on their columns such as "income < 100 or missing", as
        `scrutable.model.read_conditions` reads them.
    until : the last month of the history that is whole; the last one that it has where None.
    out_of_time_from : hold out accounts observed from this date on, or this share of the latest, such as "2019-07" or
        "0.2".
    keep : share of the rows of an outcome to draw for the development, by outcome; weights restore the whole.
    seed : of the draw.
    tables : statuses, windows and cohorts of the tables.
    told : how the files are written.

    Raises
    ------
    InputError, KindError : files, columns, dates or days that cannot be read; repeated accounts; no account with an
        outcome; nothing on one side of the date; an outcome to draw from that nobody has.

    Examples
    --------
    >>> history = pd.DataFrame({"account": ["A"] * 3 + ["B"] * 3, "month": ["2019-02", "2019-03", "2019-04"] * 2,
    ...                         "days_past_due": [0, 0, 0, 30, 60, 90]})
    >>> accounts = pd.DataFrame({"account": ["A", "B"], "income": [900, 400]})
    >>> sample = performance_sample(history, accounts, columns=SampleColumns(observed="2019-01"),
    ...                             definition=OutcomeDefinition(window=3))
    >>> sample.development["outcome"].tolist()
    ['good', 'bad']
    """
    columns, definition, tables = (
        columns or SampleColumns(),
        definition or OutcomeDefinition(),
        tables or TableOptions(),
    )
    told, least = told or ReadingConfig(), min_cell()
    people = read_accounts(accounts, columns, exclude, told)
    past = read_history(history, columns, definition, told, until=until)
    number = past.numbers_of(people.account)
    worst, seen = past.worst(number, people.observed + 1, people.observed + definition.window)
    reasons = _reasons(people, past, number, worst, seen, definition)
    positions, excluded = _kept(reasons, len(people.rows))
    outcome = np.array(definition.outcomes(worst[positions]), dtype=object)
    learn, later, since = _divided(people, positions, out_of_time_from)
    drawn, weight = drawn_rows(outcome[learn], keep or {}, seed)
    counts, exclusions = _counts(outcome, learn, None if since is None else later, excluded, least)
    population = ~np.logical_or.reduce([*people.excluded.values(), number < 0, people.observed == NO_MONTH])
    weighed = bool(keep)
    kind = kind_of(accounts)
    develop = _rows(people, positions[learn][drawn], outcome[learn][drawn], weight if weighed else None)
    held_out = _rows(people, positions[later], outcome[later], np.ones(len(later)) if weighed else None)
    return PerformanceSample(
        development=like(develop, kind),
        holdout=None if since is None else like(held_out, kind),
        definition=definition,
        accounts=len(people.rows),
        until=month_name(past.last),
        since=since,
        counts=counts,
        exclusions=exclusions,
        drawn=_drawn(outcome[learn], outcome[learn][drawn], weight, counts[-1 if since is None else 1], least)
        if weighed
        else (),
        rows_left_out={reason: told_count(count, least) for reason, count in past.left_out.items()},
        not_asked_for=told_count(len(np.setdiff1d(past.account, number)), least),
        with_gaps=told_count(int((seen[positions] < definition.window).sum()), least),
        roll_rates=_roll_rates(people, past, number, population, definition, tables, least),
        monthly_rolls=_monthly_rolls(past, number[population], definition, tables, least),
        vintages=_vintages(people, past, number, population, definition, tables, least),
        kind=kind,
    )


def _reasons(
    people: Accounts,
    past: History,
    number: NDArray[np.int64],
    worst: Floats,
    seen: NDArray[np.int64],
    definition: OutcomeDefinition,
) -> dict[str, Bools]:
    """(n,) rows without an outcome, by why."""
    at_observation, _ = past.worst(number, people.observed, people.observed)
    bad = worst >= definition.bad
    return {
        **people.excluded,
        "no account": np.asarray(people.account.isna(), dtype=bool),
        "no date of observation": people.observed == NO_MONTH,
        "no history": number < 0,
        "window not over": people.observed + definition.window > past.last,
        "bad in the month of observation": at_observation >= definition.bad,
        "not seen in the window": seen == 0,
        f"seen in fewer than {definition.least_months} months, and not bad": (seen < definition.least_months) & ~bad,
    }


def _kept(reasons: Mapping[str, Bools], rows: int) -> tuple[Positions, dict[str, int]]:
    kept, counts = np.ones(rows, dtype=bool), {}
    for reason, rows_of in reasons.items():
        counts[reason] = int((kept & rows_of).sum())
        kept &= ~rows_of
    if not kept.any():
        most = max(counts, key=lambda reason: counts[reason])
        raise InputError(
            "no account has an outcome", where="accounts", got=f"most are left out: {most}", fix="see what is told"
        )
    return np.flatnonzero(kept), {reason: count for reason, count in counts.items() if count}


def _divided(people: Accounts, positions: Positions, since: str | None) -> tuple[Positions, Positions, str | None]:
    """Positions among the kept rows to develop on, and of those held out in time, and the first date of these."""
    if since is None:
        every = np.arange(len(positions))
        return every, every[:0], None
    parts = out_of_time(people.dates.iloc[positions].tolist(), **date_or_share(since))
    return parts.learn, parts.held_out, parts.since


def _counts(
    outcome: NDArray[Any], learn: Positions, later: Positions | None, excluded: Mapping[str, int], least: int
) -> tuple[tuple[PartCounts, ...], dict[str, int | None]]:
    """Outcomes of all, and of the parts where there are two, and exclusions; told together, since they add up."""
    parts = (
        {"all": outcome}
        if later is None
        else {"all": outcome, "development": outcome[learn], "holdout": outcome[later]}
    )
    counts = np.zeros((len(parts), len(_OUTCOMES) + len(excluded)), dtype=np.int64)
    for row, values in enumerate(parts.values()):
        counts[row, : len(_OUTCOMES)] = [int((values == each).sum()) for each in _OUTCOMES]
    counts[0, len(_OUTCOMES) :] = list(excluded.values())
    told = told_rows(counts, least)
    named = tuple(
        PartCounts(part=part, good=good, bad=bad, indeterminate=neither)
        for part, (good, bad, neither, *_) in zip(parts, told, strict=True)
    )
    return named, dict(zip(excluded, told[0][len(_OUTCOMES) :], strict=True))


def _drawn(
    before: NDArray[Any], after: NDArray[Any], weight: Floats, told: PartCounts, least: int
) -> tuple[DrawnClass, ...]:
    drawn = []
    for outcome in _OUTCOMES:
        rows, count = getattr(told, outcome), int((after == outcome).sum())
        if count:
            shown = None if rows is None else told_count(count, least)
            stands_for = None if rows is None else float(weight[np.argmax(after == outcome)])
            drawn.append(DrawnClass(outcome=outcome, rows=rows, drawn=shown, weight=stands_for))
    return tuple(drawn)


def _rows(people: Accounts, positions: Positions, outcome: NDArray[Any], weight: Floats | None) -> pd.DataFrame:
    rows = people.rows.iloc[positions].reset_index(drop=True)
    rows[OUTCOME] = outcome
    if weight is not None:
        rows[WEIGHT] = weight
    return rows


def _roll_rates(
    people: Accounts,
    past: History,
    number: NDArray[np.int64],
    population: Bools,
    definition: OutcomeDefinition,
    tables: TableOptions,
    least: int,
) -> RollRates:
    months = tables.roll_months or max(definition.window // 2, 1)
    observed = people.observed
    first, _ = past.worst(number, observed + 1, observed + months)
    following, _ = past.worst(number, observed + months + 1, observed + 2 * months)
    over = population & (observed + 2 * months <= past.last) & ~np.isnan(first) & ~np.isnan(following)
    edges = _edges(definition, tables)
    return roll_rates(first[over], following[over], edges, months=months, bad=definition.bad, least=least)


def _monthly_rolls(
    past: History, asked_for: NDArray[np.int64], definition: OutcomeDefinition, tables: TableOptions, least: int
) -> MonthlyRolls:
    own = np.isin(past.account, asked_for)
    edges = _edges(definition, tables)
    return monthly_rolls(past.account[own], past.month[own], past.days[own], edges, least=least)


def _edges(definition: OutcomeDefinition, tables: TableOptions) -> Floats:
    """Days past due at which statuses begin."""
    starts = {0.0, 1.0, float(definition.bad), *map(float, tables.statuses)}
    return np.array(sorted(starts | ({float(definition.indeterminate)} if definition.indeterminate else set())))


def _vintages(
    people: Accounts,
    past: History,
    number: NDArray[np.int64],
    population: Bools,
    definition: OutcomeDefinition,
    tables: TableOptions,
    least: int,
) -> Vintages:
    order = np.lexsort((people.opened, people.opened == NO_MONTH))  # of several dates of an account the first counts
    rows = order[population[order]]
    once, first = np.unique(number[rows], return_index=True)
    return vintages(
        people.opened[rows[first]],
        past.first_months(definition.bad)[once],
        history=(past.first, past.last),
        bad=definition.bad,
        window=definition.window,
        cohort=tables.cohort,
        settled=tables.settled,
        step=tables.step,
        least=least,
    )
