"""The best attributes that can be made of neighbouring pre-bins: exact dynamic programming over their counts.

An attribute is an interval i..j of the k pre-bins. The best total with b attributes, the last of which is i..j, needs
the best total of b − 1 attributes that end at i − 1; a shape allows only those whose last rate is on the right side of
the rate of i..j. For each end the predecessors are sorted by rate once, and a running maximum in that order answers
every later question by one lookup. So all b levels cost O(k² log k + b·k²), in a few NumPy calls each. Peaks and
valleys have a second phase. Convex and concave shapes ask three neighbours, so pairs of attributes are the states:
O(b·k³). A free shape asks nothing, and the end of the last attribute is the state: O(b·k²).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scrutable_optimal.tallies import Floats, Sizes, Tally, upper

Shape = Literal["ascending", "descending", "peak", "valley", "convex", "concave", "free"]
Borders = NDArray[np.intp]
SHAPES: tuple[Shape, ...] = get_args(Shape)

#: How rates go from attribute to attribute, phase after phase.
_PHASES: dict[Shape, tuple[str, ...]] = {
    "ascending": ("up",),
    "descending": ("down",),
    "peak": ("up", "down"),
    "valley": ("down", "up"),
}
#: Second differences of rates at or above this are not negative: those of counts are 0 or much larger.
_BENT = -1e-12
#: A total counts as larger where it is so by more than this share: what is less is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Partition:
    """Neighbouring pre-bins put together.

    Parameters
    ----------
    borders : the pre-bins that open the second and the later attributes.
    value : of the objective.
    """

    borders: Borders
    value: float


class Partitions:
    """All that can be made of the pre-bins of one feature with attributes of given sizes.

    Equal values are resolved for fewer attributes, then from the last attribute to the first: each opens as far left as
    it can. One attribute is always possible, however small.

    Parameters
    ----------
    tally : k pre-bins, each with rows.

    Examples
    --------
    >>> from scrutable_optimal.tallies import OutcomeTally
    >>> sums = np.array([[8.0, 2], [5, 5], [6, 4], [1, 9]])
    >>> partitions = Partitions(OutcomeTally(sums=sums, totals=(20, 20)), Sizes(max_bins=4))
    >>> [partition.borders.tolist() for partition in partitions.each("ascending")]
    [[], [3], [1, 3]]
    >>> partitions.best("free").borders.tolist()
    [1, 2, 3]
    """

    def __init__(self, tally: Tally, sizes: Sizes) -> None:
        self.tally, self.sizes = tally, sizes
        k = len(tally.sums)
        sums = tally.intervals()[upper(k)]
        worth, rate = tally.gain(sums), tally.rate(sums)
        self._gain, self._rate = np.full((k, k), -np.inf), np.zeros((k, k))
        self._gain[upper(k)] = np.where(tally.allowed(sums, sizes), worth, -np.inf)
        self._gain[0, -1] = worth[k - 1]
        self._rate[upper(k)] = np.where(np.isnan(rate), 0.0, rate)
        self._searches: dict[Shape, _Search] = {}

    def best(self, shape: Shape) -> Partition:
        """The partition with the largest value."""
        values = self._search(shape).values
        return self.of(shape, int(np.argmax(values >= values.max() * (1 - _ROUNDING))))

    def each(self, shape: Shape) -> list[Partition]:
        """The partition with the largest value for each number of attributes that has one, fewest first."""
        return [self.of(shape, borders) for borders in self.values(shape)]

    def values(self, shape: Shape) -> dict[int, float]:
        """The largest value for each number of borders that there can be, fewest first."""
        values = self._search(shape).values
        return {borders: float(values[borders]) for borders in np.flatnonzero(values > -np.inf).tolist()}

    def of(self, shape: Shape, borders: int) -> Partition:
        """The partition with the largest value that has so many borders."""
        search = self._search(shape)
        return Partition(borders=search.borders(borders), value=float(search.values[borders]))

    def _search(self, shape: Shape) -> _Search:
        if shape not in self._searches:
            self._searches[shape] = self._searched(shape)
        return self._searches[shape]

    def _searched(self, shape: Shape) -> _Search:
        levels = min(self.sizes.max_bins, len(self._gain))
        if shape == "free":
            return _Free(self._gain, levels)
        if shape in _PHASES:
            return _Chain(self._gain, levels, self._sorted, _PHASES[shape])
        return _Bend(self._gain, levels, self._sorted if shape == "convex" else _Sorted(-self._rate))

    @cached_property
    def _sorted(self) -> _Sorted:
        return _Sorted(self._rate)


class _Sorted:
    """Predecessors of each end sorted by their rate: those that end at e are the intervals h..e with h <= e.

    Attributes
    ----------
    rate : (k, k) rates of the intervals.
    order : (k, k) starts h in ascending order of rate, by end; starts above the end come last.
    """

    def __init__(self, rate: Floats) -> None:
        self.rate = rate
        self._by_end = np.where(upper(len(rate)), rate, np.inf).T
        self.order = np.argsort(self._by_end, axis=1, kind="stable")

    def row(self, end: int) -> Floats:
        """The sorted rates of the predecessors that end here."""
        rates: Floats = self._by_end[end, self.order[end, : end + 1]]
        return rates

    def best_before(self, values: Floats, phase: str) -> Floats:
        """(k - 1, k) for each interval but those from 0 the best of its predecessors' values that a phase allows."""
        ranked, reached = self._upwards if phase == "up" else self._downwards
        best: Floats = np.maximum.accumulate(values.take(ranked), axis=1).take(reached)
        return best

    @cached_property
    def _upwards(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Predecessors, ranked from the lowest rate: up to the last one with no higher rate."""
        return self._ranked(self.order, self._counted("right"))

    @cached_property
    def _downwards(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Predecessors, ranked from the highest rate: up to the first one with no lower rate."""
        return self._ranked(self.order[:, ::-1], len(self.order) - self._counted("left"))

    def _ranked(self, order: NDArray[np.intp], count: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Where predecessors stand in the order in which they are allowed, and how far each interval allows them.

        Returns
        -------
        (k, k + 1) by end the places of its predecessors among (start, end), behind one that is no interval and whose
        value is minus infinity; (k - 1, k) for each interval the place of the last one allowed among these.
        """
        k = len(order)
        ranked = np.full((k, k + 1), k * (k - 1))
        ranked[:, 1:] = order * k + np.arange(k)[:, None]
        return ranked, count[1:] + (k + 1) * np.arange(k - 1)[:, None]

    @cached_property
    def _pairs(self) -> tuple[Borders, Borders]:
        """Starts and ends of all intervals."""
        starts, ends = np.nonzero(upper(len(self.order)))
        return starts, ends

    @cached_property
    def _places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """For all intervals the place of the rate among the different ones, and sorted keys of end and place."""
        starts, ends = self._pairs
        rates = self.rate[starts, ends]
        order = np.argsort(rates)
        place = np.empty_like(order)
        place[order] = np.append(0, np.cumsum(np.diff(rates[order]) > 0))
        return place, np.sort(ends * len(place) + place)

    def _counted(self, side: Literal["left", "right"]) -> NDArray[np.intp]:
        """(k, k) how many predecessors of an interval have a lower rate, or from the right one that is not higher."""
        starts, ends = self._pairs
        place, keys = self._places
        size = len(place)
        before = (starts - 1) * starts // 2  # so many intervals end before starts - 1
        counts = np.zeros(self.rate.shape, dtype=np.intp)
        counts[starts, ends] = keys.searchsorted((starts - 1) * size + place, side=side) - before
        return counts


class _Search(ABC):
    """The best partitions of one shape.

    Attributes
    ----------
    values : (levels,) largest totals with 1, 2, ... attributes; minus infinity where there is none.
    """

    values: Floats

    @abstractmethod
    def borders(self, level: int) -> Borders:
        """The borders of the best partition of a level, traced back from its last attribute."""


class _Free(_Search):
    """`best[b][e]` is the best total of b + 1 attributes that end at e."""

    def __init__(self, gain: Floats, levels: int) -> None:
        self.gain, self.best = gain, [gain[0]]
        for _ in range(1, levels):
            following = np.full(len(gain), -np.inf)
            following[1:] = (gain[1:, 1:] + self.best[-1][:-1, None]).max(axis=0)
            self.best.append(following)
        self.values = np.array([each[-1] for each in self.best])

    def borders(self, level: int) -> Borders:
        end, borders = len(self.gain) - 1, []
        for best in self.best[level - 1 :: -1] if level else ():
            start = 1 + int(np.argmax(best[:end] + self.gain[1 : end + 1, end]))
            borders.append(start)
            end = start - 1
        return np.array(borders[::-1], dtype=np.intp)


class _Chain(_Search):
    """Shapes that compare each attribute with the one before it.

    `best[b][p, i, j]` is the best total of b + 1 attributes, the last of which is i..j and belongs to phase p.
    """

    def __init__(self, gain: Floats, levels: int, ranked: _Sorted, phases: tuple[str, ...]) -> None:
        self.gain, self.sorted, self.phases = gain, ranked, phases
        first = np.full((len(phases), *gain.shape), -np.inf)
        first[0, 0] = gain[0]
        self.best = [first]
        for _ in range(1, levels):
            self.best.append(self._following(self.best[-1]))
        self.values = np.array([level[:, :, -1].max() for level in self.best])

    def _following(self, best: Floats) -> Floats:
        following = np.full_like(best, -np.inf)
        for p, phase in enumerate(self.phases):
            before = best[p - 1 : p + 1].max(axis=0) if p else best[0]
            np.add(self.gain[1:], self.sorted.best_before(before, phase), out=following[p, 1:])
        return following

    def borders(self, level: int) -> Borders:
        phase, start = _first_best(self.best[level][:, :, -1])
        end, borders = len(self.gain) - 1, [start]
        for best in self.best[level - 1 :: -1] if level else ():
            before, rate = self.sorted.rate[:start, start - 1], self.sorted.rate[start, end]
            follows = before <= rate if self.phases[phase] == "up" else before >= rate
            first = max(0, phase - 1)
            candidates = np.where(follows, best[first : phase + 1, :start, start - 1], -np.inf)
            end = start - 1
            step, start = _first_best(candidates)
            phase = first + step
            borders.append(start)
        return np.array(borders[-2::-1], dtype=np.intp)


class _Bend(_Search):
    """Convex rates: no second difference below 0.

    `best[b][h, m, j]` is the best total of b + 2 attributes, the last two of which are h..m and m + 1..j.
    """

    def __init__(self, gain: Floats, levels: int, ranked: _Sorted) -> None:
        self.gain, self.sorted = gain, ranked
        self._next_gain, next_rate = np.full_like(gain, -np.inf), np.zeros_like(gain)  # (m, j), of m + 1..j
        self._next_gain[:-1], next_rate[:-1] = gain[1:], ranked.rate[1:]
        #: (h, m, j) least rate of an attribute that ends at h - 1, for h..m and m + 1..j to follow it
        self._least = 2 * ranked.rate[:, :, None] - next_rate[None] + _BENT
        self.best: list[Floats] = []
        for level in range(levels - 1):
            self.best.append(self._following(self.best[-1]) if level else self._pairs())
        self.values = np.array([gain[0, -1], *(level[:, :, -1].max() for level in self.best)])

    def _pairs(self) -> Floats:
        pairs = np.full_like(self._least, -np.inf)
        pairs[0] = self.gain[0][:, None] + self._next_gain
        return pairs

    def _following(self, best: Floats) -> Floats:
        following = np.full_like(best, -np.inf)
        for h in range(1, len(best)):
            ranked = _best_from(best[self.sorted.order[h - 1, :h], h - 1].T)  # (m, rank)
            rank = np.searchsorted(self.sorted.row(h - 1), self._least[h, h:])
            following[h, h:] = self._next_gain[h:] + np.take_along_axis(ranked[h:], rank, axis=1)
        return following

    def borders(self, level: int) -> Borders:
        if not level:
            return np.empty(0, dtype=np.intp)
        start, middle = _first_best(self.best[level - 1][:, :, -1])
        end, borders = len(self.gain) - 1, [middle + 1, start]
        for best in self.best[level - 2 :: -1] if level > 1 else ():
            follows = self.sorted.rate[:start, start - 1] >= self._least[start, middle, end]
            candidates = np.where(follows, best[:start, start - 1, middle], -np.inf)
            start, middle, end = int(np.argmax(candidates)), start - 1, middle
            borders.append(start)
        return np.array(borders[-2::-1], dtype=np.intp)


def _best_up_to(ranked: Floats) -> Floats:
    """(k, n + 1) maxima of the first 0 to n of each row."""
    maxima = np.full((len(ranked), ranked.shape[1] + 1), -np.inf)
    np.maximum.accumulate(ranked, axis=1, out=maxima[:, 1:])
    return maxima


def _best_from(ranked: Floats) -> Floats:
    """(k, n + 1) maxima of each row without its first 0 to n."""
    return _best_up_to(ranked[:, ::-1])[:, ::-1]


def _first_best(values: Floats) -> tuple[int, int]:
    """Row and column of the largest value: the first such column, and the first row in it."""
    if len(values) == 1:
        return 0, int(values[0].argmax())
    column = int(values.max(axis=0).argmax())
    return int(values[:, column].argmax()), column
