"""From scores to decisions: cutoff, calibration, and what became of the bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrutable.fairness import Bound, MeasuredBound
from scrutable.model import Calibration
from scrutable_fairgbm.boosting import Trained
from scrutable_fairgbm.calibration import calibrate
from scrutable_fairgbm.fairness import measured
from scrutable_fairgbm.gradients import Bools
from scrutable_fairgbm.operating import Operating
from scrutable_fairgbm.row_sets import RowSet


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decided:
    """Where a model decides, and what it then decides on training rows and on others."""

    cutoff: float
    calibration: Calibration
    approved: Bools
    held_approved: Bools | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundsMet:
    """What each bound became on training rows, and on others."""

    on_training: tuple[MeasuredBound, ...]
    on_held: tuple[MeasuredBound, ...]


def decide(trained: Trained, rows: RowSet, held: RowSet | None, operating: Operating | None, bent: bool) -> Decided:
    """Cutoff and calibration, from rows that no tree was grown on where there are any.

    Parameters
    ----------
    bent : whether scores are no log-odds, since something weighed the rows. From training rows, which trees know too
        well, the calibration then moves them, and flattens them where that fits, but makes none more certain.
    """
    seen, score = (rows, trained.score) if held is None or trained.held_score is None else (held, trained.held_score)
    cutoff = 0.0 if operating is None else operating.cutoff_between(score, seen.good, seen.weight)
    steepest = 1.0 if seen is rows else math.inf
    if len(np.unique(seen.good[seen.weight > 0])) < 2:  # the latest loans may not have had the time to go bad
        seen, score, steepest = rows, trained.score, 1.0
    return Decided(
        cutoff=cutoff,
        calibration=calibrate(score, seen.good, seen.weight, steepest) if bent else Calibration(slope=1.0),
        approved=trained.score >= cutoff,
        held_approved=None if trained.held_score is None else trained.held_score >= cutoff,
    )


def bounds_met(bounds: Sequence[Bound], decided: Decided, rows: RowSet, held: RowSet | None) -> BoundsMet:
    """How far decisions keep the bounds.

    They are those of the booster's scores, from which the model's differ by rounding.
    """
    on_held: tuple[MeasuredBound, ...] = ()
    if held is not None and decided.held_approved is not None:
        on_held = measured(bounds, held, decided.held_approved)
    return BoundsMet(on_training=measured(bounds, rows, decided.approved), on_held=on_held)
