"""What the R code of all kinds of model shares about reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.model import ReasonPolicy
from scrutable.plugins import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number, quoted


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A feature that can be a reason: literals of where its shortfall starts and of its code, and its words."""

    start: str
    code: str
    note: str


def codes(policy: ReasonPolicy | None) -> dict[str, Any]:
    """The codes in the order that settles ties, with their words, and how many reasons there are."""
    if policy is None:
        return {"reason_order": [], "k": None}
    return {"reason_order": [(quoted(code), one_line(policy.texts[code])) for code in policy.order], "k": policy.k}


def reasoned(
    policy: ReasonPolicy, starts: Mapping[str, float], features: Sequence[str], inputs: Inputs
) -> list[Reasoned]:
    """The features that can be reasons, in a given order.

    Parameters
    ----------
    starts : where the shortfall of each begins.
    """
    return [
        Reasoned(number(starts[name]), quoted(policy.codes[name]), one_line(inputs.features[name].title))
        for name in features
    ]
