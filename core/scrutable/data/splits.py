"""Rows to learn from and rows held out: drawn at random, or the earlier and the later ones."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from scrutable.data.by_date import OutOfTime, date_or_share, out_of_time
from scrutable.data.cohort import Cohort
from scrutable.data.config import SplitConfig
from scrutable.data.grouped import rows_named
from scrutable.data.groups import Groups
from scrutable.data.indeterminate import Positions
from scrutable.errors import InputError


def hold_out(
    outcome: NDArray[Any], size: float, seed: int, *, where: str, fix: str, groups: Groups | None = None
) -> tuple[Positions, Positions]:
    """Positions of the rows to learn from and of those held out, with the same share of each outcome.

    Parameters
    ----------
    outcome : (n,) the class of each row.
    size : share of the rows to hold out, above 0 and below 1.
    where, fix : how an error names the option, and what to do instead.
    groups : the same share of each combination of outcome and groups too, as far as it has enough rows; where groups
        are probabilities, of those to a quarter.

    Raises
    ------
    InputError : too few rows of an outcome to have it on both sides.

    Examples
    --------
    >>> learn, held_out = hold_out(np.array([0, 0, 1, 1]), 0.5, 0, where="test_size", fix="give more rows")
    >>> len(learn), len(held_out)
    (2, 2)
    """
    for strata in [outcome] if groups is None else [_with_groups(outcome, groups, size), outcome]:
        with contextlib.suppress(ValueError):  # too few rows of a stratum
            learn, held_out = train_test_split(
                np.arange(len(outcome)), test_size=size, random_state=seed, stratify=strata
            )
            return np.sort(learn), np.sort(held_out)
    _, counts = np.unique(outcome, return_counts=True)
    raise InputError(
        "too few rows to hold some out",
        where=where,
        got=f"{size} of {len(outcome)} rows, of which {counts.min()} have the scarcest outcome",
        allowed="a share that leaves rows of each outcome on both sides",
        fix=fix,
    )


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


def split_known(split: SplitConfig, everyone: Cohort, *, of_classes: bool = True) -> tuple[Positions, Positions]:
    """Positions among the rows of a file with an outcome: the earlier and the later ones, or drawn at random.

    Raises
    ------
    InputError : a split by time without a column of dates or beside a share to draw, or as in `split_rows`.
    """
    known = np.flatnonzero(everyone.known)
    if split.out_of_time is None:
        return split_rows(everyone.subset(known).values, split.test_size, split.seed, of_classes=of_classes)
    if split.test_size != SplitConfig().test_size:
        raise InputError(
            "the rows held out are said twice",
            where="--test-size, --out-of-time",
            got=(split.test_size, split.out_of_time),
            fix="leave one of them out",
        )
    parts = _by_date(everyone, known, **date_or_share(split.out_of_time))
    return parts.learn, parts.held_out


def rejects_before(split: SplitConfig, everyone: Cohort) -> Positions:
    """Positions of the declined whose outcomes may be inferred: none from the time that is held out, if it is one.

    Raises
    ------
    InputError : all of them are from that time, or as in `split_known`.
    """
    known, rejected = np.flatnonzero(everyone.known), np.flatnonzero(everyone.declined)
    if split.out_of_time is None or not len(rejected):
        return rejected
    since = _by_date(everyone, known, **date_or_share(split.out_of_time)).since
    earlier = _by_date(everyone, np.concatenate([known, rejected]), since=since).learn
    rejected = rejected[earlier[earlier >= len(known)] - len(known)]
    if not len(rejected):
        what, fix = f"there is no declined applicant before {since}", "infer none, or hold out later rows"
        raise InputError(what, where="--reject-inference", fix=fix)
    return rejected


def _by_date(everyone: Cohort, rows: Positions, **option: Any) -> OutOfTime:
    """The rows at these positions divided by date; errors name a row by its place in the file."""
    if everyone.dates is None:
        raise InputError("there is no column to split by", where="--out-of-time", fix="name it with --date")
    with rows_named(lambda row: f"row {rows[row]}"):
        return out_of_time(everyone.dates.iloc[rows], **option)


def _with_groups(outcome: NDArray[Any], groups: Groups, size: float) -> NDArray[np.intp]:
    """(n,) number of each row's combination of outcome and strata; rare ones are put together by outcome."""
    _, label = np.unique(outcome, return_inverse=True)
    joint = _numbered([label, *(attribute.strata for attribute in groups.attributes)])
    rare = np.bincount(joint)[joint] < math.ceil(2 / min(size, 1 - size))
    return np.where(rare, label, joint + label.max() + 1)


def _numbered(codes: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    _, joint = np.unique(np.column_stack(codes), axis=0, return_inverse=True)
    return joint.ravel()
