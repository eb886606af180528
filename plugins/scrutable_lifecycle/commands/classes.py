"""Actual and predicted classes of rows, and how often a model without one score is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.table import Table

from scrutable.cli.output import heading, table
from scrutable.data.outcome import ClassLabel
from scrutable.model import DecisionModel, Outcome
from scrutable.model.evaluator import evaluate
from scrutable.writing.plain import plain

Indices = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class ClassMeasured:
    """The share of rows that a model is right on, of all and of each class.

    Parameters
    ----------
    rows : how many there are of each class.
    recall : share of the rows of each class that are predicted to be of it; NaN without rows or weight.
    """

    accuracy: float
    rows: dict[ClassLabel, int]
    recall: dict[ClassLabel, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        classes = [{"class": each, "rows": n, "recall": plain(self.recall[each])} for each, n in self.rows.items()]
        return {"rows": sum(self.rows.values()), "accuracy": plain(self.accuracy), "classes": classes}


def measure_classes(
    model: DecisionModel, X: pd.DataFrame, y: pd.Series, weight: NDArray[np.float64] | None
) -> ClassMeasured:
    """How often the predicted class is the actual one; `weight` counts in shares and not in numbers of rows."""
    actual = class_indices(y, model.outcome)
    right = evaluate(model, X, reasons=False).predicted == actual
    weights = np.ones(len(actual)) if weight is None else weight
    of_class = {label: actual == index for index, label in enumerate(model.outcome.classes)}
    return ClassMeasured(
        accuracy=_share(right, weights),
        rows={label: int(its.sum()) for label, its in of_class.items()},
        recall={label: _share(right[its], weights[its]) for label, its in of_class.items()},
    )


def class_indices(y: pd.Series, outcome: Outcome) -> Indices:
    """(n,) positions of the actual classes in those of the outcome."""
    values = np.asarray(y)
    found: Indices = np.argmax([np.asarray(values == label, dtype=bool) for label in outcome.classes], axis=0)
    return found


def class_table(found: ClassMeasured) -> Table:
    """Accuracy, and below it the share right of each class."""
    rows: list[list[object]] = [[heading("Right, of all"), sum(found.rows.values()), _percent(found.accuracy)]]
    rows += [[f"  of class {label!r}", n, _percent(found.recall[label])] for label, n in found.rows.items()]
    return table(("", "held-out rows", "predicted right"), rows, right=(1, 2))


def _share(right: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    return float(np.average(right, weights=weights)) if weights.any() else float("nan")


def _percent(share: float) -> str:
    return "undefined" if share != share else f"{share:.1%}"
