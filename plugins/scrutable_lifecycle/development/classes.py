"""Actual and predicted classes of rows, and how often a model without one score is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.model import ClassLabel, DecisionModel, Outcome
from scrutable.model.evaluator import evaluate
from scrutable.writing import plain
from scrutable_lifecycle.figures import Figure

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

    def figures(self) -> Iterator[Figure]:
        """The share right of all, and of each class as a group."""
        yield Figure("accuracy", self.accuracy)
        for label, share in self.recall.items():
            yield Figure("recall", share, group=str(label))


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
        rows={label: int(inside.sum()) for label, inside in of_class.items()},
        recall={label: _share(right[inside], weights[inside]) for label, inside in of_class.items()},
    )


def class_indices(y: pd.Series, outcome: Outcome) -> Indices:
    """(n,) positions of the actual classes in those of the outcome."""
    values = np.asarray(y)
    positions: Indices = np.argmax([np.asarray(values == label, dtype=bool) for label in outcome.classes], axis=0)
    return positions


def _share(right: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    return float(np.average(right, weights=weights)) if weights.any() else float("nan")
