"""The master problem by PuLP with CBC, which run wherever PuLP installs: the reference of the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack, vstack

from scrutable.errors import ScrutableError
from scrutable.plugins import library
from scrutable_rug.program import Floats, Optimum, Positions, Program

_ZOOM = 1e6  # by which the second program enlarges what the digits of the first left


class Portable:
    """Program (3) as it is written, by CBC, from the start each time.

    CBC hands over eight digits. So a second program finds the correction: it is the first one seen from its solution,
    enlarged (iterative refinement; Gleixner, Steffy and Wolter, 2016).

    Raises
    ------
    PluginError : PuLP is not installed.
    """

    def __init__(self) -> None:
        self._pulp = library("pulp", "scrutable[rug]", "backend='portable'")

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; nothing is kept from the last program, so that `parents` is not used.

        Raises
        ------
        ScrutableError : CBC failed.
        """
        patterns, rules = program.votes.shape
        sides, bounds = _sides(program)
        below = hstack([csr_array((len(bounds), rules)), csr_array(sides @ program.rates * program.mass)])
        covered = vstack([hstack([program.votes, eye_array(patterns)]), below])
        matrix = hstack([covered, -eye_array(covered.shape[0])], format="csr")
        costs = np.concatenate([program.costs, program.mass, np.zeros(covered.shape[0])])
        least = np.append(np.ones(patterns), bounds)
        values, duals = self._solved(costs, matrix, least, np.zeros(len(costs)))
        more, changes = self._solved(
            _ZOOM * (costs - matrix.T @ duals), matrix, _ZOOM * (least - matrix @ values), -_ZOOM * values
        )
        values, duals = values + more / _ZOOM, duals + changes / _ZOOM
        slack = values[rules : rules + patterns] if len(bounds) else None
        return program.optimum(values[:rules], slack, duals[:patterns], duals[patterns:] @ sides)

    def _solved(
        self, costs: Floats, matrix: csr_array[np.float64, tuple[int, int]], right: Floats, lower: Floats
    ) -> tuple[Floats, Floats]:
        """Solution x of min costs·x with matrix x = right and x >= lower, and the duals of the rows."""
        pulp = self._pulp
        problem = pulp.LpProblem("master", pulp.LpMinimize)
        columns = [problem.add_variable(f"x{i}", bound) for i, bound in enumerate(lower.tolist())]
        problem += self._sum(columns, costs)
        rows = [f"r{row}" for row in range(len(right))]
        for name, value, start, stop in zip(rows, right.tolist(), matrix.indptr, matrix.indptr[1:], strict=False):
            row = self._sum([columns[i] for i in matrix.indices[start:stop]], matrix.data[start:stop])
            problem += row == value, name
        options = ["primalTolerance 1e-9", "dualTolerance 1e-9"]
        cbc = pulp.COIN_CMD(path=pulp.apis.coin_api.pulp_cbc_path, msg=False, options=options)
        status = problem.solve(cbc)
        if pulp.LpStatus[status] != "Optimal":
            raise ScrutableError("CBC did not solve the master problem", got=pulp.LpStatus[status])
        values = np.array([column.value() for column in columns], dtype=float)
        return values, np.array([problem.get_constraint_by_name(row).pi for row in rows], dtype=float)

    def _sum(self, columns: list[Any], factors: Any) -> Any:
        return self._pulp.LpAffineExpression(list(zip(columns, factors.tolist(), strict=True)))


def _sides(program: Program) -> tuple[Floats, Floats]:
    """The fairness rows as one-sided ones: which row, with sign, (sides, R), and its least value."""
    one_sided = [
        (sign * np.eye(1, len(program.low), row)[0], sign * bound)
        for sign, bounds in ((1.0, program.low), (-1.0, program.high))
        for row, bound in enumerate(bounds.tolist())
        if np.isfinite(bound)
    ]
    sides = np.array([side for side, _ in one_sided]).reshape(len(one_sided), len(program.low))
    return sides, np.array([bound for _, bound in one_sided])
