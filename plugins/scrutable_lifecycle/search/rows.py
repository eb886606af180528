"""Which rows are learned from and which are kept apart, and the two parts of a search's data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.arrays import weights
from scrutable.data.disclosure.groups import pooled_groups
from scrutable.data.disclosure.least import min_cell
from scrutable.data.frames import Table, as_table
from scrutable.data.outcomes import all_favourable
from scrutable.data.training import TrainingData
from scrutable.errors import InputError
from scrutable.fairness import Groups

Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Validation:
    """n rows that candidates are measured on and never learn from.

    Parameters
    ----------
    good : (n,) True where the outcome is favourable.
    weight : (n,) sample weights; None where there are none.
    """

    table: Table
    good: NDArray[np.bool_]
    groups: Groups
    weight: NDArray[np.float64] | None

    @classmethod
    def of(
        cls, table: Table, good: NDArray[np.bool_], groups: Groups, weight: NDArray[np.float64] | None
    ) -> Validation:
        """Rows with groups that may be told of: those of few rows are counted with others.

        Raises
        ------
        InputError : no attribute has two groups of enough rows.
        """
        told = pooled_groups(groups, weight)
        if told is None:
            raise InputError(
                "no two groups are large enough to be told of",
                where="sensitive_features",
                got=f"{groups.rows} rows to measure on",
                allowed=f"groups of at least {min_cell()} rows",
                fix="give more rows, or merge groups",
            )
        return cls(table=table, good=good, groups=told, weight=weight)


def given_validation(X: Any, y: Any, sensitive_features: Any, sample_weight: Any, data: TrainingData) -> Validation:
    """Validation rows that the user brings, read as the rows learned from were.

    Raises
    ------
    InputError : a part is missing, lengths that differ, an outcome or protected attribute that the rows learned from
        do not have.
    """
    parts = {"X_validation": X, "y_validation": y, "sensitive_features_validation": sensitive_features}
    for name, part in parts.items():
        if part is None:
            raise InputError("a part of the validation rows is missing", where=name, allowed=", ".join(parts))
    table = as_table(X)
    return Validation.of(
        table=table,
        good=all_favourable(data.outcome, y, table.n_rows, "y_validation"),
        groups=_as_learned(sensitive_features, data, table.n_rows),
        weight=None if sample_weight is None else weights(sample_weight, table.n_rows),
    )


def _as_learned(sensitive_features: Any, data: TrainingData, rows: int) -> Groups:
    """Groups with the references of those learned from."""
    if isinstance(sensitive_features, Groups) or data.groups is None:
        return Groups.from_frame(sensitive_features, expected_rows=rows)
    reference = {attribute.name: attribute.reference for attribute in data.groups.attributes}
    return Groups.from_frame(sensitive_features, reference=reference, expected_rows=rows)
