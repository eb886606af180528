"""The paper's mixed-integer program for merging (its epsilon-constraint form), solved by CBC; a slow cross-check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from scrutable.binning import Trend
from scrutable.errors import ScrutableError
from scrutable.plugins import library
from scrutable_lda_xgb1.joined_prebins import Floats, PreBinned, Segments
from scrutable_lda_xgb1.options import MergeOptions

_SLACK = 1e-9  # of an FIV's row, so that the solver's rounding rules no merge out; what it lets in is checked


def merge_by_milp(pre: PreBinned, options: MergeOptions, *, trend: Trend | None = None) -> list[int] | None:
    """Borders between merged bins, as `merge` gives them, to about 1e-9 of IV.

    Binary X_ij says that pre-bin j is in the merged bin that ends with pre-bin i, and IV and FIVs are linear in them
    (equation 5). A merge that the solver's tolerances let over a limit is ruled out by a row, and the program solved
    again.

    Raises
    ------
    PluginError : PuLP is not installed.

    Examples
    --------
    >>> pre = PreBinned(n=3, good=np.array([2., 3, 5]), bad=np.array([6., 3, 1]), limits=np.array([0.3]),
    ...     protected=np.array([[6.], [2], [2]]), reference=np.array([[3.], [3], [4]]))
    >>> merge_by_milp(pre, MergeOptions())
    [2]
    """
    pulp = library("pulp", "scrutable[lda-xgb1]", "solver='milp'")
    segments, room = Segments.of(pre, options, trend), pre.room
    if not (segments.allowed[0, pre.n] and (segments.fiv[0, pre.n] <= room).all()):
        return None
    program = _Program(pulp, segments, room, options.max_bins)
    while True:
        borders = program.solve()
        if (segments.totals(borders)[1] <= room).all():
            return borders
        program.rule_out(borders)


class _Program:
    """The program, with rows and columns from 0: `within[i][j]` is the paper's X_ij."""

    def __init__(self, pulp: Any, segments: Segments, room: Floats, max_bins: int | None) -> None:
        self._pulp, self._segments, n = pulp, segments, segments.n
        self._program = pulp.LpProblem("merge", pulp.LpMaximize)
        self._within = [
            [self._program.add_variable(f"x_{i}_{j}", cat=pulp.LpBinary) for j in range(i + 1)] for i in range(n)
        ]
        self._program += self._linear(segments.iv)
        for bound, limit in enumerate(room):
            if np.isfinite(limit):
                self._program += self._linear(segments.fiv[:, :, bound]) <= limit + _SLACK
        for row in self._rows(max_bins):
            self._program += row

    def solve(self) -> list[int]:
        """Borders of the best merge."""
        options = ["increment 1e-12", "allowableGap 1e-12", "primalTolerance 1e-9", "integerTolerance 1e-9"]
        cbc = self._pulp.COIN_CMD(path=self._pulp.apis.coin_api.pulp_cbc_path, msg=False, gapRel=0.0, options=options)
        status = self._program.solve(cbc)
        if self._pulp.LpStatus[status] != "Optimal":
            raise ScrutableError("CBC did not solve the program", got=self._pulp.LpStatus[status])
        return [i + 1 for i in range(self._segments.n - 1) if self._within[i][i].value() > 0.5]

    def rule_out(self, borders: Sequence[int]) -> None:
        """Allow every other merge."""
        ends = [self._within[i][i] for i in range(self._segments.n - 1)]
        self._program += self._sum(1 - end if i + 1 in borders else end for i, end in enumerate(ends)) >= 1

    def _rows(self, max_bins: int | None) -> Iterator[Any]:
        n, within, segments = self._segments.n, self._within, self._segments
        yield within[n - 1][n - 1] == 1
        for j in range(n):
            yield self._sum(within[i][j] for i in range(j, n)) == 1
        for i in range(n):
            for j in range(i):
                yield within[i][j] <= within[i][j + 1]
            for j in range(i + 1):
                if not segments.allowed[j, i + 1]:
                    yield self._bin(j, i + 1) == 0
        if max_bins is not None:
            yield self._sum(within[i][i] for i in range(n)) <= max_bins
        for border in range(1, n):
            yield from self._follow(border)

    def _follow(self, border: int) -> Iterator[Any]:
        """Of the bins that end at a border with some rate or more, and those from it with less, one at most."""
        rate, allowed = self._segments.rate, self._segments.allowed
        starts, stops = np.flatnonzero(allowed[:, border]), np.flatnonzero(allowed[border])
        for least in np.unique(rate[starts, border]):
            after = stops[rate[border, stops] < least]
            if len(after):
                before = starts[rate[starts, border] >= least]
                bins = [(start, border) for start in before] + [(border, stop) for stop in after]
                yield self._sum(self._bin(int(start), int(stop)) for start, stop in bins) <= 1

    def _bin(self, start: int, stop: int) -> Any:
        """1 where [start, stop) is a merged bin."""
        row = self._within[stop - 1]
        return row[start] - row[start - 1] if start else row[0]

    def _linear(self, value: Floats) -> Any:
        """Sum of a value over the merged bins: V_ii X_ii + sum over j < i of (V_ij - V_ij+1) X_ij (equation 5)."""
        terms = []
        for i, row in enumerate(self._within):
            falls = np.append(value[:i, i + 1] - value[1 : i + 1, i + 1], value[i, i + 1])
            terms += list(zip(row, falls.tolist(), strict=True))
        return self._pulp.LpAffineExpression(terms)

    def _sum(self, terms: Any) -> Any:
        return self._pulp.lpSum(terms)
