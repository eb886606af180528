"""Numbers by sets of truths, such as what leaves add for features: many sets at once.

One by one they would be thousands of nodes, which onnxruntime takes half a minute to load.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby

import numpy as np
from onnx import TensorProto

from scrutable.model.program import Pair, Program, Ref
from scrutable_onnx.columns import Divided
from scrutable_onnx.graph import Graph
from scrutable_onnx.tables import Tables

#: Bits of the integers that sets are held in.
_BITS = 8
#: Up to so many sets are added up one by one, which is easier to read.
_FEW = 16
#: A value, and the bit that a truth about it has in a set, for each of its cells.
_Bits = tuple[Ref, bytes]


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets of truths about one value each: the bits that each is made of, and all bits, those of a value together."""

    made_of: dict[Ref, tuple[_Bits, ...]]
    bits: tuple[_Bits, ...]

    @classmethod
    def of(cls, program: Program, tables: Tables) -> Sets:
        """The sets of a program; none where they are few."""
        made_of = {
            ref: tuple(_bits(each, step, tables) for step, each in enumerate(reversed(node.of)))
            for ref, node in enumerate(program.nodes)
            if isinstance(node, Pair) and _is_set(node, tables) and ref not in tables.entries
        }
        if len(made_of) <= _FEW:
            return cls({}, ())
        bits = dict.fromkeys(each for of in made_of.values() for each in of)
        nothing = [(value, bytes(len(own))) for value, own in list(bits)[:1]]
        return cls(made_of, tuple(sorted(dict.fromkeys([*bits, *nothing]), key=lambda each: each[0])))

    def added_up(
        self, graph: Graph, numbers: Sequence[tuple[Ref, Sequence[float]]], read: Callable[[Ref], Divided], name: str
    ) -> str:
        """(N,) the numbers that tables have at sets, added up: fixed-point numbers, so that no sum is rounded.

        Parameters
        ----------
        numbers : a set and the table that it is looked up in, one or more.
        read : gives values by their cells.
        """
        matrix = self._matrix(graph, read)
        place = {each: i for i, each in enumerate(self.bits)}
        nothing = next(place[each] for each in self.bits if not any(each[1]))
        rows = np.full((max(len(self.made_of[ref]) for ref, _ in numbers), len(numbers)), nothing)
        table = np.zeros((len(numbers), max(len(own) for _, own in numbers)))
        for i, (ref, own) in enumerate(numbers):
            rows[: len(self.made_of[ref]), i] = [place[each] for each in self.made_of[ref]]
            table[i, : len(own)] = own
        bits = [
            graph.node("Gather", [matrix, graph.constant(f"{name}: bits {i}", row)], f"{name}: bit {i} of sets", axis=0)
            for i, row in enumerate(rows)
        ]
        sets = reduce(lambda a, b: graph.node("BitwiseOr", [a, b], f"{name}: sets, as bits"), bits)
        places = graph.node("Cast", [sets], f"{name}: sets", to=TensorProto.INT32)
        constant = graph.constant(
            f"{name}: by set", table, "A row each set of truths, a column each that hold, as bits."
        )
        each = graph.node("GatherElements", [constant, places], f"{name}: what sets add", axis=1)
        return graph.total(each, f"{name}: added by sets")

    def _matrix(self, graph: Graph, read: Callable[[Ref], Divided]) -> str:
        """(bits, N) all bits."""
        parts = []
        for value, of in groupby(self.bits, key=lambda each: each[0]):
            table = np.stack([np.frombuffer(own, dtype=np.uint8) for _, own in of], axis=1)
            rows = read(value).look_up_rows(table, f"{read(value).cells.feature.name}: bits of sets")
            parts.append(graph.node("Transpose", [rows], f"{rows}, a row each", perm=[1, 0]))
        return graph.node("Concat", parts, "bits of sets", axis=0)


def _is_set(node: Pair, tables: Tables) -> bool:
    return len(node.of) <= _BITS and set(node.sizes) == {2} and all(each in tables.entries for each in node.of)


def _bits(ref: Ref, step: int, tables: Tables) -> _Bits:
    return tables.read[ref], ((tables.entries[ref] != 0).astype(np.uint8) << step).astype(np.uint8).tobytes()
