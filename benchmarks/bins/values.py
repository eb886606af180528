"""Information values with the limits of both binners equal, of the cuts that each finds, by one formula."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from optbinning import OptimalBinning
from report import Row

from bins.data import Problem, problem
from scrutable import create

MAX_BINS, MIN_SHARE = 8, 0.05
#: Rounding of two sums of the same terms in another order.
_ROUNDING = 1e-9


def rows_of_values(names: Sequence[str], shapes: Sequence[str]) -> Iterator[Row]:
    """For each shape the smallest of all differences, ours less the library's, over sets and numeric columns."""
    for shape in shapes:
        gains = [gain for name in names for gain in _gains(problem(name), shape)]
        least = min(gains)
        more = sum(gain > _ROUNDING for gain in gains)
        note = f"{len(gains)} columns of {len(names)} sets; more in {more} of them"
        yield Row(
            name=f"{shape}: least IV won with equal limits",
            value=0.0 if abs(least) < _ROUNDING else least,
            unit="",
            relation=">=",
            bound=0.0,
            note=note,
        )


def _gains(problem: Problem, shape: str) -> list[float]:
    columns = problem.numeric
    if not columns:
        return []
    cuts = {name: _library(problem.X[name].to_numpy(dtype=float), problem.y, shape) for name in columns}
    limits = {"max_bins": MAX_BINS, "min_share": MIN_SHARE, "min_count": 0, "shape": shape}
    X = problem.X[columns]
    ours = create("binner", "optimal", **limits).fit(X, problem.y).binning_
    theirs = create("binner", "manual", cuts=cuts).fit(X, problem.y).binning_
    return [ours[name].iv - theirs[name].iv for name in map(str, X)]


def _library(x: Any, y: Any, shape: str) -> list[float]:
    """The cuts of OptBinning itself."""
    solver = OptimalBinning(
        max_n_bins=MAX_BINS,
        min_bin_size=MIN_SHARE,
        min_prebin_size=MIN_SHARE,
        monotonic_trend=None if shape == "free" else shape,
    )
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        solver.fit(x, y)
    return [float(cut) for cut in solver.splits] if solver.status == "OPTIMAL" else []
