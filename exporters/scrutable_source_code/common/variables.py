"""Which nodes have variables of their own, and what these are called."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrutable.model.program import (
    Bucket,
    Choice,
    Code,
    Column,
    First,
    Largest,
    Names,
    Points,
    Program,
    Rank,
    Ref,
    Short,
    Sum,
    Test,
    Uses,
    Words,
    columns_alone,
    hints,
    is_truth,
    ranks_read,
    refs,
    sort_of,
)
from scrutable_source_code.common.amounts import FEW, LIMIT
from scrutable_source_code.common.ladders import has_steps
from scrutable_source_code.common.language import Kind, Language, Variable


@dataclass(slots=True)
class Variables:
    """The variables of a program; all other nodes are written where they are read."""

    program: Program
    uses: Uses
    given: Names
    of: dict[Ref, Variable] = field(default_factory=dict)
    lists: dict[Ref, Variable] = field(default_factory=dict)
    steps: frozenset[Ref] = frozenset()

    @classmethod
    def chosen(cls, program: Program, given: Names, language: Language) -> Variables:
        """Variables for what is read more than once, ranked, or too much for one expression."""
        variables = cls(program, Uses.of(program), given)
        if language.by_steps:
            variables.steps = frozenset(ref for ref in range(len(program.nodes)) if _is_stepped(program, ref))
        named = variables._named(looks_up_first=language.looks_up_first)
        called, columns = hints(program), columns_alone(program)
        for output in program.outputs:  # results have the names of their variables before all others
            if output.of in named:
                variables._name(output.of, output.name)
        for ref in sorted(named):
            kind = variables.kind(ref)
            variables._name(ref, called.get(ref) or f"{kind}_{columns.get(ref, '')}".rstrip("_"))
        for ref, node in enumerate(program.nodes):
            if is_listed(program, ref):
                parts = node.of if isinstance(node, First | Largest | Rank | Words) else ()
                of_numbers = isinstance(node, Largest | Rank)
                name = given.new("numbers" if of_numbers else "truths")
                variables.lists[ref] = Variable(name, "number" if of_numbers else "truth", len(parts))
        return variables

    def kind(self, ref: Ref) -> Kind:
        """What a node gives."""
        node = self.program[ref]
        if isinstance(node, Column):
            return "number" if node.kind == "numeric" else "text"
        if is_truth(self.program, ref):
            return "truth"
        sort = sort_of(self.program, ref)
        assert sort != "value"
        return sort

    def _named(self, *, looks_up_first: bool) -> set[Ref]:
        """The nodes with variables."""
        program, uses = self.program, self.uses
        repeated = _repeated(program)
        named: set[Ref] = set()
        weights: list[int] = []
        for ref, node in enumerate(program.nodes):
            listed = is_listed(program, ref)
            weight = _own(program, ref) + (0 if listed else sum(weights[each] for each in refs(node)))
            cheap = isinstance(node, Code | Short) or (isinstance(node, Sum) and not node.of)
            there = looks_up_first and isinstance(node, Bucket) and node.ladder.kind == "categorical"
            often = uses.count(ref) - sum(each in self.steps for each in uses.readers[ref]) > 1 and not cheap
            if isinstance(node, Column | Rank) or (
                not (isinstance(node, Words) or there) and (often or weight > LIMIT or ref in repeated)
            ):
                named.add(ref)
                weight = 1
            weights.append(weight)
        for ref in reversed(range(len(program.nodes))):  # branches that hold statements are asked for by variables
            node = program[ref]
            if ref in named or is_listed(program, ref):
                named |= {by for by, _ in uses.scopes[ref]}
            if isinstance(node, Choice) and ref in named:
                named.add(node.by)
        return named

    def _name(self, ref: Ref, wanted: str) -> None:
        if ref not in self.of:
            ranks = ranks_read(self.program, ref) if isinstance(self.program[ref], Rank) else 0
            self.of[ref] = Variable(
                self.given.new(wanted), self.kind(ref), ranks, isinstance(self.program[ref], Column)
            )


def is_listed(program: Program, ref: Ref) -> bool:
    """Whether what a node reads is first written into a list."""
    node = program[ref]
    return isinstance(node, Rank | Words | Largest) or (isinstance(node, First) and len(node.of) > FEW)


def _is_stepped(program: Program, ref: Ref) -> bool:
    node = program[ref]
    bucket = program[node.of] if isinstance(node, Points) else None
    return isinstance(node, Points) and isinstance(bucket, Bucket) and has_steps(bucket.ladder, node.values)


def _repeated(program: Program) -> set[Ref]:
    """The nodes that an expression asks about several times."""
    asked: set[Ref] = set()
    for node in program.nodes:
        match node:
            case Bucket(of):
                asked.add(of)
            case Choice(by, of) if not is_truth(program, by):
                asked.add(by)
            case Test(of, among) if len(among) > 1 and not is_truth(program, of):
                asked.add(of)
    return asked


def _own(program: Program, ref: Ref) -> int:
    """How much a node adds to the expression that it is written in."""
    match program[ref]:
        case Bucket(_, ladder):
            return 1 + (min(len(ladder.cuts), FEW) + min(len(ladder.named), FEW) if ladder.kind == "numeric" else 0)
        case Test(_, among):
            return min(len(among), FEW)
        case Choice(_, of):
            return len(of)
        case _:
            return 1
