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
    inverse = np.linalg.inv(levels.matrix)
    told = {}
    for layout, table, of_bin, points in zip(layouts, card.tables, card.of_bin, card.points(factor), strict=False):
        if not np.ptp(points):
            continue
        own, share = _shares(levels, layout, of_bin, len(points))
        known: NDArray[np.bool_] = share.sum(axis=1) > 0
        known[[policy.position for policy in table.policies]] = False
        weight = (share > 0) @ levels.weight[own] * known
        estimate = factor * (share @ levels.values[own])
        estimate += weight @ (points - estimate) / weight.sum()
        away = share @ levels.centring[own, own]
        variance = (away @ inverse[own, own] * away).sum(axis=1)
        aside = _SIDES * factor * np.sqrt(np.maximum(variance, 0.0))
        sides = np.stack([estimate - aside, estimate + aside], axis=1).tolist()
        told[layout.name] = [side if each else None for side, each in zip(sides, known.tolist(), strict=True)]
    return told


def _shares(levels: Levels, layout: Layout, of_bin: NDArray[np.intp], size: int) -> tuple[slice, Floats]:
    """The block's own steps, and (attributes, steps) what part of each attribute each of them is, by curvature."""
    seen = layout.count > 0
    steps = levels.of_bin[layout.bins][seen]
    own = slice(int(steps.min()), int(steps.max()) + 1)
    share = np.zeros((size, own.stop - own.start))
    share[of_bin[seen], steps - own.start] = levels.weight[steps]
    share /= np.maximum(share.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return own, share
