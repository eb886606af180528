"""What a candidate does on the validation rows, measured alike for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.data import Cohort
from scrutable.errors import PluginError
from scrutable.fairness import OperatingPoint, Performance, decision_points, operating_point, reachable_threshold
from scrutable.measures import Scored, performance, score_cohort
from scrutable.model import DecisionModel
from scrutable_lifecycle.search.ratio import NO_RATIO, Compared, Ratio
from scrutable_lifecycle.search.settings import CONFIDENCE, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Decisions at a threshold, and their ratio over the groups that are compared, if there are any."""

    point: OperatingPoint
    ratio: Ratio

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return self.point.to_dict() | ({} if self.ratio is NO_RATIO else {"ratio": self.ratio.to_dict()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One candidate on the validation rows.

    Parameters
    ----------
    at_cutoff : decisions at the model's own cutoff.
    at_rates : decisions at each fixed approval rate, by that rate; None where too many are declined anyway.
    approval_rate_learned : share of the rows learned from that the cutoff approves.
    """

    performance: Performance
    at_cutoff: Reading
    at_rates: dict[float, Reading | None]
    approval_rate_learned: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "performance": self.performance.to_dict(),
            "approval_rate_learned": self.approval_rate_learned,
            "at_cutoff": self.at_cutoff.to_dict(),
            "at_approval_rates": [
                {"requested_approval_rate": rate, **({} if reading is None else reading.to_dict())}
                for rate, reading in self.at_rates.items()
            ],
        }


def judge(decided: Scored, learned: Scored, compared: Compared | None, settings: Settings) -> Judgement:
    """Measure a candidate.

    Parameters
    ----------
    decided : what it says of the rows that it is measured on, in groups where `compared` says which.
    learned : what it says of the rows of which its cutoff approves the share that it was told to.

    Raises
    ------
    InputError : validation rows of one outcome only.
    """
    rows = decided.cohort
    reached = {
        rate: reachable_threshold(
            decided.score, rate, sample_weight=rows.sample_weight, knocked_out=decided.declined_anyway
        )
        for rate in settings.approval_rates
    }
    thresholds = {"cutoff": decided.cutoff} | {
        f"approval rate {rate:g}": threshold for rate, threshold in reached.items() if threshold is not None
    }
    decisions = {basis: (threshold, decided.approved_from(threshold)) for basis, threshold in thresholds.items()}
    options: dict[str, Any] = {
        "n_boot": settings.n_boot,
        "seed": settings.random_state,
        "confidence": CONFIDENCE,
        "sample_weight": rows.sample_weight,
    }
    if compared is None or rows.groups is None:
        points = [operating_point(basis, *each, rows.good, rows.sample_weight) for basis, each in decisions.items()]
        readings = {point.basis: Reading(point=point, ratio=NO_RATIO) for point in points}
    else:
        by_group = decision_points(
            rows.good, decisions, rows.groups, score=decided.ranking, **compared.asked.of_four_fifths(), **options
        )
        readings = {point.basis: Reading(point=point, ratio=compared.ratio(point)) for point in by_group}
    return Judgement(
        performance=performance(rows.good, decided.ranking, **options),
        at_cutoff=readings["cutoff"],
        at_rates={rate: readings.get(f"approval rate {rate:g}") for rate in settings.approval_rates},
        approval_rate_learned=float(np.average(learned.approved, weights=learned.cohort.sample_weight)),
    )


def deciding(model: DecisionModel, cohort: Cohort, name: str) -> Scored:
    """Scores and decisions of a candidate, and whom it declines anyway.

    Raises
    ------
    PluginError : the model has no score or no cutoff.
    """
    if not model.outcome.binary:
        raise PluginError("a candidate without a score or a cutoff cannot be compared", where=name)
    return score_cohort(model, cohort, where=name)
