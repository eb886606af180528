"""What is known of a program before any row, so that compiled loops do little for each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model.program.kernels import CUTS
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.nodes import Bucket, Code, Column, Points, Rank, Ref, Short, Sum, refs
from scrutable.model.program.program import Program

#: Cells of a grid over cuts, at most, and how many cuts one of them may hold.
_GRID, _WITHIN = 2**16, 3
#: Cells of a column that a byte tells apart, the end of the last among them.
_CELLS = 255

#: Places up to which small integers are added by steps.
_FEW = 2 * CUTS
#: Small integers, and sums of them, are below the first; what they count is no less than two to minus the second.
_SMALL, _POWERS = 2**15, 15


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells of equal width over many cuts; see `kernels.count_by_grid`."""

    low: float
    scale: float
    first: NDArray[np.int64]
    cuts: NDArray[np.float64]
    within: int

    @classmethod
    def over(cls, cuts: Sequence[float]) -> Grid | None:
        """A grid of which no cell holds more than a few of the cuts; None where they are too unequal."""
        every = np.array(cuts)
        low, high = float(every[0]), float(every[-1])  # an infinite difference is no error of these
        size = 1024
        while size <= _GRID:
            scale = (size - 2) / (high - low) if high > low else 0.0
            if not math.isfinite(scale) or not scale:
                return None
            cell = np.clip((every - low) * scale, 0, size - 1).astype(np.int64)
            within = int(np.bincount(cell).max())
            if within <= _WITHIN:
                first = np.searchsorted(cell, np.arange(size)).astype(np.int64)
                return cls(low, scale, first, np.append(every, [np.nan] * within), within)
            size *= 4
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Among:
    """A truth by the cells of its column: those from one to below another, or all others; or any, by a table."""

    low: np.uint8
    high: np.uint8
    wanted: bool
    table: NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True, eq=False)
class Truths:
    """The cells of a column on which nothing changes that several truths ask of it, and each truth by its node."""

    ladder: Ladder
    among: dict[Ladder, Among]


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """A table of integers, and the start and steps that `kernels.add_few` takes where they are few and small."""

    table: NDArray[Any]
    steps: tuple[tuple[np.uint8, NDArray[np.int16], np.int16], ...]

    @classmethod
    def of(cls, numbers: NDArray[Any], kind: type[np.signedinteger[Any]] = np.int16) -> Small:
        """What adds whole numbers that integers of a kind can hold."""
        table = numbers.astype(kind)
        if len(table) > _FEW or kind is not np.int16:
            return cls(table, ())
        steps = np.append(np.diff(table), np.zeros(_FEW, dtype=np.int16))
        starts = range(0, max(len(table) - 1, 1), CUTS)
        first = (table[0], *[np.int16(0)] * len(starts))
        parts = zip(starts, first, strict=False)
        return cls(table, tuple((np.uint8(at + 1), steps[at : at + CUTS], start) for at, start in parts))


@dataclass(frozen=True, slots=True, eq=False)
class KeyTables:
    """The keys of each table of each code, and by key its code and shortfall; 0 is none."""

    tables: tuple[tuple[Small, ...], ...]
    codes: NDArray[Any]
    short: NDArray[np.float64]
    kind: type[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """Tables that a sum adds, as small integers: each number is one of them times a power of two, and so is any sum."""

    scale: float
    tables: dict[Ref, Small]


@dataclass(slots=True, eq=False)
class Prepared:
    """What is known of a program.

    Parameters
    ----------
    uses : how often each node is read.
    ranks : how many ranks are asked for.
    keys : by what a ranking ranks.
    truths : by column.
    whole : by what a sum adds.
    """

    uses: Counter[Ref]
    ranks: int
    keys: dict[tuple[tuple[Ref, ...], ...], KeyTables] = field(default_factory=dict)
    truths: dict[Ref, Truths] = field(default_factory=dict)
    whole: dict[tuple[Ref, ...], Whole] = field(default_factory=dict)


@lru_cache(maxsize=16)
def prepared(program: Program) -> Prepared:
    """What is known of a program, worked out once."""
    uses = Counter(ref for node in program.nodes for ref in refs(node))
    uses.update(output.of for output in program.outputs)
    ranks = max((node.rank + 1 for node in program.nodes if isinstance(node, Code | Short)), default=0)
    known = Prepared(uses, ranks)
    asked: dict[Ref, list[Ladder]] = {}
    numbers = {node for node in program.nodes if isinstance(node, Column) and node.kind == "numeric"}
    for node in program.nodes:
        match node:
            case Bucket(of, ladder) if ladder.size == 2 and program[of] in numbers:
                asked.setdefault(of, []).append(ladder)
            case Rank(of) if of:
                tables = [[program[ref] for ref in of_code] for of_code in of]
                values = [[each.values for each in of_code if isinstance(each, Points)] for of_code in tables]
                if list(map(len, values)) == list(map(len, tables)):
                    known.keys[of] = _tables_of_keys(values)
            case Sum(_, of) if of:
                once = {ref: table for ref in of if isinstance(table := program[ref], Points) and uses[ref] == 1}
                whole = _whole({ref: table.values for ref, table in once.items()})
                if whole is not None:
                    known.whole[of] = whole
            case _:
                pass
    known.truths = {of: truths for of, ladders in asked.items() if (truths := _truths(ladders)) is not None}
    return known


@lru_cache(maxsize=1024)
def grid(cuts: tuple[float, ...]) -> Grid | None:
    """The grid over cuts, made once."""
    return Grid.over(cuts)


def _truths(ladders: Sequence[Ladder]) -> Truths | None:
    """The cells of several truths about one column; None where they would be too many, or one truth is alone."""
    cuts = tuple(sorted({cut for ladder in ladders for cut in ladder.cuts}))
    names = tuple(dict.fromkeys(name for ladder in ladders for name, _ in ladder.named))
    n_rungs, size = len(cuts) + 1, len(cuts) + len(names) + 2
    if len(ladders) < 2 or size > _CELLS:
        return None
    joint = Ladder(
        kind="numeric",
        size=size,
        rungs=tuple(range(n_rungs)),
        cuts=cuts,
        named=tuple((name, n_rungs + place) for place, name in enumerate(names)),
        missing=size - 1,
    )
    among = {}
    for ladder in ladders:
        starts = (-math.inf, *cuts)
        held = [ladder.rung(start) for start in starts] + [ladder.bucket(name) for name in names] + [ladder.missing]
        among[ladder] = _among(np.array(held, dtype=bool))
    return Truths(joint, among)


def _among(held: NDArray[np.bool_]) -> Among:
    for wanted in (True, False):
        cells = np.flatnonzero(held == wanted)
        if not len(cells) or cells[-1] - cells[0] == len(cells) - 1:
            low, high = (cells[0], cells[-1] + 1) if len(cells) else (0, 0)
            return Among(np.uint8(low), np.uint8(high), wanted, None)
    return Among(np.uint8(0), np.uint8(0), True, held)


def _whole(values: Mapping[Ref, Sequence[float]]) -> Whole | None:
    """Tables as small integers; None where these would have to be too large."""
    tables = {ref: np.array(table) for ref, table in values.items()}
    for power in range(_POWERS):
        scaled = {ref: table * 2.0**power for ref, table in tables.items()}
        if sum(float(np.abs(table).max()) for table in scaled.values()) >= _SMALL:
            return None
        if all((table == np.rint(table)).all() for table in scaled.values()):
            return Whole(2.0**-power, {ref: Small.of(table) for ref, table in scaled.items()})
    return None


def _tables_of_keys(values: Sequence[Sequence[Sequence[float]]]) -> KeyTables:
    """The keys of codes whose shortfalls stand in tables."""
    count = len(values)
    levels = np.unique([0.0, *(max(each, 0.0) for tables in values for table in tables for each in table)])
    kind = np.int16 if len(levels) * (count + 1) < 2**15 else np.int64
    tables = tuple(
        tuple(
            Small.of(
                np.where(np.array(table) > 0, np.searchsorted(levels, table) * (count + 1) + count - place, 0), kind
            )
            for table in of_code
        )
        for place, of_code in enumerate(values)
    )
    keys = np.arange(len(levels) * (count + 1))
    short = levels[keys // (count + 1)]
    short[: count + 1] = np.nan
    codes = (count - keys % (count + 1)).astype(np.uint8 if count < 256 else np.intp)
    return KeyTables(tables, codes, short, kind)
