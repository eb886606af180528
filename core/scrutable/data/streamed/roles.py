"""Outcome, weights and groups of rows that come in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import attribute_place
from scrutable.data.frames import Column, Table
from scrutable.data.labelling import encode
from scrutable.data.sample_weights import read_weight
from scrutable.data.streamed.survey import Survey

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """A number from 0 on for each value of a column.

    Parameters
    ----------
    name : of the column.
    values : (k,) its values, numbers rising; the missing one, if there is one, is the last.
    codes : (k,) their numbers.
    """

    name: str
    values: Column
    codes: Ints

    def of(self, table: Table) -> Ints:
        """(m,) the numbers of a batch."""
        column = table.column(self.name)
        if self.values.kind == "numeric":
            at = np.minimum(np.searchsorted(self.values.values, column.values), len(self.codes) - 1)
            return self._chosen(self.codes, at)
        known = dict(zip(self.values.values.tolist(), self.codes.tolist(), strict=True))
        if column.kind == "empty":
            return np.full(table.n_rows, known[None], dtype=np.intp)
        coding = column.coding
        own = np.array([known.get(text, -1) for text in coding.levels.tolist()], dtype=np.intp)
        return self._chosen(own, coding.codes)

    @staticmethod
    def _chosen(codes: Ints, at: NDArray[np.integer]) -> Ints:
        chosen: Ints = codes[at]
        return chosen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """What rows of a batch are.

    Parameters
    ----------
    label : (m,) index of the class.
    groups : for each protected attribute (m,) index of the group.
    weight : (m,) sample weights.
    """

    label: Ints
    groups: tuple[Ints, ...]
    weight: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roles:
    """Columns that say what rows are, beside the inputs.

    Parameters
    ----------
    outcome : the class of each value.
    groups : the group of each value, by protected attribute.
    labels : of the groups.
    weight : the column of weights; None where every row weighs 1.
    """

    outcome: Lookup
    groups: tuple[Lookup, ...]
    labels: Mapping[str, tuple[str, ...]]
    weight: str | None

    @classmethod
    def of(cls, survey: Survey, outcome: Lookup, protected: Sequence[str], weight: str | None) -> Self:
        """Those of surveyed columns."""
        groups, labels = [], {}
        for name in protected:
            values, rows = survey.columns[name].values()
            codes, labels[name] = encode(values, None, attribute_place(name), rows)
            groups.append(Lookup(name, values, codes))
        return cls(outcome=outcome, groups=tuple(groups), labels=labels, weight=weight)

    @property
    def names(self) -> list[str]:
        """The columns."""
        weight = [] if self.weight is None else [self.weight]
        return [self.outcome.name, *(each.name for each in self.groups), *weight]

    def told(self, table: Table) -> Told:
        """What the rows of a batch are."""
        return Told(
            label=self.outcome.of(table),
            groups=tuple(each.of(table) for each in self.groups),
            weight=_weight(table, self.weight),
        )


def _weight(table: Table, name: str | None) -> Floats:
    """(m,) weights, of which all may be 0: other batches may have others."""
    if name is None:
        return np.ones(table.n_rows)
    return read_weight(np.append(table.column(name).values, 1.0), table.n_rows + 1)[:-1]
