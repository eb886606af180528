"""What came of accounts and their history."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from scrutable.data.frames import FrameKind, rows_like
from scrutable.errors.checks import check_choice
from scrutable.writing import plain_fields
from scrutable_sample.definition import OutcomeDefinition
from scrutable_sample.disclosed import Told
from scrutable_sample.drawing import DrawnClass
from scrutable_sample.monthly_rolls import MonthlyRolls
from scrutable_sample.roll_rates import RollRates
from scrutable_sample.vintages import Vintages

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class PartCounts:
    """Accounts by outcome: of the whole, of those to develop on, or of those held out in time.

    Parameters
    ----------
    part : "all", "development" or "holdout".
    good, bad, indeterminate : how many; None where a count is kept back, since it would tell of few people.
    """

    part: str
    good: Told
    bad: Told
    indeterminate: Told

    @property
    def bad_rate(self) -> float | None:
        """Bad among good and bad; None without any, or where a count is kept back."""
        if self.good is None or self.bad is None or not self.good + self.bad:
            return None
        return self.bad / (self.good + self.bad)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with the bad rate."""
        return {**plain_fields(self), "bad_rate": self.bad_rate}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PerformanceSample:
    """A sample to fit on, the outcome of each account, and the tables that show where the definition settles.

    Parameters
    ----------
    development : rows to fit on, a frame of the kind of the accounts: their columns, `outcome`, and `weight` where some
        were drawn.
    holdout : rows held out in time, all of them, with the same columns; None without a date to hold out from.
    definition : what is good and bad.
    accounts : rows of the accounts.
    until : the last month of the history.
    since : the first date held out; None without any.
    counts : by outcome: of all, of the development and of the holdout if there is one.
    exclusions : accounts without an outcome by why, each counted where it first fails; None where they are few.
    drawn : what was drawn of each outcome of the development; empty where all rows stayed.
    rows_left_out : rows of the history that were left out, by why; None where they are few.
    not_asked_for : accounts of the history that are not among the accounts; None where they are few.
    with_gaps : accounts with an outcome, some of whose months in the window are not in the history.
    roll_rates, vintages : where the definition and the window settle.
    monthly_rolls : how late accounts of each status are a month later, over all months of the history.
    """

    development: Any
    holdout: Any
    definition: OutcomeDefinition
    accounts: int
    until: str
    since: str | None
    counts: tuple[PartCounts, ...]
    exclusions: dict[str, Told]
    drawn: tuple[DrawnClass, ...]
    rows_left_out: dict[str, Told]
    not_asked_for: Told
    with_gaps: Told
    roll_rates: RollRates
    monthly_rolls: MonthlyRolls
    vintages: Vintages
    kind: FrameKind

    def __repr__(self) -> str:
        told = f"good {_word(self.counts[0].good)}, bad {_word(self.counts[0].bad)}"
        return f"PerformanceSample({self.accounts} accounts: {told}, window of {self.definition.window} months)"

    def to_dict(self) -> dict[str, Any]:
        """All but the rows of the sample as plain values."""
        told = plain_fields(self, without=("development", "holdout", "kind", "definition"))
        return {"definition": plain_fields(self.definition), **told}

    def frame(self) -> Any:
        """The vintage table as a frame: cohort, accounts, months on book, bads, cumulative bad rate."""
        rows = [
            {"cohort": cohort.name, "accounts": cohort.accounts, "month": month, "bads": bads, "bad_rate": rate}
            for cohort in self.vintages.cohorts
            for month, bads, rate in zip(
                itertools.count(self.vintages.step, self.vintages.step), cohort.bads, cohort.rates
            )
        ]
        return rows_like(rows, self.kind)

    def plot(self, what: Literal["vintages", "rolls"] = "vintages") -> Figure:
        """The vintage curves, or the roll rates from one month to the next, as a picture.

        Raises
        ------
        InputError : another picture.
        PluginError : matplotlib is not installed.
        """
        check_choice(what, ("vintages", "rolls"), "what")
        if what == "vintages":
            from scrutable_sample.plot import plot_vintages

            return plot_vintages(self.vintages)
        from scrutable_sample.plot_rolls import plot_rolls

        return plot_rolls(self.monthly_rolls)


def _word(count: Told) -> str:
    return "few" if count is None else str(count)
