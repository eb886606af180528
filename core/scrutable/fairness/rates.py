"""Weighted counts by group, outcome and decision, and every rate that follows from them.

A table of cells has the axes (..., group, outcome, decision), index 1 on the last two meaning favourable. Leading
axes are bootstrap replicates, so a point estimate and its replicates come from the same formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scrutable.fairness.attribute import ProtectedAttribute
from scrutable.fairness.inputs import Bools, Floats
from scrutable.fairness.resampling import cell_counts, row_counts


def group_cells(y: Bools, decision: Bools, attribute: ProtectedAttribute, weights: Floats) -> Floats:
    """(g, 2, 2) weights by group, outcome and decision, disaggregated by fairlearn's MetricFrame.

    A row that belongs to several groups by probability is stacked once for each of them, weighted by its membership.
    Equal rows are added up first: MetricFrame walks over rows in Python, minutes for ten million of them.
    """
    from fairlearn.metrics import MetricFrame

    rows, codes = np.nonzero(attribute.membership)
    size = 4 * len(attribute.labels)
    cell = (2 * y + decision).astype(np.intp)[rows]
    totals = np.bincount(4 * codes + cell, weights[rows] * attribute.membership[rows, codes], minlength=size)
    group, cell = np.divmod(np.arange(size), 4)
    frame = MetricFrame(
        metrics={str(each): _weight_of_cell(each) for each in range(4)},
        y_true=cell,
        y_pred=cell,
        sensitive_features={attribute.name: group},
        sample_params={str(each): {"sample_weight": totals} for each in range(4)},
    )
    return np.asarray(frame.by_group, dtype=np.float64).reshape(-1, 2, 2)


def resampled_cells(
    cells: Floats,
    y: Bools,
    decision: Bools,
    attribute: ProtectedAttribute,
    weights: Floats | None,
    n_boot: int,
    generator: np.random.Generator,
) -> Floats:
    """(n_boot, g, 2, 2) bootstrap replicates of the `group_cells` given, as if rows were drawn with replacement.

    With known groups and no weights the cell counts are drawn themselves: the same distribution at no cost.
    """
    if attribute.hard and weights is None:
        return cell_counts(cells, n_boot, generator)
    shares = attribute.membership if weights is None else attribute.membership * weights[:, None]
    indicator = np.eye(4)[2 * y + decision]
    per_row = (shares[:, :, None] * indicator[:, None, :]).reshape(y.size, -1)
    blocks = [counts @ per_row for counts in row_counts(y.size, n_boot, generator)]
    return np.concatenate(blocks).reshape(n_boot, -1, 2, 2)


def rates_of(cells: Floats, reference: int) -> dict[str, Floats]:
    """Every rate of every group, each (..., g); NaN where it divides by zero. Gaps are group minus reference.

    Examples
    --------
    >>> cells = np.array([[[1.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]])
    >>> {name: values.tolist() for name, values in rates_of(cells, reference=1).items() if "opportunity" in name}
    {'opportunity': [0.5, 1.0], 'opportunity_gap': [-0.5, 0.0]}
    """
    approved = cells[..., 1].sum(axis=-1)
    approval = _quotient(approved, cells.sum(axis=(-2, -1)))
    opportunity = _quotient(cells[..., 1, 1], cells[..., 1, :].sum(axis=-1))
    false_approval = _quotient(cells[..., 0, 1], cells[..., 0, :].sum(axis=-1))
    at = [reference]
    return {
        "approval_rate": approval,
        "approval_gap": approval - approval[..., at],
        "adverse_impact_ratio": _quotient(approval, np.broadcast_to(approval[..., at], approval.shape)),
        "opportunity": opportunity,
        "opportunity_gap": opportunity - opportunity[..., at],
        "false_approval_rate": false_approval,
        "false_approval_gap": false_approval - false_approval[..., at],
        "bad_rate_among_approved": _quotient(cells[..., 0, 1], approved),
    }


def _weight_of_cell(cell: int) -> Callable[..., float]:
    """Total weight of one cell, as a fairlearn metric."""

    def total(y_true: Any, y_pred: Any, sample_weight: Any) -> float:
        return float(np.asarray(sample_weight)[np.asarray(y_true) == cell].sum())

    return total


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    quotient: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator > 0)
    return quotient
