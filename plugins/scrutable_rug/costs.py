"""What a rule costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Literal, get_args

from scrutable.errors import InputError, did_you_mean
from scrutable.model import Conjunction, describe_all

CostName = Literal["one", "length", "features", "coverage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFacts:
    """What the cost of a rule may depend on; not on its class.

    Parameters
    ----------
    when : its clauses.
    length : number of conditions: an interval with two ends is two, each category left out is one.
    n_features : number of features that it names.
    coverage : share of the training rows that it covers.
    """

    when: Conjunction
    length: int
    n_features: int
    coverage: float


#: A name, or a function of a rule that gives a finite cost of zero or more.
RuleCost = CostName | Callable[[RuleFacts], float]


def check_cost(cost: RuleCost) -> None:
    """Refuse a name that is no cost.

    Raises
    ------
    InputError : names the closest one.
    """
    if not callable(cost) and cost not in get_args(CostName):
        fix = did_you_mean(cost, get_args(CostName))
        raise InputError("unknown rule cost", where="cost", got=cost, allowed="a name, or a function", fix=fix)


def cost_of(cost: RuleCost, facts: RuleFacts) -> float:
    """The cost of a rule. By length or features a rule without conditions costs as much as one with a single one.

    Raises
    ------
    InputError : a function gave something else than a finite number of zero or more.

    Examples
    --------
    >>> facts = RuleFacts(when=(), length=3, n_features=2, coverage=0.25)
    >>> [cost_of(name, facts) for name in ("one", "length", "features", "coverage")]
    [1.0, 3.0, 2.0, 0.25]
    """
    if not callable(cost):
        named = {
            "one": 1.0,
            "length": max(facts.length, 1.0),
            "features": max(facts.n_features, 1.0),
            "coverage": facts.coverage,
        }
        return float(named[cost])
    given = cost(facts)
    if not (isinstance(given, Real) and math.isfinite(given) and given >= 0):
        raise InputError(
            "a rule cost must be a finite number of zero or more",
            where=f"cost of the rule 'if {describe_all(facts.when)}'",
            got=given,
        )
    return float(given)
