"""Applicants with what is known of them: columns, outcome, weight, protected groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Bools, Floats, finite_numbers
from scrutable.data.exact import exact_bincount, exact_sum
from scrutable.data.frames import Table, as_table
from scrutable.data.frames.same_kind import PANDAS, FrameKind, kind_of
from scrutable.data.groups import Groups
from scrutable.data.outcome import Outcome, Quantity
from scrutable.data.outcome_codes import (
    BAD,
    GOOD,
    TOLD,
    UNKNOWN,
    Codes,
    all_classes,
    codes_of_booleans,
    codes_of_classes,
)
from scrutable.data.sample_weights import weights
from scrutable.errors import InputError

__all__ = ["BAD", "GOOD", "TOLD", "UNKNOWN", "Cohort", "Member"]


class Member(NamedTuple):
    """A protected group, the one it is compared with, and the cohort in which rows count by their membership in it."""

    attribute: str
    group: str
    reference: str
    cohort: Cohort


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cohort:
    """n applicants; made by `read`.

    Whoever measures asks for counts, `tally` and `sizes`, wherever these are enough: they are the same to the last bit
    in whatever order the rows are.

    Parameters
    ----------
    outcome : (n,) `GOOD`, `BAD` or `UNKNOWN`; `TOLD` where it is a quantity, or nobody has said which class is good.
    weight : (n,) sample weights; `weighted` says whether any were given.
    columns : their columns, a `Table` or the frame that went in; None where only outcomes are given.
    groups : protected groups, labels or probabilities, if any.
    values : (n,) the outcomes as they stand: classes, or numbers of a quantity; None where codes say all that is asked.
    accepted : (n,) who was accepted; None where no column says it.
    dates : (n,) dates of the rows; None where no column is named.
    kind : the kind of frame that went in, which results give frames of.

    Examples
    --------
    >>> paid = Outcome(classes=("no", "yes"), favourable="yes")
    >>> cohort = Cohort.read({"age": [20, 30, 40]}, ["yes", "no", None], outcome=paid, sample_weight=[1, 2, 4])
    >>> cohort.outcome.tolist(), cohort.tally(np.array([0, 0, 1]), 2).tolist()
    ([0, 1, 2], [[1.0, 2.0, 0.0], [0.0, 0.0, 4.0]])
    """

    #: What is known of an outcome, and its place in every table of counts.
    GOOD: ClassVar = GOOD
    BAD: ClassVar = BAD
    UNKNOWN: ClassVar = UNKNOWN
    #: It is known, and nobody has said whether it is good; such outcomes are in no table of counts.
    TOLD: ClassVar = TOLD

    outcome: Codes
    weight: Floats
    weighted: bool = False
    columns: Any = None
    groups: Groups | None = None
    values: Any = None
    accepted: Bools | None = None
    dates: Any = None
    kind: FrameKind = PANDAS

    @classmethod
    def read(
        cls,
        X: Any,
        y: Any = None,
        *,
        outcome: Outcome | Quantity | None = None,
        groups: Groups | None = None,
        sample_weight: Any = None,
        where: str = "y",
        complete: bool = False,
    ) -> Cohort:
        """Check what belongs to the same n applicants. A cohort that is already made is returned as it is.

        Parameters
        ----------
        X : their columns, a frame or what else `as_table` reads, or only their number.
        y : (n,) outcomes, None or NaN where one is not known: classes of `outcome`, or else booleans, True for a good
            payer. None: nowhere known.
        outcome : the classes, and which of them is favourable; or a quantity, of which all values have to be known.
        where : how errors name outcomes that are classes.
        complete : whether every outcome has to be known.

        Raises
        ------
        InputError : another number of rows, a class that is none of the outcome's, an outcome that is missing where it
            has to be known, unusable weights, groups that are none; a part given beside a cohort that has its own.
        KindError : outcomes that are neither classes nor booleans.

        Examples
        --------
        >>> Cohort.read(3, [True, False, None]).outcome.tolist()
        [0, 1, 2]
        """
        for made in (X, y):
            if isinstance(made, cls):
                return made._as_given(X if isinstance(X, int) else made.rows, groups, sample_weight)
        table = None if isinstance(X, int) else as_table(X)
        rows = X if table is None else table.n_rows
        if groups is not None:
            Groups.check(groups)
            groups = Groups.from_frame(groups, expected_rows=rows)
        codes, values = _outcomes(outcome, y, rows, where, complete)
        return cls(
            outcome=codes,
            weight=weights(sample_weight, rows),
            weighted=sample_weight is not None,
            columns=table,
            groups=groups,
            values=values,
            kind=kind_of(X),
        )

    def _as_given(self, rows: int, groups: Groups | None, sample_weight: Any) -> Cohort:
        if rows != self.rows:
            raise InputError("the number of rows differs", where="cohort", got=self.rows, allowed=f"{rows} rows")
        for name, given in (("groups", groups), ("sample_weight", sample_weight)):
            if given is not None:
                fix = "leave it out, or give columns and outcomes apart"
                raise InputError("the cohort has its own, so it can no longer be chosen", where=name, fix=fix)
        return self

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.outcome)

    @property
    def table(self) -> Table:
        """The columns; there must be some."""
        assert self.columns is not None
        return as_table(self.columns)

    @property
    def known(self) -> Bools:
        """(n,) True where the outcome is known."""
        known: Bools = self.outcome != UNKNOWN
        return known

    @property
    def declined(self) -> Bools:
        """(n,) True where an applicant was declined earlier."""
        return np.zeros(self.rows, dtype=bool) if self.accepted is None else ~self.accepted

    @property
    def indeterminate(self) -> Bools:
        """(n,) True where an applicant was accepted, and the outcome is unknown all the same."""
        return ~self.known & ~self.declined

    @property
    def good(self) -> Bools:
        """(n,) True where the outcome is known to be good."""
        good: Bools = self.outcome == GOOD
        return good

    @property
    def sample_weight(self) -> Floats | None:
        """(n,) the weights; None where none were given."""
        return self.weight if self.weighted else None

    @property
    def total(self) -> float:
        """The sum of the weights, exact in any order."""
        return exact_sum(self.weight)

    def tally(self, index: NDArray[np.intp], parts: int) -> Floats:
        """(parts, 3) weights of the good, the bad and the unknown in each part; exact in any order.

        Parameters
        ----------
        index : (n,) the part of each row, from 0 on; -1 where it is in none.
        """
        assert not (self.outcome == TOLD).any(), "it has to be said which outcomes are good before they are counted"
        return self._sums(np.where(index < 0, -1, 3 * index + self.outcome), 3 * parts).reshape(parts, 3)

    def sizes(self, index: NDArray[np.intp], parts: int, rows: Bools | None = None) -> Floats:
        """(parts,) weights of all rows in each part or of some, whatever their outcome; exact in any order."""
        return self._sums(index if rows is None else np.where(rows, index, -1), parts)

    def _sums(self, index: NDArray[np.intp], cells: int) -> Floats:
        inside = index >= 0
        return exact_bincount(index[inside], self.weight[inside], cells)

    def by_group(self) -> Iterator[Member]:
        """Every group of every attribute, with the cohort in which membership is part of the weight."""
        for attribute in self.groups.attributes if self.groups is not None else ():
            for label, membership in zip(attribute.labels, attribute.membership.T, strict=True):
                inside = replace(self, weight=self.weight * membership, weighted=True, groups=None)
                yield Member(attribute.name, label, attribute.reference, inside)

    def mean(self, values: NDArray[Any], rows: Bools) -> float:
        """The weighted mean over some rows; NaN where they have no weight.

        >>> Cohort.read(3, sample_weight=[1, 3, 9]).mean(np.array([4, 8, 0]), np.array([True, True, False]))
        7.0
        """
        weight = self.weight[rows]
        total = float(weight.sum())
        return float((weight * values[rows]).sum()) / total if total else float("nan")

    def subset(self, rows: NDArray[Any]) -> Cohort:
        """The rows at these positions, or where this is True."""
        return replace(
            self,
            outcome=self.outcome[rows],
            weight=self.weight[rows],
            columns=_rows_of(self.columns, rows),
            groups=None if self.groups is None or not len(self.outcome[rows]) else self.groups.subset(rows),
            values=_rows_of(self.values, rows),
            accepted=_rows_of(self.accepted, rows),
            dates=_rows_of(self.dates, rows),
        )


def _rows_of(columns: Any, rows: NDArray[Any]) -> Any:
    """Some rows of a table, or of a frame, a column or an array."""
    if columns is None:
        return None
    if isinstance(columns, Table):
        return columns.subset(rows)
    return columns.iloc[rows] if hasattr(columns, "iloc") else columns[rows]


def _outcomes(
    outcome: Outcome | Quantity | None, y: Any, rows: int, where: str, complete: bool
) -> tuple[Codes, NDArray[Any] | None]:
    """Codes, and the outcomes as they stand where all of them are known."""
    if outcome is None:
        return codes_of_booleans(y, rows), None
    if isinstance(outcome, Quantity):
        return np.full(rows, TOLD), finite_numbers(y, where, rows, "give one number per row")
    codes = codes_of_classes(outcome, y, rows, where, complete=complete)
    return codes, all_classes(outcome, y, rows, where) if complete else None
