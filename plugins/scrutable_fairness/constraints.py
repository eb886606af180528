"""Constraints on approval rates and on what a characteristic tells about the group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.errors.checks import check_choice
from scrutable.fairness import DivergenceBound, Rate, RateBound, Rows
from scrutable.plugins.bases import FairnessConstraint
from scrutable_fairness.comparison import Comparison
from scrutable_fairness.rate_gap import RateGap

if TYPE_CHECKING:
    from scrutable.data import Outcomes
    from scrutable.fairness import ProtectedAttribute
    from scrutable.model import ClassLabel


@dataclass(frozen=True)
class DemographicParity(RateGap):
    """Approval rates that differ from the reference's by at most `slack`.

    abs(P(approved | group) - P(approved | reference)) <= slack, for every group.

    Parameters
    ----------
    slack, compare, attributes, min_group_size : as in `RateGap`.

    Raises
    ------
    InputError : as in `RateGap`.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> DemographicParity(0.05, min_group_size=1).bind([True, True, False], groups)[0].slack
    0.05
    """

    def rates(self, y: Outcomes) -> Iterator[tuple[Rate, ClassLabel | None]]:
        """Approval among all rows."""
        yield "approval", None


@dataclass(frozen=True)
class AdverseImpactRatio(Comparison):
    """Approval rates that are at least `ratio` times the reference's.

    P(approved | group) / P(approved | reference) >= ratio, for every group. By default this is one-sided: a group may
    be approved as much more often than the reference as it likes, and two other groups are not compared.

    The default 0.8 is the four-fifths rule of the US Uniform Guidelines on Employee Selection Procedures (29 CFR
    1607.4(D)), a guideline of employment law, which looks to the group with the highest rate. That need not be the
    reference: compare="pairs" bounds the quotient of any two groups both ways, so that none falls below the ratio of
    the highest.

    Parameters
    ----------
    ratio : smallest allowed quotient, above 0 and at most 1.
    compare, attributes, min_group_size : as in `Comparison`.

    Raises
    ------
    InputError : ratio out of range, or as in `Comparison`.

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
        RateBound.check_ratio(self.ratio, "AdverseImpactRatio")

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[RateBound]:
        """One bound on the quotient of approval rates for each reference; in pairs, one each way."""
        for reference in self.references_of(attribute, group):
            yield self._bound(attribute, group, reference)
            if self.compare == "pairs" and reference is not None:
                yield self._bound(attribute, reference, group)

    def _bound(self, attribute: ProtectedAttribute, group: str, reference: str | None) -> RateBound:
        return RateBound(rate="approval", attribute=attribute.name, group=group, reference=reference, ratio=self.ratio)


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
        DivergenceBound.check_bound(self.bound, "FairnessInformationValue")
        check_choice(self.rows, ("events", "all"), "rows of the FairnessInformationValue")

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[DivergenceBound]:
        """One bound on the fairness information value of each characteristic."""
        yield DivergenceBound(
            attribute=attribute.name,
            group=group,
            reference=self.reference_of(attribute),
            rows=self.rows,
            bound=self.bound,
        )
