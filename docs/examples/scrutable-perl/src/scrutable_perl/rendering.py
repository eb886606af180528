"""From a program to the text of a module of Perl: what each node is, as an expression."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import assert_never

from scrutable.model import Value
from scrutable.model import program as nodes
from scrutable.model.program import Ladder, Names, Program, Ref, Uses, columns_alone, hints, size_of, sort_of, titles
from scrutable.plugins import one_line

_NOTHING = {"number": "$NAN", "text": "undef"}
_USAGE = (
    "",
    "use Score; my $told = Score::score({age => 41, job => undef});",
    "A row is a hash: numbers, decoded texts, undef for what is missing. So is what is told, by the names of results.",
)


def render(program: Program, header: Sequence[str]) -> str:
    """The text of the file; `header` is lines of words."""
    uses, called, write = Uses.of(program), hints(program), _Expressions(program)
    lines = []
    for ref, node in enumerate(program.nodes):
        expression = write.expression(ref, node)
        if uses.count(ref) > 1:  # what is read once stands where it is read
            name = f"${write.names.new(called.get(ref, f'{sort_of(program, ref)}_{ref}'))}"
            lines.append(f"    my {name} = {expression};")
            expression = name
        write.known.append(expression)
    results = [f"        {literal(output.name)} => {write.result(output.of)}," for output in program.outputs]
    function = ["sub score {", "    my ($row) = @_;", *lines, "    return {", *results, "    };", "}"]
    runtime = resources.files("scrutable_perl").joinpath("runtime.pl").read_text(encoding="ascii")
    comments = [f"# {one_line(line)}".rstrip() for line in (*header, *_USAGE)]
    parts = [*comments, "package Score;", runtime, *write.constants, "", *function, "", "1;", ""]
    return "\n".join(parts)


@dataclass(slots=True)
class _Expressions:
    """The nodes of a program in Perl, and the constants that they read; `known` is what stands for each node."""

    program: Program
    names: Names = field(default_factory=lambda: Names({"row", "INF", "NAN"}))
    known: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)

    def expression(self, ref: Ref, node: nodes.Node) -> str:
        """What a node gives, from those before it."""
        known = self.known
        match node:
            case nodes.Column(name):
                return f"column($row, {literal(name)})"
            case nodes.Bucket(of, ladder):
                return f"{'rung' if ladder.kind == 'numeric' else 'named'}({self.ladder(of, ladder)}, {known[of]})"
            case nodes.Pair(of, sizes):
                place = "0"
                for each, size in zip(of, sizes, strict=True):
                    place = f"({place} * {size} + {known[each]})"
                return place
            case nodes.Points(of, values):
                return f"{self.table('points', of, map(number, values))}[{known[of]}]"
            case nodes.Test(of, among):
                return f"({' || '.join(f'{known[of]} == {place}' for place in among) or 0})"
            case nodes.All(of):
                return f"({' && '.join(known[each] for each in of) or 1})"
            case nodes.First(of):
                return f"first_of({self.listed(of)})"
            case nodes.Choice(by, of):
                nothing = _NOTHING.get(sort_of(self.program, ref), "0")
                return f"({', '.join(nothing if each is None else known[each] for each in of)})[{known[by]}]"
            case nodes.Sum(start, of):
                return f"({' + '.join([number(start), *(known[each] for each in of)])})"
            case nodes.Linear(of, slope, intercept):
                return f"({number(intercept)} + double({number(slope)} * {known[of]}))"
            case nodes.Clamp(of, low, high):
                return f"clamp({known[of]}, {number(low)}, {number(high)})"
            case nodes.Logistic(of):
                return f"(1 / (1 + exp(-{known[of]})))"
            case nodes.AtLeast(of, limit):
                return f"({known[of]} >= {number(limit)})"
            case nodes.Share(of, among):
                return f"({known[of]} / ({' + '.join(known[each] for each in among)} || 1))"
            case nodes.Largest(of):
                return f"(sorted({self.listed(of)}))[0]"
            case nodes.Rank(of):
                return f"ranked({', '.join(f'[{self.listed(each)}]' for each in of)})"
            case nodes.Code(of, rank):
                return f"({known[of]}->{{code}}[{rank}] // {size_of(self.program, ref) - 1})"
            case nodes.Short(of, rank):
                return f"({known[of]}->{{short}}[{rank}] // $NAN)"
            case nodes.Text(of, texts):
                return f"{self.table('texts', of, map(literal, texts))}[{known[of]}]"
            case nodes.Words(of, words):
                told = [f"({literal(word)}) x !!{known[each]}" for each, word in zip(of, words, strict=True)]
                return f"join(' ', {', '.join(told)})"
            case _:
                assert_never(node)

    def result(self, ref: Ref) -> str:
        """A node as a result: truths are 1 and 0."""
        return f"{self.known[ref]} ? 1 : 0" if sort_of(self.program, ref) == "truth" else self.known[ref]

    def listed(self, of: Sequence[Ref]) -> str:
        """Several nodes."""
        return ", ".join(self.known[each] for each in of)

    def table(self, kind: str, of: Ref, entries: Iterable[str]) -> str:
        """What reads an array with an entry for each place of a node, in words too."""
        told = [f"  # {one_line(title)}" if title else "" for title in titles(self.program, of)]
        lines = [f"    {entry},{comment}" for entry, comment in zip(entries, told, strict=True)]
        return "$" + self.constant(f"@{kind}", of, "\n".join(["(", *lines, ")"]))

    def ladder(self, of: Ref, ladder: Ladder) -> str:
        """The name of a ladder in which a node is looked up."""
        named = ", ".join(f"{_key(each)}, {own}" for each, own in ladder.named)
        other = f"other => {ladder.rungs[0]}"
        if ladder.kind == "numeric":
            other = f"cuts => [{', '.join(map(number, ladder.cuts))}], rungs => [{', '.join(map(str, ladder.rungs))}]"
        return "$" + self.constant("$ladder", of, f"{{named => {{{named}}}, {other}, missing => {ladder.missing}}}")

    def constant(self, wanted: str, of: Ref, text: str) -> str:
        """The name, without its sigil, of a constant for what a node gives; the same one is written once."""
        written = f"{wanted[0]} = {text}"
        if written not in self.written:
            word = columns_alone(self.program).get(of, "")
            self.written[written] = self.names.new(f"{wanted[1:]}_{word}".rstrip("_"))
            self.constants.append(f"my {wanted[0]}{self.written[written]} = {text};")
        return self.written[written]


def number(value: float) -> str:
    """A double to the last bit; perls before 5.30 read decimals less exactly.

    >>> number(40.0), number(0.1), number(-math.inf)
    ('40', '0x1.999999999999ap-4', '-$INF')
    """
    if math.isinf(value):
        return "$INF" if value > 0 else "-$INF"
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else value.hex()


def literal(text: str | None) -> str:
    """A text, or nothing; no character in it can end it or means more than itself.

    >>> print(literal("a b"), literal("$x's"), literal(None))
    'a b' "\\x{24}x\\x{27}s" undef
    """
    if text is None:
        return "undef"
    if text.isascii() and text.isprintable() and not {"'", "\\"} & set(text):
        return f"'{text}'"
    return '"' + "".join(each if each.isascii() and each.isalnum() else f"\\x{{{ord(each):x}}}" for each in text) + '"'


def _key(item: Value) -> str:
    """A value as the key of a hash: the bits of a double, where 0 is one with -0, or a text."""
    return literal(item) if isinstance(item, str) else f"pack('d', {number(item)})"
