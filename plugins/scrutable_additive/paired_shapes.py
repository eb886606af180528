"""Whether points still rise or fall throughout where the pairs of a feature are counted in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.cells import Cells

Floats = NDArray[np.float64]

#: Moves against a shape that are rounding errors of sums.
_NOTHING = 1e-9


def breaking(ordinary: Floats, rising: int, name: str, pairs: Sequence[tuple[Cells, Floats]]) -> list[str]:
    """Names of the pairs of a feature with which its points do not rise or fall throughout; none where they do.

    What a step to the next bin gains is that of the feature and, of each of its pairs, the least that any value of the
    other feature gives.

    Parameters
    ----------
    ordinary : (bins,) its values in order.
    rising : 1 or -1.
    pairs : with the values of their bins.
    """
    gained, own = rising * np.diff(ordinary), []
    for pair, values in pairs:
        if name in pair.features and np.ptp(values):
            table = pair.along(name, values)[: len(ordinary)]
            gained = gained + (rising * np.diff(table, axis=0)).min(axis=1)
            own.append(pair.name)
    return own if (gained < -_NOTHING).any() else []
