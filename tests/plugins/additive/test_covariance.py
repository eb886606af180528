"""The covariance of segments beside the inverse of the metric of those that are left."""

from __future__ import annotations

import numpy as np

from scrutable_additive.covariance import Covariance


def test_variances_and_moves_are_those_of_the_constrained_minimum() -> None:
    draw, size = np.random.default_rng(0), 90
    factor = draw.normal(size=(size, 2 * size))
    metric, wanted = factor @ factor.T, draw.normal(size=size)
    left, right = np.arange(size - 1), np.arange(1, size)
    covariance, level = Covariance(np.linalg.inv(metric), left, right), np.linalg.solve(metric, wanted)
    joined = np.eye(size)  # (size, groups)
    for edge in draw.permutation(size - 1)[:70]:  # more than are taken away at once
        level = level + covariance.without(edge) * (level[right[edge]] - level[left[edge]])
        one, other = (int(np.argmax(joined[at])) for at in (left[edge], right[edge]))
        joined[:, one] += joined[:, other]
        joined = np.delete(joined, other, axis=1)
        known = joined @ np.linalg.inv(joined.T @ metric @ joined) @ joined.T
        variance = known[left, left] + known[right, right] - 2 * known[left, right]
        np.testing.assert_allclose(covariance.variance, np.maximum(variance, 1e-12), rtol=1e-7, atol=1e-11)
        np.testing.assert_allclose(level, known @ wanted, rtol=1e-7, atol=1e-9)
