"""How far a model keeps its bounds in the decisions that it takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrutable.errors import warn_caller
from scrutable.fairness import Bound, BrokenBoundWarning, MeasuredBound, measure_bounds
from scrutable_fairgbm.gradients import Bools
from scrutable_fairgbm.row_sets import RowSet

#: Standard errors of the group's rate beyond which a broken bound is worth a warning.
_NOTABLE = 2.0


def measured(bounds: Sequence[Bound], rows: RowSet, approved: Bools) -> tuple[MeasuredBound, ...]:
    """What each bound became in decisions on these rows; nothing where their groups are not known."""
    if not bounds or rows.groups is None:
        return ()
    return measure_bounds(bounds, rows.good, approved, rows.groups, sample_weight=rows.weight)


def warn_of_one_decision(bounds: Sequence[Bound], approved: Bools) -> None:
    """Say where all rows are approved, or all declined: every group then has the same approval rate."""
    if bounds and (approved.all() or not approved.any()):
        warn_caller(
            f"every row learned from is {'approved' if approved.all() else 'declined'}, so the bounds say nothing of "
            "decisions at another cutoff. Fix: say where the decision will stand, for example "
            "operating={'approval': 0.7}",
            UserWarning,
        )


def warn_of_broken(bounds: Sequence[MeasuredBound], rows: RowSet, some_held_out: bool) -> None:
    """Say how many bounds are broken by more than two standard errors of the group's rate, and which is most.

    Within these the rows say nothing against the bound; with a slack of 0 no model keeps it to the last row.

    Parameters
    ----------
    some_held_out : whether multipliers moved by what was measured on other rows too.
    """
    excess = [_excess(each, rows) for each in bounds]
    if not any(each > 0 for each in excess):
        return
    worst = bounds[int(np.argmax(excess))]
    which = "rows that trees were grown on" if some_held_out else "rows learned from"
    first = "fewer leaves (max_leaves), early_stopping or held_out=None, and only then " if some_held_out else ""
    warn_caller(
        f"{sum(each > 0 for each in excess)} of {len(bounds)} bounds are broken on the {which} by more than the size "
        f"of their groups explains; the furthest from it: {worst.describe()}. Fix: try {first}more rounds "
        "(n_estimators), a higher multiplier_rate, or looser bounds; inputs that tell little of a group cannot bring "
        "its rates together",
        BrokenBoundWarning,
    )


def _excess(figures: MeasuredBound, rows: RowSet) -> float:
    """By how much a bound is broken beyond what two standard errors allow."""
    if figures.kept is not False or rows.groups is None:
        return 0.0
    weight = figures.bound.sides(rows.good, rows.groups, rows.weight)[0]
    size = float(weight.sum() ** 2 / (weight**2).sum())
    error = np.sqrt(max(figures.group_rate * (1 - figures.group_rate), 1 / size) / size)
    if figures.bound.ratio is not None:
        beyond = figures.bound.ratio * figures.reference_rate - figures.group_rate
    else:
        beyond = abs(figures.gap) - (figures.bound.slack or 0.0)
    return float(beyond - _NOTABLE * error)
