"""A group beside its reference: weighted means of rows that may belong to several groups, and how sure they are."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from scrutable.data.array_checks import Floats
from scrutable.data.attribute import ProtectedAttribute


def effective_size(weight: Floats, membership: Floats | None = None, count: Floats | None = None) -> float:
    """How many rows of equal weight tell as much: (sum of w)^2 / sum of w^2 (Kish, "Survey Sampling", 1965).

    Parameters
    ----------
    weight : (n,) sample weights; their scale does not matter.
    membership : (n,) probabilities m of belonging to a group. The size is then the effective number of its members,
        (sum of w m)^2 / sum of w^2 m: with equal weights the expected one, the sum of m.
    count : (n,) how many rows each of these stands for; 1 each if None.

    Examples
    --------
    >>> effective_size(np.array([2.0, 2.0])), effective_size(np.array([1.0, 0.0]))
    (2.0, 1.0)
    >>> effective_size(np.array([3.0, 3.0]), np.array([0.5, 0.25]))
    0.75
    """
    counted = weight if membership is None else weight * membership
    counted = counted if count is None else counted * count
    squares = float(weight @ counted)
    return float(counted.sum()) ** 2 / squares if squares else 0.0


def effective_sizes(attribute: ProtectedAttribute, weight: Floats) -> Floats:
    """(g,) how many rows of equal weight tell as much of each group."""
    return np.array([effective_size(weight, member) for member in attribute.membership.T])


def normal_quantile(confidence: float) -> float:
    """How many standard errors an interval of this confidence reaches to either side.

    >>> round(normal_quantile(0.95), 2)
    1.96
    """
    return NormalDist().inv_cdf(0.5 + confidence / 2)
