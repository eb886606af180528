"""What the measurements of groups return: plain, frozen values without arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from scrutable.data.sizes import MIN_GROUP_SIZE, is_small
from scrutable.measures.resampling import Interval
from scrutable.writing.plain_values import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMetrics:
    """What one group got, beside its reference. Undefined rates (nobody to divide by) are NaN.

    `size` counts rows, weights or expected rows, and `effective_size` as many rows of equal weight as tell as much
    (Kish). Rates are shares from 0 to 1:

    * `approval_rate`: approved among all; `approval_gap` its difference from the reference, and
      `adverse_impact_ratio` its quotient with the reference's;
    * `opportunity`: approved among good payers; fairlearn's true positive rate;
    * `false_approval_rate`: approved among bad payers; fairlearn's false positive rate;
    * `bad_rate_among_approved`: bad payers among the approved.

    Gaps are group minus reference. `auc` is that of the score within the group, NaN without a score or with one
    outcome only. `intervals` holds (low, high) by the name of a rate where replicates were drawn; ratios and gaps that
    rest on fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` rows have NaN there.
    """

    attribute: str
    group: str
    reference: str
    size: float
    effective_size: float
    approval_rate: float
    approval_gap: float
    adverse_impact_ratio: float
    opportunity: float
    opportunity_gap: float
    false_approval_rate: float
    false_approval_gap: float
    bad_rate_among_approved: float
    auc: float = math.nan
    intervals: Mapping[str, Interval] = field(default_factory=dict, hash=False)

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this group."""
        return self.group == self.reference

    @property
    def small(self) -> bool:
        """Whether the group has too few rows to be compared."""
        return is_small(self.effective_size)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)} | {"small": self.small}


@dataclass(frozen=True, slots=True, kw_only=True)
class FourFifths:
    """The lowest approval rate among an attribute's groups divided by the highest; see `four_fifths_ratios`.

    Parameters
    ----------
    ratio : NaN where fewer than two groups are compared, or none of their applicants is approved.
    interval : its low and high end; NaN where none was drawn, or the ratio is undefined.
    lowest, highest : the groups with these rates; empty where the ratio is undefined.
    groups : those compared, which are those of at least `min_group_size` effective rows.
    too_small : the others; rows of unknown membership are no group.
    """

    attribute: str
    ratio: float
    interval: Interval = (math.nan, math.nan)
    lowest: str = ""
    highest: str = ""
    groups: tuple[str, ...] = ()
    too_small: tuple[str, ...] = ()
    min_group_size: float = MIN_GROUP_SIZE

    @property
    def title(self) -> str:
        """Whose rates are divided, such as "sex: female / male"; the attribute alone where none are."""
        return f"{self.attribute}: {self.lowest} / {self.highest}" if self.lowest else self.attribute

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        own = {each.name: plain(getattr(self, each.name)) for each in fields(self) if each.name != "ratio"}
        return {"attribute": self.attribute, "four_fifths_ratio": plain(self.ratio), **own}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """Decisions `score >= threshold`, and what they mean for everyone and for each group.

    `basis` says where the threshold comes from: "cutoff" or "approval rate". `approval_rate` is the share approved,
    which ties in the score may lift above the share asked for. `four_fifths` has the ratio of each attribute.
    """

    basis: str
    threshold: float
    approval_rate: float
    bad_rate_among_approved: float
    groups: tuple[GroupMetrics, ...]
    four_fifths: tuple[FourFifths, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        lists = {name: [each.to_dict() for each in getattr(self, name)] for name in ("groups", "four_fifths")}
        return {each.name: plain(getattr(self, each.name)) for each in fields(self) if each.name not in lists} | lists


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessReport:
    """Group metrics of a score at its cutoff and at a fixed approval rate; see `fairness_report`."""

    at_cutoff: OperatingPoint
    at_approval_rate: OperatingPoint
    requested_approval_rate: float
    confidence: float
    n_boot: int
    seed: int

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One flat row per operating point, attribute and group; intervals as `<rate>_low` and `<rate>_high`."""
        return [
            {"basis": point.basis, "threshold": point.threshold, **_flat(group)}
            for point in (self.at_cutoff, self.at_approval_rate)
            for group in point.groups
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        points = {"at_cutoff": self.at_cutoff.to_dict(), "at_approval_rate": self.at_approval_rate.to_dict()}
        return {each.name: points.get(each.name, plain(getattr(self, each.name))) for each in fields(self)}


def _flat(group: GroupMetrics) -> dict[str, Any]:
    row = {each.name: getattr(group, each.name) for each in fields(group) if each.name != "intervals"}
    for name, (low, high) in group.intervals.items():
        row |= {f"{name}_low": low, f"{name}_high": high}
    return row
