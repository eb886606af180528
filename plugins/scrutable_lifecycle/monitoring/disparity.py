"""What each protected group got in a period, and how well the model judged it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Bools, Floats, pooled_groups
from scrutable.fairness import (
    MISSING,
    RATIO,
    FourFifths,
    Performance,
    ProtectedAttribute,
    Replicates,
    cell_rates,
    compared,
    four_fifths,
)
from scrutable.writing import plain
from scrutable_lifecycle.monitoring.outcomes import Calibrated, Interval, Measuring
from scrutable_lifecycle.monitoring.profiles import Profiles


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPeriod:
    """Approvals of a group in a period, beside those of its reference. What is undefined is NaN.

    Parameters
    ----------
    size : weighted number of applicants; with probabilities, the expected one.
    effective_size : as many applicants of equal weight tell as much.
    small : whether these are too few to judge.
    impact_ratio : adverse impact ratio, the group's approval rate divided by the reference's.
    impact_ratio_interval : of the bootstrap; NaN where it would rest on fewer than
        `scrutable.data.sizes.MIN_GROUP_SIZE` applicants.
    bad_rate_among_approved : of the approved whose outcome is known.
    outcomes : weighted number of applicants whose outcome is known.
    few_outcomes : whether these, by their effective number, are too few to judge.
    performance : AUC, Gini and KS within the group; None where one of the outcomes does not occur.
    calibrated : its expected and observed bad rate; None without outcomes or without a PD.
    """

    attribute: str
    group: str
    reference: str
    size: float
    effective_size: float
    small: bool
    approval_rate: float
    impact_ratio: float
    impact_ratio_interval: Interval
    bad_rate_among_approved: float
    outcomes: float
    few_outcomes: bool
    performance: Performance | None
    calibrated: Calibrated | None

    @property
    def judged(self) -> bool:
        """Whether the group is compared: the reference is not, nor are those whose group is not known."""
        return self.group not in (self.reference, MISSING)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "attribute": self.attribute,
            "group": self.group,
            "reference": self.reference,
            "size": self.size,
            "effective_size": self.effective_size,
            "small": self.small,
            "approval_rate": plain(self.approval_rate),
            "adverse_impact_ratio": plain(self.impact_ratio),
            "adverse_impact_ratio_interval": plain(self.impact_ratio_interval),
            "bad_rate_among_approved": plain(self.bad_rate_among_approved),
            "outcomes": self.outcomes,
            "few_outcomes": self.few_outcomes,
            "performance": None if self.performance is None else self.performance.to_dict(),
            "calibration": None if self.calibrated is None else self.calibrated.to_dict(),
        }


def group_periods(
    measuring: Measuring, sample: Profiles, rows: Bools, place: int
) -> tuple[tuple[GroupPeriod, ...], tuple[FourFifths, ...]]:
    """Every group of every attribute on some rows, and the four-fifths ratio of each attribute.

    Memberships count as weights, be they known or probabilities.

    Parameters
    ----------
    place : numbers the period, so that each has draws of its own.
    """
    if sample.groups is None or not sample.weight[rows].any():
        return (), ()
    inside = sample.subset(rows)
    assert inside.groups is not None
    members: list[GroupPeriod] = []
    ratios: list[FourFifths] = []
    told = pooled_groups(inside.groups, inside.weight, count=inside.count)
    for position, attribute in enumerate(told.attributes if told is not None else ()):
        generator = np.random.default_rng([measuring.seed, place, position])
        decided, ratio = _decisions(attribute, inside, measuring, generator)
        ratios.append(ratio)
        for member, figures in zip(attribute.membership.T, decided, strict=True):
            members.append(GroupPeriod(**figures, **_outcomes(inside, member, measuring, place)))
    return tuple(members), tuple(ratios)


def _decisions(
    attribute: ProtectedAttribute, sample: Profiles, measuring: Measuring, generator: np.random.Generator
) -> tuple[list[dict[str, Any]], FourFifths]:
    """What decisions say of each group and of the attribute."""
    good, approved = sample.good, sample.approved
    cells = _cells(sample, attribute, sample.everybody)
    drawn_of = sample.weight if sample.weighted else None
    drawn = Replicates.draw(good, approved, attribute, drawn_of, measuring.n_boot, generator, count=sample.count)
    rates = compared(cell_rates(cells), attribute.reference_index)
    low, high = drawn.intervals(attribute.reference_index, measuring.confidence)[RATIO]
    ratio = four_fifths(
        attribute,
        rates["approval_rate"],
        drawn.sizes["approval_rate"],
        drawn=drawn.rates["approval_rate"],
        confidence=measuring.confidence,
        min_group_size=measuring.smallest_group,
    )
    bad = cell_rates(_cells(sample, attribute, sample.known))["bad_rate_among_approved"]
    figures = [
        {
            "attribute": attribute.name,
            "group": label,
            "reference": attribute.reference,
            "size": float(cells[i].sum()),
            "approval_rate": float(rates["approval_rate"][i]),
            "impact_ratio": float(rates["adverse_impact_ratio"][i]),
            "impact_ratio_interval": (float(low[i]), float(high[i])),
            "bad_rate_among_approved": float(bad[i]),
        }
        for i, label in enumerate(attribute.labels)
    ]
    return figures, ratio


def _cells(sample: Profiles, attribute: ProtectedAttribute, rows: Bools) -> Floats:
    """(g, 2, 2) weights of some applicants by group, outcome and decision."""
    cell = 2 * sample.good + sample.approved
    return np.array([sample.sizes(cell, 4, rows, membership=member) for member in attribute.membership.T]).reshape(
        -1, 2, 2
    )


def _outcomes(sample: Profiles, membership: Floats, measuring: Measuring, place: int) -> dict[str, Any]:
    """How many applicants tell of a group, and what their outcomes say."""
    rows, known = sample.everybody, sample.known
    size, outcomes = (sample.effective_size(counted, membership) for counted in (rows, known))
    return {
        "effective_size": size,
        "small": measuring.is_small(size),
        "outcomes": sample.size(known, membership),
        "few_outcomes": measuring.is_small(outcomes),
        "performance": measuring.separation(sample, rows, place=place, membership=membership),
        "calibrated": measuring.calibration(sample, rows, membership=membership),
    }
