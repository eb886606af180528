"""What depends on one value alone, as tables with an entry for each cell of that value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Cells, Feature, cells_of_ladders
from scrutable.model.program import (
    All,
    Bucket,
    Choice,
    Column,
    First,
    Output,
    Pair,
    Points,
    Program,
    Ref,
    Sum,
    Test,
    refs,
    run,
)

Table = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables of places, truths and numbers by node, and the cells that they have entries for.

    Parameters
    ----------
    values : by node, the values on whose buckets it depends; None where it depends on more than buckets.
    entries : by node, the entry for each cell.
    read : by node with a table, the node that gives the value.
    cells : of each such value.
    """

    values: list[frozenset[Ref] | None]
    entries: dict[Ref, Table]
    read: dict[Ref, Ref]
    cells: dict[Ref, Cells]

    @classmethod
    def of(cls, program: Program) -> Tables:
        """The tables of a program, filled by running it on a witness of each cell."""
        values = _values_read(program)
        read = {ref: min(of) for ref, of in enumerate(values) if of and len(of) == 1}
        cells = {value: _cells(program, value) for value in dict.fromkeys(read.values())}
        entries: dict[Ref, Table] = {}
        for value, own in cells.items():
            entries |= _filled(program, [ref for ref in read if read[ref] == value], value, own)
        return cls(values, entries, read, cells)


def _values_read(program: Program) -> list[frozenset[Ref] | None]:
    """A sum depends on more, so that a score is one to see."""
    reading: list[frozenset[Ref] | None] = []
    for node in program.nodes:
        match node:
            case Bucket(of):
                reading.append(frozenset((of,)))
            case Pair() | Points() | Test() | All() | First() | Choice() | Sum(of=()):
                known = [values for values in (reading[ref] for ref in refs(node)) if values is not None]
                reading.append(frozenset().union(*known) if len(known) == len(refs(node)) else None)
            case _:
                reading.append(None)
    return reading


def _cells(program: Program, value: Ref) -> Cells:
    node = program[value]
    if isinstance(node, Column):
        feature = next(feature for feature in program.features if feature.name == node.name)
    else:
        names = [output.name for output in program.outputs if output.of == value]
        feature = Feature(name=names[0] if names else f"value {value}", kind="numeric")
    return cells_of_ladders(
        feature, [node.ladder for node in program.nodes if isinstance(node, Bucket) and node.of == value]
    )


def _filled(program: Program, of: Sequence[Ref], value: Ref, cells: Cells) -> dict[Ref, Table]:
    witnesses = cells.witnesses
    nodes = (*program.nodes[:value], Column(witnesses.name, cells.feature.kind), *program.nodes[value + 1 :])
    alone = replace(program, nodes=nodes, outputs=tuple(Output(str(ref), ref) for ref in of))
    entries = run(alone, {witnesses.name: witnesses}, len(witnesses.values))
    return {int(ref): each.astype(np.int64) if each.dtype.kind in "iu" else each for ref, each in entries.items()}
