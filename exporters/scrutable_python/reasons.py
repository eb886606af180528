"""What the files of all kinds of model share about reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrutable.model import Feature, ReasonPolicy
from scrutable.plugins import one_line
from scrutable_python.text import literal, number


@dataclass(frozen=True, slots=True)
class Reasons:
    """The codes as literals with their words, in the order that settles ties, and how many reasons there are."""

    codes: tuple[tuple[str, str], ...] = ()
    k: int = 0

    @classmethod
    def of(cls, policy: ReasonPolicy | None) -> Reasons:
        """Those of a policy; none without one."""
        if policy is None:
            return cls()
        return cls(tuple((literal(code), one_line(policy.texts[code])) for code in policy.order), policy.k)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the results."""
        return tuple(f"{name}_{place}" for name in ("reason", "short") for place in range(1, self.k + 1))


@dataclass(frozen=True, slots=True)
class Below:
    """A feature that can be a reason: the variable of its shortfall, what it starts at, its code's place, its words."""

    name: str
    start: str
    code: int
    title: str


def belows(policy: ReasonPolicy, starts: Mapping[str, float], features: tuple[Feature, ...]) -> dict[str, Below]:
    """The features that can be reasons, below1, below2, … by their positions in the model.

    Parameters
    ----------
    starts : where the shortfall of each begins.
    """
    return {
        feature.name: Below(
            f"below{i}",
            number(starts[feature.name]),
            policy.order.index(policy.codes[feature.name]),
            one_line(feature.title),
        )
        for i, feature in enumerate(features, 1)
        if feature.name in policy.codes
    }
