"""Exact counterfactuals of linear classifiers, equations (16) to (18)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_fcca.counterfactuals.linear_kernels import Options, choose
from scrutable_fcca.counterfactuals.problem import Counterfactuals, Plausibility, Problem
from scrutable_fcca.target import Doubles, Flags, Indices, Linear

#: A score reaches the margin where it does so up to this, in units of the largest score there can be.
_ROUNDING = 1e-14
_NOTHING = 1e-150  # a weight whose square is hardly a number any more


def solve_linear(
    target: Linear, points: Doubles, wanted: Flags, problem: Problem, held: Flags | None = None
) -> Counterfactuals:
    """Optimal counterfactuals of a linear classifier; there `crossed` is simply the value that a column changed to.

    Without a cost of each change, all columns change to the same price, the cost of a little more score, as far as
    their ranges allow: a closed form, but for sorting. A cost of each change, or binary columns, make it a knapsack:
    branch and bound divides one column at a time between no change and a change, until the closed form of the rest is
    the optimum (`linear_kernels`).

    Parameters
    ----------
    target : a linear classifier.
    points : (n, m) points; their binary columns are 0 or 1.
    wanted : (n,) True where class 1 is wanted.
    problem : what may change, what changes cost, and the margin to be reached; 1 in equation (17).
    held : (n, m) what else cannot change of single points; nothing where None.

    Examples
    --------
    >>> from scrutable_fcca.counterfactuals.problem import Costs
    >>> problem = Problem(plausible=Plausibility.free(3), costs=Costs(), margin=1.0)
    >>> target = Linear(weights=np.array([4.0, -2.0, 1.0]), intercept=-1.0)
    >>> nearest = solve_linear(target, np.array([[0.4, 0.5, 0.5]]), np.array([True]), problem)
    >>> nearest.values.round(4), nearest.crossed.round(4), nearest.cost.round(4)
    (array([[0.625, 0.5  , 0.5  ]]), array([[0.625,   nan,   nan]]), array([0.325]))
    """
    values, crossed = points.copy(), np.full(points.shape, np.nan)
    cost = np.zeros(len(points))
    largest = float(np.abs(target.weights).sum()) + abs(target.intercept)
    for i in range(len(points)):
        sign = 1.0 if wanted[i] else -1.0
        lacking = problem.margin - _ROUNDING * largest - sign * float(target.score(points[i : i + 1])[0])
        if lacking > 0:
            own = problem if held is None else problem.holding(held[i])
            reached = _reached(points[i], sign * target.weights, lacking, own)
            cost[i] = np.inf if reached is None else problem.costs.of(np.abs(reached - points[i])).sum()
            values[i] = points[i] if reached is None else reached
    changed = values != points
    crossed[changed] = values[changed]
    return Counterfactuals(values=values, crossed=crossed, cost=cost, bound=cost.copy())


def _reached(point: Doubles, weights: Doubles, lacking: float, problem: Problem) -> Doubles | None:
    """The cheapest values that raise a score with these weights by what is lacking; None where none do."""
    movable, nearest, farthest = _ranges(point, weights, problem.plausible)
    states = [_states(group, point, weights, problem) for group in problem.plausible.one_of]
    chosen, gain, cost = choose(
        _options(np.abs(weights[movable]), nearest, farthest, states, lacking, problem), lacking
    )
    if np.isinf(cost):
        return None
    values = point.copy()
    moved = np.flatnonzero(chosen[: len(movable)] % 2)
    j = movable[moved]
    distance = np.clip(gain[moved] / np.abs(weights[j]), nearest[moved], farthest[moved])
    changed = values[j] + np.sign(weights[j]) * distance
    values[j] = np.clip(changed, problem.plausible.lower[j], problem.plausible.upper[j])
    options = [state for group in states for state in group]
    for option in chosen[len(movable) :] - 2 * len(movable):
        for member, value in options[option].values.items():
            values[member] = value
    return values


def _ranges(point: Doubles, weights: Doubles, plausible: Plausibility) -> tuple[Indices, Doubles, Doubles]:
    """The columns outside groups that can raise the score, and how little and how far each may move for it."""
    rises = weights > 0
    lower, upper = np.where(plausible.binary, 1.0 * rises, [plausible.lower, plausible.upper])
    plausible_ends = (plausible.lower <= lower) & (upper <= plausible.upper)
    nearest = np.maximum(np.where(rises, lower - point, point - upper), 0.0)
    farthest = np.where(rises, upper - point, point - lower)
    movable = (
        (np.abs(weights) > _NOTHING)
        & np.where(rises, plausible.rises, plausible.falls)
        & plausible_ends
        & (farthest > 0)
    )
    movable[[j for group in plausible.one_of for j in group]] = False
    columns = np.flatnonzero(movable)
    return columns, nearest[columns], farthest[columns]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _State:
    """What the columns of a group that change may change to, what this gains, and what it costs."""

    values: dict[int, float]
    gain: float
    cost: float


def _states(group: tuple[int, ...], point: Doubles, weights: Doubles, problem: Problem) -> list[_State]:
    """The group as it is, and what gains more for more: all of its columns 0, or one of them 1."""
    changed = []
    for one in (None, *group):
        values = {j: float(j == one) for j in group if point[j] != (j == one)}
        if all(_may_become(problem.plausible, j, point[j], value) for j, value in values.items()):
            gain = sum(weights[j] * (value - point[j]) for j, value in values.items())
            distances = np.array([abs(value - point[j]) for j, value in values.items()])
            changed.append(_State(values=values, gain=gain, cost=float(problem.costs.of(distances).sum())))
    states = [_State(values={}, gain=0.0, cost=0.0)]
    for state in sorted(changed, key=lambda each: (each.cost, -each.gain)):
        if state.gain > states[-1].gain:
            states.append(state)
    return states


def _may_become(plausible: Plausibility, j: int, before: float, after: float) -> bool:
    """Whether a column may change to a value."""
    allowed = plausible.rises[j] if after > before else plausible.falls[j]
    return bool(allowed and plausible.lower[j] <= after <= plausible.upper[j])


def _options(
    slope: Doubles, nearest: Doubles, farthest: Doubles, states: list[list[_State]], lacking: float, problem: Problem
) -> Options:
    """Two options of each column, no change and a move; then those of each group."""
    costs = problem.costs
    least = slope * nearest
    most = np.maximum(least, np.minimum(slope * farthest, lacking))
    bend = costs.squared / slope**2
    with np.errstate(divide="ignore"):
        touch = np.sqrt(costs.changed / bend) if costs.squared else np.full(len(slope), np.inf)
    sizes = [*(2 for _ in slope), *map(len, states)]
    gain = np.array([state.gain for group in states for state in group])
    cost = np.array([state.cost for group in states for state in group])

    def all_of(column: Doubles | float, group: Doubles | float) -> Doubles:
        return np.append(np.outer(column * np.ones(len(slope)), [0.0, 1.0]), group * np.ones(len(gain)))

    return Options(
        start=np.cumsum([0, *sizes], dtype=np.int64),
        least=all_of(least, gain),
        most=all_of(most, gain),
        fixed=all_of(costs.changed, cost),
        rate=all_of(costs.distance / slope, 0.0),
        bend=all_of(bend, 0.0),
        touch=all_of(np.clip(touch, least, most), gain),
    )
