"""What a counterfactual is to reach: the other decision, a probability, a score, or, for a quantity, a value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable.model import LIMIT, UNIT, Calibration, RegressionScorecard, Scorecard
from scrutable.model.evaluator import probability
from scrutable_counterfactual.checking import number
from scrutable_counterfactual.problem import Distance

Kind = Literal["approval", "decline", "probability", "points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The outcome that is wanted.

    Parameters
    ----------
    kind : "approval" and "decline" are the decision at the cutoff; "probability" is that of the favourable class;
        "points" is the score, which for a regression scorecard is the value that it predicts.
    at_least, at_most : bounds that every answer keeps to, of a probability or of points.
    near : a target instead, or besides; how far an answer is from it is the objective "outcome".

    Raises
    ------
    InputError : bounds that no outcome keeps to, or a kind that takes none.

    Examples
    --------
    >>> Wanted(kind="probability", at_least=0.8).describe()
    'a probability of at least 0.8'
    """

    kind: Kind = "approval"
    at_least: float | None = None
    at_most: float | None = None
    near: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in get_args(Kind):
            raise InputError("unknown kind", where="wanted", got=self.kind, allowed=", ".join(get_args(Kind)))
        given = {name: getattr(self, name) for name in ("at_least", "at_most", "near")}
        numbers = {name: value for name, value in given.items() if value is not None}
        if self.kind in ("approval", "decline"):
            if numbers:
                fix = "leave it out, or ask for kind 'probability' or 'points'"
                raise InputError("a decision has no such bound", where="wanted", got=numbers, fix=fix)
            return
        if not numbers:
            raise InputError(f"{self.kind} of what?", where="wanted", fix="give at_least, at_most or near")
        for name in numbers:
            value = numbers[name] = number(numbers[name], f"wanted, {name}")
            object.__setattr__(self, name, value)
            if math.isinf(value):
                raise InputError("expected a finite number", where=f"wanted, {name}", got=value)
            if self.kind == "probability" and not 0 < value < 1:
                raise InputError(
                    "expected a probability", where=f"wanted, {name}", got=value, allowed="between 0 and 1"
                )
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise InputError("nothing lies between", where="wanted", got=numbers, allowed="at_least <= at_most")

    @classmethod
    def of(cls, given: Wanted | str | Mapping[str, Any]) -> Wanted:
        """A wanted outcome from its kind, or from a mapping of its parameters.

        >>> Wanted.of("decline").kind
        'decline'
        """
        if isinstance(given, Wanted):
            return given
        if isinstance(given, str):
            return cls(kind=given)  # type: ignore[arg-type]  # checked when made
        return options_or_default(given, cls, "wanted")

    def describe(self) -> str:
        """In words."""
        if self.kind in ("approval", "decline"):
            return "an approval" if self.kind == "approval" else "a decline"
        what = "a probability" if self.kind == "probability" else "a score"
        bounds = [
            f"{words} {value:g}"
            for words, value in (("at least", self.at_least), ("at most", self.at_most), ("near", self.near))
            if value is not None
        ]
        return f"{what} {'of ' if bounds[0][0] == 'a' else ''}{' and '.join(bounds)}"

    def window(self, model: Scorecard | RegressionScorecard) -> tuple[float, float]:
        """The lowest and the highest score that will do; exact, since a score's probability is what `evaluate` says."""
        if isinstance(model, RegressionScorecard):
            return self._bounds()
        if self.kind == "approval":
            return model.cutoff, math.inf
        if self.kind == "decline":
            return -math.inf, _below(model.cutoff)
        low, high = self._bounds()
        if self.kind == "probability":
            rises = model.calibration
            if self.at_least is not None:
                low = _first(lambda score: _probability(rises, score) >= float(self.at_least or 0.0))
            if self.at_most is not None:
                high = _below(_first(lambda score: _probability(rises, score) > float(self.at_most or 0.0)))
        return low, high

    def distance(self, model: Scorecard | RegressionScorecard) -> Distance:
        """How far an outcome is from the target, if there is one."""
        if self.near is None:
            return Distance()
        if self.kind == "points" or isinstance(model, RegressionScorecard):
            return Distance(kind="points", target=self.near)
        return Distance(kind="probability", target=self.near, calibration=model.calibration)

    def _bounds(self) -> tuple[float, float]:
        at_least, at_most = self.at_least, self.at_most
        return -math.inf if at_least is None else at_least, math.inf if at_most is None else at_most


def _probability(calibration: Calibration, score: float) -> float:
    return float(probability(calibration, np.array([score]))[0])


def _first(holds: Callable[[float], bool]) -> float:
    """The lowest score for which something holds that goes on to hold above it; infinity where it never does."""
    low, high = int(-LIMIT / UNIT), int(LIMIT / UNIT)
    if not holds(high * UNIT):
        return math.inf
    if holds(low * UNIT):
        return -math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle * UNIT) else (middle, high)
    return high * UNIT


def _below(score: float) -> float:
    """The highest score below a number."""
    if math.isinf(score):
        return score
    return (math.ceil(score / UNIT) - 1) * UNIT
