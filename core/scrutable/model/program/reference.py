"""The reference interpreter: the definition of what a program gives, over whole columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from scrutable.data.frames import Column as Values
from scrutable.model.program.buckets import bucket
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.nodes import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Clamp,
    Code,
    Column,
    First,
    Largest,
    Linear,
    Logistic,
    Node,
    Pair,
    Points,
    Rank,
    Ref,
    Share,
    Short,
    Sum,
    Test,
    Text,
    Words,
)
from scrutable.model.program.program import Program

Array = NDArray[Any]


class Rows:
    """Some rows, and what is known of them; each node is worked out once, and only where somebody asks for it.

    Parameters
    ----------
    rows : which they are among all rows or, of rows that a choice led to, among those above.
    count : how many they are.
    """

    #: Rows worked out at once, so that what is between columns and results stays in the processor's cache.
    BLOCK = 16_384
    #: The share of rows from which on working out all of them takes less time than telling them apart.
    NEARLY_ALL = 0.9

    def __init__(
        self,
        program: Program,
        columns: Mapping[str, Values],
        rows: slice | NDArray[np.intp],
        count: int,
        above: Rows | None = None,
    ) -> None:
        self._program, self._columns, self._rows, self._count, self._above = program, columns, rows, count, above
        self._known: dict[Ref, Any] = {}
        self._led: dict[Ref, list[Rows]] = {}

    def move(self, rows: slice, count: int) -> None:
        """Be other rows, of which nothing is known."""
        self._rows, self._count = rows, count

    def forget(self) -> None:
        """Let go of what is known of these rows, parts of which know the rows; what was given may be written over."""
        self._known, self._led = {}, {}

    def value(self, ref: Ref) -> Any:
        """What a node gives for each of the rows: an array, `Texts`, a `Column`, or a ranking."""
        if ref not in self._known:
            above = None if self._above is None else self._above._known_or_column(ref)
            self._known[ref] = self._worked_out(self._program[ref]) if above is None else above.take(self._rows)
        return self._known[ref]

    def coded(self, ref: Ref) -> Any:
        """What a node gives, points by their places among those that there are."""
        node = self._program[ref]
        return Listed(node.values, self._places(node.of)) if isinstance(node, Points) else self.value(ref)

    def _known_or_column(self, ref: Ref) -> Any:
        return self.value(ref) if isinstance(self._program[ref], Column) else self._known.get(ref)

    def _truth(self, ref: Ref) -> NDArray[np.bool_]:
        value: Array = self.value(ref)
        return value if value.dtype == bool else value != 0

    def _places(self, ref: Ref) -> NDArray[np.intp]:
        value: Array = self.value(ref)
        return value.view(np.uint8) if value.dtype == bool else value

    def _worked_out(self, node: Node) -> Any:
        match node:
            case Column(name):
                return self._columns[name].take(self._rows)
            case Bucket(of, ladder):
                return self._bucketed(ladder, self.value(of))
            case Pair(of, sizes):
                place = np.zeros(self._count, dtype=np.intp)
                for ref, size in zip(of, sizes, strict=True):
                    place = place * size + self._places(ref)
                return place
            case Points(of, values):
                return np.take(np.array(values), self._places(of))
            case Test(of, among):
                return _among(self._places(of), among)
            case All(of):
                return self._all(of)
            case First(of):
                return self._first(of)
            case Choice(by, of):
                return self._chosen(by, of)
            case Sum(start, of):
                return self._added(start, of)
            case Linear(of, slope, intercept):
                return intercept + slope * self.value(of)
            case Clamp(of, low, high):
                return np.minimum(high, np.maximum(low, self.value(of)))
            case Logistic(of):
                return 1.0 / (1.0 + np.exp(-self.value(of)))
            case AtLeast(of, limit):
                return self.value(of) >= limit
            case Share(of, among):
                return self.value(of) / sum(self.value(ref) for ref in among)
            case Largest(of):
                return np.argmax([self.value(ref) for ref in of], axis=0)
            case Rank(of):
                return self._ranked(of)
            case Code(of, rank):
                return self.value(of).codes(rank)
            case Short(of, rank):
                return self.value(of).short(rank)
            case Text(of, texts):
                return Texts(texts, self._places(of))
            case Words(of, words):
                return _words([self._truth(ref) for ref in of], words, self._count)
            case _:
                assert_never(node)

    def _bucketed(self, ladder: Ladder, value: Any) -> Array:
        return bucket(ladder, value)

    def _added(self, start: float, of: Sequence[Ref]) -> Array:
        total = np.full(self._count, start)
        for ref in of:
            total += self.value(ref)
        return total

    def _ranked(self, of: tuple[tuple[Ref, ...], ...]) -> Ranking:
        return Shortfalls([[self.value(ref) for ref in refs_of_code] for refs_of_code in of], self._count)

    def _all(self, of: Sequence[Ref]) -> NDArray[np.bool_]:
        held = np.ones(self._count, dtype=bool)
        for ref in of:
            held &= self._truth(ref)
        return held

    def _first(self, of: Sequence[Ref]) -> Array:
        places = np.full(self._count, len(of), dtype=_kind(len(of) + 1))
        for place, ref in reversed(list(enumerate(of))):
            np.putmask(places, self._truth(ref), places.dtype.type(place))
        return places

    def _chosen(self, by: Ref, of: Sequence[Ref | None]) -> Array | Texts:
        """Each option for its rows alone; one that most rows take, for all."""
        if by not in self._led:
            places = self._places(by)
            led = [np.flatnonzero(places == place) for place in range(len(of))]
            most = max(led, key=len)
            for_all = len(most) > self.NEARLY_ALL * self._count
            self._led[by] = [self if rows is most and for_all else self._child(rows) for rows in led]
        options = sorted(zip(self._led[by], of, strict=True), key=lambda option: option[0] is not self)
        taken = [(rows, ref) for rows, ref in options if rows._count]
        if any(ref is not None for _, ref in taken):  # else the others alone say of which kind the values are
            options = taken
        parts = [(self._within(rows), None if ref is None else rows.value(ref)) for rows, ref in options]
        example = next(values for _, values in parts if values is not None)
        if isinstance(example, Texts):
            return self._chosen_texts(parts)
        nothing = {"O": None, "f": np.nan}.get(example.dtype.kind, 0)
        chosen = np.full(self._count, nothing, dtype=example.dtype)
        for where, values in parts:
            chosen[where] = nothing if values is None else values
        return chosen

    def _child(self, rows: NDArray[np.intp]) -> Rows:
        return type(self)(self._program, self._columns, rows, len(rows), self)

    def _within(self, rows: Rows) -> Any:
        return slice(None) if rows is self else rows._rows

    def _chosen_texts(self, parts: Sequence[tuple[Any, Texts | None]]) -> Texts:
        """The texts of all options in one table, whose first is none."""
        table: dict[str | None, int] = {None: 0}
        kind = _kind(1 + sum(len(told.table) for _, told in parts if told is not None))
        chosen = np.zeros(self._count, dtype=kind)
        for where, told in parts:
            if told is None:
                chosen[where] = 0
            else:
                new = np.array([table.setdefault(text, len(table)) for text in told.table], dtype=kind)
                chosen[where] = np.take(new, told.places)
        return Texts(tuple(table), chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """A text of each row, by its place among some; None is none."""

    table: tuple[str | None, ...]
    places: NDArray[np.integer[Any]]

    def take(self, rows: Any) -> Texts:
        """Those of some rows."""
        return Texts(self.table, self.places[rows])

    def objects(self) -> NDArray[np.object_]:
        """(n,) texts and None."""
        return np.take(np.array(self.table, dtype=object), self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """A number of each row, by its place among some."""

    table: tuple[float, ...]
    places: NDArray[np.integer[Any]]


class Ranking(ABC):
    """What a `Rank` node gives."""

    @abstractmethod
    def codes(self, rank: int) -> NDArray[np.integer[Any]]:
        """The code at a rank; as many codes as there are where fewer fall short."""

    @abstractmethod
    def short(self, rank: int) -> NDArray[np.float64]:
        """The shortfall at a rank; NaN where fewer codes fall short."""

    def take(self, rows: Any) -> Ranking:
        """That of some rows."""
        return _OfSome(self, rows)


class _OfSome(Ranking):
    """The ranking of some of the rows of another."""

    def __init__(self, whole: Ranking, rows: Any) -> None:
        self._whole, self._rows = whole, rows

    def codes(self, rank: int) -> NDArray[np.integer[Any]]:
        codes: NDArray[np.integer[Any]] = self._whole.codes(rank)[self._rows]
        return codes

    def short(self, rank: int) -> NDArray[np.float64]:
        short: NDArray[np.float64] = self._whole.short(rank)[self._rows]
        return short


class Shortfalls(Ranking):
    """Codes by how far they fall short, worked out rank by rank."""

    def __init__(self, short: Sequence[Sequence[Array]], n_rows: int) -> None:
        self._left = np.zeros((len(short), n_rows))
        for code, numbers in enumerate(short):
            for each in numbers:
                np.maximum(self._left[code], each, out=self._left[code])
        self._found: list[tuple[NDArray[np.intp], NDArray[np.float64]]] = []

    def codes(self, rank: int) -> NDArray[np.intp]:
        """The code at a rank; as many codes as there are where fewer fall short."""
        return self._at(rank)[0]

    def short(self, rank: int) -> NDArray[np.float64]:
        """The shortfall at a rank; NaN where fewer codes fall short."""
        return self._at(rank)[1]

    def _at(self, rank: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        while len(self._found) <= rank:
            self._found.append(self._next())
        return self._found[rank]

    def _next(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        n_codes, n_rows = self._left.shape
        most = np.maximum.reduce(self._left, axis=0, initial=0.0)
        best = np.full(n_rows, n_codes, dtype=np.intp)
        for code in range(n_codes - 1, -1, -1):  # the first of equal ones is the last to be written
            np.copyto(best, code, where=self._left[code] == most)
        best[most == 0] = n_codes
        short = np.flatnonzero(most)
        self._left[best[short], short] = 0.0
        return best, np.where(most > 0, most, np.nan)


def _kind(size: int) -> type[np.integer[Any]]:
    """The smallest integers that so many places fit in."""
    return np.uint8 if size <= 256 else np.intp


def _among(places: NDArray[np.intp], among: Sequence[int]) -> NDArray[np.bool_]:
    held = np.zeros(len(places), dtype=bool)
    for place in among:
        held |= places == place
    return held


def _words(truths: Sequence[NDArray[np.bool_]], words: Sequence[str], n_rows: int) -> Texts:
    """Each different set of truths is spelled once."""
    held = np.array(truths, dtype=bool).reshape(len(words), n_rows).T
    patterns, which = np.unique(np.packbits(held, axis=1), axis=0, return_inverse=True)
    rows = np.unpackbits(patterns, axis=1, count=len(words)).astype(bool)
    texts = [" ".join(word for word, holds in zip(words, row, strict=True) if holds) for row in rows]
    return Texts(tuple(texts), which.reshape(-1))
