"""Arrays that a tree grows from, and those that it is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Positions = NDArray[np.int64]


class Layout(NamedTuple):
    """Where codes stand in a histogram.

    offsets : (F + 1,) first code of each feature.
    ordinary : (F,) number of ordinary codes.
    nominal : (F,) whether ordinary codes are categories, the last of them any other category.
    """

    offsets: Positions
    ordinary: Positions
    nominal: NDArray[np.bool_]


class Cases(NamedTuple):
    """Weighted rows.

    place : (m,) position of each in the columns of codes.
    label : (m,) class.
    n_rows : (m,) how many rows each stands for.
    weight : (m,) weight above zero.
    """

    place: NDArray[np.int32]
    label: NDArray[np.int32]
    n_rows: NDArray[np.int32]
    weight: Floats


class Limits(NamedTuple):
    """A node stays a leaf at this depth, and where a child would have fewer rows or impurity would fall by less."""

    depth: int
    rows: int
    decrease: float


class Grown(NamedTuple):
    """Nodes, the root first.

    split : (nodes, 4) feature, or -1 for a leaf; kind, code and extras of the literal that holds in the left child.
    children : (nodes, 2) left and right child; -1 for a leaf.
    weight : (nodes, K) weight of each class.
    """

    split: Positions
    children: Positions
    weight: Floats
