"""The backend that is fastest for a program."""

from __future__ import annotations

from scrutable.errors import ScrutableError
from scrutable_rug.aggregated import Aggregated
from scrutable_rug.interior_point import InteriorPoint
from scrutable_rug.program import Optimum, Positions, Program
from scrutable_rug.simplex import Simplex

_ENOUGH = 1e-6  # relative gap of interior points, where rounding allows no smaller one
_MANY = 2**14  # patterns, beyond which clusters of them are solved


class Automatic:
    """Simplex from the last basis, on clusters where patterns are many; interior-point with fairness rows.

    Where rounding stops the interior-point method, simplex starts anew. What is chosen depends on the programs alone,
    so that the same ones have the same optima every time.
    """

    def __init__(self) -> None:
        self._simplex = Simplex()
        self._clusters: Aggregated | None = None

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; `parents` (P,) says which pattern of the last program each was part of."""
        if len(program.low):
            return _with_rows(program, parents)
        if len(program.mass) <= _MANY:
            return self._simplex.solve(program, parents)
        if self._clusters is None:
            self._clusters = Aggregated(Simplex())
        return self._clusters.solve(program, parents)


def _with_rows(program: Program, parents: Positions) -> Optimum:
    try:
        return InteriorPoint(_ENOUGH).solve(program, parents)
    except ScrutableError:
        return Simplex().solve(program, parents)
