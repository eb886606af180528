"""What trees with at most one split cost, from costs of features in pairs, in whole numbers or in doubles."""

from __future__ import annotations

import numpy as np

from scrutable.measures.numerics import compiled
from scrutable_fcca.target import Numbers


def _stumps_by_rows(costs: Numbers, total: Numbers, penalty: float) -> Numbers:
    """The same costs in NumPy, all features h for each g at once."""
    best, own = leaves(costs, total, penalty), np.diagonal(costs, axis1=1, axis2=2)
    for g in range(costs.shape[1] - 1):
        after = slice(g + 1, None)
        bad, good = own[:, g]
        one, other, h_bad, h_good = costs[0, g, after], costs[1, g, after], own[0, after], own[1, after]
        both = np.minimum(one, other)
        only_g = np.minimum(bad - one, good - other)
        only_h = np.minimum(h_bad - one, h_good - other)
        neither = np.minimum(total[0] - bad - h_bad + one, total[1] - good - h_good + other)
        best[1, g] = min(best[1, g], (both + only_g + 2 * penalty).min())
        best[0, g] = min(best[0, g], (only_h + neither + 2 * penalty).min())
        best[1, after] = np.minimum(best[1, after], both + only_h + 2 * penalty)
        best[0, after] = np.minimum(best[0, after], only_g + neither + 2 * penalty)
    return best


@compiled(steps=lambda costs, total, penalty: costs[0].size // 2 + 100 * len(costs[0]), small=_stumps_by_rows)
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


@compiled(steps=lambda costs, total, penalty: 3 * costs.shape[1])
def leaves(costs: Numbers, total: Numbers, penalty: float) -> Numbers:
    """(2, F) cost of the rows without and with each feature, in a leaf."""
    cost = np.empty((2, costs.shape[1]), costs.dtype)
    for g in range(costs.shape[1]):
        cost[0, g] = min(total[0] - costs[0, g, g], total[1] - costs[1, g, g]) + penalty
        cost[1, g] = min(costs[0, g, g], costs[1, g, g]) + penalty
    return cost
