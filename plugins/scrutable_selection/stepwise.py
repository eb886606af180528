"""Stepwise selection by likelihood ratios: forward, backward or both, each step on record."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.special import chdtrc
from threadpoolctl import threadpool_limits

from scrutable.errors.checks import check_choice, check_number, check_whole
from scrutable_selection.concordance import least_rise, most_fall, reach
from scrutable_selection.likelihood import Floats, Likelihood, check_freedom, positions
from scrutable_selection.maximum import Maximum, definite, maximum

Direction = Literal["forward", "backward", "both"]
Criterion = Literal["p", "aic", "bic"]

#: Bounds give way by this, for what rounding takes of them.
_WIDER = 1.001
#: Statistics that differ by less, as a part of them, are equal; then the earlier characteristic is taken.
_EQUAL = 1e-8


@dataclass(frozen=True)
class Step:
    """A characteristic that entered or left.

    Attributes
    ----------
    name : the characteristic.
    entered : whether it entered; else it left.
    statistic : likelihood ratio statistic, 2 (l₁ − l₀), of the fits with it and without it.
    freedom : degrees of freedom that it is charged with.
    p : the probability of such a statistic or a greater one by a chi-squared distribution with so many.
    log_likelihood : that of the fit after the step.
    forced : whether it had to leave, whatever its statistic, as more are there than allowed.
    """

    name: str
    entered: bool
    statistic: float
    freedom: int
    p: float
    log_likelihood: float
    forced: bool = False


@dataclass(frozen=True)
class Stepwise:
    """What stepwise selection ends with.

    Attributes
    ----------
    names, coefficients, intercept : the characteristics in the order of the data, and their fit; per characteristic, a
        tuple of the coefficients of its columns.
    log_likelihood : of that fit.
    steps : what entered and left, in order.
    """

    names: tuple[str, ...]
    coefficients: tuple[tuple[float, ...], ...]
    intercept: float
    log_likelihood: float
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Rule:
    """When a characteristic enters or leaves, by its statistic G and degrees of freedom d.

    By `p` it enters with the least p if that is `enter` or less, and leaves with the greatest if that is above `leave`.
    By an information criterion, −2 l + charge · (degrees of freedom), it does where the criterion falls most: the
    charge is 2 for AIC (Akaike, IEEE Trans. Autom. Control 19(6), 1974) and ln n for BIC (Schwarz, Ann. Statist. 6(2),
    1978).

    Examples
    --------
    >>> rule = Rule("p", enter=0.05, leave=0.1, charge=0.0)
    >>> rule.enters(3.9, 1), rule.enters(3.8, 1), rule.leaves(2.8, 1), rule.leaves(2.6, 1)
    (True, False, False, True)
    """

    criterion: Criterion
    enter: float
    leave: float
    charge: float

    def merit(self, statistic: float, freedom: int) -> tuple[float, float]:
        """What candidates are ordered by; the statistic decides where a p is too small for a double."""
        if self.criterion == "p":
            return -tail(statistic, freedom), statistic
        return statistic - self.charge * freedom, statistic

    def enters(self, statistic: float, freedom: int) -> bool:
        """Whether a candidate may enter."""
        if self.criterion == "p":
            return tail(statistic, freedom) <= self.enter
        return statistic - self.charge * freedom > _EQUAL

    def leaves(self, statistic: float, freedom: int) -> bool:
        """Whether a member may leave."""
        if self.criterion == "p":
            return tail(statistic, freedom) > self.leave
        return statistic - self.charge * freedom < -_EQUAL


def tail(statistic: float, freedom: int) -> float:
    """Probability of a greater value of a chi-squared variable.

    >>> round(tail(3.841458820694124, 1), 6)
    0.05
    """
    return float(chdtrc(freedom, statistic))


def stepwise(
    likelihood: Likelihood,
    *,
    direction: Direction = "both",
    criterion: Criterion = "p",
    enter: float = 0.05,
    leave: float = 0.1,
    freedom: Sequence[int] | None = None,
    nonnegative: bool = False,
    must: Sequence[str] = (),
    most: int | None = None,
) -> Stepwise:
    """Characteristics that enter and leave one at a time, by the likelihood ratio of the fits with and without them.

    Forward begins with what must be chosen; backward with all. Both begins as forward does, and after every entry lets
    leave who has become superfluous, one after another (Efroymson, 1960, in Ralston and Wilf, Mathematical Methods for
    Digital Computers). Every statistic is of fits at their maximum, none is an approximation; candidates are
    passed over only where bounds prove that they are not the next one (`concordance`).

    A p after a search is smaller than it would be for a characteristic named before the data were seen. The WoE column
    of a characteristic has been fitted to the outcome, too: charge it with its attributes less one by `freedom`, or
    characteristics of noise with many attributes enter too easily.

    Parameters
    ----------
    likelihood : of all characteristics.
    direction : "forward", "backward" or "both".
    criterion : "p", "aic" or "bic".
    enter, leave : largest p to enter, and largest p to stay; `leave` is not below `enter`, so that the steps end.
    freedom : (p,) degrees of freedom of each characteristic; the number of its columns if None.
    nonnegative : whether coefficients are kept at 0 or above. A p is then too large where one is held, not too small.
    must : characteristics that are chosen whatever they tell.
    most : how many characteristics may be chosen; any number if None.

    Raises
    ------
    InputError : options out of range, or a name in `must` that there is not, or more of them than `most`.

    Examples
    --------
    >>> from scrutable_selection.likelihood import CodedLikelihood
    >>> codes = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]])
    >>> good, bad = np.array([9.0, 9, 5, 6, 5, 5, 2, 1]), np.array([1.0, 1, 5, 4, 5, 5, 8, 9])
    >>> woe = [np.array([1.0, -1.0])] * 3
    >>> likelihood = CodedLikelihood.of_woe(["income", "age", "noise"], codes, woe, good, bad)
    >>> for step in stepwise(likelihood, criterion="bic").steps:
    ...     print(step.name, step.entered, round(step.statistic, 3), f"{step.p:.1e}", round(step.log_likelihood, 3))
    income True 13.203 2.8e-04 -48.75
    age True 12.286 4.6e-04 -42.607
    """
    check_choice(direction, get_args(Direction), "direction")
    check_choice(criterion, get_args(Criterion), "criterion")
    check_number(enter, "enter", "a number above 0, at most leave", low=5e-324, high=1.0)
    check_number(leave, "leave", f"a number from enter = {enter:g} to 1", low=enter, high=1.0)
    held = sorted({*positions(likelihood.names, must, "must")})
    charged = tuple(likelihood.widths if freedom is None else freedom)
    check_freedom(likelihood, charged)
    if most is not None:
        check_whole(most, "most", max(1, len(held)))
    charge = {"p": 0.0, "aic": 2.0, "bic": math.log(likelihood.weight)}[criterion]
    with threadpool_limits(limits=1, user_api="blas"):
        run = _Run(likelihood, Rule(criterion, enter, leave, charge), charged, held, nonnegative, most)
        run.begin(everyone=direction == "backward")
        if direction == "backward":
            run.drop()
        while direction != "backward" and run.add():
            if direction == "both":
                run.drop()
        return run.result()


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A characteristic that may enter or leave, with the fit after that."""

    member: int
    fit: Maximum
    statistic: float
    freedom: int


@dataclass(frozen=True, eq=False)
class _Prospect:
    """A characteristic before its fit: what its statistic is near, what it cannot pass, and where its fit is near."""

    member: int
    guess: float
    bound: float
    start: Floats


class _Run:
    """The members so far, their fit and the steps."""

    def __init__(
        self,
        likelihood: Likelihood,
        rule: Rule,
        freedom: tuple[int, ...],
        must: list[int],
        nonnegative: bool,
        most: int | None,
    ) -> None:
        self.likelihood, self.rule, self.freedom, self.must = likelihood, rule, freedom, must
        self.nonnegative, self.most = nonnegative, len(freedom) if most is None else most
        self.ends = np.cumsum([1, *likelihood.widths])
        self.steps: list[Step] = []

    def begin(self, *, everyone: bool) -> None:
        """Begin with what must be there, or with everyone."""
        self.members = list(range(len(self.freedom))) if everyone else self.must
        self.fit = self.fitted(self.members, None)

    def add(self) -> bool:
        """Let the best candidate enter, if the rule lets it."""
        open_ones = [each for each in range(len(self.freedom)) if each not in self.members]
        if not open_ones or len(self.members) >= self.most:
            return False
        best = self.best(self.prospects(open_ones), 1)
        if best is None or not self.rule.enters(best.statistic, best.freedom):
            return False
        self.take(best, forced=False)
        return True

    def drop(self) -> None:
        """Let those leave that have to, and then those that the rule lets leave, one after another."""
        while True:
            removable = [each for each in self.members if each not in self.must]
            if not removable:
                return
            forced = len(self.members) > self.most
            worst = self.best(self.burdens(removable, forced=forced), -1)
            if worst is None or not (forced or self.rule.leaves(worst.statistic, worst.freedom)):
                return
            self.take(worst, forced=forced)

    def candidate(self, member: int, start: Floats) -> _Candidate:
        """The fit with a characteristic that is no member, or without one that is."""
        fit = self.fitted(sorted({member} ^ set(self.members)), start)
        sign = -1.0 if member in self.members else 1.0
        statistic = max(0.0, 2.0 * sign * (self.fit.log_loss - fit.log_loss))
        return _Candidate(member, fit, statistic, self.freedom[member])

    def best(self, prospects: list[_Prospect], sign: int) -> _Candidate | None:
        """The candidate of most merit, or of least with a sign of −1; the earlier one of several alike.

        Fits are taken from the most promising one on, and not of those that their bounds put behind one that is fitted.
        """
        fitted: list[_Candidate] = []
        least: tuple[float, ...] = (-math.inf,)
        for prospect in sorted(prospects, key=lambda each: self.merit(each.member, each.guess, sign), reverse=True):
            if self.merit(prospect.member, prospect.bound, sign) >= least:
                fitted.append(self.candidate(prospect.member, prospect.start))
                least = max(least, self.merit(fitted[-1].member, fitted[-1].statistic, sign))
        if not fitted:
            return None
        first = max(fitted, key=lambda each: self.merit(each.member, each.statistic, sign))
        alike = [
            each
            for each in fitted
            if each.freedom == first.freedom
            and abs(each.statistic - first.statistic) <= _EQUAL * (1.0 + first.statistic)
        ]
        return min(alike, key=lambda each: each.member)

    def merit(self, member: int, statistic: float, sign: int) -> tuple[float, ...]:
        """What a characteristic is ordered by with such a statistic, turned round with a sign of −1."""
        return tuple(sign * part for part in self.rule.merit(statistic, self.freedom[member]))

    def take(self, candidate: _Candidate, *, forced: bool) -> None:
        """Make the step that a candidate stands for."""
        entered = candidate.member not in self.members
        self.members = sorted({candidate.member} ^ set(self.members))
        self.fit = candidate.fit
        self.steps.append(
            Step(
                name=self.likelihood.names[candidate.member],
                entered=entered,
                statistic=candidate.statistic,
                freedom=candidate.freedom,
                p=tail(candidate.statistic, candidate.freedom),
                log_likelihood=-candidate.fit.log_loss,
                forced=forced,
            )
        )

    def fitted(self, members: list[int], start: Floats | None) -> Maximum:
        """The fit of some characteristics."""
        return maximum(self.likelihood.only(members), nonnegative=self.nonnegative, start=start)

    def columns(self, members: list[int]) -> list[int]:
        """Positions of their columns behind the intercept, and of the intercept."""
        return [0, *(at for each in members for at in range(self.ends[each], self.ends[each + 1]))]

    def point(self) -> Floats:
        """The fit, at all columns."""
        point = np.zeros(self.ends[-1])
        point[self.columns(self.members)] = [self.fit.intercept, *self.fit.coefficients]
        return point

    def prospects(self, candidates: list[int]) -> list[_Prospect]:
        """Those of the candidates that may enter, with a Newton step from the fit without them to start from."""
        point = self.point()
        _, gradient, hessian = self.likelihood.at(float(point[0]), point[1:])
        prospects = []
        for each in candidates:
            some = self.columns(sorted([*self.members, each]))
            own = definite(hessian[np.ix_(some, some)])
            step = np.linalg.solve(own, gradient[some])
            score = float(gradient[some] @ step)
            fall = most_fall(math.sqrt(max(score, 0.0)), reach(own, self.ranges(some)))
            bound = _WIDER * 2.0 * fall + _EQUAL
            if self.rule.enters(bound, self.freedom[each]):
                prospects.append(_Prospect(each, score, bound, point[some] - step))
        return prospects

    def burdens(self, candidates: list[int], *, forced: bool) -> list[_Prospect]:
        """Those of the candidates that may leave, with the fit of the others by the quadratic model to start from."""
        some = self.columns(self.members)
        own = definite(self.fit.hessian)
        inverse, point = np.linalg.inv(own), self.point()[some]
        reached = reach(own, self.ranges(some))
        burdens = []
        for each in candidates:
            at = [some.index(column) for column in self.columns([each])[1:]]
            moved = np.linalg.solve(inverse[np.ix_(at, at)], point[at])
            distance = float(point[at] @ moved)  # Wald's statistic
            rise = least_rise(math.sqrt(max(distance, 0.0)), reached)
            bound = max(0.0, 2.0 * rise / _WIDER - _EQUAL)
            if forced or self.rule.leaves(bound, self.freedom[each]):
                start = np.delete(point - inverse[:, at] @ moved, at)
                burdens.append(_Prospect(each, distance, bound, start))
        return burdens

    def ranges(self, columns: list[int]) -> Floats:
        """Least and greatest values of columns, by position behind the intercept, which comes first."""
        return self.likelihood.ranges[np.array(columns[1:], dtype=np.intp) - 1]

    def result(self) -> Stepwise:
        """What the run ends with."""
        widths = [self.likelihood.widths[each] for each in self.members]
        parts = np.split(self.fit.coefficients, np.cumsum(widths)[:-1]) if widths else []
        return Stepwise(
            names=tuple(self.likelihood.names[each] for each in self.members),
            coefficients=tuple(tuple(part.tolist()) for part in parts),
            intercept=self.fit.intercept,
            log_likelihood=-self.fit.log_loss,
            steps=tuple(self.steps),
        )
