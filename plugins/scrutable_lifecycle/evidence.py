"""A model's evidence that goes on to the model made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scrutable.model import Evidence, FrozenMapping, Model, fingerprint, freeze

#: Metrics that hold what a model decided, at its cutoff and on its scale.
_DECISIONS = ("all_missing", "decision", "held_out", "held_out_baseline", "held_out_plain", "validation")


def carried_over(old: Evidence, model: Model, changes: Mapping[str, Any], *, same_decisions: bool = False) -> Evidence:
    """The evidence of a new model: binning, audit trail, search log and reference as they were.

    Parameters
    ----------
    old : evidence of the model that it was made of.
    changes : what is put among the metrics, as plain JSON values by name.
    same_decisions : the new model scores and decides as the old one, so that what was measured of it holds.
    """
    kept = old if same_decisions else without_decisions(old)
    metrics = FrozenMapping({**kept.metrics, **{name: freeze(value) for name, value in changes.items()}})
    return replace(kept, model_sha256=fingerprint(model), metrics=metrics)


def without_decisions(evidence: Evidence) -> Evidence:
    """The evidence without measures of decisions, which another cutoff or other points make untrue."""
    kept = {name: value for name, value in evidence.metrics.items() if name not in _DECISIONS}
    return replace(evidence, metrics=FrozenMapping(kept))
