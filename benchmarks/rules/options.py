"""One setting for both sides: the authors' own, said in the terms of the learner and of the package ruleopt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.data import Problem
from scrutable.model import RuleSet
from scrutable_rug.learner import RUGClassifier

#: Rules with a smaller share of the largest weight are left out.
THRESHOLD = 0.05


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The authors' options: a rule costs the number of its features, divided by the most in the first tree.

    Parameters
    ----------
    depth : most conditions of a rule.
    calls : times that rules are added.
    penalty : λ.
    """

    depth: int = 5
    calls: int = 10
    penalty: float = 1.0

    def learner(self, train: Problem, *, seed: int = 0, **options: Any) -> RUGClassifier:
        """The learner, whose penalty is λ before the division."""
        settled = {"cost": "features", "weight_threshold": THRESHOLD, "loss": "unit"}
        return RUGClassifier(
            max_depth=self.depth,
            iterations=self.calls,
            penalty=self.penalty / longest(train, self.depth),
            random_state=seed,
            **{**settled, **options},
        )

    def package(self, seed: int = 0) -> Any:
        """The package's classifier with HiGHS, which reads `data.encoded`."""
        import ruleopt
        from ruleopt.rule_cost import Length
        from ruleopt.solver import HiGHSSolver

        return ruleopt.RUGClassifier(
            solver=HiGHSSolver(penalty=self.penalty),
            rule_cost=Length(),
            max_rmp_calls=self.calls,
            max_depth=self.depth,
            threshold=THRESHOLD,
            random_state=seed,
        )


@lru_cache(maxsize=32)
def longest(train: Problem, depth: int) -> int:
    """The most features that a leaf of the first tree names."""
    first = RUGClassifier(max_depth=depth, iterations=0).fit(train.X, train.y).model_
    assert isinstance(first, RuleSet)
    return max(len({clause.feature for clause in leaf.when}) for leaf in first.fallback)
