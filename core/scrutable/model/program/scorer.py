"""One applicant at a time: a program as a function of Python, with neither frames nor NumPy."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, inf, nan
from typing import Any, assert_never

from scrutable.data.features import Kind, Value
from scrutable.model.program.ladders import Ladder
from scrutable.model.program.nodes import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Clamp,
    Code,
    Column,
    First,
    Largest,
    Linear,
    Logistic,
    Node,
    Pair,
    Points,
    Rank,
    Ref,
    Share,
    Short,
    Sum,
    Test,
    Text,
    Words,
    refs,
)
from scrutable.model.program.program import Program

#: Terms of a sum in one statement; what is nested deeper is too much for the compiler.
_TERMS = 50
#: Values with names up to which comparing with each is faster than looking them up.
_FEW = 2


def compiled(
    program: Program, columns: Sequence[str] | None, reasons: Sequence[str], otherwise: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """A function from a row to the outputs of a program and, last, the list of the reasons that there are.

    No text of the program stands in the code: texts are bound to names, and what is written out are numbers.

    Parameters
    ----------
    columns : rows are tuples of these columns, in this order; None for dicts by name.
    reasons : the outputs that the list is made of.
    otherwise : what is asked about a row that lacks a value, or has one of a kind that the column does not have.

    Examples
    --------
    >>> from scrutable.model.program import kept, lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = kept(lowered(models_named()["stumps"]), ["score", "approved"])
    >>> compiled(program, None, (), print)({"age": 19.0, "income": None})
    (-2.900000000372529, False, [])
    """
    return _Writer(program, columns).function(reasons, otherwise)


#: What the code of every function may name.
_NAMES: dict[str, Any] = {"bisect_right": bisect_right, "exp": exp, "inf": inf, "nan": nan}


@dataclass(slots=True)
class _Writer:
    """Statements, and for each node what stands for it in those that follow."""

    program: Program
    columns: Sequence[str] | None
    lines: list[str] = field(default_factory=list)
    bound: dict[str, Any] = field(default_factory=lambda: dict(_NAMES))
    known: list[str] = field(default_factory=list)
    uses: Counter[Ref] = field(default_factory=Counter)
    #: By ranking of finitely many shortfalls: the name of these.
    finite: dict[Ref, str] = field(default_factory=dict)

    def function(self, reasons: Sequence[str], otherwise: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The function of all statements."""
        for node in self.program.nodes:
            self.uses.update(refs(node))
        self.uses.update(output.of for output in self.program.outputs)
        if self.columns is not None:
            self.lines.append(f"{''.join(f'x{place},' for place in range(len(self.columns)))} = row")
        for ref, node in enumerate(self.program.nodes):
            self.known.append(self._written(ref, node))
        self.lines.append(f"return ({self._results(reasons)})")
        self.bound["otherwise"] = otherwise
        given = "".join(f", {name}={name}" for name in self.bound)
        body = "".join(f"\n  {line}" for line in self.lines)
        text = f"def score(row{given}):\n try:{body}\n except (TypeError, KeyError, ValueError): return otherwise(row)"
        exec(compile(text, "<scorer>", "exec"), self.bound)
        function: Callable[[Any], Any] = self.bound["score"]
        return function

    def _results(self, reasons: Sequence[str]) -> str:
        told = {output.name: self.known[output.of] for output in self.program.outputs}
        single = "".join(f"{value}, " for name, value in told.items() if name not in reasons)
        codes = "".join(f"{value}, " for name, value in told.items() if name in reasons)
        return f"{single}[code for code in ({codes}) if code is not None]" if codes else f"{single}[]"

    def _written(self, ref: Ref, node: Node) -> str:
        """What stands for a node: an expression, or the name of a variable that statements give its value."""
        match node:
            case Column(name, kind):
                return self._column(ref, name, kind)
            case Bucket(of, ladder):
                return self._bucket(ref, self.known[of], ladder)
            case Sum(start, of):
                return self._sum(ref, start, [self.known[each] for each in of])
            case Rank(of):
                return self._rank(ref, of)
            case _:
                expression = self._expression(node)
                return self._variable(ref, expression) if self.uses[ref] > 1 else expression

    def _expression(self, node: Node) -> str:
        match node:
            case Points(of, values) | Text(of, values):
                return f"{self._constant(values)}[{self.known[of]}]"
            case Pair(of, sizes):
                place = "0"
                for each, size in zip(of, sizes, strict=True):
                    place = f"({place} * {size} + {self.known[each]})"
                return place
            case Test(of, among):
                return f"({self.known[of]} in {among!r})" if len(among) != 1 else f"({self.known[of]} == {among[0]})"
            case All(of):
                return f"({' and '.join(f'bool({self.known[each]})' for each in of) or True})"
            case First(of):
                return self._first_that_holds(
                    [(self.known[each], str(place)) for place, each in enumerate(of)], str(len(of))
                )
            case Choice(by, of):
                options = ["None" if each is None else self.known[each] for each in of]
                by_place = [(f"{self.known[by]} == {place}", each) for place, each in enumerate(options[:-1])]
                return self._first_that_holds(by_place, options[-1])
            case Linear(of, slope, intercept):
                return f"({intercept!r} + {slope!r} * {self.known[of]})"
            case Clamp(of, low, high):
                return f"min({high!r}, max({low!r}, {self.known[of]}))"
            case Logistic(of):
                return f"(1.0 / (1.0 + exp(-{self.known[of]})))"
            case AtLeast(of, limit):
                return f"({self.known[of]} >= {limit!r})"
            case Share(of, among):
                return f"({self.known[of]} / ({' + '.join(self.known[each] for each in among)}))"
            case Largest(of):
                return f"max(range({len(of)}), key=({', '.join(self.known[each] for each in of)},).__getitem__)"
            case Code(of, rank):
                return self._ranked(of, rank)[0]
            case Short(of, rank):
                return self._ranked(of, rank)[1]
            case Words(of, words):
                told = "".join(
                    f"({self.known[each]}, {self._constant(word)}), " for each, word in zip(of, words, strict=True)
                )
                return f"{self._constant(' ')}.join([word for truth, word in ({told}) if truth])"
            case Column() | Bucket() | Sum() | Rank():
                raise AssertionError("written as statements")
            case _:
                assert_never(node)

    def _variable(self, ref: Ref, expression: str) -> str:
        self.lines.append(f"v{ref} = {expression}")
        return f"v{ref}"

    def _constant(self, value: object) -> str:
        name = f"k{len(self.bound)}"
        self.bound[name] = value
        return name

    def _first_that_holds(self, choices: Sequence[tuple[str, str]], otherwise: str) -> str:
        """The first that holds, worked out alone."""
        return f"({''.join(f'{value} if {condition} else ' for condition, value in choices)}{otherwise})"

    def _column(self, ref: Ref, name: str, kind: Kind) -> str:
        place = None if self.columns is None else self.columns.index(name)
        value = self._variable(ref, f"row[{self._constant(name)}]") if place is None else f"x{place}"
        if kind == "numeric":
            self.lines.append(f"if {value} is None: {value} = nan")
        return value

    def _bucket(self, ref: Ref, value: str, ladder: Ladder) -> str:
        if ladder.kind == "categorical":
            own: dict[Value | None, int] = {**dict(ladder.named), None: ladder.missing}
            texts = self._constant(own)
            self.lines += [
                f"v{ref} = {texts}.get({value}, -1)",
                f"if v{ref} < 0: v{ref} = {self._constant(_Unnamed(ladder))}({value})",
            ]
            return f"v{ref}"
        question = _question(ladder, value)
        if question is not None and self.uses[ref] == 1:
            return question
        self.lines += [f"if {value} != {value}: v{ref} = {ladder.missing}"]
        if len(ladder.named) > _FEW:
            self.lines.append(
                f"elif {value} in {self._constant(dict(ladder.named))}: v{ref} = k{len(self.bound) - 1}[{value}]"
            )
        else:
            self.lines += [f"elif {value} == {name!r}: v{ref} = {own}" for name, own in ladder.named]
        self.lines.append(f"else: v{ref} = {self._rung(value, ladder)}")
        return f"v{ref}"

    def _rung(self, value: str, ladder: Ladder) -> str:
        if not ladder.cuts:  # what is no number must not pass
            return f"{ladder.rungs[0]} if {value} < 0 else {ladder.rungs[0]}"
        reached = f"bisect_right({self._constant(ladder.cuts)}, {value})"
        numbered = ladder.rungs == tuple(range(len(ladder.rungs)))
        return reached if numbered else f"{self._constant(ladder.rungs)}[{reached}]"

    def _sum(self, ref: Ref, start: float, terms: Sequence[str]) -> str:
        if not terms:
            return repr(start)
        first, rest = terms[:_TERMS], terms[_TERMS:]
        expression = " + ".join([repr(start), *first] if start else first)
        if self.uses[ref] == 1 and not rest:
            return f"({expression})"
        self._variable(ref, expression)
        for place in range(0, len(rest), _TERMS):
            self.lines.append(f"v{ref} += {' + '.join(rest[place : place + _TERMS])}")
        return f"v{ref}"

    def _rank(self, ref: Ref, of: Sequence[Sequence[Ref]]) -> str:
        """The codes' keys, the largest first: of finitely many shortfalls integers, else pairs."""
        tables = [[self.program[each] for each in refs_of_code] for refs_of_code in of]
        finite = all(isinstance(node, Points) for nodes in tables for node in nodes)
        levels = sorted(
            {0.0, *(v for nodes in tables for node in nodes if isinstance(node, Points) for v in node.values)}
        )
        keys = []
        for place, refs_of_code in enumerate(of):
            numbers = []
            for each in refs_of_code:
                node = self.program[each]
                if finite and isinstance(node, Points):
                    own = tuple(
                        bisect_left(levels, value) * (len(of) + 1) + len(of) - place if value > 0 else 0
                        for value in node.values
                    )
                    numbers.append(f"{self._constant(own)}[{self.known[node.of]}]")
                else:
                    numbers.append(self.known[each])
            most = numbers[0] if len(numbers) == 1 else f"max({', '.join(numbers)})"
            keys.append(most if finite else f"({most}, {-place})")
        self.lines += [f"v{ref} = [{', '.join(keys)}]", f"v{ref}.sort(reverse=True)"]
        if finite:
            self.finite[ref] = self._constant(tuple(levels))
        return f"v{ref}"

    def _ranked(self, of: Ref, rank: int) -> tuple[str, str]:
        """The code at a rank and its shortfall."""
        ranking = self.program[of]
        assert isinstance(ranking, Rank)
        count, key = len(ranking.of), f"{self.known[of]}[{rank}]"
        if rank >= count:
            return str(count), "nan"
        if of in self.finite:
            return f"({count} - {key} % {count + 1})", f"({self.finite[of]}[{key} // {count + 1}] or nan)"
        return f"(-{key}[1] if {key}[0] > 0 else {count})", f"({key}[0] if {key}[0] > 0 else nan)"


@dataclass(frozen=True, slots=True)
class _Unnamed:
    """The bucket of a text without a name, and of NaN for a missing one."""

    ladder: Ladder

    def __call__(self, value: Any) -> int:
        if isinstance(value, str):
            return self.ladder.rungs[0]
        if value != value:
            return self.ladder.missing
        raise TypeError("expected a text")


def _question(ladder: Ladder, value: str) -> str | None:
    """A ladder of one cut and no names as a comparison, which NaN fails; None for any other."""
    if ladder.named or ladder.size != 2 or len(ladder.cuts) != 1:
        return None
    cut, missing = ladder.cuts[0], ladder.missing
    if ladder.rungs == (0, 1):
        return f"(not {value} < {cut!r})" if missing else f"({value} >= {cut!r})"
    return f"(not {value} >= {cut!r})" if missing else f"({value} < {cut!r})"
