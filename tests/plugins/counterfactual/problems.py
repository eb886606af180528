"""Problems and terms drawn at random, and what is best by going through all proposals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from scrutable.data.outcome import Calibration
from scrutable.data.values import UNIT
from scrutable_counterfactual.arrays import Floats, Positions
from scrutable_counterfactual.joint import Diversity, Joint
from scrutable_counterfactual.problem import Distance, Problem, Term

Asked = Literal["class", "probability", "points", "soft points", "soft probability"]
Limit = tuple[Term, float]
Flags = NDArray[np.bool_]

#: A sum of costs may be over its limit by this share of it (of 1, where that is more), which is for rounding.
ROUNDING = 1e-9


def plain_problem(points: Floats, **changes: Any) -> Problem:
    """Every feature may change from the first of its cells; no rules, and no closeness, unless said otherwise."""
    n, cells = points.shape
    usual: dict[str, Any] = {
        "base": 0.0,
        "current": np.zeros(n, dtype=np.intp),
        "allowed": np.tile(np.arange(cells) > 0, (n, 1)),
        "max_changes": n,
        "whitening": np.zeros((n, n)),
        "centre": np.zeros(n),
        "forbidden": np.zeros((0, n, cells), dtype=bool),
    }
    return Problem(points=points, **usual | changes)


def random_problem(
    rng: np.random.Generator,
    *,
    features: tuple[int, int] = (1, 6),
    cells: tuple[int, int] = (2, 6),
    asked: Asked | None = None,
    rules: int = 3,
    most: int = 20_000,
) -> Problem:
    """A problem of some outcome, with at most so many rules and proposals; it may have no answer.

    Its points are whole numbers, tenths, multiples of 2^-30, or a few values again and again. Its bounds are scores
    that can be reached, scores that are off them by 2^-30 or less, scores between them, and scores beyond them.
    """
    counts = _counts(rng, features, cells, most)
    held = np.arange(counts.max()) < counts[:, None]
    points = np.where(held, _points(rng, held.shape), 0.0)
    current = rng.integers(counts)
    open_to_change = (rng.random(held.shape) < rng.choice([0.5, 0.9, 1.0])) & (rng.random((len(counts), 1)) < 0.9)
    problem = Problem(
        base=float(rng.integers(-50, 600)),
        points=points,
        current=current,
        allowed=held & open_to_change & (np.arange(counts.max()) != current[:, None]),
        max_changes=int(rng.integers(1, len(counts) + 1)),
        whitening=_whitening(rng, points, counts),
        centre=points[np.arange(len(counts)), rng.integers(counts)] + rng.normal(size=len(counts)),
        forbidden=_rules(rng, held.shape, int(rng.integers(rules + 1))),
    )
    return _ask(rng, problem, asked or rng.choice(get_args(Asked)))


def random_term(rng: np.random.Generator, problem: Problem) -> Term:
    """Distances between values, plain, squared or Huber's, a cost of every change, closeness, or some of them."""
    shape = problem.points.shape
    values = np.sort(rng.normal(size=shape) if rng.random() < 0.5 else rng.integers(0, 9, shape), axis=1)
    far = np.abs(values - values[problem.features, problem.current][:, None])
    costs = {"L1": far, "L2": far**2, "Huber": np.where(far <= 1.0, far**2 / 2.0, far - 0.5)}
    changes = np.arange(shape[1]) != problem.current[:, None]
    weights = rng.choice([0.0, 0.5, 1.0, 3.0], (shape[0], 1)) * rng.choice([0.0, 1.0, 1.0])
    scale = {"none": 0.0, "points": 0.1, "probability": 5.0}[problem.distance.kind]
    return Term(
        separable=costs[str(rng.choice([*costs]))] * weights + rng.choice([0.0, 0.0, 0.7]) * changes,
        closeness=float(rng.choice([0.0, 0.3, 2.0])),
        outcome=scale * float(rng.choice([0.0, 1.0, 4.0])),
    )


def random_limits(rng: np.random.Generator, problem: Problem, number: int = 1) -> list[Limit]:
    """None or one or two terms, held to what a few proposals cost, to a little more, or to less than all cost."""
    limits = []
    for _ in range(rng.choice([0, 1, 1, 2])):
        term = random_term(rng, problem)
        costs = every_proposal(problem).costs(term)
        if len(costs):
            limits.append((term, number * float(rng.choice(np.sort(costs)[:8]) * rng.choice([0.9, 1.0, 1.1]))))
    return limits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proposals:
    """(n, features) cells of all proposals that hold."""

    problem: Problem
    cells: NDArray[np.intp]

    @property
    def scores(self) -> Floats:
        """(n,) scores."""
        points: Floats = self.problem.points[self.problem.features, self.cells]
        return self.problem.base + points.sum(axis=1)

    def costs(self, term: Term) -> Floats:
        """(n,) what a term makes of each."""
        problem = self.problem
        points = problem.points[problem.features, self.cells]
        far = np.abs((points - problem.centre) @ problem.whitening.T).sum(axis=1)
        costs: Floats = term.separable[problem.features, self.cells].sum(axis=1) + term.closeness * far
        return costs + term.outcome * problem.distance.of(self.scores)

    def where(self, kept: Flags) -> Self:
        """Some of them."""
        return replace(self, cells=self.cells[kept])


def every_proposal(problem: Problem) -> Proposals:
    """All proposals that keep to the cells allowed, the number of changes, the score and the rules."""
    choices = [[own, *np.flatnonzero(allowed)] for own, allowed in zip(problem.current, problem.allowed, strict=True)]
    found = Proposals(problem=problem, cells=np.array(list(product(*choices)), dtype=np.intp))
    found = found.where((found.cells != problem.current).sum(axis=1) <= problem.max_changes)
    found = found.where((found.scores >= problem.low) & (found.scores <= problem.high))
    for rule in problem.forbidden:
        found = found.where(~rule[problem.features, found.cells].all(axis=1))
    return found


def brute_force(problem: Problem, objective: Term, limits: Sequence[Limit] = ()) -> list[tuple[float, Positions]]:
    """Cost and cells of all proposals that hold and keep to the limits, the cheapest first."""
    found = every_proposal(problem)
    for term, most in limits:
        found = found.where(_within(found.costs(term), most))
    return _ranked(found.costs(objective), found.cells)


def of_sets(limits: Sequence[Limit]) -> list[tuple[Joint, float]]:
    """Limits of terms as limits of sets."""
    return [(Joint(term=term), most) for term, most in limits]


def brute_force_several(
    problem: Problem, joint: Joint, number: int, diversity: Diversity, limits: Sequence[Limit] = ()
) -> list[tuple[float, NDArray[np.intp]]]:
    """Objective and (number, features) cells of everything that can be proposed at once, the best first.

    Limits are on sums over the proposals; the order of proposals does not count.
    """
    found = every_proposal(problem)
    apart, both, cells_apart = _pairs(found)
    allowed = ((apart > 0) | (not diversity.features)) & (~both | (not diversity.values))
    gain = joint.feature_diversity * apart + joint.value_diversity * cells_apart
    chosen = np.array(list(combinations_with_replacement(range(len(found.cells)), number)), dtype=np.intp)
    chosen = chosen.reshape(-1, number)
    for term, most in limits:
        chosen = chosen[_within(found.costs(term)[chosen].sum(axis=1), most)]
    for one, other in combinations(range(number), 2):
        chosen = chosen[allowed[chosen[:, one], chosen[:, other]]]
    costs = found.costs(joint.term)[chosen].sum(axis=1)
    for one, other in combinations(range(number), 2):
        costs -= gain[chosen[:, one], chosen[:, other]]
    return _ranked(costs, found.cells[chosen])


def _pairs(found: Proposals) -> tuple[NDArray[np.intp], Flags, NDArray[np.intp]]:
    """(n, n) features that one of two changes, whether both change one to the same cell, and cells that one takes."""
    changed = found.cells != found.problem.current
    one, other = changed[:, None], changed[None]
    same = found.cells[:, None] == found.cells[None]
    apart = (one != other).sum(axis=2)
    return apart, (one & other & same).any(axis=2), apart + 2 * (one & other & ~same).sum(axis=2)


def _within(costs: Floats, most: float) -> Flags:
    within: Flags = costs <= most + ROUNDING * max(1.0, abs(most))
    return within


def _ranked(costs: Floats, cells: NDArray[np.intp]) -> list[tuple[float, NDArray[np.intp]]]:
    rank = np.argsort(costs, kind="stable")
    return list(zip(costs[rank].tolist(), cells[rank], strict=True))


def _counts(rng: np.random.Generator, features: tuple[int, int], cells: tuple[int, int], most: int) -> NDArray[np.intp]:
    """Positions a feature."""
    counts = rng.integers(cells[0], cells[1] + 1, rng.integers(features[0], features[1] + 1))
    while math.prod(counts.tolist()) > most:
        counts[counts.argmax()] -= 1
    return counts


def _points(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    kind = rng.choice(["whole", "tenths", "fractions", "ties", "large"])
    if kind == "whole":
        return rng.integers(-20, 60, shape).astype(np.float64)
    if kind == "ties":
        return rng.choice([0.0, 5.0, 5.0 + UNIT, 10.0], shape)
    points = rng.normal(size=shape) * (1e5 if kind == "large" else 20.0)
    return np.round(np.round(points, 1) / UNIT) * UNIT if kind == "tenths" else np.round(points / UNIT) * UNIT


def _whitening(rng: np.random.Generator, points: Floats, counts: NDArray[np.intp]) -> Floats:
    """The transpose of L with L L^T = S^-1, where S is the covariance of points drawn at random."""
    common = rng.normal(size=(200, 1)) * rng.uniform(0.0, 2.0)
    drawn = np.argsort(np.argsort(rng.normal(size=(200, len(counts))) + common, axis=0), axis=0) * counts // 200
    covariance = np.atleast_2d(np.cov(points[np.arange(len(counts)), drawn], rowvar=False))
    ridge = 1e-3 * max(1.0, float(np.diag(covariance).max()))
    whitening: Floats = np.linalg.cholesky(np.linalg.inv(covariance + ridge * np.eye(len(counts)))).T
    return whitening


def _rules(rng: np.random.Generator, shape: tuple[int, int], number: int) -> Flags:
    """Rules, each about one or two features."""
    rules = np.ones((number, *shape), dtype=bool)
    for rule in rules:
        about = rng.permutation(shape[0])[:2]
        rule[about] = rng.random((len(about), shape[1])) < 0.4
    return rules


def _ask(rng: np.random.Generator, problem: Problem, asked: Asked) -> Problem:
    scores = np.sort(every_proposal(problem).scores)
    if not len(scores):
        scores = np.array([problem.score(problem.current)])
    one, other = sorted(_bound(rng, scores) for _ in range(2))
    if asked == "class":
        return replace(problem, low=other)
    if asked == "points":
        return replace(problem, low=one, high=other)
    if asked == "soft points":
        distance = Distance(kind="points", target=_bound(rng, scores))
        return replace(problem, distance=distance, low=float(rng.choice([-np.inf, one])))
    calibration = _calibration(rng, scores)
    if asked == "soft probability":
        target = float(rng.choice([rng.random(), 0.5, 0.0, 1.0]))
        distance = Distance(kind="probability", target=target, calibration=calibration)
        return replace(problem, distance=distance, high=float(rng.choice([np.inf, other])))
    bound = float((logit(rng.uniform(0.02, 0.98)) - calibration.intercept) / max(calibration.slope, 1e-3))
    return replace(problem, low=bound) if rng.random() < 0.5 else replace(problem, high=bound)


def _bound(rng: np.random.Generator, scores: Floats) -> float:
    """A score that can be reached, or one a little or far beside it."""
    beside = [0.0, UNIT, -UNIT, 0.3 * UNIT, -0.3 * UNIT, float(rng.normal()), float(scores[-1] - scores[0]) / 2.0]
    return float(rng.choice(scores) + rng.choice(beside, p=[0.3, 0.1, 0.1, 0.1, 0.1, 0.2, 0.1]))


def _calibration(rng: np.random.Generator, scores: Floats) -> Calibration:
    """Over a part of the linear predictors that matter, all of them, or more; sometimes flat."""
    reach = max(float(scores[-1] - scores[0]), 1.0)
    if rng.random() < 0.3:
        slope = float(rng.choice([0.5, 2.0])) / reach
        return Calibration(slope=slope, intercept=0.5 - slope * float(rng.choice(scores)), link="identity")
    slope = float(rng.choice([0.0, 2.0, 10.0, 10.0, 200.0])) / reach
    return Calibration(slope=slope, intercept=float(rng.normal()) - slope * float(rng.choice(scores)))
