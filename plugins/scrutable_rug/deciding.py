"""From weights to decisions: which rules vote, and who decides where none does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.model.conditions import Conjunction
from scrutable_rug.generation import Generated
from scrutable_rug.rows import Floats, Rows

Fallback = Literal["tree", "class"]

_UNIT = 2.0**-30  # the smallest weight that the model can hold, once the largest is 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """Which rules vote, and who decides where none does.

    Parameters
    ----------
    weight_threshold : rules with a smaller share of the largest weight do not vote.
    fallback : "tree" for the leaves of the first tree, "class" for the most frequent class.

    Raises
    ------
    InputError : a value out of range.
    """

    weight_threshold: float
    fallback: Fallback

    def __post_init__(self) -> None:
        if not 0 <= self.weight_threshold < 1:
            raise InputError(
                "unusable share", where="weight_threshold", got=self.weight_threshold, allowed="0 or more, below 1"
            )
        if self.fallback not in ("tree", "class"):
            raise InputError("unknown fallback", where="fallback", got=self.fallback, allowed="'tree' or 'class'")

    def voting(self, weights: Floats) -> NDArray[np.intp]:
        """Positions of the rules that vote.

        >>> Deciding(weight_threshold=0.05, fallback="tree").voting(np.array([2.0, 0.0, 0.1, 0.11])).tolist()
        [0, 3]
        """
        return np.flatnonzero(weights > max(self.weight_threshold, _UNIT) * weights.max(initial=0.0))

    def fallback_rules(self, found: Generated, rows: Rows, weight: Floats) -> tuple[tuple[Conjunction, int], ...]:
        """Clauses and class of the rules that decide where no other votes; one of them applies to any row."""
        return found.first.fallback() if self.fallback == "tree" else (((), _most_frequent(rows, weight)),)

    def fallback_labels(self, found: Generated, rows: Rows, weight: Floats) -> NDArray[np.intp]:
        """(n,) class of each training row where no rule votes."""
        if self.fallback == "tree":
            return found.first.label[found.first.leaf_of_rows()]
        return np.full(len(rows.label), _most_frequent(rows, weight))


def _most_frequent(rows: Rows, weight: Floats) -> int:
    return int(np.bincount(rows.label, weight, rows.n_classes).argmax())
