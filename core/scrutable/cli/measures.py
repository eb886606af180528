"""How well models separate, and what they approve of whom: measured on the same rows, shown side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from scrutable.cli.output import printable, table
from scrutable.fairness import Groups, approval_threshold, fairness_report
from scrutable.fairness.performance import Performance, performance
from scrutable.fairness.results import FairnessReport, GroupMetrics, Interval, OperatingPoint
from scrutable.model import Model
from scrutable.model.evaluator import evaluate


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One model on n rows; `fairness` is None without protected attributes.

    Parameters
    ----------
    points : decisions at the model's cutoff and at a fixed approval rate.
    """

    n_rows: int
    performance: Performance
    points: tuple[OperatingPoint, OperatingPoint]
    requested_approval_rate: float
    fairness: FairnessReport | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        at_cutoff, at_rate = (point.to_dict() for point in self.points)
        return {
            "rows": self.n_rows,
            "performance": self.performance.to_dict(),
            "at_cutoff": at_cutoff,
            "at_approval_rate": at_rate,
            "requested_approval_rate": self.requested_approval_rate,
        }


def measure(
    model: Model,
    X: Any,
    y: pd.Series,
    *,
    groups: Groups | None,
    weight: NDArray[np.float64] | None = None,
    approval_rate: float | None = None,
    seed: int = 0,
) -> Measured | None:
    """Separation and decisions of a model on n rows; None for a model without a score.

    Parameters
    ----------
    y : (n,) outcomes, in the model's classes.
    approval_rate : of the second reading; the share of favourable outcomes when None.
    """
    score = evaluate(model, X).score
    cutoff = getattr(model, "cutoff", None)
    if score is None or cutoff is None:
        return None
    good = (y == model.outcome.favourable).to_numpy(dtype=bool)
    rate = float(np.average(good, weights=weight)) if approval_rate is None else approval_rate
    separation = performance(good, score, seed=seed, sample_weight=weight)
    if groups is None:
        thresholds = {"cutoff": cutoff, "approval rate": approval_threshold(score, rate, sample_weight=weight)}
        at_cutoff, at_rate = (_point(basis, t, good, score, weight) for basis, t in thresholds.items())
        report = None
    else:
        report = fairness_report(good, score, cutoff, groups, approval_rate=rate, seed=seed, sample_weight=weight)
        at_cutoff, at_rate = report.at_cutoff, report.at_approval_rate
    return Measured(
        n_rows=len(good),
        performance=separation,
        points=(at_cutoff, at_rate),
        requested_approval_rate=rate,
        fairness=report,
    )


def side_by_side(names: Sequence[str], found: Sequence[Measured]) -> Table:
    """A table with a column for each model, 95% intervals in brackets."""
    first = found[0]
    rows: list[list[object]] = [_part("Separation", len(found))]
    for name in ("auc", "gini", "ks"):
        cells = [
            _with_interval(getattr(m.performance, name), getattr(m.performance, f"{name}_interval")) for m in found
        ]
        rows.append([f"  {name.upper() if name != 'gini' else 'Gini'}", *cells])
    titles = ("At the model's own cutoff", f"At an approval rate of {first.requested_approval_rate:.0%}")
    for position, title in enumerate(titles):
        points = [measured.points[position] for measured in found]
        rows.append(_part(title, len(found)))
        rows.append(["  approved", *(_percent(point.approval_rate) for point in points)])
        rows.append(["  bad rate among the approved", *(_percent(point.bad_rate_among_approved) for point in points)])
        rows += _ratios(points)
    return table(("", *names), rows, right=range(1, len(found) + 1))


def _ratios(points: Sequence[OperatingPoint]) -> list[list[object]]:
    rows: list[list[object]] = []
    for i, group in enumerate(points[0].groups):
        if not group.is_reference:
            label = f"  adverse impact ratio, {group.attribute}: {group.group} / {group.reference}"
            rows.append([printable(label), *(_ratio(point.groups[i]) for point in points)])
    return rows


def _ratio(group: GroupMetrics) -> str:
    return _with_interval(group.adverse_impact_ratio, group.intervals.get("adverse_impact_ratio"))


def _part(title: str, models: int) -> list[object]:
    return [Text(title, style="bold"), *[""] * models]


def _with_interval(value: float, interval: Interval | None) -> str:
    if value != value:
        return "undefined"
    return f"{value:.3f}" if interval is None else f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


def _percent(share: float) -> str:
    return "undefined" if share != share else f"{share:.1%}"


def _point(
    basis: str,
    threshold: float,
    good: NDArray[np.bool_],
    score: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
) -> OperatingPoint:
    approved = score >= threshold
    among = None if weight is None else weight[approved]
    return OperatingPoint(
        basis=basis,
        threshold=threshold,
        approval_rate=float(np.average(approved, weights=weight)),
        bad_rate_among_approved=float(np.average(~good[approved], weights=among)) if approved.any() else float("nan"),
        groups=(),
    )
