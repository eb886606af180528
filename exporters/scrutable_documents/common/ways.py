"""Ways to the leaves of a tree: in words, and how many applicants go each."""

from __future__ import annotations

import numpy as np

from scrutable.data.frames import Table
from scrutable.model import Path, TreeEnsemble
from scrutable.model.evaluator import ClauseMasks, read_inputs


def way_words(path: Path, titles: dict[str, str]) -> str:
    """What holds on a way, and what does not; `titles` are what people call each feature."""
    steps = [(clause.describe(titles[clause.feature]), holds) for clause, holds in path]
    return " and ".join(words if holds else f"not ({words})" for words, holds in steps) or "always"


class Coverage:
    """The share of applicants that go a way; NaN where there are none."""

    def __init__(self, model: TreeEnsemble, table: Table) -> None:
        columns, self._n_rows = read_inputs(model, table)
        self._masks = ClauseMasks(model.features, columns, self._n_rows)

    def __call__(self, path: Path) -> float:
        rows = np.ones(self._n_rows, dtype=bool)
        for clause, holds in path:
            rows &= self._masks.clause(clause) == holds
        return float(rows.mean()) if self._n_rows else float("nan")
