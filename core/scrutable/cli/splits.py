"""Rows to learn from and rows held out: drawn at random, or the earlier and the later ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.cli.config import SplitConfig
from scrutable.cli.grouping import rows_named
from scrutable.cli.population import Population, Positions
from scrutable.errors import InputError
from scrutable.search.rows import hold_out
from scrutable.validation import OutOfTime, out_of_time
from scrutable.validation.dates import date_or_share


def split_rows(y: pd.Series, test_size: float, seed: int, *, of_classes: bool = True) -> tuple[Positions, Positions]:
    """Positions of the rows to learn from and of those held out, with the same share of each class if there are any.

    Raises
    ------
    InputError : too few rows of an outcome to have it on both sides.
    """
    if not test_size:
        rows = np.arange(len(y))
        return rows, rows[:0]
    fix = "give more rows, or test_size 0 to fit on all of them"
    strata = y.astype(str).to_numpy() if of_classes else np.zeros(len(y))
    return hold_out(strata, test_size, seed, where="test_size", fix=fix)


def split_known(
    split: SplitConfig, y: pd.Series, population: Population, *, of_classes: bool = True
) -> tuple[Positions, Positions]:
    """Positions among the rows with an outcome: the earlier and the later ones, or drawn at random.

    Raises
    ------
    InputError : a split by time without a column of dates or beside a share to draw, or as in `split_rows`.
    """
    if split.out_of_time is None:
        return split_rows(y, split.test_size, split.seed, of_classes=of_classes)
    if split.test_size != SplitConfig().test_size:
        raise InputError(
            "the rows held out are said twice",
            where="--test-size, --out-of-time",
            got=(split.test_size, split.out_of_time),
            fix="leave one of them out",
        )
    found = _by_date(population, population.known, **date_or_share(split.out_of_time))
    return found.learn, found.held_out


def rejects_before(split: SplitConfig, population: Population) -> Positions:
    """Positions of the declined whose outcomes may be inferred: none from the time that is held out, if it is one.

    Raises
    ------
    InputError : all of them are from that time, or as in `split_known`.
    """
    if split.out_of_time is None or not len(population.rejected):
        return population.rejected
    since = _by_date(population, population.known, **date_or_share(split.out_of_time)).since
    known = len(population.known)
    earlier = _by_date(population, np.concatenate([population.known, population.rejected]), since=since).learn
    rejected = population.rejected[earlier[earlier >= known] - known]
    if not len(rejected):
        what, fix = f"there is no declined applicant before {since}", "infer none, or hold out later rows"
        raise InputError(what, where="--reject-inference", fix=fix)
    return rejected


def _by_date(population: Population, rows: Positions, **option: Any) -> OutOfTime:
    """The rows at these positions divided by date; errors name a row by its place in the file."""
    if population.dates is None:
        raise InputError("there is no column to split by", where="--out-of-time", fix="name it with --date")
    with rows_named(lambda row: f"row {rows[row]}"):
        return out_of_time(population.dates.iloc[rows], **option)
