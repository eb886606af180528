"""What a model decides about, and how its score becomes a probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from scrutable.data.values import LIMIT, finite, text, unique
from scrutable.errors import ModelError

ClassLabel = bool | int | float | str

#: The linear predictor is held in [-CLAMP, CLAMP]. Up to 36, 1 + exp(z) is rounded by no more than exp(z) is, so that
#: engines whose exp differs by a unit in the last place differ by two in the probability; and no exp can overflow.
CLAMP = 36.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The target, its classes in scikit-learn's order, and which one is the good outcome for the applicant.

    Examples
    --------
    >>> Outcome(target="credit_risk", classes=("bad", "good"), favourable="good").favourable_index
    1
    """

    classes: tuple[ClassLabel, ...]
    favourable: ClassLabel
    target: str = "outcome"

    def __post_init__(self) -> None:
        text(self.target, "outcome target")
        object.__setattr__(self, "classes", tuple(map(_label, self.classes)))
        unique(self.classes, "classes of the outcome")
        if len(self.classes) < 2:
            raise ModelError("an outcome has at least two classes", where="outcome", got=list(self.classes))
        if self.favourable not in self.classes:
            raise ModelError(
                "the favourable class is not one of the classes",
                where="outcome",
                got=self.favourable,
                allowed=str(list(self.classes)),
            )
        object.__setattr__(self, "favourable", self.classes[self.favourable_index])  # 1 may stand for True or 1.0

    @property
    def favourable_index(self) -> int:
        """Position of the favourable class."""
        return self.classes.index(self.favourable)

    @property
    def binary(self) -> bool:
        """Whether there are two classes, so that one score decides."""
        return len(self.classes) == 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Probability of the favourable class from the score.

    With z = intercept + slope * score, computed in that order: `logit`: p = 1 / (1 + exp(-z)) with z
    held in [-36, 36], that is p from 2.3e-16 to 1 - 2.3e-16; `identity`: p = min(1, max(0, z)).
    """

    slope: float
    intercept: float = 0.0
    link: Literal["logit", "identity"] = "logit"

    def __post_init__(self) -> None:
        object.__setattr__(self, "slope", finite(self.slope, "slope of the calibration"))
        object.__setattr__(self, "intercept", finite(self.intercept, "intercept of the calibration"))
        if self.slope < 0:
            raise ModelError(
                "more points must not mean a lower probability",
                where="calibration",
                got=self.slope,
                allowed="slope >= 0",
            )
        if math.isinf(abs(self.intercept) + self.slope * LIMIT):
            raise ModelError("the linear predictor overflows", where="calibration", got=(self.slope, self.intercept))
        if self.link not in ("logit", "identity"):
            raise ModelError("unknown link", where="calibration", got=self.link, allowed="'logit' or 'identity'")


def _label(label: ClassLabel) -> ClassLabel:
    where = "class of the outcome"
    if isinstance(label, bool | int):
        return label
    return finite(label, where) if isinstance(label, float) else text(label, where)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A continuous target and the unit it is measured in.

    Examples
    --------
    >>> Quantity(target="loss_given_default", unit="share of the exposure").title
    'loss_given_default, in share of the exposure'
    """

    target: str = "outcome"
    unit: str = ""

    def __post_init__(self) -> None:
        text(self.target, "quantity: target")
        text(self.unit, "quantity: unit")

    @property
    def title(self) -> str:
        """The target with its unit."""
        return f"{self.target}, in {self.unit}" if self.unit else self.target
