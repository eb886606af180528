"""What takes most of the time of a program, by compiled loops; the bits are those of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model.program import kernels
from scrutable.model.program.buckets import bucket, of_levels
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.nodes import Bucket, Choice, Node, Points, Ref, Sum
from scrutable.model.program.preparing import Among, KeyTables, grid, prepared
from scrutable.model.program.reference import Ranking, Rows

Array = NDArray[Any]

#: Cuts and names up to which comparing with each of them is fastest.
_CUTS, _NAMES = 16, 4
#: Leaves of a tree that are known by a byte.
_LEAVES = 256
_NONE = float("nan")


class CompiledRows(Rows):
    """Rows whose buckets, truths, sums, trees and ranks are worked out by compiled loops."""

    #: Enough rows for the time that calls of loops take to be little beside that of the loops.
    BLOCK = 65_536

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._cells: dict[Ref, Array] = {}

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
        out = np.empty(self._count, dtype=bool)
        if among.table is None:
            kernels.between(self._cells[column], among.low, among.high, among.wanted, out)
        else:
            kernels.look_up(among.table, self._cells[column], out)
        return out

    def _bucketed(self, ladder: Ladder, value: Any) -> Array:
        x = _numbers(value)
        if ladder.size > 256 or len(ladder.rungs) > 256 or (x is not None and len(ladder.named) > _NAMES):
            return bucket(ladder, value)
        out = np.zeros(self._count, dtype=np.uint8)
        if x is None:
            kernels.look_up(of_levels(ladder, value.coding.levels), value.coding.codes, out)
            return out
        over = grid(ladder.cuts) if len(ladder.cuts) > _CUTS else None
        if over is not None:
            kernels.count_by_grid(x, over.low, over.scale, over.first, over.cuts, over.within, out)
        else:
            for place in range(0, len(ladder.cuts), kernels.CUTS):
                kernels.count_cuts(x, _padded(ladder.cuts[place : place + kernels.CUTS], _NONE), out)
        if ladder.rungs != tuple(range(len(ladder.rungs))):
            reached, out = out, np.empty(self._count, dtype=np.uint8)
            kernels.look_up(np.array(ladder.rungs, dtype=np.uint8), reached, out)
        for name, own in ladder.named:
            kernels.put_named(x, float(name), own, out)
        kernels.put_missing(x, ladder.missing, out)
        return out

    def _added(self, start: float, of: Sequence[Ref]) -> Array:
        total = np.full(self._count, start)
        uses = prepared(self._program).uses
        for ref in of:
            node = self._program[ref]
            if uses[ref] > 1 or not self._added_at_once(
                node, total, alone=isinstance(node, Points) and uses[node.of] == 1
            ):
                total += self.value(ref)
        return total

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
                return np.full(self._count, len(leaves) - 1, dtype=np.uint8)
            case Points(of, values) if len(leaves) + len(values) <= _LEAVES:
                first = np.uint8(len(leaves))
                leaves += values
                return self._places(of).astype(np.uint8, copy=False) + first
            case Choice(by, (int() as without, int() as within)) if len(leaves) < _LEAVES:
                parts = [self._leaf(self._program[ref], leaves) for ref in (without, within)]
                if parts[0] is None or parts[1] is None:
                    return None
                out = np.empty(self._count, dtype=np.uint8)
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
            table = np.array(points.values)[of_levels(ladder, value.coding.levels)]
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
        ranking = Keys(keys, known.ranks, self._count)
        for refs_of_code, tables in zip(of, keys.tables, strict=True):
            own = [self._keys(ref, table) for ref, table in zip(refs_of_code, tables, strict=True)]
            ranking.insert(own[0] if len(own) == 1 else np.maximum.reduce(own))
        return ranking

    def _keys(self, ref: Ref, table: Array) -> Array:
        node = self._program[ref]
        assert isinstance(node, Points)
        keys = np.empty(self._count, dtype=table.dtype)
        kernels.look_up(table, self._places(node.of), keys)
        return keys


class Keys(Ranking):
    """Codes by integers, each a shortfall's rank and the code's place; the greater falls short more, or comes first."""

    def __init__(self, keys: KeyTables, ranks: int, n_rows: int) -> None:
        self._keys = keys
        self._largest = np.zeros((ranks, n_rows), dtype=keys.codes.dtype)

    def insert(self, key: Array) -> None:
        """Count the keys of one code in; they are used up."""
        kernels.insert(key, self._largest)

    def places(self, rank: int) -> tuple[Array, NDArray[np.float64]]:
        """The code at a rank and its shortfall; as many codes as there are, and NaN, where fewer fall short."""
        key = self._largest[rank]
        codes, short = np.empty_like(key), np.empty(len(key))
        kernels.look_up(self._keys.codes, key, codes)
        kernels.look_up(self._keys.short, key, short)
        return codes, short


def _padded(values: Sequence[float], filling: float) -> kernels.Six:
    a, b, c, d, e, f = (*values, *[filling] * (kernels.CUTS - len(values)))
    return a, b, c, d, e, f


def _numbers(value: Any) -> Array | None:
    """The doubles of a column or an array; None for texts."""
    if isinstance(value, np.ndarray):
        return value
    return value.values if value.kind == "numeric" else None
