"""Names for the variables of those who write programs down, which say what they hold."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from scrutable.model.program.nodes import (
    AtLeast,
    Bucket,
    Choice,
    Code,
    Column,
    First,
    Largest,
    Node,
    Points,
    Rank,
    Ref,
    Share,
    Text,
    Words,
    refs,
)
from scrutable.model.program.program import Program
from scrutable.model.program.sorts import size_of

_PLAIN = re.compile("_?[A-Za-z][A-Za-z0-9_]{0,80}")
_KIND = re.compile("_?[A-Za-z]+")


@dataclass(slots=True)
class Names:
    """The names in a file, each given once; some may be taken from the start.

    >>> names = Names()
    >>> [names.new("x_age"), names.new("x_age"), names.new("x_ age")]
    ['x_age', 'x_age_2', 'x_1']
    """

    _given: set[str] = field(default_factory=set)

    def new(self, wanted: str) -> str:
        """The name that is wanted or, if it is no word of ASCII or is taken, it or its first word with a number."""
        plain = _PLAIN.fullmatch(wanted) is not None
        kind = _KIND.match(wanted)
        stem = wanted if plain or kind is None else kind.group()
        numbered = (f"{stem}_{i}" for i in itertools.count(2 if plain else 1))
        name = next(each for each in itertools.chain([stem] if plain else [], numbered) if each not in self._given)
        self._given.add(name)
        return name


def hints(program: Program) -> dict[Ref, str]:
    """What nodes may be called, by those that read them, and after the column that they depend on.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["stumps"])
    >>> [hints(program)[output.of] for output in program.outputs[:3]]
    ['score', 'probability', 'approved']
    """
    said = {ref: f"x_{node.name}" for ref, node in enumerate(program.nodes) if isinstance(node, Column)}
    said |= {output.of: output.name for output in reversed(program.outputs)}
    words = columns_alone(program)
    for ref, node in enumerate(program.nodes):
        for each, kind, word in _read(program, ref, node):
            said.setdefault(each, f"{kind}_{words.get(each) or word}".rstrip("_"))
    for ref, node in reversed(list(enumerate(program.nodes))):
        if isinstance(node, Choice) and ref in said:
            said |= {each: said[ref] for each in node.of if each is not None and each not in said}
    points = [ref for ref, node in enumerate(program.nodes) if isinstance(node, Points)]
    return {ref: f"points_{words[ref]}" if ref in words else "added" for ref in points} | said


def columns_alone(program: Program) -> dict[Ref, str]:
    """The column that each node depends on, of those that depend on one.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> set(columns_alone(lowered(models_named()["stumps"])).values()) == {"age", "income"}
    True
    """
    columns: list[frozenset[str]] = []
    for node in program.nodes:
        own = {node.name} if isinstance(node, Column) else set[str]()
        columns.append(frozenset(own.union(*(columns[each] for each in refs(node)))))
    return {ref: next(iter(each)) for ref, each in enumerate(columns) if len(each) == 1}


def titles(program: Program, ref: Ref) -> tuple[str, ...]:
    """What each place of a node is in words, which are empty where nothing is said of it.

    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> program = lowered(models_named()["stumps"])
    >>> titles(program, 1)
    ('', 'Age <= 20 or missing')
    """
    node = program[ref]
    ranking = program[node.of] if isinstance(node, Code) else node
    told = ranking.titles if isinstance(ranking, Bucket | First | Rank) else ()
    last = ("none",) if told and isinstance(ranking, First) else ()
    return (*told, *last, *[""] * size_of(program, ref))[: size_of(program, ref)]


def _read(program: Program, ref: Ref, node: Node) -> Iterator[tuple[Ref, str, str]]:
    match node:
        case Rank(of):
            codes = _codes(program, ref)
            yield from ((each, "short", code) for code, those in zip(codes, of, strict=False) for each in those)
        case Words(of, words):
            yield from ((each, "applies", word) for each, word in zip(of, words, strict=True))
        case AtLeast(of):
            yield of, "total", ""
        case Share(_, of) | Largest(of):
            yield from ((each, "votes", str(place)) for place, each in enumerate(of))


def _codes(program: Program, rank: Ref) -> tuple[str, ...]:
    """What the codes of a ranking stand for."""
    for node in program.nodes:
        if isinstance(node, Text) and isinstance(code := program[node.of], Code) and code.of == rank:
            return tuple(each or "" for each in node.texts)
    return ()
