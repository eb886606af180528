"""What a decision gives everybody and each group: approval rate, bad rate among the approved, ratios of the former."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Bools, Cohort
from scrutable.fairness import FourFifths, four_fifths
from scrutable.measures import effective_sizes
from scrutable.writing import plain, plain_fields
from scrutable_lifecycle.strategy.counts import Counts, parts_of, quotient


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDecided:
    """What one group gets beside its reference; NaN where there is nobody to divide by.

    Parameters
    ----------
    adverse_impact_ratio : approval rate over the reference's.
    bad_rate : bad payers among the approved of the group whose outcome is known.
    """

    attribute: str
    group: str
    reference: str
    approval_rate: float
    adverse_impact_ratio: float
    bad_rate: float

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this group."""
        return self.group == self.reference

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return plain_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What a decision gives; `approved` counts the approved, and its share is the approval rate.

    `four_fifths` has for each attribute the lowest approval rate by the highest, without an interval.
    """

    approved: Counts
    groups: tuple[GroupDecided, ...] = ()
    four_fifths: tuple[FourFifths, ...] = ()

    @property
    def approval_rate(self) -> float:
        """Approved among all applicants, those knocked out included."""
        return self.approved.share

    @property
    def bad_rate(self) -> float:
        """Bad payers among the approved whose outcome is known; NaN without one."""
        return self.approved.bad_rate

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        rates = {"approval_rate": plain(self.approval_rate), "bad_rate": plain(self.bad_rate)}
        approved = self.approved.to_dict()
        counted = {name: approved[name] for name in ("applicants", "good", "bad", "unknown")}
        groups = [group.to_dict() for group in self.groups]
        ratios = [ratio.to_dict() for ratio in self.four_fifths]
        return {**rates, "approved": counted, "groups": groups, "four_fifths": ratios}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChange:
    """What the challenger changes for one group; NaN where undefined.

    `champion_ratio` and `challenger_ratio` are adverse impact ratios, of approval rates to the reference's.
    """

    attribute: str
    group: str
    champion_rate: float
    challenger_rate: float
    champion_ratio: float
    challenger_ratio: float

    @property
    def change(self) -> float:
        """Challenger's approval rate minus the champion's."""
        return self.challenger_rate - self.champion_rate

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return plain_fields(self) | {"change": plain(self.change)}


def decision_rows(decisions: Mapping[str, Decided]) -> Iterator[dict[str, Any]]:
    """Flat rows: a rate of everybody or of a group, with a column for each decision by its name."""
    first = next(iter(decisions.values()))
    for name in ("approval_rate", "bad_rate"):
        yield _row(name, "", "", {which: getattr(each, name) for which, each in decisions.items()})
    for at, group in enumerate(first.groups):
        for name in ("approval_rate", "bad_rate", "adverse_impact_ratio"):
            values = {which: getattr(each.groups[at], name) for which, each in decisions.items()}
            yield _row(name, group.attribute, group.group, values)
    for at, ratio in enumerate(first.four_fifths):
        values = {which: each.four_fifths[at].ratio for which, each in decisions.items()}
        yield _row("four_fifths_ratio", ratio.attribute, "", values)


def _row(measure: str, attribute: str, group: str, values: Mapping[str, float]) -> dict[str, Any]:
    return {"measure": measure, "attribute": attribute, "group": group, **values}


def decided(cohort: Cohort, approved: Bools) -> Decided:
    """Rates of a decision that approves these rows.

    Examples
    --------
    >>> from scrutable.fairness import Groups
    >>> sex = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, reference={"sex": "m"}, min_group_size=0)
    >>> cohort = Cohort.read(4, [True, True, True, False], groups=sex)
    >>> decisions = decided(cohort, np.array([True, False, True, True]))
    >>> decisions.approval_rate, decisions.groups[0].adverse_impact_ratio, decisions.groups[1].bad_rate
    (0.75, 0.5, 0.5)
    """
    [part] = parts_of(cohort, np.where(approved, 0, -1), 1)
    rates = {(each.attribute, each.group): each.counts.share for each in part.groups}
    references = {attribute: reference for attribute, _, reference, _ in cohort.by_group()}
    groups = tuple(
        GroupDecided(
            attribute=each.attribute,
            group=each.group,
            reference=references[each.attribute],
            approval_rate=each.counts.share,
            adverse_impact_ratio=quotient(each.counts.share, rates[each.attribute, references[each.attribute]]),
            bad_rate=each.counts.bad_rate,
        )
        for each in part.groups
    )
    return Decided(approved=part.counts, groups=groups, four_fifths=tuple(_four_fifths(cohort, rates)))


def _four_fifths(cohort: Cohort, rates: Mapping[tuple[str, str], float]) -> Iterator[FourFifths]:
    """The ratio of each attribute, of the approval rates by attribute and group."""
    for attribute in cohort.groups.attributes if cohort.groups is not None else ():
        own = np.array([rates[attribute.name, label] for label in attribute.labels])
        yield four_fifths(attribute, own, effective_sizes(attribute, cohort.weight))
