"""Training rows as pricing sees them: coded, with classes, and rows that no rule can tell apart put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable_rug.coding import CodedTable, Codes

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """Rows put together that have the same codes, and where the class counts, the same class.

    Parameters
    ----------
    codes : (F, p) codes of each pattern.
    of_row : (n,) pattern of each row; None where each row is its own pattern.
    """

    codes: Codes
    of_row: Labels | None

    def total(self, values: Floats) -> Floats:
        """(p,) sums of (n,) values over the rows of each pattern."""
        if self.of_row is None:
            return values
        totals: Floats = np.bincount(self.of_row, weights=values, minlength=self.codes.shape[1]).astype(np.float64)
        return totals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Training rows.

    Parameters
    ----------
    table : n coded rows.
    label : (n,) class of each row.
    n_classes : number of classes.
    cases : rows with the same codes and class put together.
    case_label : class of each case.
    """

    table: CodedTable
    label: Labels
    n_classes: int
    cases: Patterns
    case_label: Labels

    @classmethod
    def of(cls, table: CodedTable, label: NDArray[np.integer], n_classes: int) -> Rows:
        """Rows of a table, of these classes.

        Examples
        --------
        >>> from scrutable.data.frames import as_table
        >>> from scrutable.model import Feature
        >>> from scrutable_rug.coding import code_table
        >>> column = as_table({"age": [20.0, 30.0, 20.0, 20.0, 20.0, 30.0]}).column("age")
        >>> table = code_table([Feature(name="age", kind="numeric")], {"age": column})
        >>> rows = Rows.of(table, np.array([0, 1, 0, 1, 0, 1]), 2)
        >>> rows.cases.codes.tolist(), rows.case_label.tolist(), rows.cases.total(np.ones(6)).tolist()
        ([[0, 1, 0]], [0, 1, 1], [3.0, 2.0, 1.0])
        """
        labels = np.ascontiguousarray(label, np.int64)
        cases, first = _grouped(table.codes, labels, n_classes)
        return cls(table=table, label=labels, n_classes=n_classes, cases=cases, case_label=labels[first])

    def patterns(self) -> Patterns:
        """Rows with the same codes put together, whatever their class."""
        return _grouped(self.table.codes, np.zeros(self.table.n_rows, np.int64), 1)[0]


def _grouped(codes: Codes, label: Labels, n_classes: int) -> tuple[Patterns, NDArray[np.intp]]:
    """Patterns, and a row of each; each row is left alone where putting them together would not halve their number."""
    n_rows = len(label)
    key, radix = label, n_classes
    for column in codes:
        if radix > 2**54:
            key, radix = _renumbered(key)
            if 2 * radix > n_rows:
                break
        key, radix = key * 256 + column, radix * 256
    of_row, n_patterns = _renumbered(key)
    if 2 * n_patterns > n_rows:
        return Patterns(codes=codes, of_row=None), np.arange(n_rows)
    first = np.empty(n_patterns, np.intp)
    first[of_row[::-1]] = np.arange(n_rows)[::-1]
    kept = np.ascontiguousarray(codes[:, first])
    return Patterns(codes=kept, of_row=of_row), first


def _renumbered(key: Labels) -> tuple[Labels, int]:
    """The keys as numbers from 0 in the order in which they first appear, and how many there are."""
    position, values = pd.factorize(key)
    return position.astype(np.int64), len(values)
