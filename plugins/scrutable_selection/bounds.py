"""What no small set of characteristics can go below: bounds for branch and bound on a quadratic.

For a diagonal D with C − D positive semidefinite, write M = C − D. As b'Mb ≥ 2 v'Mb − v'Mv for every v,

    b'Cb / 2 − c'b  ≥  −v'Mv / 2 − Σ max over b_j of ((c − Mv)_j b_j − d_j b_j² / 2)
                    ≥  −v'Mv / 2 − Σ_{top k} (c − Mv)_j² / (2 d_j)

where at most k of the b_j differ from 0, whichever they are: a bound for all sets of k at once, from any v. With signs,
negative (c − Mv)_j count 0. The best v solves the perspective relaxation (Frangioni and Gentile, Math. Program. 106,
2006; Pilanci, Wainwright and El Ghaoui, Math. Program. 151, 2015)

    minimise b'Mb / 2 − c'b + Σ d_j b_j² / (2 z_j)   over 0 ≤ z_j ≤ 1, Σ z_j ≤ k,

and with v the least squares solution of all characteristics left the bound is at least the bound of leaps and bounds,
the value of that solution (Furnival and Wilson, Technometrics 16(4), 1974).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrutable_selection.likelihood import Floats, Ints
from scrutable_selection.quadratic import Quadratic

_ROUNDS = 40  # of the relaxation, at a node
_BARRIERS = 25  # Newton steps for the diagonal
_WITHIN = 0.999


@dataclass(frozen=True, eq=False)
class Node:
    """Sets that hold all of `inside`, and of the others some of `open`.

    Attributes
    ----------
    inside, open : positions of characteristics.
    """

    inside: Ints
    open: Ints


@dataclass(frozen=True, eq=False)
class Bounded:
    """What a bound tells of a node.

    Attributes
    ----------
    value : no set of the node lies below it.
    node : the node, without what cannot be part of a better set than the best one known.
    top : a set that the bound leans on.
    shares : (open,) how far the relaxation would have each of the node's open ones.
    """

    value: float
    node: Node
    top: Ints
    shares: Floats


class Relaxation:
    """Bounds for the sets of at most some characteristics.

    Parameters
    ----------
    quadratic : what is bounded.

    Examples
    --------
    >>> near = Quadratic(np.eye(3), np.array([2.0, 1.0, 1.0]), 10.0, np.ones(3), nonnegative=False)
    >>> relaxation = Relaxation(near)
    >>> node = Node(np.array([], dtype=int), np.arange(3))
    >>> round(relaxation.bound(node, 1, np.inf).value, 2), round(relaxation.bound(node, 2, np.inf).value, 2)
    (8.0, 7.5)
    """

    def __init__(self, quadratic: Quadratic) -> None:
        self._quadratic = quadratic
        self._own = separable(quadratic.matrix)
        self._rest = quadratic.matrix - np.diag(self._own)
        self._steepest = max(float(np.linalg.eigvalsh(self._rest)[-1]), 1e-6) if len(self._own) else 1.0

    def bound(self, node: Node, most: int, known: float) -> Bounded:
        """The bound of a node, at best or beyond the value of the best set known.

        Parameters
        ----------
        node : what sets are about.
        most : how many characteristics they have at most.
        known : the least value of a set that is known.
        """
        some = np.concatenate([node.inside, node.open])
        problem = _Part(self, some, len(node.inside), most)
        _, point = self._quadratic.least(some)
        best = problem.dual(point, problem.rest @ point)
        shares = np.ones(len(some))
        if best.value < known:
            best, shares = problem.relaxed(point, best, known)
        by_position = np.zeros(len(self._own))
        by_position[some] = shares
        left = problem.fixed(node, best, known)
        return Bounded(best.value, left, some[best.top], by_position[left.open])

    def part(self, some: Ints) -> tuple[Floats, Floats, Floats]:
        """M, c and D of some characteristics."""
        return self._rest[np.ix_(some, some)], self._quadratic.pull[some], self._own[some]

    @property
    def steepest(self) -> float:
        """Largest eigenvalue of M."""
        return self._steepest

    @property
    def level(self) -> float:
        """The quadratic's value at 0."""
        return self._quadratic.level

    @property
    def nonnegative(self) -> bool:
        """Whether coefficients are 0 or above."""
        return self._quadratic.nonnegative


@dataclass(frozen=True, eq=False)
class _Dual:
    """A bound, what it would give for each characteristic (`worth`), and the `top` ones that it counts."""

    value: float
    worth: Floats
    top: Ints


class _Part:
    """The relaxation of the characteristics of one node, of which the first ones are inside."""

    def __init__(self, relaxation: Relaxation, some: Ints, inside: int, most: int) -> None:
        self.rest, self.pull, self.own = relaxation.part(some)
        self.relaxation, self.inside, self.places = relaxation, inside, most - inside

    def dual(self, point: Floats, pushed: Floats) -> _Dual:
        """The bound that a point v gives, from Mv."""
        left = self.pull - pushed
        worth = 0.5 * (np.maximum(left, 0.0) if self.relaxation.nonnegative else left) ** 2 / self.own
        top = np.concatenate([np.arange(self.inside), self.best(worth)])
        return _Dual(self.relaxation.level - 0.5 * float(point @ pushed) - float(worth[top].sum()), worth, top)

    def best(self, worth: Floats) -> Ints:
        """The open ones of most worth that there is place for."""
        return self.inside + np.argsort(-worth[self.inside :], kind="stable")[: self.places]

    def relaxed(self, point: Floats, best: _Dual, known: float) -> tuple[_Dual, Floats]:
        """The best bound on the way to the relaxation's solution, and its shares.

        Accelerated proximal gradient steps with restarts (Beck and Teboulle, SIAM J. Imaging Sci. 2(1), 2009).
        """
        pushed, steep = self.rest @ point, self.relaxation.steepest
        ahead, ahead_pushed, pace = point, pushed, 1.0
        shares = np.ones(len(point))
        for _ in range(_ROUNDS):
            new, shares = self.step(ahead - (ahead_pushed - self.pull) / steep, steep)
            new_pushed = self.rest @ new
            bound = self.dual(new, new_pushed)
            best = bound if bound.value > best.value else best
            if best.value >= known or self.primal(new, new_pushed, shares) - best.value <= 1e-3 * (known - best.value):
                break
            turned = float((ahead - new) @ (new - point)) > 0
            next_pace = 1.0 if turned else 0.5 + np.sqrt(0.25 + pace**2)
            on = 0.0 if turned else (pace - 1.0) / next_pace
            ahead, ahead_pushed = new + on * (new - point), new_pushed + on * (new_pushed - pushed)
            point, pushed, pace = new, new_pushed, next_pace
        return best, shares

    def primal(self, point: Floats, pushed: Floats, shares: Floats) -> float:
        """The relaxation's value at a point with these shares."""
        spent = np.divide(point**2, shares, out=np.zeros(len(point)), where=shares > 0)
        return self.relaxation.level + 0.5 * float(point @ pushed + self.own @ spent) - float(self.pull @ point)

    def step(self, aim: Floats, steep: float) -> tuple[Floats, Floats]:
        """Minimise steep (b − aim)² / 2 + Σ d b² / (2 z) over b and shares z.

        For given z it is b = steep z aim / (steep z + d), and the best z rise together: z = t |aim| √d − d / steep, cut
        to 0 and 1, with the t at which they fill the places.
        """
        if self.relaxation.nonnegative:
            aim = np.maximum(aim, 0.0)
        shares = np.ones(len(aim))
        some = slice(self.inside, None)
        shares[some] = filled(np.abs(aim[some]) * np.sqrt(self.own[some]), self.own[some] / steep, self.places)
        return steep * shares * aim / (steep * shares + self.own), shares

    def fixed(self, node: Node, dual: _Dual, known: float) -> Node:
        """The node without what a bound, with it in or out by force, puts beyond the best set known."""
        counted = np.zeros(len(dual.worth), dtype=bool)
        counted[dual.top] = True
        counted[: self.inside] = True
        worth, free = dual.worth, np.arange(len(counted)) >= self.inside
        full = len(dual.top) == self.inside + self.places
        last = worth[dual.top[self.inside :]].min(initial=np.inf) if full else 0.0
        next_one = worth[~counted].max(initial=0.0)
        out = free & ~counted & (dual.value + (last - worth) >= known)
        into = free & counted & (dual.value + (worth - next_one) >= known)
        some = np.concatenate([node.inside, node.open])
        return Node(np.concatenate([node.inside, some[into]]), some[free & ~into & ~out])


def filled(rise: Floats, late: Floats, places: int) -> Floats:
    """Shares t · rise − late, cut to 0 and 1, with the t at which their sum is the number of places.

    Examples
    --------
    >>> filled(np.array([2.0, 1.0, 1.0]), np.zeros(3), 2).tolist()
    [1.0, 0.5, 0.5]
    """
    moving = rise > 0
    if np.count_nonzero(moving) <= places:
        return moving.astype(np.float64)
    starts, ends = late[moving] / rise[moving], (1.0 + late[moving]) / rise[moving]
    bends = np.concatenate([starts, ends])
    order = np.argsort(bends, kind="stable")
    times = bends[order]
    slopes = np.cumsum(np.concatenate([rise[moving], -rise[moving]])[order])
    sums = np.concatenate([[0.0], np.cumsum(slopes[:-1] * np.diff(times))])
    before = int(np.searchsorted(sums, places, side="right")) - 1
    time = times[before] + (places - sums[before]) / slopes[before] if slopes[before] > 0 else times[before]
    shares: Floats = np.clip(time * rise - late, 0.0, 1.0)
    return shares


def separable(matrix: Floats) -> Floats:
    """A large positive diagonal that leaves a positive definite matrix positive semidefinite, when taken off it.

    It maximises Σ d_j by a barrier for both, and Newton steps: minimum trace factor analysis (Bentler and Woodward,
    Psychometrika 45, 1980). It starts at a multiple of 1 / (C⁻¹)_jj, what of each the others do not say.

    Examples
    --------
    >>> separable(np.diag([1.0, 2.0])).round(2).tolist()
    [1.0, 2.0]
    """
    if not len(matrix):
        return np.empty(0)
    alone = 1.0 / np.diag(np.linalg.inv(matrix))
    root = np.sqrt(alone)
    own = 0.9 * float(np.linalg.eigvalsh(matrix / np.outer(root, root))[0]) * alone
    barrier = float(own.mean())
    for _ in range(_BARRIERS):
        inverse = np.linalg.inv(matrix - np.diag(own))
        slope = 1.0 + barrier * (1.0 / own - np.diag(inverse))
        step = np.linalg.solve(barrier * (inverse**2 + np.diag(1.0 / own**2)), slope)
        own = own + _allowed(matrix, own, step) * step
        barrier *= 0.5
    return _WITHIN * own


def _allowed(matrix: Floats, own: Floats, step: Floats) -> float:
    """A part of the step that keeps the diagonal positive and the matrix positive definite."""
    share = 1.0
    for _ in range(60):
        trial = own + share * step
        if (trial > 0).all() and is_definite(matrix - np.diag(trial)):
            return share
        share *= 0.5
    return 0.0


def is_definite(matrix: npt.NDArray[np.float64]) -> bool:
    """Whether a symmetric matrix is positive definite.

    Examples
    --------
    >>> is_definite(np.eye(2)), is_definite(-np.eye(2))
    (True, False)
    """
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
