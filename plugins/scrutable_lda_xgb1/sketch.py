"""Few bins of many values: where weighted quantiles open one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def opening(weight: Floats, most: int) -> list[int]:
    """Positions of the values that open a bin, the first value's aside.

    Where there are no more values than `most`, each does; of one more, the last two share a bin.
    Of still more values those nearest to evenly spread ranks do, by the rule that XGBoost prunes its weighted quantile
    sketch by (Chen and Guestrin, "XGBoost", KDD 2016, appendix), from exact weights and in doubles.

    Parameters
    ----------
    weight : (k,) of each of k sorted values, all above 0.

    Examples
    --------
    >>> opening(np.ones(3), 256), opening(np.ones(9), 4), opening(np.array([1.0, 1, 1, 9, 1, 1, 1]), 3)
    ([1, 2], [2, 4, 6], [3, 6])
    """
    last = len(weight) - 1
    if last <= most:
        return list(range(1, min(last + 1, most)))
    above = np.cumsum(weight)
    below = above - weight
    aims = 2 * (np.arange(1, most) * (below[-1] - above[0]) / most + above[0])
    middles = above + below
    # The last value whose middle is not above the aim, and the one after it.
    before = np.maximum(np.searchsorted(middles, aims, side="right") - 1, 0)
    before = before[before < last]
    nearer = np.where(aims[: len(before)] < above[before] + below[before + 1], before, before + 1)
    opens = [int(each) for each in np.unique(nearer) if each > 0]
    return (opens if opens and opens[-1] == last else [*opens, last])[: most - 1]
