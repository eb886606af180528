"""Which rows have what the path to a leaf asks of each feature."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.model.conditions import Clause
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable.model.trees import Path


def satisfied(path: Path, features: Sequence[str], masks: ClauseMasks, n_rows: int) -> NDArray[np.intp]:
    """(n,) a number whose bit i is set where the row has all that the path asks of the feature at position i."""
    numbers = np.zeros(n_rows, dtype=np.intp)
    for position, feature in enumerate(features):
        numbers |= (
            _holds([step for step in path if step[0].feature == feature], masks, n_rows).astype(np.intp) << position
        )
    return numbers


def _holds(path: Sequence[tuple[Clause, bool]], masks: ClauseMasks, n_rows: int) -> NDArray[np.bool_]:
    held = np.ones(n_rows, dtype=bool)
    for clause, wanted in path:
        held &= masks.clause(clause) == wanted
    return held
