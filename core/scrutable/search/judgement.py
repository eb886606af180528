"""What a candidate does on the validation rows, measured alike for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scrutable.errors import PluginError
from scrutable.fairness import OperatingPoint, approval_threshold, operating_points
from scrutable.fairness.performance import Performance, performance
from scrutable.model import DecisionModel
from scrutable.model.evaluator import evaluate
from scrutable.search.ratio import Compared, Ratio
from scrutable.search.rows import Validation
from scrutable.search.settings import CONFIDENCE, Settings
from scrutable.training import TrainingData


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Decisions at a threshold, and their ratio over the groups that are compared."""

    point: OperatingPoint
    ratio: Ratio

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return self.point.to_dict() | {"ratio": self.ratio.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One candidate on the validation rows.

    Parameters
    ----------
    at_cutoff : decisions at the model's own cutoff.
    at_rates : decisions at each fixed approval rate, by that rate.
    approval_rate_learned : share of the rows learned from that the cutoff approves.
    """

    performance: Performance
    at_cutoff: Reading
    at_rates: dict[float, Reading]
    approval_rate_learned: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "performance": self.performance.to_dict(),
            "approval_rate_learned": self.approval_rate_learned,
            "at_cutoff": self.at_cutoff.to_dict(),
            "at_approval_rates": [
                {"requested_approval_rate": rate, **reading.to_dict()} for rate, reading in self.at_rates.items()
            ],
        }


def judge(
    model: DecisionModel, name: str, learned: TrainingData, rows: Validation, compared: Compared, settings: Settings
) -> Judgement:
    """Measure a candidate.

    Raises
    ------
    PluginError : the model has no score or no cutoff.
    InputError : validation rows of one outcome only.
    """
    cutoff = getattr(model, "cutoff", None)
    score = evaluate(model, rows.table, reasons=False).score
    before = evaluate(model, learned.table, reasons=False).score
    if score is None or before is None or cutoff is None:
        raise PluginError("a candidate without a score or a cutoff cannot be compared", where=name)
    thresholds = {"cutoff": cutoff} | {
        f"approval rate {rate:g}": approval_threshold(score, rate, sample_weight=rows.weight)
        for rate in settings.approval_rates
    }
    options: dict[str, Any] = {
        "n_boot": settings.n_boot,
        "seed": settings.random_state,
        "confidence": CONFIDENCE,
        "sample_weight": rows.weight,
    }
    points = operating_points(rows.good, score, thresholds, rows.groups, **options)
    at_cutoff, *at_rates = (Reading(point=point, ratio=compared.ratio(point)) for point in points)
    return Judgement(
        performance=performance(rows.good, score, **options),
        at_cutoff=at_cutoff,
        at_rates=dict(zip(settings.approval_rates, at_rates, strict=True)),
        approval_rate_learned=float(np.average(before >= cutoff, weights=learned.weight)),
    )
