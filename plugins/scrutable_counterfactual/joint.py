"""What a set of proposals costs, and how its members have to differ (paper: section 2.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrutable_counterfactual.arrays import Positions
from scrutable_counterfactual.problem import Problem, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity:
    """How the proposals of a set differ.

    Parameters
    ----------
    features : no two change the same set of features (equation 11).
    values : no two change a feature to the same cell (equation 12).
    """

    features: bool = False
    values: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joint:
    """What a set of proposals costs: a term for each, less so much for each feature, and cell, in which two differ.

    Paper: section 2.3.2. Two proposals that change a and b features, c of them in common, differ in a + b - 2 c
    features. So the reward is a reward a change, and a price of what two have in common; the same holds for cells.
    """

    term: Term
    feature_diversity: float = 0.0
    value_diversity: float = 0.0

    def alone(self, problem: Problem, number: int) -> Term:
        """The term with the reward of its changes, in a set of so many."""
        reward = (number - 1) * (self.feature_diversity + self.value_diversity)
        return self.term + Term(separable=np.where(problem.allowed, -reward, 0.0)) if reward else self.term

    @property
    def common(self) -> tuple[float, float]:
        """What two proposals cost for each feature, and each cell, that both change."""
        return 2 * self.feature_diversity, 2 * self.value_diversity

    def cost(self, problem: Problem, cells: Positions) -> float:
        """What a (k, features) set costs."""
        changed = cells != problem.current
        total = sum(problem.cost(self.term, each) for each in cells)
        for k in range(len(cells)):
            for other in range(k):
                features = changed[k] ^ changed[other]
                both = changed[k] & changed[other] & (cells[k] != cells[other])
                total -= self.feature_diversity * features.sum()
                total -= self.value_diversity * (features.sum() + 2 * both.sum())
        return float(total)


#: A cost of a set, and what it may be.
Limit = tuple[Joint, float]
