"""A graph under construction: every value has a name of its own and is a constant or made by one node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from onnx import NodeProto, TensorProto, helper, numpy_helper

#: Domain of the operators for texts and trees.
ML = "ai.onnx.ml"


@dataclass(frozen=True, slots=True)
class Result:
    """An output of the graph: its name, the value it is, its type, and its columns where it has several.

    Results that are not shown are none of `Evaluation.frame()`; whoever wants them takes them by name.
    """

    name: str
    value: str
    type: int
    columns: int | None = None
    shown: bool = True


class Graph:
    """Nodes and constants in the order in which they were added.

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
        self._before = ""

    @contextmanager
    def named(self, before: str) -> Iterator[None]:
        """Begin the names of all nodes within with these words."""
        self._before = before
        yield
        self._before = ""

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
        outputs = [self._free(self._before + name) for name in names]
        self.nodes.append(
            helper.make_node(
                operator, inputs, outputs, name=outputs[0], doc_string=doc or None, domain=domain, **attributes
            )
        )
        return outputs

    def stack(self, values: Sequence[str], name: str) -> str:
        """(m, N): these values of shape (N,), one a row."""
        joined = self.node("Concat", values, f"{name}, end to end", axis=0)
        shape = self.constant(f"{len(values)} rows", np.array([len(values), -1]))
        return self.node("Reshape", [joined, shape], name)

    def row(self, matrix: str, position: int, name: str) -> str:
        """(N,): a row of a value of shape (m, N)."""
        return self.node("Gather", [matrix, self.constant(f"number {position}", np.array(position))], name, axis=0)

    def total(self, matrix: str, name: str, doc: str = "") -> str:
        """(1, N): the rows of a value of shape (m, N), added up."""
        return self.node("ReduceSum", [matrix, self.constant("the first axis", np.array([0]))], name, doc=doc)

    def keep(self, values: Iterable[str]) -> None:
        """Leave out the nodes and constants that none of these values needs."""
        needed = set(values)
        kept = []
        for node in reversed(self.nodes):
            if needed.intersection(node.output):
                needed.update(node.input)
                kept.append(node)
        self.nodes = kept[::-1]
        self.constants = [tensor for tensor in self.constants if tensor.name in needed]

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
