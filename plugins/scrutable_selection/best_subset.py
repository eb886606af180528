"""Best subset: at most k characteristics, proven best for the quadratic model of the log-loss at the full fit."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from threadpoolctl import threadpool_limits

from scrutable.errors import InputError
from scrutable.errors.checks import check_whole
from scrutable_selection.bounds import Bounded, Node, Relaxation
from scrutable_selection.concordance import least_rise, reach
from scrutable_selection.likelihood import Ints, Likelihood, positions
from scrutable_selection.maximum import SEPARATED, Maximum, definite, maximum
from scrutable_selection.quadratic import Quadratic

#: Sets whose values differ by less, as a part of what all characteristics gain, count as equally good.
EQUAL = 1e-9
#: What rounding leaves of values, as a part of them.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Subset:
    """The best characteristics of at most some number, refitted.

    Attributes
    ----------
    most : how many were allowed.
    names, coefficients, intercept : the characteristics, and the maximum of the likelihood with them alone.
    log_loss : minus the log-likelihood of that fit.
    log_loss_bound : no allowed set has a lower log-loss. It follows from `quadratic_bound` and from how fast the
        curvature can change (`concordance.least_rise`), holds for every set, and is mostly far from reached: `log_loss`
        less this bound is no estimate of what a better set would gain.
    full_log_loss : the log-loss of the full fit, which the bound is never below.
    quadratic : what the quadratic model at the full fit gives for this set's log-loss, in place of `log_loss`.
    quadratic_bound : no allowed set lies below it on the quadratic model. It is `quadratic` where the set is proven.
    nodes : sets of sets that were bounded.
    """

    most: int
    names: tuple[str, ...]
    coefficients: tuple[float, ...]
    intercept: float
    log_loss: float
    log_loss_bound: float
    full_log_loss: float
    quadratic: float
    quadratic_bound: float
    nodes: int

    @property
    def proven(self) -> bool:
        """Whether no allowed set is better on the quadratic model."""
        return self.quadratic_bound >= self.quadratic

    @property
    def quadratic_gap(self) -> float:
        """By how much a better set could lie below this one on the quadratic model, at most; 0 if it is proven."""
        return self.quadratic - self.quadratic_bound

    @property
    def likelihood_gap(self) -> float:
        """By how much the log-loss of any allowed set could lie below that of this one, at most."""
        return self.log_loss - self.log_loss_bound


def best_subsets(
    likelihood: Likelihood,
    sizes: Sequence[int],
    *,
    nonnegative: bool = False,
    must: Sequence[str] = (),
    node_limit: int = 2000,
) -> list[Subset]:
    """The best sets of at most so many characteristics, one a size.

    The log-loss is expanded to second order at the maximum of the full fit (`Quadratic`): all sets are compared on that
    model, which needs no more than one Hessian, and a branch and bound over sets proves the best one. Its bounds
    (`bounds`) are at least those of leaps and bounds (Furnival and Wilson, Technometrics 16(4), 1974), and with signs
    those of nonnegative least squares. The set is then refitted on the likelihood itself. What the quadratic model says
    of small sets, far from the full fit, is a guide; the result tells both figures.

    Parameters
    ----------
    likelihood : of all characteristics, each written as one column, such as its WoE.
    sizes : the most characteristics allowed, such as range(1, 11) for the whole path to ten.
    nonnegative : whether coefficients are kept at 0 or above, so that points keep the order of the WoE. Characteristics
        that are left with 0 go, but for those that must stay.
    must : characteristics that are in every set.
    node_limit : how many sets of sets are bounded a size before the best one known is taken, with its gap.

    Raises
    ------
    InputError : characteristics of several columns; characteristics that separate the outcomes; a name in `must` that
        there is not, or more of them than allowed; sizes or limits out of range.

    Examples
    --------
    >>> from scrutable_selection.likelihood import CodedLikelihood
    >>> codes = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]])
    >>> good, bad = np.array([9.0, 9, 5, 6, 5, 5, 2, 1]), np.array([1.0, 1, 5, 4, 5, 5, 8, 9])
    >>> woe = [np.array([1.0, -1.0])] * 3
    >>> likelihood = CodedLikelihood.of_woe(["income", "age", "noise"], codes, woe, good, bad)
    >>> [(best.names, best.proven) for best in best_subsets(likelihood, [1, 2])]
    [(('income',), True), (('income', 'age'), True)]
    """
    for size in sizes:
        check_whole(size, "sizes", 1)
    check_whole(node_limit, "node_limit", 1)
    held = sorted({*positions(likelihood.names, must, "must")})
    if (least := len(held)) > min(sizes, default=least):
        raise InputError(
            "more characteristics must be chosen than may be",
            where="sizes",
            got=min(sizes),
            allowed=f"{least} or more, as so many are on the list must",
            fix="raise the size, or take some off must",
        )
    with threadpool_limits(limits=1, user_api="blas"):
        full = _full(likelihood, nonnegative)
        search = Search(Quadratic.of(full, nonnegative=nonnegative), held, node_limit)
        chosen = {size: search.best(size) for size in sorted(set(sizes))}
        reached = reach(definite(full.hessian), likelihood.ranges)
        refitted = {
            size: _refitted(likelihood, size, chosen[size], held, full, reached, nonnegative) for size in chosen
        }
        return [refitted[size] for size in sizes]


@dataclass(frozen=True, eq=False)
class _Chosen:
    """A set, its value, and what none lies below."""

    members: Ints
    value: float
    bound: float
    nodes: int


class Search:
    """Best first search over sets of sets, from small sizes to large ones."""

    def __init__(self, quadratic: Quadratic, must: Sequence[int], node_limit: int) -> None:
        self.quadratic, self.node_limit = quadratic, node_limit
        others = [each for each in range(len(quadratic.pull)) if each not in must]
        self.root = Node(np.array(must, dtype=np.intp), np.array(others, dtype=np.intp))
        self.relaxation = Relaxation(quadratic)
        whole, _ = quadratic.least(np.concatenate([self.root.inside, self.root.open]))
        self.equal = EQUAL * (quadratic.level - whole) + _ROUNDING * (1.0 + abs(quadratic.level))
        self.known = self.root.inside

    def best(self, most: int) -> _Chosen:
        """The best set of at most so many."""
        self.known = self.exchanged(self.grown(self.known, most))
        value = self.quadratic.least(self.known)[0]
        ticket = itertools.count()
        waiting = [(-np.inf, next(ticket), self.root)]
        nodes = 0
        while waiting and waiting[0][0] < value - self.equal and nodes < self.node_limit:
            nodes += 1
            bounded = self.relaxation.bound(heapq.heappop(waiting)[2], most, value - self.equal)
            children = list(self.children(bounded, most))
            for tried in [bounded.top] if children else [bounded.top, bounded.node.inside]:
                if (reached := self.quadratic.least(tried)[0]) < value:
                    self.known, value = tried, reached
            if bounded.value < value - self.equal:
                for child in children:
                    heapq.heappush(waiting, (bounded.value, next(ticket), child))
        open_bound = waiting[0][0] if waiting else value
        return _Chosen(np.sort(self.known), value, open_bound if open_bound < value - self.equal else value, nodes)

    def children(self, bounded: Bounded, most: int) -> Iterator[Node]:
        """The node's sets with the characteristic that the relaxation is least sure of, and those without it."""
        node, shares = bounded.node, bounded.shares
        if node.open.size and len(node.inside) < most:
            at = int(np.argmax(np.minimum(shares, 1.0 - shares)))
            others = np.delete(node.open, at)
            yield Node(np.append(node.inside, node.open[at]), others)
            yield Node(node.inside, others)

    def grown(self, members: Ints, most: int) -> Ints:
        """The members and, one after another, those that gain most."""
        while len(members) < most:
            free = self.root.open[~np.isin(self.root.open, members)]
            gains = self.quadratic.gains(members)[free]
            if gains.max(initial=0.0) <= 0:
                break
            members = np.append(members, free[np.argmax(gains)])
        return members

    def exchanged(self, members: Ints) -> Ints:
        """The members, one after another exchanged for the one that gains most in its place, until none gains."""
        value, improves = self.quadratic.least(members)[0], True
        while improves:
            improves = False
            for each in members[~np.isin(members, self.root.inside)]:
                tried = self.grown(members[members != each], len(members))
                if (reached := self.quadratic.least(tried)[0]) < value - self.equal:
                    members, value, improves = tried, reached, True
                    break
        return members


def _full(likelihood: Likelihood, nonnegative: bool) -> Maximum:
    """The fit of all characteristics."""
    if set(likelihood.widths) - {1}:
        widest = int(np.argmax(likelihood.widths))
        raise InputError(
            "a characteristic is written as several columns",
            where=likelihood.names[widest],
            got=likelihood.widths[widest],
            allowed="one column each for the best subset",
            fix="write it as its weight of evidence, or choose stepwise or the group path",
        )
    full = maximum(likelihood, nonnegative=nonnegative)
    if full.log_loss <= SEPARATED * likelihood.weight:
        raise InputError(
            "the characteristics together separate the outcomes",
            where="full fit",
            got=f"a log-loss of {full.log_loss:.3g}",
            allowed="outcomes that overlap, as the best subset starts from the fit of all characteristics",
            fix="put on the list never what is known only after the outcome, or choose forward",
        )
    _, gradient, hessian = likelihood.at(full.intercept, full.coefficients)  # at the maximum itself
    return replace(full, gradient=gradient, hessian=hessian)


def _refitted(
    likelihood: Likelihood,
    most: int,
    chosen: _Chosen,
    must: Sequence[int],
    full: Maximum,
    reached: float,
    nonnegative: bool,
) -> Subset:
    """The set with its fit on the likelihood."""
    fit = maximum(likelihood.only(chosen.members.tolist()), nonnegative=nonnegative)
    kept = [
        (likelihood.names[member], float(coefficient))
        for member, coefficient in zip(chosen.members.tolist(), fit.coefficients, strict=True)
        if coefficient > 0 or not nonnegative or member in must
    ]
    distance = math.sqrt(2.0 * max(chosen.bound - full.log_loss, 0.0))
    return Subset(
        most=most,
        names=tuple(name for name, _ in kept),
        coefficients=tuple(coefficient for _, coefficient in kept),
        intercept=fit.intercept,
        log_loss=fit.log_loss,
        log_loss_bound=full.log_loss + least_rise(distance, reached),
        full_log_loss=full.log_loss,
        quadratic=chosen.value,
        quadratic_bound=chosen.bound,
        nodes=chosen.nodes,
    )
