"""Applicants by profile: what figures ask of each, and how many of them are alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import Bools, Cohort, ExactSums, Floats, exact_total
from scrutable.fairness import Groups, ProtectedAttribute
from scrutable.measures import RankedBy
from scrutable_lifecycle.monitoring.tally import Distinct

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profiles:
    """k profiles, no two of which are alike, and how many applicants have each.

    Sums and means over the applicants are exact, and rounded once: neither their order nor the blocks in which they
    came changes a bit. What a row adds, such as its weight times its probability, is a double.

    Parameters
    ----------
    count : (k,) applicants of each profile.
    weight : (k,) weight of each of them; `weighted` says whether any weights were given.
    outcome : (k,) `Cohort.GOOD`, `Cohort.BAD` or `Cohort.UNKNOWN`.
    score, probability : (k,) points, and the probability of the favourable class.
    approved, knocked_out : (k,) the model's own decisions, and whether no score would change them.
    segment : (k,) place of the segment; None of a model without segments.
    period : (k,) place of the period; None without dates.
    groups : protected groups of the k profiles, if any.
    """

    count: Counts
    weight: Floats
    weighted: bool
    outcome: NDArray[np.integer[Any]]
    score: Floats
    probability: Floats
    approved: Bools
    knocked_out: Bools
    segment: NDArray[np.integer[Any]] | None = None
    period: NDArray[np.integer[Any]] | None = None
    groups: Groups | None = None

    @classmethod
    def of(
        cls,
        rows: Distinct,
        outcome: NDArray[np.integer[Any]],
        *,
        weighted: bool,
        groups: Groups | None = None,
    ) -> Profiles:
        """Gather rows by what figures ask of them.

        Parameters
        ----------
        rows : with `weight`, `score`, `probability`, `approved`, `knocked_out` and perhaps `segment` and `period`;
            further columns do not matter.
        outcome, groups : of these rows.
        """
        asked = {name: rows.columns[name] for name in _COLUMNS if name in rows.columns}
        made = Distinct.of({**asked, "outcome": outcome, **group_columns(groups)}, rows.count)
        return cls(
            count=made.count,
            weighted=weighted,
            groups=None if groups is None else groups_of_columns(groups, made.columns),
            **{name: made.columns[name] for name in (*asked, "outcome")},
        )

    @property
    def rows(self) -> int:
        """How many applicants there are."""
        return int(self.count.sum())

    @property
    def known(self) -> Bools:
        """(k,) whether the outcome is known."""
        known: Bools = self.outcome != Cohort.UNKNOWN
        return known

    @property
    def good(self) -> Bools:
        """(k,) whether the outcome is known to be good."""
        good: Bools = self.outcome == Cohort.GOOD
        return good

    @property
    def ranked_by(self) -> RankedBy:
        """What `ranking` is."""
        return "score" if self.segment is None else "probability"

    @property
    def ranking(self) -> Floats:
        """(k,) the score, and over segments the probability of the favourable outcome."""
        return self.score if self.segment is None else self.probability

    @property
    def everybody(self) -> Bools:
        """(k,) True."""
        return np.ones(len(self.count), dtype=bool)

    def subset(self, rows: Bools) -> Profiles:
        """Some of the profiles."""
        given: dict[str, Any] = {name: getattr(self, name) for name in ("count", "outcome", *_COLUMNS)}
        chosen: dict[str, Any] = {name: None if values is None else values[rows] for name, values in given.items()}
        groups = None if self.groups is None or not rows.any() else self.groups.subset(rows)
        return replace(self, groups=groups, **chosen)

    def total(self, rows: Bools, values: NDArray[Any] | None = None, membership: Floats | None = None) -> Fraction:
        """The sum of weights over some rows, times values and memberships where given."""
        return exact_total(self._product(rows, membership, values), self.count[rows])

    def size(self, rows: Bools, membership: Floats | None = None) -> float:
        """The weighted number of some applicants, or of those of a group."""
        return float(self.total(rows, membership=membership))

    def mean(self, values: NDArray[Any], rows: Bools) -> float:
        """The weighted mean over some rows; NaN where they have no weight."""
        whole = self.total(rows)
        return float(self.total(rows, values) / whole) if whole else nan

    def effective_size(self, rows: Bools, membership: Floats | None = None) -> float:
        """How many applicants of equal weight tell as much; see `scrutable.measures.effective_size`."""
        counted = self.total(rows, membership=membership)
        squares = self.total(rows, self.weight if self.weighted else None, membership)
        return float(counted**2 / squares) if squares else 0.0

    def sizes(
        self, index: NDArray[Any], cells: int, rows: Bools | None = None, membership: Floats | None = None
    ) -> Floats:
        """(cells,) the weighted number of applicants in each cell, of all of them or of some."""
        chosen = self.everybody if rows is None else rows
        sums = ExactSums()
        sums.add(index[chosen], self._product(chosen, membership), self.count[chosen])
        return sums.rounded(cells)

    def _product(self, rows: Bools, *factors: NDArray[Any] | None) -> Floats | None:
        """What each of some rows adds: its weight times the factors there are; None for 1 each."""
        given = [self.weight] if self.weighted else []
        given += [each for each in factors if each is not None]
        product = None
        for each in given:
            product = each[rows].astype(np.float64) if product is None else product * each[rows]
        return product


#: What figures ask of each row besides its outcome and groups.
_COLUMNS = ("weight", "score", "probability", "approved", "knocked_out", "segment", "period")


def group_columns(groups: Groups | None) -> dict[str, NDArray[Any]]:
    """Memberships as columns: the place of a known group, or the probabilities of each."""
    columns: dict[str, NDArray[Any]] = {}
    for place, attribute in enumerate(groups.attributes if groups is not None else ()):
        if attribute.hard:
            columns[f"group {place}"] = attribute.codes.astype(np.int16)
        else:
            columns |= {f"group {place}, {i}": share for i, share in enumerate(attribute.membership.T)}
    return columns


def groups_of_columns(groups: Groups, columns: Mapping[str, NDArray[Any]]) -> Groups:
    """Groups of other rows, of which `group_columns` has the memberships."""
    made = []
    for place, attribute in enumerate(groups.attributes):
        if f"group {place}" in columns:
            membership = np.eye(len(attribute.labels))[columns[f"group {place}"]]
        else:
            membership = np.column_stack([columns[f"group {place}, {i}"] for i in range(len(attribute.labels))])
        made.append(ProtectedAttribute(attribute.name, attribute.labels, attribute.reference, membership))
    return Groups(tuple(made))
