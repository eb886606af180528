"""Which attribute each row has, and which rows satisfy a clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.features import Feature
from scrutable.data.frames import Column
from scrutable.model.conditions import (
    AttributeCondition,
    Categories,
    Clause,
    ClauseCondition,
    Conjunction,
    Interval,
    Missing,
    Otherwise,
    Special,
)

Mask = NDArray[np.bool_]

#: Cuts up to which comparing with each of them is faster than a binary search.
_FEW = 16


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
    >>> age = as_table({"age": [17.0, 18.0, None]}).column("age")
    >>> tiles = (Interval(upper=18), Interval(lower=18), Missing())
    >>> assign(tiles, Feature(name="age", kind="numeric"), age).tolist()
    [0, 1, 2]
    """
    if feature.kind == "numeric":
        return _assign_numbers(conditions, column.values)
    of_level = _assign_texts(conditions, column.coded.levels)
    return np.take(of_level, column.coded.codes)


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
            feature, column = self._features[clause.feature], self._columns[clause.feature]
            if feature.kind == "numeric":
                self._known[clause] = _clause_rows(clause, feature, column.values)
            else:  # each different text once
                self._known[clause] = _clause_rows(clause, feature, column.coded.levels)[column.coded.codes]
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


def _assign_numbers(conditions: Sequence[AttributeCondition], values: NDArray[np.float64]) -> NDArray[np.intp]:
    intervals = [(c.lower, position) for position, c in enumerate(conditions) if isinstance(c, Interval)]
    if intervals:
        cuts = np.array([lower for lower, _ in intervals[1:]])
        positions = np.array([position for _, position in intervals], dtype=np.intp)
        assigned = positions[_cuts_reached(cuts, values)]
    else:
        assigned = _assign_codes(conditions, values)
    for position, condition in enumerate(conditions):
        if isinstance(condition, Special):
            assigned[np.isin(values, condition.codes)] = position
        elif isinstance(condition, Missing):
            assigned[np.isnan(values)] = position
    return assigned


def _cuts_reached(cuts: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.intp] | NDArray[np.uint8]:
    """How many of the sorted cuts each value reaches."""
    if len(cuts) > _FEW:
        return np.searchsorted(cuts, values, side="right")
    reached = np.zeros(len(values), dtype=np.uint8)
    for cut in cuts:
        reached += values >= cut
    return reached


def _assign_codes(conditions: Sequence[AttributeCondition], values: NDArray[np.float64]) -> NDArray[np.intp]:
    pairs = sorted((v, p) for p, c in enumerate(conditions) if isinstance(c, Categories) for v in c.values)
    other = next(position for position, c in enumerate(conditions) if isinstance(c, Otherwise))
    if not pairs:
        return np.full(len(values), other, dtype=np.intp)
    codes = np.array([value for value, _ in pairs], dtype=float)
    nearest = np.minimum(np.searchsorted(codes, values), len(codes) - 1)
    positions = np.array([position for _, position in pairs], dtype=np.intp)
    return np.where(codes[nearest] == values, positions[nearest], other)


def _assign_texts(conditions: Sequence[AttributeCondition], values: NDArray[np.object_]) -> NDArray[np.intp]:
    position_of: dict[object, int] = {}
    other = 0
    for position, condition in enumerate(conditions):
        if isinstance(condition, Categories):
            position_of.update(dict.fromkeys(condition.values, position))
        elif isinstance(condition, Special):
            position_of.update(dict.fromkeys(condition.codes, position))
        elif isinstance(condition, Missing):
            position_of[None] = position
        else:
            other = position
    look_up = position_of.get
    return np.fromiter((look_up(value, other) for value in values), dtype=np.intp, count=len(values))


def _clause_rows(clause: Clause, feature: Feature, values: NDArray[Any]) -> Mask:
    special, missing = _special_rows(feature, values), _missing_rows(feature, values)
    rows: Mask = np.logical_or.reduce([_condition_rows(c, values, special, missing) for c in clause.any_of])
    return rows


def _condition_rows(condition: ClauseCondition, values: NDArray[Any], special: Mask, missing: Mask) -> Mask:
    if isinstance(condition, Missing):
        return missing
    if isinstance(condition, Special):
        return np.isin(values, np.array(condition.codes, dtype=values.dtype))
    if isinstance(condition, Categories):
        named = np.isin(values, np.array(condition.values, dtype=values.dtype))
        return (~named if condition.negated else named) & ~special & ~missing
    above = values >= condition.lower if condition.closed_lower else values > condition.lower
    below = values <= condition.upper if condition.closed_upper else values < condition.upper
    inside: Mask = above & below & ~special
    return inside


def _special_rows(feature: Feature, values: NDArray[Any]) -> Mask:
    return np.isin(values, np.array(feature.special_codes, dtype=values.dtype))


def _missing_rows(feature: Feature, values: NDArray[Any]) -> Mask:
    if feature.kind == "numeric":
        missing: Mask = np.isnan(values)
        return missing
    return np.fromiter((value is None for value in values), dtype=bool, count=len(values))
