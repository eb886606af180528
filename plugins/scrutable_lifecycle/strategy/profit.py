"""What an applicant is worth, approved or declined, good or bad."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scrutable.data import Cohort, Floats, scores
from scrutable.errors import InputError
from scrutable_lifecycle.measured_rows import amounts_of, need_outcomes

#: The amounts of a profit, by decision and outcome.
AMOUNTS = ("approved_good", "approved_bad", "declined_good", "declined_bad")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profit:
    """Profit for each applicant by decision and outcome, losses below 0.

    Each is a number for everybody, or an (n,) array of one for each row, for example a margin for the approved that
    pay, and minus the exposure times the loss given default for those that do not. Knocked-out applicants count as
    declined.

    Parameters
    ----------
    named : what amounts by row are, in words, for those that have a name.

    Examples
    --------
    >>> Profit(approved_good=100, approved_bad=[-500, -800]).describe()
    'approved good 100, approved bad by row, declined good 0, declined bad 0'
    >>> Profit(approved_good=[9, 7], approved_bad=-50, named={"approved_good": "column 'margin'"}).describe()
    "approved good column 'margin', approved bad -50, declined good 0, declined bad 0"
    """

    approved_good: Any
    approved_bad: Any
    declined_good: Any = 0.0
    declined_bad: Any = 0.0
    named: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> str:
        """The table in a line."""
        return ", ".join(f"{name.replace('_', ' ')} {self._amount(name)}" for name in AMOUNTS)

    def by_row(self, cohort: Cohort) -> tuple[Floats, Floats]:
        """(n,) profit of each row if it is approved, and if it is declined.

        Raises
        ------
        InputError : an outcome that is not known, of a row with weight, or amounts that are no finite numbers or add up
            to none.
        """
        unknown = np.flatnonzero(~cohort.known & (cohort.weight > 0))
        if unknown.size:
            raise InputError(
                "a profit needs the outcome of every applicant",
                where=f"good, row {unknown[0]}",
                got=f"{unknown.size} of {cohort.rows} outcomes are not known",
                fix="leave these rows out, or infer their outcomes",
            )
        amounts = {name: _amounts(getattr(self, name), name, cohort.rows) for name in AMOUNTS}
        approved = np.where(cohort.good, amounts["approved_good"], amounts["approved_bad"])
        declined = np.where(cohort.good, amounts["declined_good"], amounts["declined_bad"])
        with np.errstate(over="ignore"):
            most = 2 * float((cohort.weight * np.maximum(np.abs(approved), np.abs(declined))).sum())
        if not math.isfinite(most):
            fix = "correct the amounts, or give them in a larger unit"
            raise InputError("the amounts of a profit add up to more than a double holds", where="profit", fix=fix)
        return approved, declined

    def _amount(self, name: str) -> str:
        value = getattr(self, name)
        return f"{value:g}" if np.ndim(value) == 0 else self.named.get(name, "by row")


def profit_by(amounts: Mapping[str, float | str], cohort: Cohort, target: str) -> Profit:
    """The profit whose amounts are numbers or columns of the applicants; it needs every outcome.

    Parameters
    ----------
    amounts : by the names of `AMOUNTS`, a number for everybody, or a column, "-loss" being minus the column "loss".
    target : what errors call the outcomes.

    Raises
    ------
    InputError : no such column, or one that holds no numbers; a row with weight and without an outcome.

    Examples
    --------
    >>> cohort = Cohort.read({"loss": [500, 800]}, [True, False])
    >>> profit_by({"approved_good": 100, "approved_bad": "-loss"}, cohort, "paid").describe()
    "approved good 100, approved bad minus column 'loss', declined good 0, declined bad 0"
    """
    values: dict[str, Any] = {}
    named: dict[str, str] = {}
    for name, amount in amounts.items():
        values[name] = amount
        if isinstance(amount, str):
            sign, column = (-1.0, amount[1:]) if amount.startswith("-") else (1.0, amount)
            values[name] = sign * amounts_of(cohort, column, "--profit")
            named[name] = f"{'minus ' if sign < 0 else ''}column {column!r}"
    need_outcomes(
        cohort,
        target,
        because="a profit needs it",
        fix="drop these rows, or choose by --approval-rate or --max-bad-rate",
        weighted=True,
    )
    return Profit(**values, named=named)


def _amounts(given: Any, name: str, rows: int) -> Floats:
    values = np.asarray(given)
    if values.ndim == 0:
        values = np.full(rows, values)
    try:
        return scores(values, rows)
    except InputError as error:
        raise InputError(
            "unusable amounts of a profit",
            where=f"profit: {name}",
            got=error.got,
            allowed="a finite number, or one for each row",
        ) from error
