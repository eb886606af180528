"""Bounds on rates as bounds on slacks, and how far a model keeps them."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.data import TrainingData
from scrutable.errors import warn_caller
from scrutable.fairness import Bound, BrokenBoundWarning, MeasuredBound, RateBound, measure_bounds
from scrutable.model import Json, RuleSet, freeze
from scrutable.model.evaluator import evaluate
from scrutable_rug.fairness_rows import FairnessRow
from scrutable_rug.master import Solution


def rows_of_bounds(bounds: Sequence[Bound], data: TrainingData) -> list[FairnessRow]:
    """A row for each bound: what it says of errors, said of slacks (equations (10), (11), (14) and (15)).

    A slack is an error of 1 where no rule votes, and a hinge loss elsewhere, so the rows are a proxy; `kept` measures
    what became of them.
    """
    return [_row(bound, data)[0] for bound in bounds if isinstance(bound, RateBound)]


def measured(bounds: Sequence[Bound], data: TrainingData, model: RuleSet) -> tuple[MeasuredBound, ...]:
    """What each bound became in predictions on the training rows."""
    if not bounds or data.groups is None:
        return ()
    predicted = evaluate(model, data.table, reasons=False).predicted
    said = predicted == data.outcome.favourable_index if data.outcome.binary else data.classes[predicted]
    return measure_bounds(bounds, data.outcomes, said, data.groups, sample_weight=data.weight)


def kept(bounds: Sequence[MeasuredBound], data: TrainingData, solution: Solution) -> tuple[Json, ...]:
    """What each bound became on the training rows: in predictions, in hinge losses, and in the slacks of the program.

    The last two are gaps of the bounded rate (or with a bound on a ratio, the group's rate less that share of the
    reference's), where losses stand for errors.
    """
    rows = []
    for each, on_hinge, on_slack in zip(bounds, solution.on_hinge, solution.on_slack, strict=True):
        without_errors = _row(each.bound, data)[1]
        losses = {"on_hinge_losses": on_hinge + without_errors, "on_slacks": on_slack + without_errors}
        rows.append(freeze({**each.to_dict(), **losses}))
    return tuple(rows)


def warn_of_broken(bounds: Sequence[MeasuredBound]) -> None:
    """Say how many bounds are not kept in predictions, and which is broken most."""
    broken = [each for each in bounds if each.kept is False]
    if broken:
        warn_caller(
            f"{len(broken)} of {len(bounds)} bounds are not kept on the rows learned from; the furthest from it: "
            f"{max(broken, key=lambda each: each.excess).describe()}. Fix: loosen the bounds, or give more iterations, "
            "calibration or depth, or another penalty",
            BrokenBoundWarning,
        )


def _row(bound: RateBound, data: TrainingData) -> tuple[FairnessRow, float]:
    """The row of a bound, and what is bounded where there are no errors: 0, or a gap of outcomes."""
    assert data.groups is not None
    rates = bound.contrast(data.outcomes, data.groups, sample_weight=data.weight)
    errors = rates.counted_in("error", data.outcomes)
    return FairnessRow(
        name=bound.describe(), q=errors.weights, low=errors.low, high=errors.high
    ), rates.low - errors.low
