"""The restricted master problem: rules come in, weights and duals come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scrutable.errors import InputError, did_you_mean
from scrutable_rug.fairness_rows import FairnessRow, check_rows, kinds_of, rates_of
from scrutable_rug.patterns import Booleans, Partition
from scrutable_rug.program import Backend, Floats, Optimum, Positions, Program
from scrutable_rug.voting import extended

Loss = Literal["paper", "unit"]
BackendName = Literal["auto", "simplex", "interior-point", "portable"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """An optimum of the restricted master problem.

    The linear program may take a sample's slack above its hinge loss to meet a fairness row. So the rows are given on
    both, and only the values on the hinge loss say what the weights do.

    Parameters
    ----------
    weights : (J,) weight of each rule, at least 0.
    objective : cost of the weights and of the slack.
    bound : value of the duals; the optimum lies between the two, up to the backend's tolerance.
    duals : (n,) dual of each sample's row, at least 0; a pattern's is spread by sample weight.
    slack : (n,) v of each sample.
    hinge : (n,) max(0, 1 - sum of the votes' weights) of each sample.
    multipliers : (R,) duals of the fairness rows: positive at the lower bound, negative at the upper one.
    on_slack, on_hinge : (R,) value of each fairness row, on slacks and on hinge losses.
    n_patterns : rows that were solved instead of n.
    """

    weights: Floats
    objective: float
    bound: float
    duals: Floats
    slack: Floats
    hinge: Floats
    multipliers: Floats
    on_slack: Floats
    on_hinge: Floats
    n_patterns: int

    @property
    def gap(self) -> float:
        """Objective less bound, relative to the objective."""
        return (self.objective - self.bound) / max(abs(self.objective), 1.0)


class Master:
    """The restricted master problem of RUG (program 3) on patterns, to which rules are added.

    Minimise costs·w + weight·v subject to votes w + v >= 1 for each sample, w >= 0, v >= 0 and the fairness rows. A
    rule votes 1 on a sample that it covers and whose class is its own, 0 on one that it does not cover, and on others
    -1 / (K - 1) with loss "paper" (equation 2) or -1 with loss "unit".

    Samples of one class with the same coverage and the same coefficients per weight in the fairness rows have the same
    row. They are one pattern, whose mass is the sum of their weights.

    Parameters
    ----------
    y : (n,) class of each sample, from 0.
    n_classes : K, at least 2.
    loss : "paper" or "unit".
    weight : (n,) weight of each sample's loss, at least 0; 1 each if None.
    rows : fairness rows.
    backend : "simplex" (HiGHS), "interior-point" or "portable" (PuLP with CBC, slow); "auto" is the
        fastest: simplex, on clusters of patterns where they are many, but interior-point with fairness rows.

    Raises
    ------
    InputError : arguments out of range or of another length; fairness rows that no slacks of at least 1 meet together;
        a coefficient on a sample of weight 0; a backend that is not installed.

    Examples
    --------
    Two rules, the second of which is wrong on one of its three samples.

    >>> import numpy as np
    >>> master = Master(np.array([0, 0, 1, 1, 0]), 2, loss="unit")
    >>> master.add(np.array([[1, 1, 0, 0, 0], [0, 0, 1, 1, 1]], dtype=bool), np.array([0, 1]), np.array([0.5, 0.5]))
    >>> solution = master.solve()
    >>> solution.weights, solution.objective, solution.hinge
    (array([1., 1.]), 3.0, array([0., 0., 0., 0., 2.]))
    """

    def __init__(
        self,
        y: NDArray[np.integer],
        n_classes: int,
        *,
        loss: Loss = "unit",
        weight: Floats | None = None,
        rows: Sequence[FairnessRow] = (),
        backend: BackendName = "auto",
    ) -> None:
        self._y, self._classes = _classes(y, n_classes)
        n = len(self._y)
        self._wrong = _wrong_vote(loss, n_classes)
        self._weight = _numbers(np.ones(n) if weight is None else weight, (n,), "weight", least=0.0)
        self._rows = tuple(rows)
        self._q = np.array([_numbers(row.q, (n,), row.where) for row in rows]).reshape(-1, n)
        rates = rates_of(self._rows, self._q, self._weight)
        self._partition = Partition(kinds_of(self._y, self._weight, rates))
        self._rates = rates[:, self._partition.first]
        check_rows(self._rows, self._rates, self._mass())
        self._votes = csr_array((len(self._partition), 0))
        self._costs = np.zeros(0)
        self._parents = np.arange(len(self._partition))
        self._backend = _backend(backend)

    @property
    def n_rules(self) -> int:
        """Rules added so far."""
        return len(self._costs)

    @property
    def n_patterns(self) -> int:
        """Patterns that the rules added so far tell apart."""
        return len(self._partition)

    def add(self, masks: Booleans, classes: NDArray[np.integer], costs: Floats) -> None:
        """Add k rules.

        Parameters
        ----------
        masks : (k, n) which samples each rule covers.
        classes : (k,) class that each votes for, from 0.
        costs : (k,) cost of a unit of weight, the paper's λ c_j, at least 0.

        Raises
        ------
        InputError : arguments out of range or of another shape.
        """
        masks = np.asarray(masks)
        if masks.dtype != np.bool_ or masks.ndim != 2 or masks.shape[1] != len(self._y):
            raise InputError(
                "expected a row of Booleans for each rule",
                where="masks",
                got=(masks.dtype.name, masks.shape),
                allowed=f"bool, (k, {len(self._y)})",
            )
        costs = _numbers(costs, (len(masks),), "costs", least=0.0)
        classes = np.asarray(classes)
        if classes.shape != costs.shape or not np.isin(classes, np.arange(self._classes)).all():
            raise InputError(
                "expected a class for each rule", where="classes", got=classes, allowed=f"0 to {self._classes - 1}"
            )
        parents = self._partition.refine(masks)
        first = self._partition.first
        self._votes = extended(
            self._votes, parents, self._y[first], masks[:, first], classes.astype(np.int64), self._wrong
        )
        self._rates = self._rates[:, parents]
        self._costs = np.concatenate([self._costs, costs])
        self._parents = self._parents[parents]

    def solve(self, moved: Floats | None = None) -> Solution:
        """The optimum over the rules added so far.

        Parameters
        ----------
        moved : (R,) by how much the bounds of each fairness row are moved, both to the same side; 0 if None.

        Raises
        ------
        InputError : no rule has been added.
        ScrutableError : the backend failed.
        """
        if not self.n_rules:
            raise InputError("there is no rule to weigh", where="Master.solve", fix="add rules first")
        program = Program(
            votes=self._votes,
            costs=self._costs,
            mass=self._mass(),
            rates=self._rates,
            low=np.array([row.low for row in self._rows]) + (0.0 if moved is None else moved),
            high=np.array([row.high for row in self._rows]) + (0.0 if moved is None else moved),
        )
        optimum = self._backend.solve(program, self._parents)
        self._parents = np.arange(self.n_patterns)
        return self._spread(program, optimum)

    def _mass(self) -> Floats:
        """(P,) sum of the weights of each pattern's samples."""
        return np.bincount(self._partition.of, self._weight).astype(np.float64)

    def _spread(self, program: Program, optimum: Optimum) -> Solution:
        """The optimum sample by sample."""
        of, hinge = self._partition.of, program.hinge(optimum.weights)
        share = np.divide(optimum.duals, program.mass, out=np.zeros(len(optimum.duals)), where=program.mass > 0)
        slack_of, hinge_of = optimum.slack[of], hinge[of]
        return Solution(
            weights=optimum.weights,
            objective=optimum.objective,
            bound=optimum.bound,
            duals=share[of] * self._weight,
            slack=slack_of,
            hinge=hinge_of,
            multipliers=optimum.multipliers,
            on_slack=self._q @ slack_of,
            on_hinge=self._q @ hinge_of,
            n_patterns=self.n_patterns,
        )


def _backend(name: str) -> Backend:
    """A new backend of that name, whose solver is imported only now."""
    if name == "auto":
        from scrutable_rug.automatic import Automatic

        return Automatic()
    if name == "simplex":
        from scrutable_rug.simplex import Simplex

        return Simplex()
    if name == "interior-point":
        from scrutable_rug.interior_point import InteriorPoint

        return InteriorPoint()
    if name == "portable":
        from scrutable_rug.portable import Portable

        return Portable()
    raise InputError("unknown backend", where="backend", got=name, allowed=did_you_mean(name, get_args(BackendName)))


def _wrong_vote(loss: str, n_classes: int) -> float:
    """What a rule votes on a sample of another class."""
    if loss not in get_args(Loss):
        raise InputError("unknown loss", where="loss", got=loss, allowed="'paper' or 'unit'")
    return -1.0 if loss == "unit" else -1.0 / (n_classes - 1)


def _classes(y: Any, n_classes: int) -> tuple[Positions, int]:
    y = np.asarray(y)
    if n_classes < 2:
        raise InputError("too few classes", where="n_classes", got=n_classes, allowed="2 or more")
    if y.ndim != 1 or not len(y) or y.dtype.kind not in "iu" or y.min() < 0 or y.max() >= n_classes:
        raise InputError("expected the class of each sample", where="y", got=y, allowed=f"0 to {n_classes - 1}")
    return y.astype(np.int64), n_classes


def _numbers(values: Any, shape: tuple[int, ...], where: str, least: float = -np.inf) -> Floats:
    numbers = np.asarray(values, dtype=float)
    if numbers.shape != shape:
        raise InputError("another shape", where=where, got=numbers.shape, allowed=str(shape))
    if not (np.isfinite(numbers) & (numbers >= least)).all():
        allowed = "finite numbers" if least == -np.inf else "finite numbers of at least 0"
        raise InputError("a value out of range", where=where, got=numbers, allowed=allowed)
    return numbers
