"""Keeping protected attributes, and columns that tell them, out of a model's inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.frames import Column, Table

#: A column with fewer rows per distinct value than this is not judged by its values: each would tell by chance.
ROWS_PER_VALUE = 5


def refuse_protected(table: Table, groups: Groups, allowed: Sequence[str]) -> None:
    """Refuse inputs that are a protected attribute or from whose value the group of every applicant follows.

    Raises
    ------
    InputError : names the column and the attribute; `allow_protected` lets a column pass by name.
    """
    for name in table:
        if name in allowed:
            continue
        told = next((a for a in groups.names if a == name or tells(table.column(name), groups.labels_of(a))), None)
        if told is not None:
            problem = "is a protected attribute" if told == name else f"tells the protected attribute {told!r}"
            raise InputError(
                f"an input {problem}",
                where=f"column {name!r}",
                fix=f"leave the column out, or allow it by name: allow_protected=[{name!r}]",
            )


def tells(column: Column, labels: NDArray[np.object_]) -> bool:
    """Whether the group of every row follows from the column's value.

    True where each distinct value belongs to one group only (and values recur often enough for that to mean
    anything), or where sorting by the column puts each group into one unbroken run.

    Examples
    --------
    >>> from scrutable.frames import as_table
    >>> status = as_table({"status": ["wife", "husband", "bachelor"] * 10}).column("status")
    >>> tells(status, np.array(["female", "male", "male"] * 10, dtype=object))
    True
    """
    present = ~column.missing
    if not present.any():
        return False
    values, value_of = np.unique(column.values[present], return_inverse=True)
    groups, group_of = np.unique(labels[present].astype(str), return_inverse=True)
    if len(groups) < 2 or len(values) < 2:
        return False
    seen = np.unique(value_of * len(groups) + group_of)
    if len(seen) > len(values):
        return False
    if len(value_of) >= ROWS_PER_VALUE * len(values):
        return True
    runs = 1 + np.count_nonzero(np.diff(seen % len(groups)))
    return bool(column.kind == "numeric" and runs == len(groups))
