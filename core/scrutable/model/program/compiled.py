"""What takes most of the time of a program, by compiled loops; the bits are those of the reference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from scrutable.model.program import kernels
from scrutable.model.program.buckets import bucket, of_levels
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.nodes import Bucket, Choice, Node, Points, Ref, Sum
from scrutable.model.program.preparing import Among, KeyTables, Small, Whole, grid, prepared
from scrutable.model.program.reference import Ranking, Rows

Array = NDArray[Any]

#: Cuts and names up to which comparing with each of them is fastest.
_CUTS, _NAMES = 16, 4
#: Leaves of a tree, and places of others, that are known by a byte.
_LEAVES = 256
_NONE = float("nan")


class CompiledRows(Rows):
    """Rows whose buckets, truths, sums, trees and ranks are worked out by compiled loops."""

    #: Enough rows for the time that calls of loops take to be little beside that of the loops.
    BLOCK = 65_536
    NEARLY_ALL = 0.3

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        above = self._above
        self._buffers: Buffers = above._buffers if isinstance(above, CompiledRows) else Buffers()
        self._cells: dict[Ref, Array] = {}

    def forget(self) -> None:
        """Let go of what is known of these rows; what was given is written over."""
        super().forget()
        self._cells = {}
        self._buffers.take_back()

    def _empty(self, kind: DTypeLike) -> Array:
        if np.dtype(kind).itemsize == 1:  # so small that the memory which was freed last is taken, and is in the cache
            return np.empty(self._count, dtype=kind)
        return self._buffers.empty(self._count, kind)

    def _full(self, value: float, kind: DTypeLike) -> Array:
        array = self._empty(kind)
        array.fill(value)
        return array

    def _worked_out(self, node: Node) -> Any:
        if isinstance(node, Bucket):
            truths = prepared(self._program).truths.get(node.of)
            if truths is not None and node.ladder in truths.among:
                return self._held(node.of, truths.ladder, truths.among[node.ladder])
        return super()._worked_out(node)

    def _held(self, column: Ref, joint: Ladder, among: Among) -> Array:
        """A truth, by the cell of its column that each row is in."""
        if column not in self._cells:
            self._cells[column] = self._bucketed(joint, self.value(column))
        out = self._empty(bool)
        if among.table is None:
            kernels.between(self._cells[column], among.low, among.high, among.wanted, out)
        else:
            kernels.look_up(among.table, self._cells[column], out)
        return out

    def _first(self, of: Sequence[Ref]) -> Array:
        if len(of) >= _LEAVES:
            return super()._first(of)
        places = self._full(len(of), np.uint8)
        for place, ref in reversed(list(enumerate(of))):
            kernels.put_where(self._truth(ref), np.uint8(place), places)
        return places

    def _bucketed(self, ladder: Ladder, value: Any) -> Array:
        x = _numbers(value)
        if ladder.size > 256 or len(ladder.rungs) > 255 or (x is not None and len(ladder.named) > _NAMES):
            return bucket(ladder, value)
        if x is None:
            out = self._empty(np.uint8)
            kernels.look_up(self._buffers.of_levels(ladder, value.coding.levels), value.coding.codes, out)
            return out
        if ladder.rungs == tuple(range(len(ladder.rungs))):
            out = self._rungs(ladder, x, ladder.missing)
        else:
            out = self._empty(np.uint8)
            kernels.look_up(
                np.array([*ladder.rungs, ladder.missing], dtype=np.uint8),
                self._rungs(ladder, x, len(ladder.rungs)),
                out,
            )
        for name, own in ladder.named:
            kernels.put_named(x, float(name), own, out)
        return out

    def _rungs(self, ladder: Ladder, x: Array, missing: int) -> Array:
        """The rung that each number stands on, or something else where it is missing."""
        over = grid(ladder.cuts) if len(ladder.cuts) > _CUTS else None
        if over is not None:
            out = self._empty(np.uint8)
            kernels.count_by_grid(x, over.low, over.scale, over.first, over.cuts, over.within, np.uint8(missing), out)
            return out
        out = self._full(0, np.uint8)
        for place in range(0, max(len(ladder.cuts), 1), kernels.CUTS):
            cuts = _padded(ladder.cuts[place : place + kernels.CUTS], _NONE)
            kernels.count_cuts(x, cuts, np.uint8(0 if place else missing), out)
        return out

    def _added(self, start: float, of: Sequence[Ref]) -> Array:
        total = self._full(start, float)
        known = prepared(self._program)
        uses, whole = known.uses, known.whole.get(tuple(of))
        if whole is not None:
            kernels.add_scaled(self._added_whole(whole), whole.scale, total)
        for ref in of:
            node = self._program[ref]
            if whole is not None and ref in whole.tables:
                continue
            if uses[ref] > 1 or not self._added_at_once(
                node, total, alone=isinstance(node, Points) and uses[node.of] == 1
            ):
                total += self.value(ref)
        return total

    def _added_whole(self, whole: Whole) -> Array:
        """The sum of tables that hold small integers."""
        total = self._full(0, np.int16)
        for ref, small in whole.tables.items():
            points = self._program[ref]
            assert isinstance(points, Points)
            self._add_whole(points.of, small, total)
        return total

    def _add_whole(self, of: Ref, small: Small, total: Array) -> None:
        """Add the small integer of each place."""
        node = self._program[of]
        if isinstance(node, Bucket) and prepared(self._program).uses[of] == 1 and node.ladder.kind == "categorical":
            coding = self.value(node.of).coding
            kernels.add_points(small.table[self._buffers.of_levels(node.ladder, coding.levels)], coding.codes, total)
            return
        places = self._places(of)
        if places.dtype != np.uint8 or not small.steps:
            kernels.add_points(small.table, places, total)
            return
        for first, steps, start in small.steps:
            kernels.add_few(places, first, steps, start, total)

    def _added_at_once(self, node: Node, total: Array, *, alone: bool) -> bool:
        """Whether what a term adds was added without making its numbers first."""
        match node:
            case Points(of, values):
                if alone and self._stepped(node, total):
                    return True
                if len(values) == 2:
                    kernels.add_where(self._truth(of), *values, total)
                else:
                    kernels.add_points(np.array(values), self._places(of), total)
                return True
            case Choice():
                leaves: list[float] = []
                place = self._leaf(node, leaves)
                if place is not None:
                    kernels.add_points(np.array(leaves), place, total)
                return place is not None
            case _:
                return False

    def _leaf(self, node: Node, leaves: list[float]) -> Array | None:
        """Which leaf of a tree each row gets to, by its place among all that were met; None where it is no tree."""
        match node:
            case Sum(start, ()):
                leaves.append(start)
                return self._full(len(leaves) - 1, np.uint8)
            case Points(of, values) if len(leaves) + len(values) <= _LEAVES:
                first = np.uint8(len(leaves))
                leaves += values
                return self._places(of).astype(np.uint8, copy=False) + first
            case Choice(by, (int() as without, int() as within)) if len(leaves) < _LEAVES:
                parts = [self._leaf(self._program[ref], leaves) for ref in (without, within)]
                if parts[0] is None or parts[1] is None:
                    return None
                out = self._empty(np.uint8)
                kernels.choose(self._truth(by).view(np.uint8), parts[1], parts[0], out)
                return out
            case _:
                return None

    def _stepped(self, points: Points, total: Array) -> bool:
        """Whether a table over a ladder of numbers or texts was added with no bucket looked up."""
        node = self._program[points.of]
        if not isinstance(node, Bucket) or len(node.ladder.cuts) > _CUTS or len(node.ladder.named) > _NAMES:
            return False
        ladder, value = node.ladder, self.value(node.of)
        x = _numbers(value)
        if x is None:
            table = np.array(points.values)[self._buffers.of_levels(ladder, value.coding.levels)]
            kernels.add_points(table, value.coding.codes, total)
            return True
        of_rungs = [points.values[rung] for rung in ladder.rungs]
        steps = [after - before for before, after in pairwise(of_rungs)]
        start, missing = of_rungs[0], points.values[ladder.missing] - of_rungs[0]
        for place in range(0, max(len(steps), 1), kernels.CUTS):
            cuts, own = (each[place : place + kernels.CUTS] for each in (ladder.cuts, steps))
            kernels.add_steps(x, _padded(cuts, _NONE), _padded(own, 0.0), start, missing, total)
            start = missing = 0.0
        for name, own_bucket in ladder.named:
            kernels.add_named(x, float(name), points.values[own_bucket] - points.values[ladder.rung(name)], total)
        return True

    def _ranked(self, of: tuple[tuple[Ref, ...], ...]) -> Ranking:
        known = prepared(self._program)
        keys = known.keys.get(of)
        if keys is None:
            return super()._ranked(of)
        kind = keys.kind
        largest = self._buffers.empty(known.ranks * self._count, kind).reshape(known.ranks, self._count)
        largest.fill(0)
        key, other = self._empty(kind), self._empty(kind)
        for refs_of_code, tables in zip(of, keys.tables, strict=True):
            self._put_keys(refs_of_code[0], tables[0], key)
            for ref, table in zip(refs_of_code[1:], tables[1:], strict=True):
                self._put_keys(ref, table, other)
                np.maximum(key, other, out=key)
            kernels.insert(key, largest)
        return Keys(keys, largest, self._empty)

    def _put_keys(self, ref: Ref, keys: Small, out: Array) -> None:
        points = self._program[ref]
        assert isinstance(points, Points)
        out.fill(0)
        self._add_whole(points.of, keys, out)


class Keys(Ranking):
    """Codes by integers, each a shortfall's rank and the code's place; the greater falls short more, or comes first."""

    def __init__(self, keys: KeyTables, largest: Array, empty: Callable[[DTypeLike], Array]) -> None:
        self._keys, self._largest, self._empty = keys, largest, empty

    def codes(self, rank: int) -> Array:
        """The code at a rank; as many codes as there are where fewer fall short."""
        return self._of_key(self._keys.codes, rank)

    def short(self, rank: int) -> Array:
        """The shortfall at a rank; NaN where fewer codes fall short."""
        return self._of_key(self._keys.short, rank)

    def _of_key(self, table: Array, rank: int) -> Array:
        out = self._empty(table.dtype)
        kernels.look_up(table, self._largest[rank], out)
        return out


class Buffers:
    """Arrays that one block after another writes, since new ones have to be given by the operating system each time."""

    def __init__(self) -> None:
        self._idle: defaultdict[tuple[int, np.dtype[Any]], list[Array]] = defaultdict(list)
        self._lent: list[Array] = []
        self._levels: dict[int, tuple[NDArray[np.object_], Array]] = {}

    def empty(self, count: int, kind: DTypeLike) -> Array:
        """Room for so many values."""
        size, kind = 1 << max(count - 1, 0).bit_length(), np.dtype(kind)
        idle = self._idle[size, kind]
        array = idle.pop() if idle else np.empty(size, dtype=kind)
        self._lent.append(array)
        return array[:count]

    def take_back(self) -> None:
        """Lend anew whatever was lent."""
        for array in self._lent:
            self._idle[len(array), array.dtype].append(array)
        self._lent = []

    def of_levels(self, ladder: Ladder, levels: NDArray[np.object_]) -> Array:
        """The bucket of each of a column's texts, worked out once where all blocks have the same ones."""
        last, buckets = self._levels.get(id(ladder), (None, None))  # programs outlive their runs
        if buckets is None or last is not levels:
            buckets = of_levels(ladder, levels)
            self._levels[id(ladder)] = levels, buckets
        return buckets


def _padded(values: Sequence[float], filling: float) -> kernels.Six:
    a, b, c, d, e, f = (*values, *[filling] * (kernels.CUTS - len(values)))
    return a, b, c, d, e, f


def _numbers(value: Any) -> Array | None:
    """The doubles of a column or an array; None for texts."""
    if isinstance(value, np.ndarray):
        return value
    return value.values if value.kind == "numeric" else None
