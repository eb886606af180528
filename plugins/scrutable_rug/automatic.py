"""The backend for programs with fairness rows: the fast one, and the other where it stops short."""

from __future__ import annotations

from scrutable.errors import ScrutableError
from scrutable_rug.interior_point import InteriorPoint
from scrutable_rug.program import Optimum, Positions, Program
from scrutable_rug.simplex import Simplex

_ENOUGH = 1e-6  # relative gap, where rounding allows no smaller one


class Automatic:
    """Interior-point, and simplex from the start for a program on which rounding stops that."""

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum."""
        try:
            return InteriorPoint(_ENOUGH).solve(program, parents)
        except ScrutableError:
            return Simplex().solve(program, parents)
