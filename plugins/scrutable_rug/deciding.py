"""From weights to decisions: which rules vote, and who decides where none does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable.model import Conjunction
from scrutable_rug.generation import Generated
from scrutable_rug.rows import Floats, Rows

Fallback = Literal["tree", "class"]

_UNIT = 2.0**-30  # of which a model's weights are multiples
_NOTHING = 1e-6  # a weight that is rounding


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
        check_number(self.weight_threshold, "weight_threshold", "0 or more, below 1", high=1 - 2.0**-53)
        if self.fallback not in ("tree", "class"):
            raise InputError("unknown fallback", where="fallback", got=self.fallback, allowed="'tree' or 'class'")

    def votes(self, weights: Floats) -> Floats:
        """(J,) votes of the rules: their weights, the largest of which becomes 1, in the model's fixed point.

        They are 0 for rules below the threshold, and for weights that are nothing but rounding, where those that matter
        add up to about 1.

        >>> Deciding(weight_threshold=0.05, fallback="tree").votes(np.array([2.0, 0.0, 0.1, 0.5])).tolist()
        [1.0, 0.0, 0.0, 0.25]
        """
        largest = weights.max(initial=0.0)
        heavy = weights > max(self.weight_threshold * largest, _NOTHING)
        shares: Floats = np.rint(np.where(heavy, weights / max(largest, _NOTHING), 0.0) / _UNIT) * _UNIT
        return shares

    def fallback_rules(self, generated: Generated, rows: Rows, weight: Floats) -> tuple[tuple[Conjunction, int], ...]:
        """Clauses and class of the rules that decide where no other votes; one of them applies to any row."""
        return generated.first.fallback() if self.fallback == "tree" else (((), _most_frequent(rows, weight)),)

    def fallback_labels(self, generated: Generated, rows: Rows, weight: Floats) -> NDArray[np.intp]:
        """(n,) class of each training row where no rule votes."""
        if self.fallback == "tree":
            return generated.first.label[generated.first.leaf_of_rows()]
        return np.full(len(rows.label), _most_frequent(rows, weight))


def _most_frequent(rows: Rows, weight: Floats) -> int:
    return int(np.bincount(rows.label, weight, rows.n_classes).argmax())
