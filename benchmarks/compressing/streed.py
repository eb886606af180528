"""The peer of optimal trees: STreeD, where pystreed is installed.

As it is by default, version 1.4.0 at times takes another tree for optimal; with `use_task_lower_bound=False` it was
right where that was looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from compressing.data import Flags


@dataclass(frozen=True, kw_only=True, eq=False)
class Streed:
    """Its optimal tree, and that tree's objective on the rows it was grown on."""

    tree: Any
    objective: float

    @classmethod
    def of(cls, bits: Flags, y: Flags, depth: int, penalty: float) -> Streed:
        """With a penalty for each leaf; its own is for each split, of which there is one less."""
        from pystreed import STreeDClassifier

        tree = STreeDClassifier("cost-complex-accuracy", max_depth=depth, cost_complexity=penalty)
        tree.fit(bits.astype(np.int32), y.astype(np.int32))
        errors = float((tree.predict(bits.astype(np.int32)) != y).mean())
        return cls(tree=tree, objective=errors + penalty * tree.get_n_leaves())

    def accuracy(self, bits: Flags, y: Flags) -> float:
        """Share of rows that it gets right."""
        return float((self.tree.predict(bits.astype(np.int32)) == y).mean())


def present() -> bool:
    """Whether the package is there."""
    return find_spec("pystreed") is not None
