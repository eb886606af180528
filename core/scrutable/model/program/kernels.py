"""Loops over a block of rows as machine code; numba makes them when they are first called, and keeps them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from scrutable.data.compiling import compiled

#: Cuts that one loop compares with; those that a ladder lacks are NaN, which no value reaches.
CUTS = 6
Six = tuple[float, float, float, float, float, float]
Function = TypeVar("Function", bound=Callable[..., Any])


def _loop(function: Function) -> Function:
    """A compiled loop that other threads may run beside, and that divides as NumPy does."""
    return compiled(function, nogil=True, error_model="numpy")


@_loop
def count_cuts(x: Any, cuts: Six, missing: Any, out: Any) -> None:
    """Add to each of `out` how many of six cuts its value reaches, and where it is missing, something else."""
    c0, c1, c2, c3, c4, c5 = cuts
    for i in range(out.shape[0]):
        v = x[i]
        reached = np.uint8((((v >= c0) + (v >= c1)) + ((v >= c2) + (v >= c3))) + ((v >= c4) + (v >= c5)))
        out[i] += missing if v != v else reached


@_loop
def count_by_grid(x: Any, low: float, scale: float, first: Any, cuts: Any, within: int, missing: Any, out: Any) -> None:
    """How many of many rising cuts each value reaches, or where it is missing, something else.

    A grid of equal cells lies over the cuts. Which cell a value is in rises with the value, whatever is rounded, so
    that no cut of an earlier cell is beyond it and it reaches none of a later one.

    Parameters
    ----------
    low, scale : the cell of a value is (value - low) * scale, held between the first and the last.
    first : per cell, how many cuts lie in cells before it.
    cuts : with as many NaN at the end as a cell has cuts at most, which are `within`.
    """
    last = first.shape[0] - 1
    for i in range(out.shape[0]):
        v = x[i]
        at = (v - low) * scale
        cell = 0 if not at > 0 else (last if at >= last else int(at))
        reached = first[cell]
        for place in range(within):
            reached += v >= cuts[first[cell] + place]
        out[i] = missing if v != v else reached


@_loop
def put_named(x: Any, name: float, own: int, out: Any) -> None:
    """Put a bucket where a value is the one of a name."""
    for i in range(out.shape[0]):
        out[i] = own if x[i] == name else out[i]


@_loop
def put_where(truth: Any, own: Any, out: Any) -> None:
    """Put a place where something holds."""
    for i in range(out.shape[0]):
        out[i] = own if truth[i] else out[i]


@_loop
def add_steps(x: Any, cuts: Six, steps: Six, start: float, missing: float, total: Any) -> None:
    """Add a start, what each of six cuts adds where it is reached, and what missing adds.

    Points are multiples of 2^-30, so that adding differences gives the bits that looking up gives.
    """
    c0, c1, c2, c3, c4, c5 = cuts
    d0, d1, d2, d3, d4, d5 = steps
    for i in range(total.shape[0]):
        v = x[i]
        total[i] += (
            ((start + (d0 if v >= c0 else 0.0)) + ((d1 if v >= c1 else 0.0) + (d2 if v >= c2 else 0.0)))
            + ((d3 if v >= c3 else 0.0) + (d4 if v >= c4 else 0.0))
            + ((d5 if v >= c5 else 0.0) + (missing if v != v else 0.0))
        )


@_loop
def add_named(x: Any, name: float, points: float, total: Any) -> None:
    """Add points where a value is the one of a name."""
    for i in range(total.shape[0]):
        total[i] += points if x[i] == name else 0.0


@_loop
def add_points(table: Any, places: Any, total: Any) -> None:
    """Add the number that a table has at each place."""
    for i in range(total.shape[0]):
        total[i] += table[places[i]]


@_loop
def add_few(places: Any, first: Any, steps: Any, start: Any, total: Any) -> None:
    """Add a small integer at each place: a start, and a step from each of six places on, the first of which is given.

    So few steps take less time than looking up, since many rows are worked out at a time.
    """
    s0, s1, s2, s3, s4, s5 = steps[0], steps[1], steps[2], steps[3], steps[4], steps[5]
    f1, f2, f3 = np.uint8(first + 1), np.uint8(first + 2), np.uint8(first + 3)
    f4, f5, zero = np.uint8(first + 4), np.uint8(first + 5), np.int16(0)
    for i in range(total.shape[0]):
        at = places[i]
        added = np.int16(total[i] + start)
        added = np.int16(added + (s0 if at >= first else zero))
        added = np.int16(added + (s1 if at >= f1 else zero))
        added = np.int16(added + (s2 if at >= f2 else zero))
        added = np.int16(added + (s3 if at >= f3 else zero))
        added = np.int16(added + (s4 if at >= f4 else zero))
        total[i] = np.int16(added + (s5 if at >= f5 else zero))


@_loop
def add_scaled(whole: Any, scale: float, total: Any) -> None:
    """Add small integers, each times a power of two, which is exact."""
    for i in range(total.shape[0]):
        total[i] += whole[i] * scale


@_loop
def add_where(truth: Any, without: float, within: float, total: Any) -> None:
    """Add one number where something holds, and another where it does not."""
    for i in range(total.shape[0]):
        total[i] += within if truth[i] else without


@_loop
def look_up(table: Any, places: Any, out: Any) -> None:
    """What a table has at each place."""
    for i in range(out.shape[0]):
        out[i] = table[places[i]]


@_loop
def between(cells: Any, low: Any, high: Any, wanted: bool, out: Any) -> None:
    """Whether each cell is from one to below another, or is not where that is wanted."""
    for i in range(out.shape[0]):
        out[i] = ((cells[i] >= low) & (cells[i] < high)) == wanted


@_loop
def choose(truth: Any, within: Any, without: Any, out: Any) -> None:
    """The one of two places that a truth, 0 or 1, says."""
    for i in range(out.shape[0]):
        out[i] = without[i] ^ ((within[i] ^ without[i]) & (np.uint8(0) - truth[i]))


@_loop
def insert(key: Any, largest: Any) -> None:
    """Put each key where it belongs among the largest of its row, which are sorted; the keys are used up."""
    for rank in range(largest.shape[0]):
        row = largest[rank]
        for i in range(key.shape[0]):
            more, less = max(row[i], key[i]), min(row[i], key[i])
            row[i] = more
            key[i] = less
