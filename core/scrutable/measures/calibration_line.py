"""The line of log-odds on one number that is the most likely: logistic regression with an intercept and a slope."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from scrutable.data.array_checks import Bools, Floats
from scrutable.data.exact import exact_bincount
from scrutable.errors import InputError

_ITERATIONS = 200
_POLISH = 2
#: A step that promises less than this share of the likelihood cannot be seen to climb: rounding hides it.
_HIDDEN = 1e-14


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Levels:
    """Rows with equal x gathered, so that neither the order of rows nor how a weight is divided among them matters.

    Parameters
    ----------
    x : (k,) rising, each with some weight.
    events, total : (k,) weight of the rows with the event, and of all.
    """

    x: Floats
    events: Floats
    total: Floats

    @classmethod
    def of(cls, x: Floats, event: Bools, weight: Floats) -> Levels:
        """Gather n rows; those without weight are left out.

        Raises
        ------
        InputError : the event happens to every row or to none.
        """
        inside = weight > 0
        levels, position = np.unique(x[inside], return_inverse=True)
        total = exact_bincount(position, weight[inside], levels.size)
        events = exact_bincount(position, weight[inside] * event[inside], levels.size)
        if not events.any() or not (events < total).any():
            raise InputError(
                "a calibration needs outcomes of both classes",
                where="y",
                got="one class",
                allowed="at least one favourable and one unfavourable outcome with a weight above 0",
                fix="give more rows, or check which class is the favourable one",
            )
        return cls(x=levels, events=events, total=total)

    @property
    def separated(self) -> bool:
        """Whether a value divides the rows by their outcome, up to the rows at that value: no line is most likely."""
        event, none = self.x[self.events > 0], self.x[self.events < self.total]
        return bool(none.max() <= event.min() or event.max() <= none.min())


def likeliest_line(levels: Levels) -> tuple[float, float]:
    """Intercept and slope of the log-odds of the event, by Newton's method with step halving.

    x is centred and scaled first, so that scores of hundreds of points cost no digits. The likelihood is concave. Its
    rise is lost in rounding when half the digits of the line are found; plain Newton steps then find the others.

    Raises
    ------
    InputError : all x are equal, or x separates the outcomes, so that the likelihood has no maximum.

    Examples
    --------
    >>> x = np.repeat([0.0, 1.0], [4, 4])
    >>> event = np.array([True, False, False, False, True, True, True, False])
    >>> intercept, slope = likeliest_line(Levels.of(x, event, np.ones(8)))
    >>> round(intercept + math.log(3), 12), round(slope - 2 * math.log(3), 12)
    (0.0, 0.0)
    """
    _refuse_without_maximum(levels)
    centre = float(levels.total @ levels.x / levels.total.sum())
    scale = math.sqrt(float(levels.total @ (levels.x - centre) ** 2 / levels.total.sum()))
    rows = np.stack([np.ones(levels.x.size), (levels.x - centre) / scale])
    share = float(levels.events.sum() / levels.total.sum())
    line = np.array([math.log(share / (1 - share)), 0.0])
    best = _likelihood(line, rows, levels)
    for _ in range(_ITERATIONS):
        step, promised = _newton_step(line, rows, levels)
        climbed = _climbed(line, step, best, rows, levels) if promised > _HIDDEN * abs(best) else None
        if climbed is None:
            break
        line, best = climbed
    for _ in range(_POLISH):
        line = line + _newton_step(line, rows, levels)[0]
    intercept, slope = line.tolist()
    return intercept - slope / scale * centre, slope / scale


def _newton_step(line: Floats, rows: Floats, levels: Levels) -> tuple[Floats, float]:
    """The step to the top of the parabola at a line, and how much higher that is."""
    p = expit(line @ rows)
    curvature, slopes = (rows * (levels.total * p * (1 - p))) @ rows.T, rows @ (levels.events - levels.total * p)
    step: Floats = np.linalg.solve(curvature, slopes).astype(np.float64)
    return step, float(step @ slopes) / 2


def _climbed(line: Floats, step: Floats, best: float, rows: Floats, levels: Levels) -> tuple[Floats, float] | None:
    """A point along the step with a higher likelihood, or None where rounding leaves none."""
    for _ in range(60):
        candidate = line + step
        reached = _likelihood(candidate, rows, levels)
        if reached > best:
            return candidate, reached
        step = step / 2
    return None


def _likelihood(line: Floats, rows: Floats, levels: Levels) -> float:
    odds = line @ rows
    return float(levels.events @ odds - levels.total @ np.logaddexp(0.0, odds))


def _refuse_without_maximum(levels: Levels) -> None:
    fix = "give more rows, or refit the intercept alone: method='intercept'"
    if levels.x.size < 2:
        raise InputError("the score is the same for every row, so it has no slope", where="score", fix=fix)
    if levels.separated:
        raise InputError(
            "the score separates the good payers from the bad ones, so that no slope is the most likely",
            where="score",
            got=f"{levels.x.size} different scores",
            allowed="scores at which the outcomes overlap",
            fix=fix,
        )
