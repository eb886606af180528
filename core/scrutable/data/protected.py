"""Keeping protected attributes, and columns that tell them, out of a model's inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.frames import Column, Table
from scrutable.data.groups import Groups
from scrutable.errors import InputError, did_you_mean

#: A value tells a group from this balanced accuracy on. It detects copies, and is no protection against proxies: what
#: comes short of it passes, and shows in the information values about groups. At exactly 1 a single slip of data entry
#: would hide a copy of the group; characteristics that merely go with a group stay far below (in the German credit data
#: under 0.7).
TOLD = 0.99
#: Values and groups with fewer rows than this are not judged one by one: they would tell by chance.
ROWS_PER_VALUE = 5

_COPIES = (
    f"inputs that copy no protected attribute in {TOLD:.0%} of the rows; that detects copies, and is no protection "
    "against proxies"
)

Rows = NDArray[np.intp]


def refuse_protected(table: Table, groups: Groups, allowed: str | Iterable[str]) -> None:
    """Refuse inputs that are a protected attribute, or from whose value the membership of a group follows.

    This detects copies, and is no protection against proxies: an input that tells a group in nine rows of ten passes.

    Where groups are known by probability only, an input is refused that tells the most probable group, or whether the
    probability of a group is above its mean: no input can tell a group better than its probability does, so such a
    column is a copy of the probability, or of what it was made from.

    Raises
    ------
    InputError : names the column and the attribute; `allow_protected` lets a column pass by name. Also for a name
        there that no column has.
    """
    passing = refuse_unknown(table, allowed)
    judged = [name for name in table if name not in passing]
    for name in judged:
        if name in groups.names:
            raise _refusal(name, "is a protected attribute", None)
    divisions = [(attribute.name, rows) for attribute in groups.attributes for rows in _divisions(attribute)]
    for name in judged:
        column = table.column(name)
        values = _codes(column)
        for attribute, rows in divisions:
            if _tells(column, values, rows):
                raise _refusal(name, f"tells the protected attribute {attribute!r}", _COPIES)


def balanced_accuracy(inside: NDArray[np.intp], outside: NDArray[np.intp]) -> float:
    """Mean of the shares, within a group and outside it, of rows that the best guess from their value gets right.

    Each row is guessed from the others, so that values which never recur tell nothing.

    Parameters
    ----------
    inside, outside : (values,) rows of each value in the group, and outside it; at least two in total each.

    Examples
    --------
    >>> balanced_accuracy(np.array([9, 1]), np.array([0, 10]))
    0.95
    >>> balanced_accuracy(np.array([1, 1, 0, 0]), np.array([0, 0, 1, 1]))
    0.0
    """
    return (_recall(inside, outside) + _recall(outside, inside)) / 2


def _recall(own: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    right = (own - 1) / (own.sum() - 1) > other / other.sum()
    return float(own[right].sum() / own.sum())


def _tells(column: Column, values: Rows, members: Sequence[Rows]) -> bool:
    if len(members) < 2:
        return False
    counts = [np.bincount(values[rows], minlength=values.max() + 1) for rows in members]
    total = np.sum(counts, axis=0)
    if any(balanced_accuracy(count, total - count) >= TOLD for count in counts):
        return True
    if column.kind != "numeric":
        return False
    ends = (np.inf, -np.inf) if column.missing.any() else (np.inf,)  # missing may go with either side
    return any(_separates(np.where(column.missing, end, column.values), members) for end in ends)


def _separates(numbers: NDArray[np.float64], members: Sequence[Rows]) -> bool:
    """Whether the groups lie side by side on the number line, but for the few rows that `TOLD` leaves out."""
    tails = [(1 - TOLD) / 2, (1 + TOLD) / 2]
    ranges: list[tuple[float, float]] = []
    for rows in members:
        low, high = np.quantile(numbers[rows], tails, method="closest_observation")
        if any(low <= upper and lower <= high for lower, upper in ranges):
            return False
        ranges.append((low, high))
    return True


def _codes(column: Column) -> Rows:
    """(n,) a number for each row's value. Missing is a value too; values that recur seldom share one number."""
    import pandas as pd

    numbers = pd.factorize(column.values)[0] + 1
    counts = np.bincount(numbers)
    common = counts >= ROWS_PER_VALUE
    codes: Rows = np.where(common, np.cumsum(common), 0)[numbers]
    return codes


def _divisions(attribute: ProtectedAttribute) -> Iterator[list[Rows]]:
    """Divisions of the rows that an input may not tell, each by its parts that are not too small to judge."""
    codes, places = attribute.codes, [attribute.labels.index(label) for label in attribute.known]
    yield _parts(codes == place for place in places)
    if not attribute.hard:
        for share in attribute.membership.T[places]:
            yield _parts([share > share.mean(), share <= share.mean()])


def _parts(masks: Iterable[NDArray[np.bool_]]) -> list[Rows]:
    return [rows for rows in map(np.flatnonzero, masks) if rows.size >= ROWS_PER_VALUE]


def refuse_unknown(table: Table, allowed: str | Iterable[str]) -> set[str]:
    """The columns that are allowed by name; refuses a name that no column has."""
    names = {allowed} if isinstance(allowed, str) else set(allowed)
    for name in sorted(names - set(table), key=str):
        raise InputError(
            "unknown column",
            where="allow_protected",
            got=name,
            allowed=did_you_mean(name, table),
            fix="correct the name, or leave it out",
        )
    return names


def _refusal(name: str, problem: str, allowed: str | None) -> InputError:
    return InputError(
        f"an input {problem}",
        where=f"column {name!r}",
        allowed=allowed,
        fix=f"leave the column out, or allow it by name: allow_protected=[{name!r}]",
    )
