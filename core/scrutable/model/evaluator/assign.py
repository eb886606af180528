"""Which attribute each row has, and which rows satisfy a clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.data.features import Feature
from scrutable.data.frames import Column
from scrutable.model.conditions import AttributeCondition, Clause, Conjunction
from scrutable.model.program.buckets import bucket
from scrutable.model.program.ladders import of_attributes, of_clause

Mask = NDArray[np.bool_]


def assign(conditions: Sequence[AttributeCondition], feature: Feature, column: Column) -> NDArray[np.intp]:
    """Position of the condition that each row satisfies; `conditions` partition the feature's domain.

    Parameters
    ----------
    conditions : as a characteristic holds them: exclusive and exhaustive.
    column : n values of the feature's kind.

    Returns
    -------
    array of shape (n,)

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> from scrutable.model import Interval, Missing
    >>> age = as_table({"age": [17.0, 18.0, None]}).column("age")
    >>> tiles = (Interval(upper=18), Interval(lower=18), Missing())
    >>> assign(tiles, Feature(name="age", kind="numeric"), age).tolist()
    [0, 1, 2]
    """
    return bucket(of_attributes(conditions, feature), column).astype(np.intp, copy=False)


class ClauseMasks:
    """Rows that satisfy clauses; each distinct clause is worked out once."""

    def __init__(self, features: Sequence[Feature], columns: Mapping[str, Column], n_rows: int) -> None:
        self._features = {feature.name: feature for feature in features}
        self._columns = columns
        self._n_rows = n_rows
        self._known: dict[Clause, Mask] = {}

    def clause(self, clause: Clause) -> Mask:
        """Rows where any condition of the clause holds."""
        if clause not in self._known:
            ladder = of_clause(clause, self._features[clause.feature])
            self._known[clause] = bucket(ladder, self._columns[clause.feature]) != 0
        return self._known[clause]

    def conjunction(self, clauses: Conjunction) -> Mask:
        """Rows where every clause holds."""
        rows: Mask = np.ones(self._n_rows, dtype=bool)
        for clause in clauses:
            rows &= self.clause(clause)
        return rows

    def conjunctions(self, several: Sequence[Conjunction]) -> Mask:
        """(n, conjunctions) whether each of them holds in each row."""
        holds: Mask = np.zeros((self._n_rows, len(several)), dtype=bool)
        for position, clauses in enumerate(several):
            holds[:, position] = self.conjunction(clauses)
        return holds

    def any_of(self, several: Sequence[Conjunction]) -> Mask:
        """Rows where some of them hold."""
        rows: Mask = np.zeros(self._n_rows, dtype=bool)
        for clauses in several:
            rows |= self.conjunction(clauses)
        return rows
