"""Counterfactuals of the rows that the target model gets right, by the solver that suits the model."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable.errors.checks import check_number, check_whole
from scrutable_fcca.counterfactuals.problem import Costs, Counterfactuals, Plausibility, Problem
from scrutable_fcca.target import Doubles, Flags, Indices, Linear
from scrutable_fcca.training import Trained

_Solve = Callable[[Any, Doubles, Flags, Problem, Flags | None], Counterfactuals]

#: Beyond the decision boundary by so much: epsilon of equation (6) in the paper's experiments, and equation (17).
_MARGIN = {"boosting": 1e-4, "forest": 1e-4, "linear": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """Of which rows counterfactuals are searched, and at what cost.

    Parameters
    ----------
    probability : p0 and p1 of equation (13): rows take part whose class is predicted with a probability in between.
    costs : of changes, equation (2).
    verbose : rows after which a line is printed again; 0 for none.

    Raises
    ------
    InputError : probabilities that are not 0.5 to 1, or fall.

    Examples
    --------
    >>> SearchOptions(probability=(0.5, 0.7)).costs.changed
    0.1
    """

    probability: tuple[float, float] = (0.5, 1.0)
    costs: Costs = field(default_factory=Costs)
    verbose: int = 0

    def __post_init__(self) -> None:
        allowed = "two numbers from 0.5 to 1, the second no less than the first"
        if not isinstance(self.probability, tuple | list) or len(self.probability) != 2:
            raise InputError("unusable range", where="probability", got=self.probability, allowed=allowed)
        low, high = self.probability
        check_number(low, "probability", allowed, low=0.5, high=1.0)
        check_number(high, "probability", allowed, low=low, high=1.0)
        check_whole(self.verbose, "verbose", 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Searched:
    """Counterfactuals of the rows that took part.

    Parameters
    ----------
    rows : (k,) positions of the rows.
    counterfactuals : one of each row, in the same order.
    """

    rows: Indices
    counterfactuals: Counterfactuals


def search(
    trained: Trained,
    points: Doubles,
    label: Flags,
    plausible: Plausibility,
    fixed: Flags | None = None,
    options: SearchOptions | None = None,
) -> Searched:
    """Search the counterfactuals of equations (2) to (7), or (16) to (18), for the rows of equation (13).

    Parameters
    ----------
    trained : the target model.
    points : (n, m) rows as the model reads them.
    label : (n,) rows of class 1.
    plausible : what may change of any row.
    fixed : (n, m) what cannot change of single rows; nothing where None.

    Raises
    ------
    InputError : no row takes part.

    Examples
    --------
    >>> from scrutable_fcca.training import TargetOptions, train_target
    >>> points = np.linspace(0, 1, 20)[:, None]
    >>> label = points[:, 0] > 0.5
    >>> trained = train_target(points, label, np.ones(20), TargetOptions())
    >>> searched = search(trained, points, label, Plausibility.free(1))
    >>> len(searched.rows), np.unique(searched.counterfactuals.crossed).round(6).tolist()
    (20, [0.5])
    """
    options = options or SearchOptions()
    rows = _taking_part(trained, points, label, options.probability)
    problem = Problem(plausible=plausible, costs=options.costs, margin=_MARGIN[trained.kind])
    solve = solver_of(trained)
    parts = []
    started, done = time.monotonic(), 0
    at_once = options.verbose or len(rows)
    for part in (rows[at : at + at_once] for at in range(0, len(rows), at_once)):
        held = None if fixed is None else fixed[part]
        parts.append(solve(trained.target, points[part], ~label[part], problem, held))
        done += len(part)
        if options.verbose:
            print(f"counterfactuals: {done} of {len(rows)} rows, {time.monotonic() - started:.1f} s", file=sys.stderr)
    values, crossed, cost, bound = (
        np.concatenate([getattr(solved, name) for solved in parts]) for name in ("values", "crossed", "cost", "bound")
    )
    if isinstance(trained.target, Linear):  # equation (10): the threshold lies between, next to the value reached
        crossed = np.where(values > points[rows], np.nextafter(crossed, -np.inf), crossed)
    else:  # a category that an applicant gives up for another need not be one that the target asks about
        crossed[:, [not len(cuts) for cuts in trained.target.thresholds()]] = np.nan
    return Searched(rows=rows, counterfactuals=Counterfactuals(values=values, crossed=crossed, cost=cost, bound=bound))


def solver_of(trained: Trained) -> _Solve:
    """The fastest exact solver for a target model; only its own module is loaded."""
    if isinstance(trained.target, Linear):
        from scrutable_fcca.counterfactuals.linear import solve_linear

        return solve_linear
    if trained.target.depth <= 1:
        from scrutable_fcca.counterfactuals.stumps import solve_stumps

        return solve_stumps
    from scrutable_fcca.counterfactuals.boxes import solve_boxes

    return solve_boxes


def _taking_part(trained: Trained, points: Doubles, label: Flags, within: tuple[float, float]) -> Indices:
    """Rows of equation (13): classified correctly, with a probability of their class between p0 and p1."""
    correct = (trained.target.score(points) > 0) == label
    chance = trained.probability(points)
    chance = np.where(label, chance, 1 - chance)
    rows = np.flatnonzero(correct & (chance >= within[0]) & (chance <= within[1]))
    if not len(rows):
        right = chance[correct]
        seen = f"; those of rows it gets right are {right.min():.3f} to {right.max():.3f}" if len(right) else ""
        raise InputError(
            f"the target model classifies no row correctly with such a probability{seen}",
            where="probability",
            got=within,
            fix="widen the range, or choose a target model that fits better",
        )
    return rows
