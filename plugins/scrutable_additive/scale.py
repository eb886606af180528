"""What a point is worth, and which points the steps of a card get."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable.model import UNIT, Scaling, rounded
from scrutable_additive.choice import Choice
from scrutable_additive.levels import Levels
from scrutable_additive.small import MOST_JUMPS, MOST_POINTS, Asked, searched_by_loss
from scrutable_additive.solution import Solution
from scrutable_additive.whole import Whole, finest, rounded_to, small

#: With so many points of an attribute at most rounding puts few steps together.
_MANY_POINTS = 25


class Scale(ABC):
    """How scores become points."""

    @property
    def from_zero(self) -> bool:
        """Whether the lowest points of each characteristic are 0; else its average is about 0."""
        return False

    def kept(self, keep: float) -> float:
        """The share of the variance that the card keeps before rounding, by what it keeps without."""
        return keep

    @property
    @abstractmethod
    def rounds(self) -> bool:
        """Whether points have fewer digits than a model can hold."""

    def steps(self, solution: Solution, choice: Choice, min_count: float) -> tuple[Levels, Whole]:
        """The steps of the model and their points: those of the card that was chosen, unless another is as small.

        Parameters
        ----------
        choice : by which the card was chosen.
        min_count : least weight of the rows of a step.
        """
        levels = Levels.of(solution.path, solution.card)
        return levels, self.whole(levels)

    @abstractmethod
    def whole(self, levels: Levels) -> Whole:
        """The points of the steps of a card in the smallest differences that there are."""

    @abstractmethod
    def factor(self, whole: Whole) -> float:
        """Points for a unit of the score."""

    @abstractmethod
    def held(self, base: float, whole: Whole) -> float:
        """The score where all values are 0, as the base points of the model say it."""

    @abstractmethod
    def worth(self, whole: Whole) -> float:
        """What the smallest difference of points is worth, as the evidence says it."""


@dataclass(frozen=True, slots=True)
class OddsScale(Scale):
    """How log-odds become points.

    Parameters
    ----------
    scaling : what a point is worth, unless `max_points` are given.
    max_points : points of an attribute are whole numbers from 0 to this, and a point is worth what loses least.
    outcomes : whether small cards fit the outcomes of the rows, or else what the dense fit expects of them.
    """

    scaling: Scaling
    max_points: int | None
    outcomes: bool = False

    @classmethod
    def of(cls, scaling: Scaling | Mapping[str, Any] | None, max_points: int | None, *, outcomes: bool = False) -> Self:
        """From options.

        Raises
        ------
        InputError : both are given.
        """
        if scaling is not None and max_points is not None:
            raise InputError(
                "with max_points the card itself says what a point is worth",
                where="scaling",
                got=scaling,
                allowed="None",
                fix="leave scaling out, or take scaling with decimals=0 instead of max_points",
            )
        return cls(options_or_default(scaling, Scaling, "scaling"), max_points, outcomes)

    def kept(self, keep: float) -> float:
        """The share of the variance that the card keeps before rounding.

        What the card loses beside the dense fit and what rounding loses beside the card add up, and few points put
        steps together by themselves. They do it best from many steps, so that fewer points begin with a nearer card.
        """
        share = 1.0 if self.max_points is None else min(1.0, self.max_points / _MANY_POINTS)
        return 1.0 - share * (1.0 - keep)

    @property
    def from_zero(self) -> bool:
        return self.max_points is not None

    @property
    def rounds(self) -> bool:
        return self.max_points is not None or self.scaling.decimals is not None

    def steps(self, solution: Solution, choice: Choice, min_count: float) -> tuple[Levels, Whole]:
        """Small cards of whole points are searched by the loss.

        Raises
        ------
        InputError : outcomes are to be fitted by a card that is not small.
        """
        levels, searched = Levels.of(solution.path, solution.card), None
        if self.max_points is not None:
            asked = Asked(most=self.max_points, min_count=min_count, outcomes=self.outcomes)
            searched = searched_by_loss(solution, levels, asked, choice)
        if self.outcomes and searched is None and solution.card.steps:
            raise InputError(
                "outcomes themselves are fitted by small cards of whole points alone",
                where="aim",
                got="outcomes",
                allowed=f"with max_points of {MOST_POINTS} at most, {MOST_JUMPS} more steps than characteristics at "
                "most, and without steps, must, pairs, bends, cuts and merges",
                fix="give max_points and a lower max_steps, or leave aim out",
            )
        return (levels, self.whole(levels)) if searched is None else (searched.levels, searched.whole)

    def whole(self, levels: Levels) -> Whole:
        if self.max_points is not None:
            return small(levels, self.max_points)
        if self.scaling.decimals is None:
            return finest(levels, UNIT / self.scaling.factor)
        return rounded_to(levels, 10.0**-self.scaling.decimals / self.scaling.factor)

    def factor(self, whole: Whole) -> float:
        return self.at(0.0, whole).factor

    def held(self, base: float, whole: Whole) -> float:
        scaling = self.at(base, whole)
        return (scaling.round(scaling.offset + scaling.factor * base) - scaling.offset) / scaling.factor

    def worth(self, whole: Whole) -> float:
        """In log-odds."""
        return whole.worth

    def at(self, base: float, whole: Whole) -> Scaling:
        """What the model says of its points: small ones are counted from 0, which stands for the odds there.

        Parameters
        ----------
        base : log-odds where all points are 0.
        """
        if self.max_points is None:
            return self.scaling
        return Scaling(pdo=math.log(2) / whole.worth, base_score=0.0, base_odds=math.exp(base), decimals=0)


@dataclass(frozen=True, slots=True)
class QuantityScale(Scale):
    """Points in the unit of a quantity.

    Parameters
    ----------
    centre, unit : the quantity where the score is 0, and what a unit of the score is of it.
    decimals : of the points; None for all of them.
    """

    centre: float
    unit: float
    decimals: int | None

    @property
    def rounds(self) -> bool:
        return self.decimals is not None

    def whole(self, levels: Levels) -> Whole:
        if self.decimals is None:
            return finest(levels, UNIT / self.unit)
        return rounded_to(levels, 10.0**-self.decimals / self.unit)

    def factor(self, whole: Whole) -> float:
        return self.unit

    def held(self, base: float, whole: Whole) -> float:
        return (rounded(self.centre + self.unit * base, self.decimals) - self.centre) / self.unit

    def worth(self, whole: Whole) -> float:
        """In the quantity's unit."""
        return self.unit * whole.worth
