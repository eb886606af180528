"""Membership probabilities from surname and place: Bayesian improved surname geocoding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.frames import as_table
from scrutable.data.masking import Masked
from scrutable.errors import InputError, KindError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

#: What becomes of rows whose surname and place contradict each other.
Contradictory = Literal["error", "prior"]


def bisg(
    surname: Any, geography: Any, *, prior: Mapping[str, float], contradictory: Contradictory = "error"
) -> pd.DataFrame:
    """Probabilities of each group, given the surname and the place of each row.

    Bayes' rule, with surname and place independent within a group (Elliott et al., 2009, "Using the Census Bureau's
    surname list to improve estimates of race/ethnicity and associated disparities"):

        P(group | surname, place) is proportional to P(group | surname) * P(place | group).

    The tables are the user's; `census.reindex(loans["surname"])` in pandas, or a left join, makes rows of them. A row
    that has no match in one of them has missing values there, and gets

    * without a place, P(group | surname),
    * without a surname, P(group | place), proportional to prior * P(place | group),
    * without either, the prior.

    Surname and place of a row contradict each other where each rules out the groups of the other.

    Parameters
    ----------
    surname : n rows of P(group | surname), a column for each group; any frame or mapping of columns. Only the
        proportions within a row count, so that percentages will do.
    geography : n rows of P(place | group), the share of the group that lives at the row's place, with the same
        columns. Of counts of people, this is the count divided by its column's total over *all* places.
    prior : P(group) among the applicants, or numbers in that proportion.
    contradictory : "error" refuses contradictory rows, "prior" gives them the prior.

    Returns
    -------
    A frame of n rows with the prior's groups as columns, for `Groups.from_probabilities({"race": frame})`.

    Raises
    ------
    InputError : groups that differ, frames of different lengths, negative or infinite numbers, counts of people in
        place of shares, a row of which only some are missing, or in which no group has a probability above 0.
    KindError : a column that is not numeric, or a prior that is no mapping.

    Examples
    --------
    >>> surname = {"black": [0.4, None, 0.4], "white": [0.6, None, 0.6]}
    >>> place = {"black": [0.03, 0.03, None], "white": [0.01, 0.01, None]}
    >>> found = bisg(surname, place, prior={"black": 0.2, "white": 0.8})
    >>> found["black"].round(4).tolist()  # 0.4 * 0.03 / (0.4 * 0.03 + 0.6 * 0.01); then 0.2 * 0.03 and 0.8 * 0.01
    [0.6667, 0.4286, 0.4]
    """
    import pandas as pd

    if contradictory not in get_args(Contradictory):
        raise InputError(
            "unknown treatment of contradictory rows",
            where="contradictory",
            got=contradictory,
            allowed=did_you_mean(contradictory, get_args(Contradictory)),
        )
    overall = _prior(prior)
    by_surname, named = _rows(surname, "surname", list(overall))
    by_place, placed = _rows(geography, "geography", list(overall))
    if len(named) != len(placed):
        fix = "make both of the same rows"
        raise InputError(
            "the number of rows differs", where="geography", got=len(placed), allowed=f"{len(named)} rows", fix=fix
        )
    _refuse_counts(by_place, list(overall))
    shares = np.array(list(overall.values()))
    of_surname = np.where(named[:, None], by_surname, shares)
    weights = of_surname * np.where(placed[:, None], by_place, 1.0)
    if contradictory == "prior":
        weights = np.where((weights.sum(axis=1) > 0)[:, None], weights, shares)
    sums = weights.sum(axis=1)
    _refuse_none(
        sums,
        "surname and geography",
        "leave the less certain of the two missing in these rows, or give them the prior: contradictory='prior'",
    )
    return pd.DataFrame(weights / sums[:, None], columns=list(overall))


def _prior(given: Mapping[str, float]) -> dict[str, float]:
    if not isinstance(given, Mapping):
        fix = "give a share for each group"
        raise KindError(
            "expected a number for each group", where="prior", got=given, allowed="{'a': 0.2, 'b': 0.8}", fix=fix
        )
    names = sorted(map(str, given))
    values, _ = _rows({name: [value] for name, value in given.items()}, "prior", names)
    if np.isnan(values).any():
        raise InputError("a share is missing", where="prior", got=dict(given), fix="give a share for each group")
    return dict(zip(names, values[0].tolist(), strict=True))


def _rows(frame: Any, where: str, groups: list[str]) -> tuple[Floats, Bools]:
    """(n, g) numbers of which a row's proportions count, and (n,) whether the row has any."""
    table = as_table(frame)
    for name in (*table.names, *groups):
        if name not in groups or name not in table.names:
            other = groups if name not in groups else table.names
            raise InputError(
                "a group is missing" if name in groups else "a group that the prior does not have",
                where=where,
                got=name,
                allowed=did_you_mean(name, list(other)),
                fix="use the same groups in surname, geography and prior",
            )
    columns = [table.column(name) for name in groups]
    for column in columns:
        if column.kind != "numeric" and not column.missing.all():
            got = f"a column that is {column.kind}"
            raise KindError("probabilities are numbers", where=f"{where}, group {column.name!r}", got=got)
    values = np.column_stack([column.values for column in columns]).astype(np.float64)
    known: Bools = ~np.all(np.isnan(values), axis=1)
    wrong = np.argwhere(known[:, None] & ~(np.isfinite(values) & (values >= 0)))
    if wrong.size:
        row, at = wrong[0]
        raise InputError(
            "a probability is missing beside others, negative or infinite",
            where=f"{where}, row {row}, group {groups[at]!r}",
            got=Masked(float(values[row, at])),
            allowed="numbers from 0 on in every group, or none in any",
            fix="correct the table, or leave the whole row missing",
        )
    _refuse_none(np.where(known, values.sum(axis=1), 1.0), where, "correct the table, or leave the row missing")
    return values, known


def _refuse_counts(shares: Floats, groups: list[str]) -> None:
    """Shares of a group's people are at most 1; larger numbers are counts, and would favour the larger group."""
    above = np.argwhere(shares > 1)
    if above.size:
        row, at = above[0]
        raise InputError(
            "a share of a group's people is above 1",
            where=f"geography, row {row}, group {groups[at]!r}",
            got=Masked(float(shares[row, at])),
            allowed="numbers from 0 to 1: P(place | group)",
            fix="divide counts by column totals over all places: people / people.sum()",
        )


def _refuse_none(sums: Floats, where: str, fix: str) -> None:
    none = np.flatnonzero(sums <= 0)
    if none.size:
        what = "no group has a probability above 0"
        if none.size > 1:
            what += f" in {none.size} of {sums.size} rows, of which this is the first"
        raise InputError(what, where=f"{where}, row {none[0]}", got=0, allowed="a sum above 0", fix=fix)
