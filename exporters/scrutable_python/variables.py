"""Which nodes have a variable of their own, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrutable.model.program import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Code,
    Column,
    First,
    Names,
    Node,
    Points,
    Program,
    Rank,
    Ref,
    Short,
    Sum,
    Test,
    Text,
    Uses,
    Words,
    columns_alone,
    hints,
    is_truth,
    refs,
    sort_of,
)
from scrutable_python.conditions import condition
from scrutable_python.text import COMPARISON


@dataclass(slots=True)
class Variables:
    """The variables of a program."""

    program: Program
    uses: Uses
    columns: dict[Ref, str]
    _hints: dict[Ref, str]
    _given: Names = field(default_factory=lambda: Names({"row"}))
    _names: dict[Ref, str] = field(default_factory=dict)

    @classmethod
    def of(cls, program: Program) -> Variables:
        """Those of a program; results have the names of their variables before all others."""
        variables = cls(program, Uses.of(program), columns_alone(program), hints(program))
        for output in program.outputs:
            variables.name(output.of)
        return variables

    def name(self, ref: Ref) -> str:
        """The variable of a node; one that a choice leads to may write into the variable of the choice."""
        if ref not in self._names:
            choice = self._choice_of(ref)
            self._names[ref] = self._given.new(self._hint(ref)) if choice is None else self.name(choice)
        return self._names[ref]

    def named(self, ref: Ref) -> bool:
        """Whether a node is worked out in a statement of its own, and then read from its variable."""
        node = self.program[ref]
        if isinstance(node, Column | Rank) or any(isinstance(each, Bucket) for each in self._readers(ref)):
            return True
        if self.conditional(ref) or isinstance(node, Words) or (isinstance(node, Sum) and node.of):
            return not self.in_place(ref)
        if isinstance(node, First):
            return any(not self.conditional(each) and self.told(each) is None for each in self.uses.readers[ref])
        if isinstance(node, Points) and not self.asked(node.of) and len(self.uses.table(ref)) > 1:
            return True
        if isinstance(node, Bucket) and not self.asked(ref):
            return self._places_read(ref) > 1
        # what is asked for in some branches only is seldom asked for twice
        often = {All: 1, Bucket: 2, Test: 2}.get(type(node), 0)
        here = self.uses.read_in[ref].count(self.uses.scopes[ref])
        return self.uses.count(ref) > 1 and here >= often and not self._short(ref)

    def conditional(self, ref: Ref) -> bool:
        """Whether a node is written as one of several branches."""
        node = self.program[ref]
        by_first = isinstance(node, Text | Points) and isinstance(self.program[node.of], First)
        return by_first or isinstance(node, Choice)

    def in_place(self, ref: Ref) -> bool:
        """Whether a node is added, or given, right where the only one that reads it stands."""
        if self.uses.count(ref) != 1 or ref in self.uses.outputs:
            return False
        (reader,) = self._readers(ref)
        return isinstance(reader, Sum) or (isinstance(reader, Choice) and reader.by != ref)

    def asked(self, ref: Ref) -> bool:
        """Whether a node is a truth, or one of two places of which the first has no title, which is written as one."""
        return is_truth(self.program, ref)

    def told(self, ref: Ref) -> Ref | None:
        """The text with a variable that is None just where a test of what comes first holds, or where it does not."""
        test = self.program[ref]
        if not isinstance(test, Test) or not isinstance(self.program[test.of], First):
            return None
        for each in self.uses.readers[test.of]:
            node = self.program[each]
            if isinstance(node, Text) and self.named(each) and self.uses.scopes[each] == self.uses.scopes[test.of]:
                nothing = {place for place, text in enumerate(node.texts) if text is None}
                if nothing in ({*test.among}, {*range(len(node.texts))} - {*test.among}):
                    return each
        return None

    def read_by(self, ref: Ref) -> tuple[Ref, ...]:
        """The nodes that the statement or expression of a node reads."""
        told = self.told(ref)
        return refs(self.program[ref]) if told is None else (told,)

    def _readers(self, ref: Ref) -> list[Node]:
        return [self.program[each] for each in self.uses.readers[ref]]

    def _places_read(self, ref: Ref) -> int:
        """How many statements read the place of a node; those that choose by it read it several times."""
        readers = self._readers(ref)
        tables = {self.uses.scopes[each] for each in self.uses.readers[ref] if isinstance(self.program[each], Points)}
        others = [each for each in readers if not isinstance(each, Points | Test)]
        return len(tables) + sum(2 if isinstance(each, Choice) else 1 for each in others)

    def _short(self, ref: Ref) -> bool:
        """Whether a node is written as shortly as its variable would be read, so that it has none."""
        match self.program[ref]:
            case Sum() | Code() | Short():
                return True
            case Text(of):
                return isinstance(self.program[of], Code)
            case Points(of):
                return self.asked(of)
            case Bucket(_, ladder):
                return condition(ladder, (1,), "x").level >= COMPARISON
            case Test(of, among):
                node = self.program[of]
                if self.told(ref) is not None:
                    return True
                if isinstance(node, Bucket):
                    return condition(node.ladder, among, "x").level >= COMPARISON
                return self.named(of) or self._short(of)
            case AtLeast(of):
                return self.named(of)
            case _:
                return False

    def _hint(self, ref: Ref) -> str:
        sort = "holds" if self.asked(ref) else sort_of(self.program, ref)
        return self._hints.get(ref) or f"{sort}_{self.columns.get(ref, '')}".rstrip("_")

    def _choice_of(self, ref: Ref) -> Ref | None:
        """The choice with a variable that gives this node in the only branch that works it out."""
        scope = self.uses.scopes[ref]
        for each in self.uses.readers[ref] if scope and ref not in self.uses.outputs else ():
            node = self.program[each]
            if isinstance(node, Choice) and scope[:-1] == self.uses.scopes[each] and self.named(each):
                by, place = scope[-1]
                if node.by == by and node.of[place] == ref:
                    return each
        return None
