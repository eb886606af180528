"""Keeping protected attributes, and columns that tell them, out of a model's inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

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


def refuse_protected(
    table: Table, groups: Groups, allowed: str | Iterable[str], codes: Mapping[str, Sequence[Any]] | None = None
) -> None:
    """Refuse inputs that are a protected attribute, or from whose value the membership of a group follows.

    This detects copies, and is no protection against proxies: an input that tells a group in nine rows of ten passes.
    Of many rows, numbers are looked at in buckets (`Column.buckets`).

    Where groups are known by probability only, an input is refused that tells the most probable group, or whether the
    probability of a group is above its mean: no input can tell a group better than its probability does, so such a
    column is a copy of the probability, or of what it was made from.

    Parameters
    ----------
    codes : special codes by column.

    Raises
    ------
    InputError : names the column and the attribute; `allow_protected` lets a column pass by name. Also for a name
        there that no column has.
    """
    passing = refuse_unknown(table.names, allowed)
    judged = [name for name in table if name not in passing]
    refuse_named(judged, groups)
    divisions = [(attribute.name, part) for attribute in groups.attributes for part in _divisions(attribute)]
    for name in judged:
        column = table.column(name)
        levels = column.buckets((codes or {}).get(name, ()))
        values, rows = column.holding(levels), np.bincount(levels.place, minlength=len(levels.low))
        for attribute, part in divisions:
            n_parts = int(part.max()) + 1
            cells = levels.place[part >= 0].astype(np.intp) * n_parts + part[part >= 0]
            counts = np.bincount(cells, minlength=len(rows) * n_parts).reshape(-1, n_parts)
            refuse_teller(name, attribute, values, rows, counts)


def refuse_named(names: Iterable[str], groups: Groups) -> None:
    """Refuse columns that have the name of a protected attribute."""
    for name in names:
        if name in groups.names:
            raise _refusal(name, "is a protected attribute", None)


def refuse_teller(name: str, attribute: str, values: Column, rows: Rows, counts: Rows) -> None:
    """Refuse an input from whose values a protected attribute follows.

    Parameters
    ----------
    values : (k,) its values or the least ones of buckets, numbers rising, the missing one the last.
    rows : (k,) numbers of rows.
    counts : (k, parts) those of each part of the rows that it may not tell.
    """
    counts = counts[:, counts.sum(axis=0) >= ROWS_PER_VALUE]
    if counts.shape[1] >= 2 and _tells(values, rows, counts):
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


def _tells(values: Column, rows: Rows, counts: Rows) -> bool:
    common = rows >= ROWS_PER_VALUE  # the others count together
    pooled = np.vstack([counts[common], counts[~common].sum(axis=0)])
    total = pooled.sum(axis=1)
    if any(balanced_accuracy(inside, total - inside) >= TOLD for inside in pooled.T):
        return True
    if values.kind != "numeric":
        return False
    places = np.arange(len(values.values))
    if not values.missing.any():
        return _separates(places, counts)
    first = np.where(values.missing, -1, places)  # missing may go with either side
    return _separates(places, counts) or _separates(first, counts)


def _separates(places: Rows, counts: Rows) -> bool:
    """Whether the groups lie side by side on the number line, but for the few rows that `TOLD` leaves out.

    Parameters
    ----------
    places : (k,) of the values among one another.
    """
    order = np.argsort(places)
    ranges: list[tuple[int, int]] = []
    for reached in np.cumsum(counts[order], axis=0).T:
        tails = reached[-1] * np.array([(1 - TOLD) / 2, (1 + TOLD) / 2])
        low, high = np.searchsorted(reached, np.maximum(np.ceil(tails - 0.5), 1)).tolist()
        if any(low <= upper and lower <= high for lower, upper in ranges):
            return False
        ranges.append((low, high))
    return True


def _divisions(attribute: ProtectedAttribute) -> Iterator[Rows]:
    """Divisions of the rows that an input may not tell: (n,) the part of each row, -1 where it is in none."""
    places = np.full(len(attribute.labels), -1)
    known = [attribute.labels.index(label) for label in attribute.known]
    places[known] = np.arange(len(known))
    yield places[attribute.codes]
    if not attribute.hard:
        for share in attribute.membership.T[known]:
            yield (share > share.mean()).astype(np.intp)


def refuse_unknown(columns: Collection[str], allowed: str | Iterable[str]) -> set[str]:
    """The columns that are allowed by name; refuses a name that no column has."""
    names = {allowed} if isinstance(allowed, str) else set(allowed)
    for name in sorted(names - set(columns), key=str):
        raise InputError(
            "unknown column",
            where="allow_protected",
            got=name,
            allowed=did_you_mean(name, columns),
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
