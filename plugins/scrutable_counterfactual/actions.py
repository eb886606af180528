"""What an applicant can do: which features may change, which way, how far, and which changes go together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable_counterfactual.checking import flag, names, number

Way = Literal["any", "up", "down", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What may become of one feature.

    Parameters
    ----------
    change : "any", only "up" or "down" from the applicant's value (for texts along `order`), or "none". A value that is
        missing or a special code has no direction.
    lower, upper : the range of values that may be proposed; numbers only.
    whole : only whole numbers are proposed.
    order : all texts that may be proposed, lowest first; texts only.
    missing, special : whether "missing", or a special code, may be proposed.
    cost : what a change counts, against 1 for other features; of proximity and of sparsity.

    Raises
    ------
    InputError : parameters that make no sense.

    Examples
    --------
    >>> Action(change="up", upper=60).upper
    60.0
    """

    change: Way = "any"
    lower: float = -math.inf
    upper: float = math.inf
    whole: bool = False
    order: tuple[str, ...] = ()
    missing: bool = False
    special: bool = False
    cost: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.change, str) or self.change not in get_args(Way):
            raise InputError("unknown change", where="action", got=self.change, allowed=", ".join(get_args(Way)))
        for name in ("lower", "upper", "cost"):
            object.__setattr__(self, name, number(getattr(self, name), f"action, {name}"))
        for name in ("whole", "missing", "special"):
            flag(getattr(self, name), f"action, {name}")
        if self.lower > self.upper:
            raise InputError("nothing lies between", where="action, lower and upper", got=(self.lower, self.upper))
        if not 0 < self.cost < math.inf:
            raise InputError("expected a number above 0", where="action, cost", got=self.cost)
        object.__setattr__(self, "order", names(self.order, "action, order"))

    @classmethod
    def of(cls, given: Action | str | Mapping[str, Any], feature: str) -> Action:
        """An action from its change, or from a mapping of its parameters.

        >>> Action.of({"change": "up"}, "education").change
        'up'
        """
        if isinstance(given, str):
            return cls(change=given)  # type: ignore[arg-type]  # checked when made
        return options_or_default(given, Action, f"actions, {feature!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """Features of 0 and 1 that stand for one choice: exactly one of them is 1.

    Parameters
    ----------
    features : the features.
    none : whether all may be 0, because one choice has no feature.
    """

    features: tuple[str, ...] = ()
    none: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", names(self.features, "one_of"))
        flag(self.none, "one_of, none")
        if len(self.features) < 2:
            raise InputError("a choice is of two features at least", where="one_of", got=list(self.features))

    @classmethod
    def of(cls, given: Any) -> OneOf:
        """From a list of features, or from a mapping of the parameters."""
        if isinstance(given, OneOf | Mapping):
            return options_or_default(given, OneOf, "one_of")
        return cls(features=names(given, "one_of"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """All that limits proposals, by feature and between features.

    Parameters
    ----------
    by_feature : features named nowhere may change in any way to any ordinary value.
    together : pairs (a, b): if a changes, b must.
    one_of : groups of 0/1 features.
    """

    by_feature: Mapping[str, Action] = field(default_factory=dict)
    together: tuple[tuple[str, str], ...] = ()
    one_of: tuple[OneOf, ...] = ()

    def of(self, feature: str) -> Action:
        """The action of a feature."""
        return self.by_feature.get(feature, _FREE)

    @property
    def names(self) -> set[str]:
        """Every feature that is named."""
        pairs = {name for pair in self.together for name in pair}
        return set(self.by_feature) | pairs | {name for group in self.one_of for name in group.features}


_FREE = Action()
