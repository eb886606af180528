"""Merging with the bounds priced instead of kept: what bounds the exact search from above and starts it from below."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from scrutable_lda_xgb1.joined_prebins import Floats, Segments

_MOST_PRICES = 40
_LARGEST_PRICE = 1e4  # keeps the rounding errors of priced FIVs below the tolerance of the search


class Follow:
    """Which bins may follow which: for each border the bins from it on by rising rate, and where each before starts."""

    def __init__(self, segments: Segments) -> None:
        self.stops: list[NDArray[np.intp]] = []
        self.first: list[NDArray[np.intp]] = []
        for border in range(segments.n):
            stops = border + 1 + np.argsort(segments.rate[border, border + 1 :], kind="stable")
            self.stops.append(stops)
            self.first.append(np.searchsorted(segments.rate[border, stops], segments.rate[:border, border]))


class Priced:
    """The best merge when each FIV costs a price, instead of being bounded.

    Attributes
    ----------
    price : (bounds,) cost of each FIV, in IV.
    value : (n + 1, n + 1) highest priced IV of bin [i, j) and the bins after it, under the trend; -inf without any.
    after : (n + 1, n + 1) where the bin after [i, j) then ends.
    rest_iv, rest_fiv : IV and FIVs of the bins after [i, j).
    """

    def __init__(self, segments: Segments, follow: Follow, price: Floats) -> None:
        self.price = price
        self.value = np.where(segments.allowed, segments.iv - segments.fiv @ price, -np.inf)
        self.after = np.full(self.value.shape, segments.n)
        self.rest_iv = np.zeros(self.value.shape)
        self.rest_fiv = np.zeros(segments.fiv.shape)
        for border in range(segments.n - 1, 0, -1):
            stops = follow.stops[border]
            falling = self.value[border, stops[::-1]]
            best = np.maximum.accumulate(falling)
            chosen = np.maximum.accumulate(np.where(falling == best, np.arange(len(stops)), 0))
            first = follow.first[border]
            after = stops[::-1][np.append(chosen[::-1], 0)[first]]
            self.value[:border, border] += np.append(best[::-1], -np.inf)[first]
            self.after[:border, border] = after
            self.rest_iv[:border, border] = segments.iv[border, after] + self.rest_iv[border, after]
            self.rest_fiv[:border, border] = segments.fiv[border, after] + self.rest_fiv[border, after]

    def borders(self) -> list[int]:
        """Borders of the best merge."""
        return self.rest(0, int(self.value[0].argmax()))

    def rest(self, start: int, stop: int) -> list[int]:
        """Borders from the end of a bin on."""
        borders = []
        while stop < len(self.value) - 1:
            borders.append(stop)
            start, stop = stop, int(self.after[start, stop])
        return borders


def nearby(price: Floats) -> Iterator[Floats]:
    """Prices around the best for all of a feature, one FIV at a time: they may suit what is left at a later border."""
    for bound in range(len(price)):
        for factor in (0.0, 0.5, 2.0):
            other = price.copy()
            other[bound] *= factor
            yield other


def falling_bounds(segments: Segments, follow: Follow, room: Floats) -> Iterator[tuple[Priced, float]]:
    """Prices and the upper bounds of the IV that they prove, until no prices prove less (Kelley's cutting planes).

    The IV of a merge within the room is at most its priced IV plus the price of the room, whatever the prices.
    """
    one = segments.totals([])
    rows, price = [one], np.zeros(len(room))
    for _ in range(_MOST_PRICES):
        priced = Priced(segments, follow, price)
        bound = float(priced.value[0].max() + price @ room)
        yield priced, bound
        rows.append(segments.totals(priced.borders()))
        iv, fiv = np.array([iv for iv, _ in rows]), np.array([fiv for _, fiv in rows])
        # Lowest z with z >= IV + price (room - FIV) for every merge seen.
        solved = linprog(
            np.append(1.0, np.zeros(len(room))),
            A_ub=np.column_stack([-np.ones(len(iv)), room - fiv]),
            b_ub=-iv,
            bounds=[(None, None), *((0, _LARGEST_PRICE / (1 + r)) for r in room)],
        )
        if solved.x is None or solved.x[0] >= bound - 1e-9:
            return
        price = np.maximum(solved.x[1:], 0.0)
