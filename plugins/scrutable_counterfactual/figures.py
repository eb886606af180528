"""Figures of counterfactuals: of all applicants, of each feature, and of each group beside its reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scrutable.writing import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What was found for some applicants who do not have what is wanted; NaN where there is nobody to average over.

    Parameters
    ----------
    applicants : how many; an expected number where memberships are probabilities.
    with_answer, without_answer, unproven : shares of them, from 0 to 1, that sum to 1: those with an answer, those
        for whom it is proven that there are not as many as were asked for, and those whose search was stopped before.
    changes, cost : means over those with an answer, of the number of changes and of the cost of an answer.
    """

    applicants: float
    with_answer: float
    without_answer: float
    unproven: float
    changes: float
    cost: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        values: dict[str, Any] = plain(asdict(self))
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureFigures:
    """How often one feature has to change.

    Parameters
    ----------
    feature, title : its name and what people call it.
    share : of the applicants with an answer; one with several answers counts by the share of them that change it.
    points_gained : mean over its changes, weighted alike.
    """

    feature: str
    title: str
    share: float
    points_gained: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFigures:
    """The figures of one group beside those of its reference.

    Parameters
    ----------
    gaps : "with_answer", "changes" and "cost": the group's figure minus the reference's.
    """

    attribute: str
    group: str
    reference: str
    figures: Figures
    gaps: Mapping[str, float]

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this group."""
        return self.group == self.reference

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        named = {"attribute": self.attribute, "group": self.group, "reference": self.reference}
        return named | self.figures.to_dict() | {"gaps": plain(self.gaps)}
