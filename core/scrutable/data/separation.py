"""Columns that separate good from bad outcomes nearly perfectly by themselves: leaks, or rules that decline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column
from scrutable.data.value_counts import RowCounts, ValueCounts
from scrutable.errors import ScrutableWarning, warn_caller

Floats = NDArray[np.float64]

#: The name of the warning, and of its entry in evidence.
LEAK = "Leak or knock-out?"
LEAK_ENTRY = "leak_or_knock_out"

#: A column that ranks outcomes with such an AUC by itself, which is so many standard errors above one half.
_AUC, _BEYOND = 0.99, 6.0
#: Values that so many rows have by weight, nearly all with one outcome, where so many of the other would be expected.
_SHARE, _EXPECTED = 0.05, 50.0
#: So much of the expected may be there, and so many have to be expected of each of several values.
_IMPURE, _OF_EACH = 0.01, 20.0
#: So much of the expected has to be there just beyond a run of numbers: what is measured tells gradually.
_BEYOND_RUN = 0.5
_OUTCOMES = ("bad", "good")
#: Values that are named one by one.
_NAMED = 3
#: Categories of fewer rows are counted together in the AUC: alone each of them ranks its own rows.
_RARE = 30


class LeakWarning(ScrutableWarning):
    """A column separates the outcome nearly perfectly: it may not have been known, or it calls for a knock-out rule."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeCounts:
    """Good and bad rows at each value of a column, however they were counted.

    Parameters
    ----------
    values : (k,) the different values, or the least ones of buckets. Numbers rise; a missing one is the last.
    greatest : (k,) the greatest value of each.
    rows : (k, 2) numbers of bad and of good rows.
    weight : (k, 2) their weight.
    ordered : whether the values are numbers, and not names.
    """

    values: Column
    greatest: NDArray[Any]
    rows: Floats
    weight: Floats
    ordered: bool

    @classmethod
    def of(cls, counts: ValueCounts) -> Self:
        """Those of rows with weight."""
        column = counts.column
        seen = counts.rows.any(axis=1)
        missing = column.missing
        order = np.flatnonzero(seen & ~missing)
        if column.kind != "numeric":
            order = order[np.argsort(column.values[order], kind="stable")]
        order = np.concatenate([order, np.flatnonzero(seen & missing)])
        ordered = column.kind == "numeric" and not column.nominal
        rows, weight = counts.rows[order].astype(np.float64), counts.outcomes[order]
        greatest = counts.buckets.high[order]
        return cls(values=column.take(order), greatest=greatest, rows=rows, weight=weight, ordered=ordered)

    @property
    def n_there(self) -> int:
        """Number of values that are not missing."""
        return len(self.rows) - int(self.values.missing[-1:].any())

    def auc(self) -> float:
        """Area under the ROC curve of the values by themselves, whichever end is the better one.

        Missing values stand at the end where they rank best. Categories are ranked by their share of good rows; those
        of fewer than 30 rows are counted together.
        """
        if self.ordered:
            there = self.n_there
            ends = [self.weight]
            if there < len(self.rows):
                ends.append(np.concatenate([self.weight[there:], self.weight[:there]]))
            return max(max(area, 1 - area) for area in map(_auc, ends))
        rare = self.rows.sum(axis=1) < _RARE
        pooled = np.concatenate([self.weight[~rare], self.weight[rare].sum(axis=0, keepdims=True)])
        pooled = pooled[pooled.sum(axis=1) > 0]
        return _auc(pooled[np.argsort(pooled[:, 1] / pooled.sum(axis=1), kind="stable")])

    def pure(self) -> tuple[NDArray[np.intp], int] | None:
        """Positions of values whose rows nearly all have one outcome, beyond chance, and that outcome; None if none.

        They are all such values together, or a run of numbers from either end beyond which the outcomes change at
        once, as they do not for a strong measurement; the heaviest of these.
        """
        weight = self.weight[:, 0] + self.weight[:, 1]
        sets = [(places, outcome) for outcome in (0, 1) for places in self._nearly_all(outcome)]
        heavy = [(weight[places].sum(), places, outcome) for places, outcome in sets]
        enough = [each for each in heavy if each[0] >= _SHARE * weight.sum()]
        if not enough:
            return None
        _, places, outcome = max(enough, key=lambda each: each[0])
        return places, outcome

    def _nearly_all(self, outcome: int) -> Iterator[NDArray[np.intp]]:
        """Sets of values of which nearly all rows have an outcome, where enough of the other would be expected."""
        other = self.rows[:, 1 - outcome]
        expected = (self.rows[:, 0] + self.rows[:, 1]) * other.sum() / self.rows.sum()
        pure = np.flatnonzero((expected >= _OF_EACH) & (other <= _IMPURE * expected))
        if expected[pure].sum() >= _EXPECTED:
            yield pure
        if self.ordered:
            there = self.n_there
            for step in (1, -1):
                run = _length_of_run(np.cumsum(other[:there][::step]), np.cumsum(expected[:there][::step]))
                if run:
                    yield np.arange(run) if step == 1 else np.arange(there - run, there)

    def _ranks_beyond_chance(self) -> bool:
        """Whether the number of rows lets an AUC of .99 be no accident of a column that tells nothing."""
        bad, good = self.rows.sum(axis=0)
        if not min(bad, good):
            return False
        error = math.sqrt((bad + good + 1) / (12 * bad * good))  # of the Mann-Whitney statistic, without ties
        return (_AUC - 0.5) / error >= _BEYOND

    def separates(self) -> str:
        """How the column separates good from bad nearly perfectly, in words; empty where it does not.

        Either an AUC of the column alone of 0.99 or more, where that is six standard errors above one half; or values
        that at least 5 % of the weight has, missing ones among them, and whose rows nearly all have one outcome: 1 %
        at most of the other that would be expected, which is 50 rows or more. The values may be a range from either
        end, where just beyond it at least half of what would be expected is there.

        Examples
        --------
        >>> flag = Column("flag", "numeric", np.repeat([0.0, 1.0], [900, 100]))
        >>> paid = np.arange(1000) // 100 % 9 > 1
        >>> OutcomeCounts.of(RowCounts(flag, paid, np.ones(1000))).separates()
        'all 100 rows where it is 1 (10.0%) have the bad outcome'
        """
        if self._ranks_beyond_chance() and (auc := self.auc()) >= _AUC:
            return f"by itself it ranks the outcomes with an AUC of {auc:.3f}"
        pure = self.pure()
        if pure is None:
            return ""
        places, outcome = pure
        others, count = self.rows[places, 1 - outcome].sum(), self.rows[places].sum()
        share = self.weight[places].sum() / self.weight.sum()
        some = f"all but {others:,.0f} of" if others else "all"
        where = f"rows where it is {self._named(places)} ({share:.1%})"
        return f"{some} {count:,.0f} {where} have the {_OUTCOMES[outcome]} outcome"

    def _named(self, places: NDArray[np.intp]) -> str:
        """Some of the values in words; a run of numbers by its end."""
        if len(places) <= _NAMED:
            *some, last = map(self._said, places.tolist())
            return f"{', '.join(some)} or {last}" if some else last
        start, stop = int(places[0]), int(places[-1])
        if self.ordered and stop - start == len(places) - 1 and stop < self.n_there:
            return f"{_said(self.values.values, start)} or more" if start else f"{_said(self.greatest, stop)} or less"
        return f"{self._said(start)} or one of {len(places) - 1:,} others"

    def _said(self, at: int) -> str:
        if at >= self.n_there:
            return "missing"
        least, greatest = _said(self.values.values, at), _said(self.greatest, at)
        return least if least == greatest else f"from {least} to {greatest}"


def _said(values: NDArray[Any], at: int) -> str:
    value = values[at : at + 1].tolist()[0]
    return f"{value:.15g}" if isinstance(value, float) else repr(value)


@dataclass(frozen=True, slots=True)
class Alone:
    """What a column tells of the outcome alone: the AUC of its values, and how it separates; empty if it does not."""

    auc: float
    separates: str

    @classmethod
    def of(cls, counts: ValueCounts) -> Self:
        """What it tells of rows with weight."""
        outcomes = OutcomeCounts.of(counts)
        return cls(outcomes.auc(), outcomes.separates())


def separating(columns: Mapping[str, Column], good: NDArray[np.bool_], weight: Floats) -> dict[str, str]:
    """The columns that separate the outcome nearly perfectly, each with how; see `OutcomeCounts.separates`.

    It looks at values, or thousands of buckets of them, and not at bins, so that it finds what a binner leaves out.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> paid = np.arange(400) % 4 > 0
    >>> table = as_table({"age": np.arange(400.0), "recovered": np.where(paid, np.nan, 1.0)})
    >>> separating({name: table.column(name) for name in table}, paid, np.ones(400))
    {'recovered': 'by itself it ranks the outcomes with an AUC of 1.000'}
    """
    ways = {name: Alone.of(RowCounts(column, good, weight)).separates for name, column in columns.items()}
    return {name: how for name, how in ways.items() if how}


def warn_of_leaks(leaks: Mapping[str, str]) -> None:
    """One warning for all the columns that `separating` found."""
    if leaks:
        warn_caller(leaks_in_words(leaks), LeakWarning)


def leaks_in_words(leaks: Mapping[str, str]) -> str:
    """What is said of such columns, and what to do."""
    named = "; ".join(f"{name!r}: {how}" for name, how in leaks.items())
    return (
        f"{LEAK} {named}. Leave a column out that was not known when the applicant applied; "
        "what was known and settles the decision alone belongs in a knock-out rule."
    )


def _length_of_run(other: Floats, expected: Floats) -> int:
    """How many of the first values are a run whose rows all, or else nearly all, have one outcome; 0 for none.

    Parameters
    ----------
    other, expected : (k,) rows with the other outcome up to each value, those that are there and those to be expected.
    """
    enough = slice(int(expected.searchsorted(_EXPECTED)), None)
    if not (other[enough] <= _IMPURE * expected[enough]).any():
        return 0
    for part in (0.0, _IMPURE):
        ends = np.flatnonzero((expected >= _EXPECTED) & (other <= part * expected))
        if ends.size:
            last = int(ends[-1])
            next_ones = min(int(np.searchsorted(expected, expected[last] + _OF_EACH)), len(expected) - 1)
            if other[next_ones] - other[last] >= _BEYOND_RUN * (expected[next_ones] - expected[last]):
                return last + 1
    return 0


def _auc(weight: Floats) -> float:
    """The area where (k, 2) weights of bad and good rows stand in the order of the score, ties counted half."""
    bad, good = weight.T
    below = np.cumsum(bad) - bad / 2
    total = float(bad.sum() * good.sum())
    return float(good @ below) / total if total else 0.5
