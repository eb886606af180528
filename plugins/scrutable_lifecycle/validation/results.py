"""What a validation returns: plain, frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrutable.fairness.results import FourFifths, GroupMetrics, OperatingPoint
from scrutable.fairness.significance import ImpactTest
from scrutable.fairness.smd import MeanDifference
from scrutable.measures.performance import Performance
from scrutable.measures.reliability_results import Reliability
from scrutable.writing.plain import plain
from scrutable_lifecycle.validation.stability import Drift


@dataclass(frozen=True, slots=True, kw_only=True)
class Disparity:
    """A group, or an intersection of groups, beside its reference; the decisions are the model's own.

    Parameters
    ----------
    size : rows, weights or expected rows of the group.
    small : whether its effective rows are below the minimum; its figures are shown, and say little.
    metrics : approval rates, gaps and the adverse impact ratio with intervals.
    test : of equal approval rates; None for the reference itself, and so is `difference`, of the mean scores.
    """

    size: float
    small: bool
    metrics: GroupMetrics
    test: ImpactTest | None
    difference: MeanDifference | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "attribute": self.metrics.attribute,
            "group": self.metrics.group,
            "reference": self.metrics.reference,
            "size": self.size,
            "small": self.small,
            "metrics": self.metrics.to_dict(),
            "test": None if self.test is None else self.test.to_dict(),
            "mean_difference": None if self.difference is None else self.difference.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A model on rows that it did not learn from.

    Parameters
    ----------
    rows : all of them, and `known` those with an outcome; the others count in the stability and in
        `approval_rate_unknown`, the share of them that the model approves (NaN where there are none).
    discrimination : AUC, Gini and KS with intervals.
    calibration : PD beside the bad rate, overall and by group.
    decisions : approval rate and bad rate among the approved, at the model's own decisions and at a fixed approval
        rate.
    disparity : a line for each group, at the model's own decisions; empty without groups.
    four_fifths : the four-fifths ratio of each attribute and intersection, at the same decisions.
    drift : stability against the development rows; empty without them.
    min_group_size : smaller groups are flagged.
    """

    rows: int
    known: int
    approval_rate_unknown: float
    discrimination: Performance
    calibration: Reliability
    decisions: tuple[OperatingPoint, ...]
    disparity: tuple[Disparity, ...]
    four_fifths: tuple[FourFifths, ...]
    drift: tuple[Drift, ...]
    min_group_size: float
    seed: int

    @property
    def small_groups(self) -> tuple[str, ...]:
        """Groups under the minimum size, as "attribute: group"."""
        return tuple(f"{each.metrics.attribute}: {each.metrics.group}" for each in self.disparity if each.small)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "rows": self.rows,
            "known": self.known,
            "approval_rate_unknown": plain(self.approval_rate_unknown),
            "discrimination": self.discrimination.to_dict(),
            "calibration": self.calibration.to_dict(),
            "decisions": [each.to_dict() for each in self.decisions],
            "disparity": [each.to_dict() for each in self.disparity],
            "four_fifths": [each.to_dict() for each in self.four_fifths],
            "small_groups": list(self.small_groups),
            "min_group_size": self.min_group_size,
            "drift": [each.to_dict() for each in self.drift],
            "seed": self.seed,
        }
