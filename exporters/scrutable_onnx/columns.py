"""The inputs of the graph, read once: from each value to the number of its cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from onnx import TensorProto

from scrutable.model import Cells
from scrutable_onnx.graph import ML, Graph

#: With more cuts than this, blocks of cuts are told apart first, and then the cuts of one block.
_ONE_STEP = 16


@dataclass(frozen=True, slots=True)
class Source:
    """Values that hold a feature: doubles or texts of shape (N,), and beside texts Booleans, true where missing."""

    values: str
    missing: str | None = None


class Columns:
    """The cell of every feature on each row, and tables looked up by it."""

    def __init__(self, graph: Graph, cells: Mapping[str, Cells], sources: Mapping[str, Source]) -> None:
        self.graph = graph
        self.cells = cells
        self._rows = next(iter(sources.values())).values
        self._numbers = {name: self._number(of_column, sources[name]) for name, of_column in cells.items()}

    def look_up(self, feature: str, table: ArrayLike, name: str, doc: str = "") -> str:
        """The entry of a table, one a cell of the feature, for each row.

        The table is a constant of that name; `doc` stands beside both.
        """
        constant = self.graph.constant(f"{name} by cell", np.asarray(table), doc)
        return self.graph.node("GatherElements", [constant, self._numbers[feature]], name, doc=doc, axis=0)

    def look_up_rows(self, feature: str, table: ArrayLike, name: str, doc: str = "") -> str:
        """(N, m): the row of a table, (cells, m), for each row."""
        constant = self.graph.constant(f"{name} by cell", np.asarray(table), doc)
        return self.graph.node("Gather", [constant, self._numbers[feature]], name, doc=doc, axis=0)

    def filled(self, value: ArrayLike, name: str) -> str:
        """(N,) a value, repeated on every row."""
        shape = self.graph.node("Shape", [self._rows], "number of rows")
        return self.graph.node("Expand", [self.graph.constant(f"{name} of any row", np.array(value)), shape], name)

    def _number(self, cells: Cells, source: Source) -> str:
        name = f"{cells.feature.name}: cell"
        doc = listed(f"Cells of {cells.feature.title}", cells.words())
        if cells.feature.kind == "numeric":
            return _count(self.graph, source.values, cells.cuts, name, doc)
        return self._text_number(cells, source, name, doc)

    def _text_number(self, cells: Cells, source: Source, name: str, doc: str) -> str:
        if not cells.groups:
            present = self.graph.constant("number 1", np.array(1))
            number = present if source.missing else self.filled(1, name)
        else:
            number = self.graph.node(
                "LabelEncoder",
                [source.values],
                f"{cells.feature.name}: cell if not missing" if source.missing else name,
                doc=doc,
                domain=ML,
                keys_strings=list(cells.groups),
                values_int64s=list(cells.groups.values()),
                default_int64=1,
            )
        if source.missing is None:
            return number
        zero = self.graph.constant("number 0", np.array(0))
        return self.graph.node("Where", [source.missing, zero, number], name, doc=doc)


def listed(title: str, lines: Sequence[str]) -> str:
    """A sentence, and lines with their numbers."""
    return "\n".join([f"{title}.", *(f"{i}: {line}" for i, line in enumerate(lines))])


def _count(graph: Graph, x: str, cuts: Sequence[float], name: str, doc: str) -> str:
    """(N,) how many cuts are at or below each number; none are for NaN, since the first cut is -inf."""
    if len(cuts) <= _ONE_STEP:
        count = _reached(graph, x, graph.constant(f"{name}: cuts", np.array(cuts)[:, None], doc), len(cuts), name)
    else:
        count = _count_in_blocks(graph, x, np.array(cuts), name, doc)
    return graph.node("Reshape", [count, graph.constant("one axis", np.array([-1]))], name, doc=doc)


def _count_in_blocks(graph: Graph, x: str, cuts: NDArray[np.float64], name: str, doc: str) -> str:
    """Count in about twice the square root of the comparisons: find the block of cuts, then count within it.

    The last cut of a block leads to the next block, and is not compared again. NaN stands where a block has fewer cuts,
    because no number reaches it.
    """
    size = math.ceil(math.sqrt(len(cuts)))
    last = cuts[size - 1 :: size]
    padded = np.full((len(last) + 1) * size, np.nan)
    padded[: len(cuts)] = cuts
    inner = np.ascontiguousarray(padded.reshape(-1, size)[:, : size - 1].T)
    block = _reached(
        graph, x, graph.constant(f"{name}: last cut of each block", last[:, None]), len(last), f"{name}: block"
    )
    shape = graph.constant(f"{size - 1} by 1", np.array([size - 1, 1]))
    repeated = graph.node("Expand", [block, shape], f"{name}: block, repeated")
    table = graph.constant(f"{name}: cuts, a column each block", inner, doc)
    own = graph.node("GatherElements", [table, repeated], f"{name}: cuts of the block", axis=1)
    within = _reached(graph, x, own, size - 1, f"{name}: within the block")
    before = graph.node("Mul", [block, graph.constant(f"int {size}", np.array(size, np.int32))], f"{name}: before it")
    return graph.node("Add", [before, within], f"{name}: with one row")


def _reached(graph: Graph, x: str, cuts: str, n_cuts: int, name: str) -> str:
    """(1, N) how many of the cuts, (n_cuts, 1) or (n_cuts, N), are at or below each number.

    Counting is multiplying by ones, the fastest way to add up Booleans in onnxruntime.
    """
    reached = graph.node("GreaterOrEqual", [x, cuts], f"{name}: cuts reached")
    as_numbers = graph.node("Cast", [reached], f"{name}: 1 for each cut reached", to=TensorProto.UINT8)
    ones = graph.constant(f"{n_cuts} ones", np.ones((1, n_cuts), np.uint8))
    return graph.node("MatMulInteger", [ones, as_numbers], f"{name}: number of cuts reached")
