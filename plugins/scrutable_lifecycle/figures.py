"""Measured figures as rows that people tabulate: what is measured, of whom, its value and its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import nan
from typing import Any, NamedTuple

import pandas as pd

from scrutable.data.frames import FrameKind, like
from scrutable.fairness import GroupMetrics, Measured, OperatingPoint, Performance
from scrutable.measures import Interval, Reliability, ReliabilityCurve

_NONE: Interval = (nan, nan)
#: Figures of a group that are compared with others'.
_OF_GROUPS = ("approval_rate", "adverse_impact_ratio", "opportunity", "bad_rate_among_approved")


class Figure(NamedTuple):
    """A figure; `basis` names the decisions that it is of, empty of the score itself, and so is `group` of everybody.

    `low` and `high` are the ends of its interval, NaN where it has none.
    """

    measure: str
    value: float
    low: float = nan
    high: float = nan
    basis: str = ""
    attribute: str = ""
    group: str = ""


def frame_of(figures: Iterable[Figure], kind: FrameKind) -> Any:
    """A frame with a row for each figure."""
    return like(pd.DataFrame(list(figures), columns=list(Figure._fields)), kind)


def measured_figures(measured: Measured) -> Iterator[Figure]:
    """Separation and, at the model's cutoff and at a fixed approval rate, decisions."""
    yield from separation_figures(measured.performance)
    for point in measured.points:
        yield from decision_figures(point)


def separation_figures(performance: Performance) -> Iterator[Figure]:
    """AUC, Gini and KS."""
    for name in ("auc", "gini", "ks"):
        yield Figure(name, getattr(performance, name), *getattr(performance, f"{name}_interval"))


def decision_figures(point: OperatingPoint) -> Iterator[Figure]:
    """What decisions mean for everybody, for each group, and between groups."""
    for name in ("approval_rate", "bad_rate_among_approved"):
        yield Figure(name, getattr(point, name), basis=point.basis)
    for group in point.groups:
        yield from group_figures(group, point.basis)
    for each in point.four_fifths:
        yield Figure("four_fifths_ratio", each.ratio, *each.interval, basis=point.basis, attribute=each.attribute)


def calibration_figures(reliability: Reliability) -> Iterator[Figure]:
    """Expected beside observed default rates, of everybody and of each group."""
    yield from _curve_figures(reliability.overall)
    for group in reliability.groups:
        for each in _curve_figures(group.curve):
            yield each._replace(attribute=group.attribute, group=group.group)


def group_figures(group: GroupMetrics, basis: str) -> Iterator[Figure]:
    """What decisions mean for a group."""
    for name in _OF_GROUPS:
        low, high = group.intervals.get(name, _NONE)
        yield Figure(name, getattr(group, name), low, high, basis, group.attribute, group.group)


def _curve_figures(curve: ReliabilityCurve) -> Iterator[Figure]:
    yield Figure("mean_pd", curve.mean_pd)
    for name in ("bad_rate", "expected_over_observed", "slope", "intercept"):
        yield Figure(name, getattr(curve, name), *getattr(curve, f"{name}_interval"))
    yield Figure("brier_score", curve.brier.score)
    yield Figure("hosmer_lemeshow_p", curve.hosmer_lemeshow_p)
