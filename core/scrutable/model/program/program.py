"""A program: everything that a model says of a row, as nodes that are read from the first to the last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from scrutable.data.features import Feature
from scrutable.model.program.nodes import Node, Ref

#: Results that say how usual the inputs of a row are, which engines return where they are asked for.
STATUS, UNSEEN, OUT_OF_RANGE = INPUTS = ("status", "unseen_inputs", "out_of_range_inputs")
#: How the names of reasons begin that declined rows alone have, on request too.
DECLINED = "declined_"
#: The status of a row whose inputs are all as the model knows them.
SCORED = "scored"
#: How the names begin that say of one feature whether its value is unusual.
UNSEEN_IN, OUT_OF_RANGE_IN = "unseen_in_", "out_of_range_in_"
#: How the names begin of what points are of, which engines return on request: the place of an attribute or a cell, and
#: the points of one score adjustment.
ATTRIBUTE, ADJUSTING = DETAILS = ("attribute_", "adjusting_")
#: How the names of details begin that an evaluation holds, and of those that it does not.
_EVALUATED, _ASKED = (ATTRIBUTE, "votes_"), (ADJUSTING, "shortfall_", UNSEEN_IN, OUT_OF_RANGE_IN)


@dataclass(frozen=True, slots=True)
class Output:
    """A column of the result: its name, the node that gives it, and what it is, in words."""

    name: str
    of: Ref
    about: str = ""

    @property
    def is_result(self) -> bool:
        """Whether it is a column of `Evaluation.frame()`, and no detail behind one."""
        return self.is_evaluated and self.name != "unfavourable" and not self.name.startswith(_EVALUATED)

    @property
    def is_evaluated(self) -> bool:
        """Whether it is part of an `Evaluation`, as a result or as a detail behind one."""
        return self.name not in INPUTS and not self.name.startswith((DECLINED, *_ASKED))

    @property
    def is_on_request(self) -> bool:
        """Whether it is a result that engines return only where it is asked for."""
        return self.name in INPUTS or self.name.startswith((DECLINED, *DETAILS))

    @property
    def is_count(self) -> bool:
        """Whether it is a whole number that a node gives as a double."""
        return self.name in (UNSEEN, OUT_OF_RANGE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Program:
    """Nodes, each after those that it reads, and what of them is asked for.

    Parameters
    ----------
    features : one for each column that is read, for words; what decides stands in the nodes.
    nodes : in the order in which they can be worked out.
    outputs : in the order of `Evaluation.frame()`.
    """

    features: tuple[Feature, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Output, ...]

    def __repr__(self) -> str:
        return f"Program({len(self.nodes)} nodes, {len(self.outputs)} outputs)"

    def __getitem__(self, ref: Ref) -> Node:
        return self.nodes[ref]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return tuple(output.name for output in self.outputs)

    @property
    def results(self) -> tuple[str, ...]:
        """The names of those outputs that engines return, the columns of `Evaluation.frame()`."""
        return tuple(output.name for output in self.outputs if output.is_result)

    @property
    def on_request(self) -> tuple[str, ...]:
        """The names of results that engines return only where they are asked for.

        They say how usual the inputs are and what points are of, and are reasons of declined rows alone.
        """
        return tuple(output.name for output in self.outputs if output.is_on_request)

    def output(self, name: str) -> Output:
        """The output of a name."""
        return next(each for each in self.outputs if each.name == name)


@dataclass(slots=True)
class Builder:
    """Nodes as they are written down; what is the same is one node.

    Parameters
    ----------
    words : whether nodes get the titles that people read.
    """

    words: bool = True
    nodes: list[Node] = field(default_factory=list)
    _known: dict[Node, Ref] = field(default_factory=dict)

    def add(self, node: Node) -> Ref:
        """The place of a node, new or written before."""
        if node not in self._known:
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return self._known[node]

    def program(self, features: Iterable[Feature], outputs: Iterable[Output]) -> Program:
        """What was written, as a program."""
        return Program(features=tuple(features), nodes=tuple(self.nodes), outputs=tuple(outputs))
