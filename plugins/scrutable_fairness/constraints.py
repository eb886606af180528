"""Constraints on approval rates and on what a characteristic tells about the group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.bases.constraint import FairnessConstraint
from scrutable.fairness.bounds import (
    DivergenceBound,
    RateBound,
    Rows,
    check_divergence,
    check_ratio,
    check_rows,
    check_slack,
)

if TYPE_CHECKING:
    from scrutable.fairness.attribute import ProtectedAttribute
    from scrutable.fairness.inputs import Outcomes


@dataclass(frozen=True)
class DemographicParity(FairnessConstraint):
    """Approval rates that differ from the reference's by at most `slack`.

    abs(P(approved | group) - P(approved | reference)) <= slack, for every group.

    Parameters
    ----------
    slack : largest allowed difference, from 0 to 1 (0.05 is five percentage points).
    attributes, min_group_size : as in `FairnessConstraint`.

    Raises
    ------
    InputError : slack out of range, or as in `FairnessConstraint`.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> DemographicParity(0.05, min_group_size=1).bind([True, True, False], groups)[0].slack
    0.05
    """

    slack: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_slack(self.slack, "DemographicParity")

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[RateBound]:
        """One bound on the difference of approval rates."""
        yield RateBound(
            rate="approval",
            attribute=attribute.name,
            group=group,
            reference=self.reference_of(attribute),
            slack=self.slack,
        )


@dataclass(frozen=True)
class AdverseImpactRatio(FairnessConstraint):
    """Approval rates that are at least `ratio` times the reference's.

    P(approved | group) / P(approved | reference) >= ratio, for every group. The default 0.8 is the four-fifths rule
    of the US Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4 D).

    Parameters
    ----------
    ratio : smallest allowed quotient, above 0 and at most 1.
    attributes, min_group_size : as in `FairnessConstraint`.

    Raises
    ------
    InputError : ratio out of range, or as in `FairnessConstraint`.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> AdverseImpactRatio(min_group_size=1).bind([True, True, False], groups)[0].ratio
    0.8
    """

    ratio: float = 0.8

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ratio(self.ratio, "AdverseImpactRatio")

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[RateBound]:
        """One bound on the quotient of approval rates."""
        yield RateBound(
            rate="approval",
            attribute=attribute.name,
            group=group,
            reference=self.reference_of(attribute),
            ratio=self.ratio,
        )


@dataclass(frozen=True)
class FairnessInformationValue(FairnessConstraint):
    """Binned characteristics that tell a group from the reference with an information value of at most `bound`.

    The definition, and equation (6) of the LDA-XGB1 paper for `rows="events"`, are at
    `scrutable.fairness.DivergenceBound`. It is met characteristic by characteristic, by merging bins.

    Parameters
    ----------
    bound : largest allowed fairness information value of any characteristic, at least 0.
    rows : "all" compares every applicant; "events" only those with the favourable outcome.
    attributes, min_group_size : as in `FairnessConstraint`.

    Raises
    ------
    InputError : bound or rows out of range, or as in `FairnessConstraint`.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> FairnessInformationValue(0.02, min_group_size=1).bind([True, True, False], groups)[0].rows
    'all'
    """

    bound: float = 0.1
    rows: Rows = "all"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_divergence(self.bound, "FairnessInformationValue")
        check_rows(self.rows, "FairnessInformationValue")

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[DivergenceBound]:
        """One bound on the fairness information value of each characteristic."""
        yield DivergenceBound(
            attribute=attribute.name,
            group=group,
            reference=self.reference_of(attribute),
            rows=self.rows,
            bound=self.bound,
        )
