"""Whether a problem has any answer, by going through all proposals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations

import numpy as np

from scrutable_counterfactual.arrays import Positions
from scrutable_counterfactual.problem import Problem


def has_answer(problem: Problem) -> bool:
    """Every set of features, and all that they can become; scores are exact sums."""
    return any(problem.holds(cells) for cells in _within(problem))


def _within(problem: Problem) -> Iterator[Positions]:
    """Proposals whose score will do."""
    own = problem.points[problem.features, problem.current]
    gains = [(problem.points[i] - own[i])[problem.allowed[i]] for i in problem.features]
    score = problem.score(problem.current)
    for changes in range(problem.max_changes + 1):
        for places in combinations([int(i) for i in problem.features if len(gains[i])], changes):
            scores = reduce(np.add.outer, [gains[i] for i in places], np.float64(score))
            for at in np.argwhere((problem.low <= scores) & (scores <= problem.high)):
                cells = problem.current.copy()
                for i, k in zip(places, at, strict=True):
                    cells[i] = np.flatnonzero(problem.allowed[i])[k]
                yield cells
