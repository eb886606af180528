"""Rows of the mixed-integer program of `forests`: coefficients of its variables, and the least and largest values.

Variables are z of all thresholds, column by column, then w of all leaves, then q of each group of categories.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from scrutable_fcca.counterfactuals.box_tables import Flags, Leaves
from scrutable_fcca.counterfactuals.cells import Cells
from scrutable_fcca.counterfactuals.moves import Moves
from scrutable_fcca.target import Doubles, Indices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Some rows.

    Parameters
    ----------
    of : (rows, variables) coefficients.
    low, high : (rows,) least and largest value.
    """

    of: csr_array
    low: Doubles
    high: Doubles


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variables:
    """Where each kind of variable begins.

    Parameters
    ----------
    leaves, groups, end : the first w, the first q, the number of variables.
    """

    leaves: int
    groups: int
    end: int

    @classmethod
    def of(cls, cells: Cells, leaves: Leaves, groups: int) -> Variables:
        """The variables of a program."""
        thresholds = len(cells.low) - len(cells.thresholds)
        return cls(
            leaves=thresholds, groups=thresholds + len(leaves.value), end=thresholds + len(leaves.value) + groups
        )


def cell_rows(cells: Cells, variables: Variables) -> csr_array:
    """(cells, variables): the z at the upper end of each cell less that at its lower end.

    It is 1 where the cell is chosen, else 0; in the last cell of a column 1 less, as there is no z at its upper end.
    """
    last = last_cells(cells)
    inner = np.flatnonzero(~last)
    z = np.arange(variables.leaves)
    value = np.repeat([1.0, -1.0], variables.leaves)
    return _matrix(np.append(inner, inner + 1), np.append(z, z), value, len(last), variables)


def last_cells(cells: Cells) -> Flags:
    """(cells,) the last cell of each column."""
    last = np.zeros(len(cells.low), np.bool_)
    last[cells.start[1:] - 1] = True
    return last


def tree_rows(leaves: Leaves, variables: Variables) -> Rows:
    """The shares of each tree's leaves add up to 1."""
    trees = len(leaves.tree) - 1
    leaf = np.arange(len(leaves.value))
    rows = _matrix(np.repeat(np.arange(trees), np.diff(leaves.tree)), variables.leaves + leaf, 1.0, trees, variables)
    return Rows(of=rows, low=np.ones(trees), high=np.ones(trees))


def side_rows(leaves: Leaves, cells: Cells, variables: Variables) -> Rows:
    """For each cut of a tree, the shares of leaves below it add up to at most z, those above it to at most 1 - z."""
    cuts = len(leaves.cut_cell)
    z = cells.start[leaves.cut_column] - leaves.cut_column + leaves.cut_cell - 1
    ends = np.flatnonzero(~leaves.joined)
    last = ends[np.searchsorted(ends, np.arange(cuts))]
    first = np.append(0, ends + 1)[np.searchsorted(ends, np.arange(cuts))]
    leaf = variables.leaves + np.repeat(np.arange(len(leaves.value)), np.diff(leaves.range))
    under, over = np.flatnonzero(leaves.above >= 0), np.flatnonzero(leaves.below >= 0)
    below, below_leaf = _spread(leaves.above[under], last[leaves.above[under]], leaf[under])
    above, above_leaf = _spread(first[leaves.below[over]], leaves.below[over], leaf[over])
    row = np.concatenate([below, np.arange(cuts), cuts + above, cuts + np.arange(cuts)])
    variable = np.concatenate([below_leaf, z, above_leaf, z])
    value = np.repeat([1.0, -1.0, 1.0, 1.0], [len(below), cuts, len(above), cuts])
    high = np.repeat([0.0, 1.0], cuts)
    return Rows(of=_matrix(row, variable, value, 2 * cuts, variables), low=np.full(2 * cuts, -np.inf), high=high)


def group_rows(groups: tuple[tuple[int, ...], ...], moves: Moves, cells: Cells, variables: Variables) -> Rows:
    """At most one column of each group is 1, unless q: then none of the group changes, which may leave several at 1.

    A column is 0 where the z just below 1 is 1. Without a threshold from 0 on and below 1, it stays as it is.
    """
    rows: list[dict[int, float]] = []
    high: list[float] = []
    for g, group in enumerate(groups):
        q = variables.groups + g
        zeros, most = {q: -float(len(group))}, 1.0
        own = {j: moves.value[cells.start[j] + moves.own[j]] == 1.0 for j in group}
        for j, is_one in own.items():
            at = int(np.searchsorted(cells.thresholds[j], 1.0)) - 1
            if at < 0 or cells.thresholds[j][at] < 0:
                most -= is_one
                continue
            z = int(cells.start[j]) - j + at
            zeros[z], most = -1.0, most - 1.0
            rows.append({q: 1.0, z: 1.0 if is_one else -1.0})
            high.append(1.0 if is_one else 0.0)
        rows += [zeros, {q: 1.0}]
        high += [most, float(sum(own.values()) > 1)]
    row = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    variable = np.array([each for row in rows for each in row], dtype=np.int64)
    value = np.array([each for row in rows for each in row.values()])
    of = _matrix(row, variable, value, len(rows), variables)
    return Rows(of=of, low=np.full(len(rows), -np.inf), high=np.array(high))


def _spread(first: Indices, last: Indices, leaf: Indices) -> tuple[Indices, Indices]:
    """All whole numbers from first to last, and the leaf of each."""
    sizes = last - first + 1
    offset = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(first, sizes) + offset, np.repeat(leaf, sizes)


def _matrix(row: Indices, variable: Indices, value: Doubles | float, rows: int, variables: Variables) -> csr_array:
    """Coefficients from those that are not 0."""
    return csr_array((np.broadcast_to(value, len(row)), (row, variable)), shape=(rows, variables.end))
