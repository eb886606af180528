"""The lines of the function, and a function for each segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scrutable.model.program import (
    DECLINED,
    Choice,
    Code,
    First,
    Program,
    Ref,
    Scope,
    Short,
    Sum,
    Text,
    needed,
    refs,
    sort_of,
)
from scrutable.plugins import one_line
from scrutable_r.expression import ADDITION, Expression, joined
from scrutable_r.expressions import NOTHING, Expressions
from scrutable_r.quoting import number

#: The longest that terms of a sum become on one line.
_WIDTH = 90


@dataclass(slots=True)
class Statements:
    """What is worked out for all rows, what for the reasons alone, and what for the rows of one segment.

    Parameters
    ----------
    asked : the nodes that results other than reasons depend on.
    functions : the lines of the functions of segments.
    """

    write: Expressions
    asked: set[Ref]
    functions: list[list[str]] = field(default_factory=list)

    @classmethod
    def of(cls, write: Expressions) -> Statements:
        """Those of a program."""
        program = write.program
        return cls(write, needed(program, [each.of for each in program.outputs if not is_reason(each.name)]))

    @property
    def _program(self) -> Program:
        return self.write.program

    def lines(self, results: Iterable[Ref], scope: Scope = ()) -> list[str]:
        """What is worked out of some results in a branch."""
        used = needed(self._program, results)
        apart = [] if scope else self._apart()
        own = [
            ref
            for ref in sorted(used.difference(*apart))
            if self._scope(ref) == scope and ref not in self.write.known and self.write.named(ref)
        ]
        lines = [line for ref in own if ref in self.asked for line in self._assigned(ref)]
        extra = [line for ref in own if ref not in self.asked for line in self._assigned(ref)]
        if extra:
            lines += ["if (reasons) {", *_indented(extra), "}"]
        for group in apart:
            lines += self._segments(group)
        return lines

    def _scope(self, ref: Ref) -> Scope:
        """The branch of a segment that works a node out; all other branches are worked out for all rows."""
        node = self._program[ref]
        scope = self.write.uses.scopes[node.of if isinstance(node, Code | Short) else ref]
        return scope[:1] if scope and self._divides(scope[0][0]) else ()

    def _divides(self, by: Ref) -> bool:
        """Whether rows are divided by a place: that of segments, which nothing but results depend on."""
        uses = self.write.uses
        choices = [each for each in uses.readers[by] if isinstance(self._program[each], Choice)]
        own = any(
            scope and scope[0][0] == by and not isinstance(self._program[ref], Code | Short | Text)
            for ref, scope in uses.scopes.items()
        )
        last = all(not uses.readers[each] for each in choices)
        return by in self.asked and isinstance(self._program[by], First) and own and last

    def _apart(self) -> list[list[Ref]]:
        """The choices of segments."""
        groups: dict[Ref, list[Ref]] = {}
        for ref, node in enumerate(self._program.nodes):
            if isinstance(node, Choice) and self._divides(node.by):
                groups.setdefault(node.by, []).append(ref)
        return [sorted(group, key=lambda ref: (ref not in self.asked, ref)) for group in groups.values()]

    def _assigned(self, ref: Ref) -> Iterator[str]:
        write, node = self.write, self._program[ref]
        if isinstance(node, Sum):
            yield from self._sum(ref, node)
            return
        value = write.worked_out(ref).sure().text
        constant = ref not in write.varying and sort_of(self._program, ref) != "ranking"
        yield from f"{write.assigned(ref)} <- {f'rep_len({value}, n)' if constant else value}".split("\n")

    def _sum(self, ref: Ref, node: Sum) -> Iterator[str]:
        """A sum, a few terms a line, and one that takes several lines alone."""
        start = number(node.start) if ref in self.write.varying else f"rep_len({number(node.start)}, n)"
        terms = [Expression(start), *map(self.write.term, node.of)]
        name, line = self.write.assigned(ref), list[Expression]()
        before = ""
        for term in terms:
            if line and ("\n" in term.text + line[-1].text or sum(len(each.text) for each in (*line, term)) > _WIDTH):
                yield from f"{name} <- {before}{joined(line, '+', ADDITION).text}".split("\n")
                before, line = f"{name} + ", []
            line.append(term)
        yield from f"{name} <- {before}{joined(line, '+', ADDITION).text}".split("\n")

    # ---- Segments ----

    def _segments(self, group: Sequence[Ref]) -> Iterator[str]:
        """The choices of segments: the rows of each go through a function of its own."""
        choices = [node for node in map(self._program.__getitem__, group) if isinstance(node, Choice)]
        by = choices[0].by
        which = self._program[by]
        assert isinstance(which, First)
        count = sum(ref in self.asked for ref in group)
        nothing = [f"rep({NOTHING[sort_of(self._program, ref)]}, n)" for ref in group]
        yield f"chosen <- {_listed(nothing, count)}"
        for place in range(len(choices[0].of)):
            scope = ((by, place),)
            of = [choice.of[place] for choice in choices]
            worked_out = [each for each in of if each is not None]
            names = [self.write.known[ref] for ref in self._outside(worked_out)]
            title = which.titles[place] if which.titles else ""
            lines = self.lines(worked_out, scope)
            given = ["NULL" if each is None else self.write(each).sure().text for each in of]
            self.functions.append(
                [
                    *([f"# ---- Segment {place + 1}: {one_line(title)} ----", ""] if title else []),
                    f"steps_{place + 1} <- quote({{",
                    *_indented([*lines, _listed(given, count)]),
                    "})",
                    f"segment_{place + 1} <- function({', '.join(['n', 'reasons', *names])}) eval(steps_{place + 1})",
                ]
            )
            arguments = ", ".join(["length(rows)", "reasons", *(f"{name}[rows]" for name in names)])
            yield f"rows <- which({self.write.known[by]} == {place + 1}L)"
            yield f"chosen <- put(chosen, rows, segment_{place + 1}({arguments}))"
        for i, ref in enumerate(group, 1):
            self.write.known[ref] = f"chosen[[{i}]]"

    def _outside(self, of: Iterable[Ref]) -> list[Ref]:
        """The variables of all rows that the nodes of a segment read."""
        outside, waiting, seen = set[Ref](), list(of), set[Ref]()
        while waiting:
            ref = waiting.pop()
            if ref in seen:
                continue
            seen.add(ref)
            if ref in self.write.known:
                outside.add(ref)
            else:
                waiting += refs(self._program[ref])
        return sorted(outside)


def is_reason(name: str) -> bool:
    """Whether a result is left out where no reasons are asked for."""
    return name.removeprefix(DECLINED).startswith(("reason_", "short_"))


def _listed(texts: Sequence[str], count: int) -> str:
    """A list of results, of which those after the first ones are reasons."""
    first = f"list({', '.join(texts[:count])})"
    return first if count == len(texts) else f"c({first}, if (reasons) list({', '.join(texts[count:])}))"


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
