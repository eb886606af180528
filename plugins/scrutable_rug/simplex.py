"""The master problem by HiGHS' dual simplex method, which starts from the basis of the last program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array, hstack, vstack

from scrutable.errors import ScrutableError
from scrutable.plugins import library
from scrutable_rug.program import Floats, Optimum, Positions, Program

States = NDArray[np.int8]

_LOWER, _BASIC, _UPPER = 0, 1, 2  # a dual at 0, between its bounds, and at its room
_TOLERANCE = 1e-9  # of a vote and of a cost: the default lets a large mass move the objective in the fifth digit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Basis:
    """A basis in terms of the program, whichever way round the solver has it.

    Parameters
    ----------
    patterns : (P,) state of each pattern's dual.
    rules : (J,) whether each rule's weight is basic.
    rows : (R,) whether each fairness row's activity is basic, or at which bound it is.
    duals : (P,) value of each pattern's dual.
    multipliers : (R,) those of the fairness rows.
    """

    patterns: States
    rules: NDArray[np.bool_]
    rows: States
    duals: Floats
    multipliers: Floats

    def mapped(self, program: Program, parents: Positions) -> Basis:
        """The basis for finer patterns and more rules: a dual that was between its bounds is shared out in order.

        The parts of a pattern take its dual one after another, each up to its room: those before the last are at their
        upper bound, those after it at 0, and the one in between stays basic. The values add up as before, so what was
        feasible stays so. New rules get no weight.
        """
        states = self.patterns[parents]
        room = program.room(self.multipliers)
        split = np.bincount(parents, minlength=len(self.patterns)) > 1
        shared = split & (self.patterns == _BASIC)
        parts = np.flatnonzero(shared[parents])
        parts = parts[np.argsort(parents[parts], kind="stable")]
        starts = np.flatnonzero(np.diff(parents[parts], prepend=-1))
        for part in np.split(parts, starts[1:]) if len(parts) else ():
            filled = np.cumsum(room[part]) <= self.duals[parents[part[0]]]
            basic = min(int(filled.argmin()) if not filled.all() else len(part), len(part) - 1)
            states[part[:basic]], states[part[basic]], states[part[basic + 1 :]] = _UPPER, _BASIC, _LOWER
        rules = np.concatenate([self.rules, np.zeros(len(program.costs) - len(self.rules), dtype=bool)])
        return Basis(
            patterns=states, rules=rules, rows=self.rows, duals=self.duals[parents], multipliers=self.multipliers
        )


class Simplex:
    """Dual simplex, without presolve, from the last basis.

    Without fairness rows, the program is passed in its dual form (4): a column for each pattern, between 0 and its
    mass, and a row for each rule, so that a new rule is a violated row and the basis stays dual feasible. Fairness
    rows tie the upper bounds to one another, and the program is passed as it is.

    Attributes
    ----------
    steps : simplex iterations of the last program.

    Raises
    ------
    PluginError : highspy is not installed.
    """

    def __init__(self) -> None:
        self._highspy = library("highspy", "scrutable[rug]", "backend='simplex'")
        self._basis: Basis | None = None
        self.steps = 0

    def solve(self, program: Program, parents: Positions) -> Optimum:
        """The optimum; `parents` (P,) says which pattern of the last program each was part of."""
        basis = self._basis.mapped(program, parents) if self._basis is not None else None
        form = _WithRows if len(program.low) else _DualForm
        solver = form(self._highspy, program)
        if not solver.run(basis) and not (basis is not None and solver.run(None)):
            raise ScrutableError("HiGHS did not solve the master problem", got=solver.status())
        self.steps = solver.steps()
        optimum, self._basis = solver.read()
        return optimum


class _Form(ABC):
    """A program as HiGHS has it."""

    def __init__(self, highspy: Any, program: Program) -> None:
        self._highspy, self._program = highspy, program
        self._highs = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "threads": 1,
            "solver": "simplex",
            "simplex_strategy": 1,
            "presolve": "off",
            "primal_feasibility_tolerance": _TOLERANCE,
            "dual_feasibility_tolerance": _TOLERANCE,
        }.items():
            self._highs.setOptionValue(option, value)
        kinds = highspy.HighsBasisStatus
        self._kinds = (kinds.kLower, kinds.kBasic, kinds.kUpper)

    def run(self, basis: Basis | None) -> bool:
        """Solve it from a basis, or from none; whether that worked."""
        if basis is None:
            self._highs.clearSolver()
        else:
            start = self._highspy.HighsBasis()
            start.col_status, start.row_status = (
                [self._kinds[state] for state in states.tolist()] for states in self.states_of(basis)
            )
            start.valid, start.alien = True, False
            self._highs.setBasis(start)
        self._highs.run()
        return bool(self._highs.getModelStatus() == self._highspy.HighsModelStatus.kOptimal)

    def steps(self) -> int:
        """Simplex iterations of the last run."""
        return int(self._highs.getInfo().simplex_iteration_count)

    def status(self) -> str:
        """How the run ended, in words."""
        return str(self._highs.modelStatusToString(self._highs.getModelStatus()))

    @abstractmethod
    def states_of(self, basis: Basis) -> tuple[States, States]:
        """States of columns and rows."""

    @abstractmethod
    def read(self) -> tuple[Optimum, Basis]:
        """The optimum, and its basis."""

    def _pass(self, costs: Floats, columns: tuple[Floats, Floats], rows: tuple[Floats, Floats], matrix: Any) -> None:
        """Pass min costs·x with these bounds on x and on matrix x; the matrix is given by columns."""
        model = self._highspy.HighsLp()
        model.num_row_, model.num_col_ = matrix.shape
        model.col_cost_ = costs
        model.col_lower_, model.col_upper_ = columns
        model.row_lower_, model.row_upper_ = rows
        model.a_matrix_.format_ = self._highspy.MatrixFormat.kColwise
        model.a_matrix_.start_, model.a_matrix_.index_ = matrix.indptr, matrix.indices
        model.a_matrix_.value_ = matrix.data
        self._highs.passModel(model)

    def _states(self) -> tuple[States, States]:
        """States of columns and rows in the basis that was found."""
        state_of = np.full(1 + max(kind.value for kind in self._highspy.HighsBasisStatus.__members__.values()), _LOWER)
        state_of[[kind.value for kind in self._kinds]] = (_LOWER, _BASIC, _UPPER)
        basis = self._highs.getBasis()
        columns, rows = (
            state_of[[kind.value for kind in kinds]].astype(np.int8) for kinds in (basis.col_status, basis.row_status)
        )
        return columns, rows


class _DualForm(_Form):
    """Minimise -1·β subject to votesᵀ β <= costs and 0 <= β <= mass."""

    def __init__(self, highspy: Any, program: Program) -> None:
        super().__init__(highspy, program)
        patterns, rules = program.votes.shape
        self._pass(
            -np.ones(patterns),
            (np.zeros(patterns), program.mass),
            (np.full(rules, -np.inf), program.costs),
            program.votes.T,
        )

    def states_of(self, basis: Basis) -> tuple[States, States]:
        return basis.patterns, np.where(basis.rules, _UPPER, _BASIC).astype(np.int8)

    def read(self) -> tuple[Optimum, Basis]:
        solution = self._highs.getSolution()
        optimum = self._program.optimum(-np.array(solution.row_dual), None, np.array(solution.col_value), np.zeros(0))
        patterns, rows = self._states()
        none = np.zeros(0, np.int8)
        return optimum, Basis(
            patterns=patterns,
            rules=rows != _BASIC,
            rows=none,
            duals=optimum.duals,
            multipliers=optimum.multipliers,
        )


class _WithRows(_Form):
    """The program as it is: a column for each rule and pattern, a row for each pattern and fairness row."""

    def __init__(self, highspy: Any, program: Program) -> None:
        super().__init__(highspy, program)
        patterns, rules = program.votes.shape
        columns = patterns + rules
        rows = csr_array(program.rates * program.mass)
        below = hstack([csr_array((len(program.low), rules)), rows])
        self._pass(
            np.concatenate([program.costs, program.mass]),
            (np.zeros(columns), np.full(columns, np.inf)),
            (
                np.concatenate([np.ones(patterns), program.low]),
                np.concatenate([np.full(patterns, np.inf), program.high]),
            ),
            vstack([hstack([program.votes, eye_array(patterns)]), below], format="csc"),
        )

    def states_of(self, basis: Basis) -> tuple[States, States]:
        rules = np.where(basis.rules, _BASIC, _LOWER)
        slack = np.where(basis.patterns == _UPPER, _BASIC, _LOWER)
        covered = np.where(basis.patterns == _LOWER, _BASIC, _LOWER)
        return np.append(rules, slack).astype(np.int8), np.append(covered, basis.rows).astype(np.int8)

    def read(self) -> tuple[Optimum, Basis]:
        solution, (patterns, rules) = self._highs.getSolution(), self._program.votes.shape
        values, duals = np.array(solution.col_value), np.array(solution.row_dual)
        optimum = self._program.optimum(values[:rules], values[rules:], duals[:patterns], duals[patterns:])
        columns, rows = self._states()
        return optimum, Basis(
            patterns=np.where(columns[rules:] == _BASIC, _UPPER, np.where(rows[:patterns] == _BASIC, _LOWER, _BASIC)),
            rules=columns[:rules] == _BASIC,
            rows=rows[patterns:],
            duals=optimum.duals,
            multipliers=optimum.multipliers,
        )
