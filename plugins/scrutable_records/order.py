"""Whether records stand in the order of their numbers, each once; and records put in this order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from scrutable.writing import numbers_array
from scrutable_records.differences import Differences


def check_order(numbers: Any, first: int, last: int, differences: Differences) -> bool:
    """Name the records that are missing, stand twice or out of place; whether all are as they should be.

    Parameters
    ----------
    numbers : (n,) of the records, in the order in which they stand.
    first, last : the numbers that should be there.

    Examples
    --------
    >>> differences = Differences()
    >>> check_order(np.array([1, 4, 3, 2, 6, 6]), 1, 6, differences)
    False
    >>> differences.counts()
    {'missing': 1, 'twice': 1, 'out of place': 2}
    """
    if len(numbers) == last - first + 1 and (numbers == np.arange(first, last + 1)).all():
        return True
    distinct, counts = np.unique(numbers, return_counts=True)
    differences.add("twice", distinct[counts > 1].tolist())
    within = distinct[(distinct >= first) & (distinct <= last)]
    between = np.concatenate([[first - 1], within, [last + 1]])
    for gap in np.flatnonzero(np.diff(between) > 1):
        differences.add_range("missing", int(between[gap]) + 1, int(between[gap + 1]) - 1)
    differences.add("out of place", np.setdiff1d(distinct, within).tolist())
    if len(numbers):
        differences.add("out of place", sorted(_misplaced(numbers, distinct) & set(within.tolist())))
    return False


def in_order(batches: Iterable[Any], numbers: Any) -> Iterator[Any]:
    """Batches of n rows in the order of their numbers; rows of one number stay as they stand.

    Parameters
    ----------
    numbers : (n,) of the rows.

    Examples
    --------
    >>> import pyarrow as pa
    >>> batches = [pa.record_batch({"id": pa.array(texts).dictionary_encode()}) for texts in (["c", "a"], ["b"])]
    >>> [batch.column(0).to_pylist() for batch in in_order(batches, np.array([3, 1, 2]))]
    [['a', 'b', 'c']]
    """
    import pyarrow as pa

    whole = pa.Table.from_batches(batches).combine_chunks()
    return iter(whole.take(numbers_array(np.argsort(numbers, kind="stable"))).combine_chunks().to_batches())


def _misplaced(numbers: Any, distinct: Any) -> set[int]:
    """The numbers that do not stand in their place or, where not every place is known, in rising order."""
    if len(distinct) == len(numbers) == distinct[-1] - distinct[0] + 1:
        return set(numbers[numbers != distinct].tolist())
    return set(distinct.tolist()) - set(_longest_rise(numbers.tolist()))


def _longest_rise(numbers: list[int]) -> list[int]:
    """The longest series of rising numbers, by patience sorting."""
    tops: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        before.append(places[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(number)
            places.append(place)
        else:
            tops[pile], places[pile] = number, place
    place = places[-1] if places else -1
    rise = []
    while place >= 0:
        rise.append(numbers[place])
        place = before[place]
    return rise[::-1]
