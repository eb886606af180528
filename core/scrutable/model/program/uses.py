"""Where the nodes of a program are read, and in which branches they are worked out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from scrutable.model.program.nodes import Choice, Points, Ref, refs
from scrutable.model.program.program import Program

#: The branches that lead to a node: for each choice on the way, what it is by, and the place.
Scope = tuple[tuple[Ref, int], ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """The nodes of a program by those that read them; each is read by somebody, or is a result.

    Parameters
    ----------
    readers : by node, the nodes that read it, once for each time.
    scopes : by node, the innermost branch in which all of them are.
    outputs : the nodes that are results.
    read_in : by node, the branch of each reading.
    tables : by place and branch, the nodes of points that are read there.

    Examples
    --------
    >>> from scrutable.model.program import kept, lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["stumps"])
    >>> uses = Uses.of(kept(program, ["score"]))
    >>> [uses.count(ref) for ref in sorted(uses.outputs)]
    [1]
    """

    program: Program
    readers: dict[Ref, list[Ref]]
    scopes: dict[Ref, Scope]
    outputs: frozenset[Ref]
    read_in: dict[Ref, list[Scope]] = field(default_factory=lambda: defaultdict(list))
    tables: dict[tuple[Ref, Scope], list[Ref]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, program: Program) -> Uses:
        """Those of a program without nodes that nobody reads."""
        readers: dict[Ref, list[Ref]] = defaultdict(list)
        scopes: dict[Ref, Scope] = {output.of: () for output in program.outputs}
        uses = cls(program, readers, scopes, frozenset(scopes))

        def read(ref: Ref, reader: Ref, scope: Scope) -> None:
            readers[ref].append(reader)
            uses.read_in[ref].append(scope)
            scopes[ref] = _shared(scopes.get(ref, scope), scope)

        for ref in reversed(range(len(program.nodes))):
            node, own = program[ref], scopes[ref]
            if isinstance(node, Points):
                uses.tables[node.of, own].insert(0, ref)
            if isinstance(node, Choice):
                read(node.by, ref, own)
                for place, each in enumerate(node.of):
                    if each is not None:
                        read(each, ref, (*own, (node.by, place)))
            else:
                for each in refs(node):
                    read(each, ref, own)
        return uses

    def count(self, ref: Ref) -> int:
        """How many times a node is read, a result once more."""
        return len(self.readers[ref]) + (ref in self.outputs)

    def table(self, ref: Ref) -> list[Ref]:
        """The points that have the same place as a node of points, and are worked out in the same branch."""
        node = self.program[ref]
        assert isinstance(node, Points)
        return self.tables[node.of, self.scopes[ref]]


def _shared(one: Scope, other: Scope) -> Scope:
    length = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]
