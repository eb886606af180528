"""First steps: neighbouring bins with about the same value are put together, block by block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.layout import Layout
from scrutable_additive.metric import Metric
from scrutable_additive.shapes import followed

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: What a step has to save, as a share of what the chosen card may lose, and at least of what the dense fit gains.
_PRICE, _LEAST_PRICE = 0.02, 1e-6
#: How far from the dense fit the first card may be, as a share of that.
_NEAR = 0.75


def first_steps(metric: Metric, layouts: Sequence[Layout], loss: float) -> Floats:
    """(K,) values of a card of many steps.

    Parameters
    ----------
    loss : about how far from the dense fit another card may be that is made of this one, which is clearly nearer where
        trends allow that.
    """
    price, before = max(_PRICE * loss, _LEAST_PRICE * metric.total), np.inf
    while True:
        values = stepped(metric, layouts, price)
        distance = metric.distance(values)
        held = before - distance < loss / 8  # by trends, which more steps do not mend
        if distance <= _NEAR * loss or held or price <= _LEAST_PRICE * metric.total:
            return values
        price, before = price / 4, distance


def stepped(metric: Metric, layouts: Sequence[Layout], price: float) -> Floats:
    """(K,) values of a card about as near to the dense fit as its steps are worth.

    Block after block has its turn once, the others being kept, and neighbours are put together as `best_steps` says:
    further turns change little of which are put together, and the path moves their values.

    Parameters
    ----------
    price : what a step has to save in the distance from the dense fit.
    """
    values = metric.dense.copy()
    pull = np.zeros_like(values)  # G (v − θ)
    for layout in layouts:
        own = layout.bins
        target = values[own] - pull[own] / metric.weight[own]
        made = _stepped(layout, target, metric.weight[own], price)
        pull += metric.matrix[:, own] @ (made - values[own])
        values[own] = made  # to the last bit: bins of one value are one step
    return values


def best_steps(target: Floats, weight: Floats, price: float) -> Ints:
    """Minimise Σ ½ weight · (value − target)² + price · number of steps, over step functions, exactly.

    Dynamic programming over the first bin of the last step (Auger and Lawrence 1989, Bulletin of Mathematical Biology
    51).

    Parameters
    ----------
    target, weight : (k,) of ordered bins; weights above 0.

    Returns
    -------
    (k,) number of the step of each bin, from 0 on.

    Examples
    --------
    >>> best_steps(np.array([0.0, 0.1, 2, 2.1]), np.ones(4), 0.5).tolist()
    [0, 0, 1, 1]
    """
    sums = np.concatenate([np.zeros((3, 1)), np.cumsum([weight, weight * target, weight * target**2], axis=1)], axis=1)
    least = np.concatenate([[0.0], np.full(len(target), np.inf)])
    opened = np.zeros(len(target) + 1, dtype=np.intp)
    for stop in range(1, len(target) + 1):
        mass, moment, square = sums[:, stop, None] - sums[:, :stop]
        costs = least[:stop] + 0.5 * (square - moment**2 / mass) + price
        opened[stop] = costs.argmin()
        least[stop] = costs[opened[stop]]
    step = np.zeros(len(target), dtype=np.intp)
    stop = len(target)
    while stop:
        step[opened[stop] :] += opened[stop] > 0
        stop = int(opened[stop])
    return step


def _stepped(layout: Layout, target: Floats, weight: Floats, price: float) -> Floats:
    """The values of a block's bins, by the values that each would like to have."""
    if layout.fixed or not layout.n_ordinary:
        return target
    values = target.copy()
    order = np.arange(layout.n_ordinary)
    if layout.nominal:
        order = order[np.argsort(target[order], kind="stable")]
    wanted, mass = target[order], weight[order]
    if layout.rising:
        wanted = followed(wanted, mass, layout.rising, 0)
    step = best_steps(wanted, mass, price)
    levels = np.bincount(step, mass * wanted) / np.bincount(step, mass)
    values[order] = levels[step]
    for apart in range(layout.n_ordinary, len(target)):
        nearest = levels[np.argmin(np.abs(levels - target[apart]))]
        if 0.5 * weight[apart] * (target[apart] - nearest) ** 2 <= price:
            values[apart] = nearest
    return values
