"""Checks of learners of a quantity: its unit, its zero and the order of columns change nothing in what is learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import learns_quantities
from scrutable.testing.contract.subject import Subject

#: Factor and constant that make another quantity of one.
_SCALES = ((1e-4, 0.0), (1e-3, 7.0), (1e6, 0.0), (1.0, 40.0))
_ROWS = 400
#: How far predictions may be from those that are wanted, in standard deviations of the quantity.
_NEAR = 0.02
#: The same where a penalty is shared by one column more.
_ALIKE = 0.2


@deciding("learner", hint="measure what stops an iteration, and penalties, by the quantity's spread")
def predictions_move_with_the_quantity(subject: Subject) -> None:
    """Of columns that go along, a quantity times a plus b is predicted as a times its prediction plus b."""
    if not learns_quantities(subject):
        return
    rows, quantity = _correlated()
    usual = _predicted(subject, rows, quantity)
    for factor, constant in _SCALES:
        predicted = (_predicted(subject, rows, factor * quantity + constant) - constant) / factor
        far = float(np.abs(predicted - usual).max() / quantity.std())
        fault = f"a quantity times {factor:g} plus {constant:g} is learned otherwise than the quantity"
        require(far <= _NEAR, fault, got=f"{far:.3g} standard deviations apart")


@deciding("learner", hint="go on until nothing moves any more, whichever column comes first")
def the_order_of_columns_changes_no_prediction(subject: Subject) -> None:
    """Columns that go along, in the other order, give the same predictions of a quantity, on any scale."""
    if not learns_quantities(subject):
        return
    rows, quantity = _correlated()
    for factor in (1.0, 1e-4, 1e6):
        first = _predicted(subject, rows, factor * quantity)
        turned = _predicted(subject, rows[rows.columns[::-1]], factor * quantity)
        far = float(np.abs(first - turned).max() / (factor * quantity.std()))
        fault = f"columns in the other order give other predictions of a quantity times {factor:g}"
        require(far <= _NEAR, fault, got=f"{far:.3g} standard deviations apart")


@deciding("learner", hint="take what one column explains off before the next one, or fit all of them together")
def a_copy_of_a_column_moves_no_prediction(subject: Subject) -> None:
    """A quantity is predicted alike with a column once and twice: what two columns tell counts once."""
    if not learns_quantities(subject):
        return
    rows, quantity = _correlated()
    usual = _predicted(subject, rows, quantity)
    for name in rows:
        predicted = _predicted(subject, rows.assign(copy=rows[name]), quantity)
        far = float(np.abs(predicted - usual).max() / quantity.std())
        require(far <= _ALIKE, f"a copy of {name!r} moves predictions", got=f"{far:.3g} standard deviations")


def _predicted(subject: Subject, rows: pd.DataFrame, quantity: Any) -> Any:
    return np.asarray(subject.make().fit(rows, quantity).predict(rows), dtype=float)


def _correlated() -> tuple[pd.DataFrame, Any]:
    """Three columns that go along with one another, each of which tells some of a quantity above 0."""
    chance = np.random.default_rng(31)
    common = chance.normal(size=_ROWS)
    parts = {name: np.round(common + chance.normal(0, 0.7, _ROWS), 1) for name in "abc"}
    quantity = 0.5 + 0.06 * common + 0.03 * parts["a"] + chance.normal(0, 0.03, _ROWS)
    return pd.DataFrame(parts), np.maximum(quantity, 0.01)
