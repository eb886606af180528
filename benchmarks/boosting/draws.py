"""Random configurations, the same for every method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One configuration: the trees, and how the constraint is kept."""

    n_estimators: int = 100
    learning_rate: float = 0.1
    max_leaves: int = 31
    min_child_samples: int = 20
    multiplier_rate: float = 0.1
    slack: float = 0.0

    @property
    def trees(self) -> dict[str, Any]:
        """What LightGBM is told."""
        return {
            "n_estimators": self.n_estimators,
            "learning_rate": self.learning_rate,
            "num_leaves": self.max_leaves,
            "min_child_samples": self.min_child_samples,
        }

    @property
    def own_trees(self) -> dict[str, Any]:
        """What the learner is told."""
        words = {"num_leaves": "max_leaves"}
        return {words.get(name, name): value for name, value in self.trees.items()}


#: Gaps that are allowed between the groups' false negative rates.
SLACKS = (0.0, 0.01, 0.0, 0.02, 0.05)


def draws(count: int, seed: int = 0) -> list[Draw]:
    """Drawn uniformly in the logarithm; the slacks take turns, so that two fifths of the draws ask for equality."""
    random = np.random.default_rng(seed)

    def between(low: float, high: float) -> float:
        return float(np.exp(random.uniform(np.log(low), np.log(high))))

    return [
        Draw(
            n_estimators=round(between(40, 200)),
            learning_rate=between(0.03, 0.2),
            max_leaves=round(between(8, 63)),
            min_child_samples=round(between(5, 200)),
            multiplier_rate=between(1e-3, 0.5),
            slack=SLACKS[i % len(SLACKS)],
        )
        for i in range(count)
    ]
