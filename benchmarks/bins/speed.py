"""CPU time from columns in memory to their tables with defaults, beside OptBinning itself on the same columns."""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from clock import timed
from optbinning import OptimalBinning
from report import Row

from bins.data import Problem, problem
from scrutable import create


def rows_of_speed(names: Sequence[str], pairs: int) -> Iterator[Row]:
    """Ours as a share of the library's, the median of pairs, for each data set, and for the sums of the sets."""
    every = []
    for name in names:
        given = problem(name)
        ours, theirs = _ours(given), partial(_library, _columns(given), given.y)
        taken = np.array([(timed(ours)[0], timed(theirs)[0]) for _ in range(pairs + 1)])[1:]  # the first warms up
        every.append(taken)
        note = f"{len(given.y):,} rows x {given.X.shape[1]}; OptBinning {statistics.median(taken[:, 1]):.2g} s"
        yield _row(name, taken, note)
    yield _row("all sets", np.sum(every, axis=0), "")


def _row(name: str, taken: Any, note: str) -> Row:
    return Row(
        name=f"{name}: CPU to tables",
        value=float(np.median(taken[:, 0] / taken[:, 1])),
        unit="of OptBinning's",
        relation="<=",
        bound=0.2,
        peer=1.0,
        note=note,
    )


def _ours(given: Problem) -> Callable[[], object]:
    binner = create("binner", "optimal")
    return partial(binner.bin, binner.read(given.X, given.y))


def _columns(given: Problem) -> list[tuple[str, Any]]:
    """The kind and the values of each column."""
    numeric = set(given.numeric)
    kinds = [(name, "numerical" if str(name) in numeric else "categorical") for name in given.X]
    return [(kind, given.X[name].to_numpy(dtype=float if kind == "numerical" else object)) for name, kind in kinds]


def _library(columns: list[tuple[str, Any]], y: Any) -> None:
    """OptBinning of each column, as it comes."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for kind, values in columns:
            OptimalBinning(dtype=kind).fit(values, y).binning_table.build()
