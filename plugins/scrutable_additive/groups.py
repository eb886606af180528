"""Few groups of the bins of one feature, of which a pair has cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrutable_additive.fine import openings
from scrutable_additive.layout import Layout
from scrutable_additive.path import Path
from scrutable_additive.segments import NOBODY

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def grouped(path: Path, block: int, layout: Layout, most: int) -> Ints:
    """(bins,) the group of each bin of a block, from 0 on in their order, or `NOBODY`.

    The first steps of ordinary values, put together as on the path until there are few enough. A feature that tells
    little alone has hardly any: it is cut to groups of about equal weight, and so is one that has too many attributes
    by hand. Special and missing values stay apart.

    Parameters
    ----------
    most : most groups of ordinary values.
    """
    segments, size = path.segments, layout.n_ordinary
    edges = [edge for edge in path.order if segments.block[segments.left[edge]] == block and not segments.apart[edge]]
    step = segments.of_bin[layout.bins][:size]
    steps = len(np.unique(step))
    if steps > most if layout.fixed else steps < most / 2:
        ordinary = by_weight(layout, path.metric.dense[layout.bins], most)
    else:
        ordinary = segments.joined(edges[: max(steps - most, 0)])[step]
    return _with_apart(layout, ordinary, path.segments.size)


def grouped_alone(layout: Layout, values: Floats, most: int) -> Ints:
    """As `grouped`, of a feature that is on no path: groups of about equal weight, or the attributes by hand.

    Parameters
    ----------
    values : (bins,) in whose order categories stand.
    """
    size = layout.n_ordinary
    by_hand = layout.fixed and size <= most
    return _with_apart(layout, np.arange(size) if by_hand else by_weight(layout, values, most), size)


def _with_apart(layout: Layout, ordinary: Ints, first: int) -> Ints:
    """(bins,) groups, special and missing values by themselves.

    Parameters
    ----------
    ordinary : (n_ordinary,) groups, all below `first`.
    """
    size = layout.n_ordinary
    apart = first + np.arange(size, len(layout.count))
    return _numbered(np.append(ordinary, np.where(layout.count[size:] > 0, apart, NOBODY)))


def by_weight(layout: Layout, values: Floats, most: int) -> Ints:
    """(n_ordinary,) groups of neighbours of about equal weight.

    Parameters
    ----------
    values : (bins,) in whose order categories stand.
    """
    order = np.arange(layout.n_ordinary)
    if layout.nominal:
        order = np.argsort(values[order], kind="stable")
    opened = np.zeros(len(order), dtype=np.intp)
    opened[openings(layout.count[order], most)] = 1
    group = np.empty(len(order), dtype=np.intp)
    group[order] = np.cumsum(opened)
    return group


def _numbered(group: Ints) -> Ints:
    """The groups numbered from 0 on."""
    group = group.copy()
    known = group != NOBODY
    group[known] = np.unique(group[known], return_inverse=True)[1]
    return group
