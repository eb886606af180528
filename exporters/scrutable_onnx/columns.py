"""Values, read once: from each of them to the number of its cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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


class Divided:
    """A value of every row, read once: which of its cells it is in, by which tables are looked up."""

    def __init__(self, graph: Graph, cells: Cells, source: Source) -> None:
        self.graph, self.cells, self._source = graph, cells, source

    def look_up(self, table: ArrayLike, name: str, doc: str = "") -> str:
        """(N,) the entry of a table, one a cell; the table is a constant of that name."""
        constant = self.graph.constant(f"{name} by cell", np.asarray(table), doc)
        return self.graph.node("GatherElements", [constant, self._number], name, axis=0)

    def look_up_rows(self, table: ArrayLike, name: str) -> str:
        """(N, m) the row of a table, one a cell."""
        return self.graph.node("Gather", [self.graph.constant(f"{name} by cell", table), self._number], name, axis=0)

    @cached_property
    def words(self) -> list[str]:
        """What is in each cell."""
        return self.cells.words()

    @cached_property
    def _number(self) -> str:
        feature, source = self.cells.feature, self._source
        name, doc = f"{feature.name}: cell", listed(f"Cells of {feature.title}", self.words)
        if feature.kind == "numeric":
            return _count(self.graph, source.values, self.cells.cuts, name, doc)
        if not self.cells.groups:
            return self._or_missing(self.graph.filled(1, "number 1", source.values), name)
        present = self.graph.node(
            "LabelEncoder",
            [source.values],
            f"{name} if not missing" if source.missing else name,
            doc=doc,
            domain=ML,
            keys_strings=list(self.cells.groups),
            values_int64s=list(self.cells.groups.values()),
            default_int64=1,
        )
        return self._or_missing(present, name)

    def _or_missing(self, present: str, name: str) -> str:
        missing = self._source.missing
        return present if missing is None else self.graph.node("Where", [missing, self.graph.number(0), present], name)


def listed(title: str, lines: Sequence[str]) -> str:
    """A sentence, and lines with their numbers."""
    return "\n".join([f"{title}.", *(f"{i}: {line}" for i, line in enumerate(lines))])


def _count(graph: Graph, x: str, cuts: Sequence[float], name: str, doc: str) -> str:
    """(N,) how many cuts are at or below each number; none are for NaN, since the first cut is -inf."""
    if len(cuts) <= _ONE_STEP:
        count = _reached(graph, x, graph.constant(f"{name}: cuts", np.array(cuts)[:, None], doc), len(cuts), name)
    else:
        count = _count_in_blocks(graph, x, np.array(cuts), name, doc)
    return graph.flat(count, name, doc)


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
