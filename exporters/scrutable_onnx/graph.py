"""A graph under construction: every value has a name of its own and is a constant or made by one node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from onnx import NodeProto, TensorProto, helper, numpy_helper

#: Domain of the operators for texts and trees.
ML = "ai.onnx.ml"


@dataclass(frozen=True, slots=True)
class Result:
    """An output of the graph: its name, the value it is, its type, what it is, and its columns where it has several."""

    name: str
    value: str
    type: int
    doc: str = ""
    columns: int | None = None


class Graph:
    """Nodes and constants in the order in which they were added; what is the same is one node.

    Parameters
    ----------
    taken : names that no value of the graph may have: those of its inputs.

    Examples
    --------
    >>> graph = Graph(["x", "y"])
    >>> graph.node("Add", ["x", graph.constant("one", 1.0)], "x")
    "x'"
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._taken = set(taken)
        self._known: dict[object, str] = {}
        self._written: dict[object, list[str]] = {}
        self._rows = ""

    def constant(self, name: str, values: ArrayLike, doc: str = "") -> str:
        """A constant of this name, or the one that already has it if they are the same."""
        array = np.asarray(values)
        texts = array.dtype.kind in "OU"
        key = (name, array.dtype.kind, array.shape, tuple(array.ravel().tolist()) if texts else array.tobytes(), doc)
        if key not in self._known:
            free = self._known[key] = self._free(name)
            tensor = numpy_helper.from_array(array.astype(object) if texts else array, free)
            tensor.doc_string = doc
            self.constants.append(tensor)
        return self._known[key]

    def node(
        self, operator: str, inputs: Sequence[str], name: str, *, doc: str = "", domain: str = "", **attributes: Any
    ) -> str:
        """The value that an operator makes of others."""
        return self.nodes_of(operator, inputs, [name], doc=doc, domain=domain, **attributes)[0]

    def nodes_of(
        self,
        operator: str,
        inputs: Sequence[str],
        names: Sequence[str],
        *,
        doc: str = "",
        domain: str = "",
        **attributes: Any,
    ) -> list[str]:
        """The values that an operator with several outputs makes of others."""
        key = (operator, tuple(inputs), domain, repr(attributes))
        if key not in self._written:
            outputs = self._written[key] = [self._free(name) for name in names]
            self.nodes.append(
                helper.make_node(
                    operator, inputs, outputs, name=outputs[0], doc_string=doc or None, domain=domain, **attributes
                )
            )
        return self._written[key]

    def stack(self, values: Sequence[str], name: str) -> str:
        """(m, N): these values of shape (N,), one a row."""
        joined = self.node("Concat", values, f"{name}, end to end", axis=0)
        shape = self.constant(f"{len(values)} rows", np.array([len(values), -1]))
        return self.node("Reshape", [joined, shape], name)

    def row(self, matrix: str, position: int, name: str) -> str:
        """(N,): a row of a value of shape (m, N)."""
        return self.node("Gather", [matrix, self.number(position)], name, axis=0)

    def total(self, matrix: str, name: str) -> str:
        """(N,): the rows of a value of shape (m, N), added up."""
        return self.node("ReduceSum", [matrix, self.constant("the first axis", np.array([0]))], name, keepdims=0)

    def flat(self, matrix: str, name: str, doc: str = "") -> str:
        """(N,): a value of shape (1, N)."""
        return self.node("Reshape", [matrix, self.constant("one axis", np.array([-1]))], name, doc=doc)

    def number(self, value: float, name: str = "") -> str:
        """A constant double or integer."""
        return self.constant(name or f"number {value!r}", np.array(value))

    def filled(self, value: ArrayLike, name: str, rows: str) -> str:
        """(N,): a value, as often as another of shape (N,) has entries."""
        self._rows = self._rows or self.node("Shape", [rows], "number of rows")
        return self.node("Expand", [self.constant(f"{name} of any row", np.array(value)), self._rows], name)

    def name_outputs(self, names: Mapping[str, str]) -> None:
        """Give each of these values, by output name, the name of its output; others of that name get another."""
        clashing = [name for name in names if name in self._taken]
        self._taken |= set(names)
        new = {name: self._free(name) for name in clashing}
        new |= {value: name for name, value in names.items()}
        for node in self.nodes:
            node.input[:] = [new.get(value, value) for value in node.input]
            node.output[:] = [new.get(value, value) for value in node.output]
        for tensor in self.constants:
            tensor.name = new.get(tensor.name, tensor.name)

    def _free(self, name: str) -> str:
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name
