"""What trees with at most one split cost, from costs of features in pairs, in whole numbers or in doubles."""

from __future__ import annotations

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.target import Numbers


@compiled
def stumps(costs: Numbers, total: Numbers, penalty: float) -> Numbers:
    """(2, F) cost of the rows without and with each feature, in the best tree with at most one split.

    Parameters
    ----------
    costs : (2, F, F) what it costs to give rows that have two features the one class, and the other.
    total : (2,) the same of all rows.
    penalty : cost of a leaf.
    """
    n_features = costs.shape[1]
    best = leaves(costs, total, penalty)
    for g in range(n_features):
        bad, good = costs[0, g, g], costs[1, g, g]
        without, having = best[0, g], best[1, g]
        for h in range(g + 1, n_features):
            both = min(costs[0, g, h], costs[1, g, h])
            only_g = min(bad - costs[0, g, h], good - costs[1, g, h])
            only_h = min(costs[0, h, h] - costs[0, g, h], costs[1, h, h] - costs[1, g, h])
            neither = min(
                total[0] - bad - costs[0, h, h] + costs[0, g, h], total[1] - good - costs[1, h, h] + costs[1, g, h]
            )
            having = min(having, both + only_g + 2 * penalty)
            without = min(without, only_h + neither + 2 * penalty)
            best[1, h] = min(best[1, h], both + only_h + 2 * penalty)
            best[0, h] = min(best[0, h], only_g + neither + 2 * penalty)
        best[0, g], best[1, g] = without, having
    return best


@compiled
def leaves(costs: Numbers, total: Numbers, penalty: float) -> Numbers:
    """(2, F) cost of the rows without and with each feature, in a leaf."""
    cost = np.empty((2, costs.shape[1]), costs.dtype)
    for g in range(costs.shape[1]):
        cost[0, g] = min(total[0] - costs[0, g, g], total[1] - costs[1, g, g]) + penalty
        cost[1, g] = min(costs[0, g, g], costs[1, g, g]) + penalty
    return cost
