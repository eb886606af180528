"""The backend that is fastest for a program."""

from __future__ import annotations

from scrutable.errors import ScrutableError
from scrutable_rug.interior_point import InteriorPoint
from scrutable_rug.program import Optimum, Positions, Program
from scrutable_rug.simplex import Simplex

_ENOUGH = 1e-6  # relative gap of interior points, where rounding allows no smaller one
_MUCH = 1.25e7  # steps of the simplex method times patterns, after which the next program goes to the other


class Automatic:
    """Simplex from the last basis; interior-point for programs with fairness rows, and after one that was much work.

    A basis helps as long as few steps lead from it to the next. Where rounding stops the interior-point method, simplex
    starts anew. What is chosen depends on the programs alone, so that the same ones have the same optima every time.
    """

    def __init__(self) -> None:
        self._simplex: Simplex | None = Simplex()

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; `parents` (P,) says which pattern of the last program each was part of."""
        if self._simplex is not None and not len(program.low):
            found = self._simplex.solve(program, parents)
            if self._simplex.steps * len(program.mass) > _MUCH:
                self._simplex = None
            return found
        try:
            return InteriorPoint(_ENOUGH).solve(program, parents)
        except ScrutableError:
            return Simplex().solve(program, parents)
