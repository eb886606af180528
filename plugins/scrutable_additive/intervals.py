"""How sure the points of each attribute are, given the steps of the card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.attributes import Attributes
from scrutable_additive.layout import Layout
from scrutable_additive.levels import Levels

Floats = NDArray[np.float64]

#: Standard errors on each side of 95 % of a normal distribution.
_SIDES = 1.959963984540054


def intervals(levels: Levels, layouts: Sequence[Layout], card: Attributes, factor: float) -> dict[str, Any]:
    """95 % intervals of the points of each attribute, by the features of the card.

    Covariance of the values of the steps, if these are fitted without penalty and where they are: (Zᵀ G Z)⁻¹, of each
    one's distance from the average of its characteristic. They lie about the points before these are rounded. An
    attribute that rounding made of several steps has their average.

    Parameters
    ----------
    factor : points per unit of log-odds.

    Returns
    -------
    By feature, (low, high) of each attribute in the order of the model; None where nobody had it, or a policy says what
    it is worth.
    """
    covariance = levels.centring @ np.linalg.inv(levels.matrix) @ levels.centring.T
    told = {}
    for layout, table, of_bin, points in zip(layouts, card.tables, card.of_bin, card.points(factor), strict=True):
        if not np.ptp(points):
            continue
        share = _shares(levels, layout, of_bin, len(points))
        own: NDArray[np.bool_] = share.sum(axis=1) > 0
        own[[policy.position for policy in table.policies]] = False
        weight = (share > 0) @ levels.weight * own
        estimate = factor * (share @ levels.values)
        estimate += weight @ (points - estimate) / weight.sum()
        aside = _SIDES * factor * np.sqrt(np.maximum(np.einsum("al,lm,am->a", share, covariance, share), 0.0))
        sides = np.stack([estimate - aside, estimate + aside], axis=1).tolist()
        told[layout.name] = [side if known else None for side, known in zip(sides, own.tolist(), strict=True)]
    return told


def _shares(levels: Levels, layout: Layout, of_bin: NDArray[np.intp], size: int) -> Floats:
    """(attributes, L) what part of each attribute each step is, by curvature."""
    share = np.zeros((size, levels.size))
    seen = layout.count > 0
    steps = levels.of_bin[layout.bins][seen]
    share[of_bin[seen], steps] = levels.weight[steps]
    share /= np.maximum(share.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return share
