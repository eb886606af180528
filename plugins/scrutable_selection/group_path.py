"""Characteristics in the order in which they enter as a penalty on their norms falls (group lasso)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from scipy.linalg import block_diag
from threadpoolctl import threadpool_limits

from scrutable.errors import InputError
from scrutable.errors.checks import check_choice, check_number, check_whole
from scrutable_selection.group_solver import group_residual, minimise_with_groups
from scrutable_selection.likelihood import Floats, Likelihood, check_freedom, positions
from scrutable_selection.maximum import definite, maximum

PathCriterion = Literal["bic", "ebic"]

#: What the optimality conditions may be missed by, in standard errors.
RESIDUAL = 1e-8
_MOST_STEPS, _MOST_HALVINGS = 100, 40
_SEEN = 1e-9


@dataclass(frozen=True)
class PathPoint:
    """The fit at one penalty.

    Attributes
    ----------
    penalty : λ, in standard errors by root of a degree of freedom.
    names : the characteristics that are in.
    log_loss : minus the log-likelihood of the penalised fit, the penalty left out.
    coefficients : (q + 1,) of all columns, intercept first.
    residual : how far the fit is from the optimality conditions (`group_residual`).
    """

    penalty: float
    names: tuple[str, ...]
    log_loss: float
    coefficients: tuple[float, ...]
    residual: float


@dataclass(frozen=True)
class Refit:
    """A set of characteristics on the path, fitted without a penalty.

    Attributes
    ----------
    names : the characteristics.
    log_likelihood, freedom : of the fit; degrees of freedom, without the intercept.
    criterion : what the choice goes by, the lower the better.
    """

    names: tuple[str, ...]
    log_likelihood: float
    freedom: int
    criterion: float


@dataclass(frozen=True)
class GroupPath:
    """What the path says.

    Attributes
    ----------
    names : the characteristics of the refit with the least criterion.
    order : all that enter, the earliest first; of several at one penalty, the largest norm first.
    points : the fits, from the largest penalty to the least.
    refits : the sets on the path, each once.
    """

    names: tuple[str, ...]
    order: tuple[str, ...]
    points: tuple[PathPoint, ...]
    refits: tuple[Refit, ...]


def group_path(
    likelihood: Likelihood,
    *,
    penalties: int = 50,
    least: float = 1.0,
    criterion: PathCriterion = "bic",
    gamma: float = 0.5,
    freedom: Sequence[int] | None = None,
    must: Sequence[str] = (),
    most: int | None = None,
) -> GroupPath:
    """The path of a penalty on groups, one a characteristic, and the set on it that an information criterion chooses.

    The penalised log-loss is f(a, β) + λ Σ √d_g ‖K_g^½ β_g‖ (Yuan and Lin, J. R. Stat. Soc. B 68(1), 2006; Meier, van
    de Geer and Bühlmann, J. R. Stat. Soc. B 70(1), 2008, for the logistic regression), with d_g degrees of freedom and
    K_g the group's curvature at the fit that the path begins with, the intercept taken out (Simon and Tibshirani,
    Statist. Sinica 22, 2012). So nothing depends on which indicator is left out or how a column is scaled, and the left
    side of ‖∇_g‖ > λ √d_g, by which a group enters, is the root of its score statistic: λ counts standard errors. About
    λ = 1, where the path ends by default, characteristics of noise enter.

    Write the characteristics as indicators of their attributes (`one_hot_block`) rather than as their WoE: a group of
    indicators pays for as many numbers as it brings, while the WoE column has been fitted to the outcome before, and
    makes noise with many attributes look like one good number. On WoE, name `freedom`.

    It is solved by block coordinate descent on quadratic expansions with an active set; every point tells its residual.

    Parameters
    ----------
    likelihood : of all characteristics.
    penalties : how many, evenly spaced in their logarithm.
    least : the last of them.
    criterion : "bic", −2 l + d ln n of the refit, or "ebic", with 2 gamma ln C(p, size) more for the many sets of a
        size that could have been (Chen and Chen, Biometrika 95(3), 2008).
    gamma : weight of what the extended criterion adds.
    freedom : (p,) degrees of freedom of each characteristic; what its columns can say beside the intercept if None.
    must : characteristics that are chosen whatever they tell, and not penalised.
    most : how many characteristics may be chosen, those that must be included; the path ends with more.

    Raises
    ------
    InputError : options out of range, a name in `must` that there is not, or no fit of the precision that is promised.

    Examples
    --------
    >>> from scrutable.measures.numerics import one_hot_block
    >>> from scrutable_selection.likelihood import CodedLikelihood
    >>> codes = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]])
    >>> good, bad = np.array([9.0, 9, 5, 7, 5, 6, 2, 1]), np.array([1.0, 1, 5, 3, 5, 4, 8, 9])
    >>> blocks = [one_hot_block(2)] * 3
    >>> path = group_path(CodedLikelihood.of(["income", "age", "noise"], blocks, codes, good, bad), least=0.1)
    >>> path.order, path.names, max(point.residual for point in path.points) <= 1e-8
    (('income', 'age', 'noise'), ('income', 'age'), True)
    """
    check_choice(criterion, get_args(PathCriterion), "criterion")
    check_whole(penalties, "penalties", 2)
    check_number(least, "least", "a number above 0", low=5e-324)
    check_number(gamma, "gamma", "a number from 0 to 1", high=1.0)
    held = sorted({*positions(likelihood.names, must, "must")})
    if freedom is not None:
        check_freedom(likelihood, freedom)
    if most is not None:
        check_whole(most, "most", max(1, len(held)))
    with threadpool_limits(limits=1, user_api="blas"):
        descent = _Descent(likelihood, held, freedom)
        points, entered = [], list[int]()
        for penalty in np.geomspace(max(descent.greatest, least), least, penalties).tolist():
            point = descent.at(penalty)
            if most is not None and len(point.names) > most:
                break
            points.append(point)
            entered += [each for each in descent.by_norm() if each not in entered]
        refits = _refits(descent, points, criterion, gamma)
    best = min(refits, key=lambda refit: refit.criterion)
    return GroupPath(best.names, tuple(likelihood.names[each] for each in entered), tuple(points), refits)


class _Descent:
    """The fit as the penalty falls, on columns on which each group's curvature at the start is the identity."""

    def __init__(self, likelihood: Likelihood, must: Sequence[int], freedom: Sequence[int] | None) -> None:
        self.likelihood, self.must = likelihood, must
        _, *self.columns = _slices([1, *likelihood.widths])
        self.point = np.zeros(1 + sum(likelihood.widths))
        base = maximum(likelihood.only(must))
        self.point[self.where(must)] = [base.intercept, *base.coefficients]
        _, gradient, hessian = likelihood.at(float(self.point[0]), self.point[1:])
        self.turns = [_standardised(hessian, each) for each in self.columns]
        ranks = [turn.shape[1] for turn in self.turns]
        self.freedom = [rank if freedom is None else int(freedom[each]) for each, rank in enumerate(ranks)]
        open_ones = [each for each in range(len(ranks)) if each not in must and ranks[each]]
        self.weights = {each: math.sqrt(self.freedom[each]) for each in open_ones}
        self.active = list(must)
        scores = [self.slope(gradient, each) / self.weights[each] for each in open_ones]
        self.greatest = max(scores, default=0.0)

    def where(self, members: Sequence[int]) -> list[int]:
        """Positions of the intercept and of the columns of some characteristics."""
        return [0, *(at for each in members for at in range(self.columns[each].start, self.columns[each].stop))]

    def slope(self, gradient: Floats, member: int) -> float:
        """The norm of the gradient of a group, on the standardised columns."""
        return float(np.linalg.norm(self.turns[member].T @ gradient[self.columns[member]]))

    def norm(self, member: int) -> float:
        """The norm of a group at the point, on the standardised columns."""
        return float(np.linalg.norm(np.linalg.pinv(self.turns[member]) @ self.point[self.columns[member]]))

    def by_norm(self) -> list[int]:
        """The characteristics that are in, the largest norm first."""
        inside = [each for each in self.active if self.point[self.columns[each]].any() or each in self.must]
        return sorted(inside, key=lambda each: (each not in self.must, -self.norm(each), each))

    def at(self, penalty: float) -> PathPoint:
        """The fit at a penalty, from the fit before."""
        self.active = sorted(self.by_norm())
        while True:
            residual = self.solve(penalty)
            loss, gradient = self.likelihood.gradient(float(self.point[0]), self.point[1:])
            outside = [each for each in self.weights if each not in self.active]
            over = {each: self.slope(gradient, each) - penalty * self.weights[each] for each in outside}
            if not (new := [each for each, much in over.items() if much > 0.5 * RESIDUAL]):
                break
            self.active = sorted([*self.active, *new])
        return PathPoint(
            penalty=penalty,
            names=tuple(self.likelihood.names[each] for each in sorted(self.by_norm())),
            log_loss=loss,
            coefficients=tuple(self.point.tolist()),
            residual=max(residual, *over.values(), 0.0),
        )

    def solve(self, penalty: float) -> float:
        """Fit the active characteristics, and keep those of them that are in; the residual."""
        part, some = self.likelihood.only(self.active), self.where(self.active)
        turn: Floats = block_diag(np.ones((1, 1)), *(self.turns[each] for each in self.active))
        groups = _slices([1, *(self.turns[each].shape[1] for each in self.active)])
        weights = penalty * np.array([0.0, *(self.weights.get(each, 0.0) for each in self.active)])
        point = np.asarray(np.linalg.pinv(turn) @ self.point[some], dtype=np.float64)
        for _ in range(_MOST_STEPS):
            at = turn @ point
            loss, gradient, hessian = part.at(float(at[0]), at[1:])
            slope: Floats = turn.T @ gradient
            if (residual := group_residual(slope, point, groups, weights)) <= 0.5 * RESIDUAL:
                break
            aim = minimise_with_groups(definite(turn.T @ hessian @ turn), slope, point, groups, weights)
            point = _searched(part, turn, point, aim, loss, slope, groups, weights)
        else:
            raise InputError(
                f"no fit within {_MOST_STEPS} steps",
                where=f"group path at a penalty of {penalty:.4g}",
                got=f"a residual of {residual:.3g}",
                allowed=f"at most {RESIDUAL:g}",
                fix="raise the least penalty, or merge attributes of few rows",
            )
        self.point[some] = turn @ point
        return residual


def _refits(
    descent: _Descent, points: Sequence[PathPoint], criterion: PathCriterion, gamma: float
) -> tuple[Refit, ...]:
    """The sets on the path, fitted without a penalty."""
    likelihood, refits = descent.likelihood, []
    at = {name: position for position, name in enumerate(likelihood.names)}
    charge, candidates = math.log(likelihood.weight), len(descent.weights)
    for names in dict.fromkeys(point.names for point in points):
        members = [at[name] for name in names]
        loss = maximum(likelihood.only(members)).log_loss
        freedom = sum(descent.freedom[each] for each in members)
        value = 2.0 * loss + charge * freedom
        if criterion == "ebic":
            value += 2.0 * gamma * math.log(math.comb(candidates, len(members) - len(descent.must)))
        refits.append(Refit(names, -loss, freedom, value))
    return tuple(refits)


def _searched(
    part: Likelihood,
    turn: Floats,
    point: Floats,
    aim: Floats,
    loss: float,
    slope: Floats,
    groups: Sequence[slice],
    weights: Floats,
) -> Floats:
    """The aim, or a point on the way to it, where the penalised log-loss falls.

    The line search is that of Tseng and Yun, Math. Program. 117, 2009.
    """
    paid, promised = _paid(point, groups, weights), float(slope @ (aim - point))
    promised += _paid(aim, groups, weights) - paid
    share = 1.0
    for _ in range(_MOST_HALVINGS):
        trial = point + share * (aim - point)
        at = turn @ trial
        reached = part.gradient(float(at[0]), at[1:])[0] + _paid(trial, groups, weights)
        if reached <= loss + paid + 1e-4 * share * promised + 1e-13 * (loss + paid):
            break
        share *= 0.5
    return trial


def _paid(point: Floats, groups: Sequence[slice], weights: Floats) -> float:
    return float(weights @ [np.linalg.norm(point[group]) for group in groups])


def _standardised(hessian: Floats, columns: slice) -> Floats:
    """(columns, rank) by which a group's curvature beside the intercept becomes the identity."""
    cross = hessian[0, columns]
    values, vectors = np.linalg.eigh(hessian[columns, columns] - np.outer(cross, cross) / hessian[0, 0])
    seen = values > _SEEN * max(float(np.trace(hessian[columns, columns])), 1e-300)
    turn: Floats = vectors[:, seen] / np.sqrt(values[seen])
    return turn


def _slices(lengths: Sequence[int]) -> list[slice]:
    return [slice(start, stop) for start, stop in pairwise(np.cumsum([0, *lengths]).tolist())]
