"""A model's evidence that goes on to the model made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scrutable.data.values import FrozenMapping, freeze
from scrutable.model.evidence import Evidence
from scrutable.model.point_intervals import POINT_INTERVALS, PointIntervals
from scrutable.model.scorecard import Scorecard
from scrutable.model.segments import Model
from scrutable.model.store import fingerprint

#: Metrics that hold what a model decided, at its cutoff and on its scale.
_DECISIONS = (
    "all_missing",
    "cutoff",
    "decision",
    "held_out",
    "held_out_baseline",
    "held_out_before",
    "held_out_plain",
    "validation",
)


def carried_over(
    old: Evidence,
    model: Model,
    changes: Mapping[str, Any],
    *,
    same_decisions: bool = False,
    factor: float = 1.0,
    rounded: Callable[[float], float] = float,
) -> Evidence:
    """The evidence of a new model: binning, audit trail, search log and reference as they were.

    Intervals of points go along where the points are the old ones, or what the last two parameters made of them.

    Parameters
    ----------
    old : evidence of the model that it was made of.
    changes : what is put among the metrics, as plain JSON values by name.
    same_decisions : the new model scores and decides as the old one, so that what was measured of it holds.
    factor, rounded : by what all points were multiplied, and how they were rounded then.
    """
    kept = old if same_decisions else without_decisions(old)
    metrics = {**kept.metrics, **{name: freeze(value) for name, value in changes.items()}}
    metrics.pop(POINT_INTERVALS, None)
    if isinstance(model, Scorecard) and (sure := PointIntervals.moved(old, model, factor, rounded)) is not None:
        metrics[POINT_INTERVALS] = sure.to_json()
    return replace(kept, model_sha256=fingerprint(model), metrics=FrozenMapping(metrics))


def without_decisions(evidence: Evidence) -> Evidence:
    """The evidence without measures of decisions, which another cutoff or other points make untrue."""
    kept = {name: value for name, value in evidence.metrics.items() if name not in _DECISIONS}
    return replace(evidence, metrics=FrozenMapping(kept))
