"""The rows that candidates of a search are measured on and never learn from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data import Cohort, TrainingData, min_cell, pooled_groups
from scrutable.data.frames import as_table
from scrutable.errors import InputError
from scrutable.fairness import Groups


def with_told_groups(cohort: Cohort) -> Cohort:
    """The cohort with groups that may be told of: those of few rows are counted with others.

    Raises
    ------
    InputError : no attribute has two groups of enough rows.
    """
    told = None if cohort.groups is None else pooled_groups(cohort.groups, cohort.sample_weight)
    if told is None:
        raise InputError(
            "no two groups are large enough to be told of",
            where="sensitive_features",
            got=f"{cohort.rows} rows to measure on",
            allowed=f"groups of at least {min_cell()} rows",
            fix="give more rows, or merge groups",
        )
    return replace(cohort, groups=told)


def given_validation(X: Any, y: Any, sensitive_features: Any, sample_weight: Any, data: TrainingData) -> Cohort:
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
    cohort = Cohort.read(
        table,
        y,
        outcome=data.outcome,
        groups=_as_learned(sensitive_features, data, table.n_rows),
        sample_weight=sample_weight,
        where="y_validation",
        complete=True,
    )
    return with_told_groups(cohort)


def cohort_of(data: TrainingData, *, weighted: bool) -> Cohort:
    """The rows of which a learner learns, as a cohort.

    Parameters
    ----------
    weighted : whether their weights were given.
    """
    outcome = np.where(data.good, Cohort.GOOD, Cohort.BAD)
    return Cohort(outcome=outcome, weight=data.weight, weighted=weighted, columns=data.table, groups=data.groups)


def _as_learned(sensitive_features: Any, data: TrainingData, rows: int) -> Groups:
    """Groups with the references of those learned from."""
    if isinstance(sensitive_features, Groups) or data.groups is None:
        return Groups.from_frame(sensitive_features, expected_rows=rows)
    reference = {attribute.name: attribute.reference for attribute in data.groups.attributes}
    return Groups.from_frame(sensitive_features, reference=reference, expected_rows=rows)
