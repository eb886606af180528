"""Tables of what `scrutable fit` measures besides decisions: classes, predictions of a quantity, bounds on rates."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from scrutable.cli import heading, table
from scrutable.fairness import MeasuredBound, RateBound
from scrutable.writing import in_digits
from scrutable_lifecycle.commands.wording import percent, with_interval
from scrutable_lifecycle.development.bounds import KeptBound
from scrutable_lifecycle.development.classes import ClassMeasured
from scrutable_lifecycle.development.quantities import QuantityMeasured


def class_table(measured: ClassMeasured) -> Table:
    """Accuracy, and below it the share right of each class."""
    rows: list[list[object]] = [[heading("Right, of all"), sum(measured.rows.values()), percent(measured.accuracy)]]
    rows += [[f"  of class {label!r}", n, percent(measured.recall[label])] for label, n in measured.rows.items()]
    return table(("", "held-out rows", "predicted right"), rows, right=(1, 2))


def quantity_table(measured: QuantityMeasured) -> Table:
    """R² and errors, a row each."""
    rows = [
        ("R², the share of the variance explained", with_interval(measured.r2, None)),
        ("mean absolute error", in_digits(measured.mean_absolute_error, 4)),
        ("root mean squared error", in_digits(measured.root_mean_squared_error, 4)),
    ]
    return table(("", f"{measured.n_rows:,} held-out rows"), rows, right=(1,))


def kept_table(bounds: Sequence[KeptBound]) -> Table:
    """A row for each bound: what it is about, its limit, and what was measured."""
    rows = [
        [
            each.fit.bound.describe(),
            _limit(each.fit.bound),
            _figure(each.fit),
            "" if each.held_out is None else _figure(each.held_out),
        ]
        for each in bounds
    ]
    return table(("bound", "limit", "rows learned from", "held-out rows"), rows, whole=(1, 2, 3))


def _limit(bound: RateBound) -> str:
    return f"gap at most {bound.slack:g}" if bound.ratio is None else f"ratio at least {bound.ratio:g}"


def _figure(measured: MeasuredBound) -> str:
    name, value = ("gap", measured.gap) if measured.bound.ratio is None else ("ratio", measured.ratio)
    judgement = "" if measured.kept is None else ", kept" if measured.kept else ", NOT kept"
    return f"{name} undefined{judgement}" if value != value else f"{name} {value:.4f}{judgement}"
