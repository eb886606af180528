"""The backend that is fastest for a program."""

from __future__ import annotations

from scrutable.errors import ScrutableError
from scrutable_rug.aggregated import Aggregated
from scrutable_rug.interior_point import InteriorPoint
from scrutable_rug.program import Optimum, Positions, Program
from scrutable_rug.simplex import Simplex

_ENOUGH = 1e-6  # relative gap of interior points, where rounding allows no smaller one
_MUCH = 6e6  # steps of the simplex method times patterns, after which the next programs go to another
_MANY = 2**15  # patterns, beyond which clusters of them are solved


class Automatic:
    """Simplex from the last basis, while few steps lead from one optimum to the next; on clusters of many patterns.

    In between, and with fairness rows, the interior-point method; where rounding stops that, simplex from nothing. What
    is chosen depends on the programs alone, so that the same ones have the same optima every time.
    """

    def __init__(self) -> None:
        self._simplex: Simplex | None = Simplex()
        self._clusters: Aggregated | None = None

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; `parents` (P,) says which pattern of the last program each was part of."""
        if len(program.low):
            return _by_interior_points(program, parents)
        if len(program.mass) > _MANY:
            self._clusters = self._clusters or Aggregated(Simplex())
            return self._clusters.solve(program, parents)
        if self._simplex is None:
            return _by_interior_points(program, parents)
        optimum = self._simplex.solve(program, parents)
        if self._simplex.steps * len(program.mass) > _MUCH:
            self._simplex = None
        return optimum


def _by_interior_points(program: Program, parents: Positions) -> Optimum:
    try:
        return InteriorPoint(_ENOUGH).solve(program, parents)
    except ScrutableError:
        return Simplex().solve(program, parents)
