"""Weighted counts by group, outcome and decision, and every rate that follows from them.

A table of cells has the axes (..., group, outcome, decision), index 1 on the last two meaning favourable. Leading
axes are replicates. Point estimates are fairlearn's, and replicates follow the same definitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.attribute import ProtectedAttribute

Codes = npt.NDArray[np.intp]
Rates = dict[str, Floats]

#: The rate that each gap compares.
GAPS = {
    "approval_gap": "approval_rate",
    "opportunity_gap": "opportunity",
    "false_approval_gap": "false_approval_rate",
}
#: The quotient of approval rates.
RATIO = "adverse_impact_ratio"


def group_cells(y: Bools, decision: Bools, attribute: ProtectedAttribute, weights: Floats) -> Floats:
    """(g, 2, 2) weights by group, outcome and decision; a row counts in each group by its membership."""
    return cells_of(2 * y + decision, 1, attribute.membership, weights).reshape(-1, 2, 2)


def cells_of(cell: Codes, packets: int, membership: Floats, weights: Floats) -> Floats:
    """(packets, g, 2, 2) weights, of rows in cells numbered by packet, outcome and decision."""
    columns = [np.bincount(cell, weights * share, minlength=4 * packets) for share in membership.T]
    return np.stack([column.reshape(packets, 2, 2) for column in columns], axis=1)


def cell_rates(cells: Floats) -> Rates:
    """The rates of every group, each (..., g); NaN where one divides by zero.

    Examples
    --------
    >>> cells = np.array([[[1.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]])
    >>> cell_rates(cells)["opportunity"].tolist()
    [0.5, 1.0]
    """
    return {name: _quotient(event, whole) for name, (event, whole) in shares(cells).items()}


def shares(cells: Floats) -> dict[str, tuple[Floats, Floats]]:
    """What each rate is a share of: the weight of its events, and that of all who could have one, each (..., g)."""
    approved = cells[..., 1].sum(axis=-1)
    return {
        "approval_rate": (approved, cells.sum(axis=(-2, -1))),
        "opportunity": (cells[..., 1, 1], cells[..., 1, :].sum(axis=-1)),
        "false_approval_rate": (cells[..., 0, 1], cells[..., 0, :].sum(axis=-1)),
        "bad_rate_among_approved": (cells[..., 0, 1], approved),
    }


def fairlearn_rates(cells: Floats) -> Rates:
    """The rates of every group of (g, 2, 2) cells as fairlearn's selection rate among all, good and bad payers.

    fairlearn gets one row a cell, with the weight of the rows in it; its MetricFrame over the rows gives the same.
    Bootstrap replicates go through `cell_rates`.
    """
    used = np.flatnonzero(cells)
    group, good, approved = np.unravel_index(used, cells.shape)
    weight = cells.ravel()[used]
    members = [group == number for number in range(len(cells))]
    return {
        name: np.array([rate(good[rows], approved[rows], weight[rows]) for rows in members])
        for name, rate in _METRICS.items()
    }


def compared(rates: Rates, reference: int) -> Rates:
    """The rates with their gaps, group minus reference, and the adverse impact ratio; NaN where undefined.

    Examples
    --------
    >>> rates = dict.fromkeys(("approval_rate", "opportunity", "false_approval_rate"), np.array([0.3, 0.6]))
    >>> compared(rates, reference=1)["adverse_impact_ratio"].tolist()
    [0.5, 1.0]
    """
    at = [reference]
    gaps = {gap: rates[name] - rates[name][..., at] for gap, name in GAPS.items()}
    approval = rates["approval_rate"]
    ratio = _quotient(approval, np.broadcast_to(approval[..., at], approval.shape))
    return {**rates, **gaps, RATIO: ratio}


def _selection_rate(
    y_true: Any, y_pred: Any, sample_weight: Any, *, among: Callable[[Any, Any], Any], bad: bool = False
) -> float:
    """fairlearn's selection rate among some rows, or the share of bad payers among them; NaN where there are none."""
    from fairlearn.metrics import selection_rate

    rows = np.asarray(among(y_true, y_pred), dtype=bool)
    if not rows.any():
        return math.nan
    chosen = 1 - y_true if bad else y_pred
    return float(selection_rate(y_true[rows], chosen[rows], sample_weight=sample_weight[rows]))


_METRICS = {
    "approval_rate": partial(_selection_rate, among=lambda good, _: good >= 0),
    "opportunity": partial(_selection_rate, among=lambda good, _: good == 1),
    "false_approval_rate": partial(_selection_rate, among=lambda good, _: good == 0),
    "bad_rate_among_approved": partial(_selection_rate, among=lambda _, approved: approved == 1, bad=True),
}


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    quotient: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator > 0)
    return quotient
