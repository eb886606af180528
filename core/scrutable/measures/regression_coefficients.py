"""One coefficient of a regression, and what stands beside coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from scrutable.errors import ModelError
from scrutable.model.conditions import Extended

#: Why a coefficient has no standard error: it is on its bound, has its value by a trend, is what others are compared
#: with, is finite by the penalty alone, or adds up to others; there are too many of them, or the fit is perfect.
Held = Literal["", "sign", "trend", "reference", "pure", "dependent", "many", "perfect"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """One coefficient.

    Parameters
    ----------
    feature : that it belongs to; empty for the intercept.
    attribute : in words, where each has a coefficient of its own.
    value : estimated, or held.
    model_error, sandwich_error : standard errors by the model's curvature, and by each row's own slope; None where
        there is none.
    vif : the variance inflation factor of its characteristic, infinite where that adds up to others; None where there
        is none.
    held : why it has no error; empty where it has one.

    Raises
    ------
    ModelError : errors below 0, or an error beside a reason why there is none.
    """

    feature: str = ""
    attribute: str = ""
    value: float
    model_error: float | None = None
    sandwich_error: float | None = None
    vif: Extended | None = None
    held: Held = ""

    def __post_init__(self) -> None:
        if self.held not in get_args(Held):
            raise ModelError(
                "no such word", where="held", got=self.held, allowed=", ".join(filter(None, get_args(Held)))
            )
        errors = [each for each in (self.model_error, self.sandwich_error) if each is not None]
        if any(each < 0 for each in errors) or (errors and self.held):
            allowed = "errors of 0 or more, or why there is none"
            raise ModelError("not an error of a coefficient", where=self.feature, got=errors, allowed=allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class PureAttribute:
    """An attribute that has rows of one outcome alone.

    Parameters
    ----------
    favourable : whether that is the favourable one.
    """

    feature: str
    attribute: str
    favourable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedTogether:
    """Attributes that have one value, in words, in the order of the trend."""

    feature: str
    attributes: tuple[str, ...]
