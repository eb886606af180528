"""The nodes of a program as values of a graph."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import assert_never

import numpy as np
from numpy.typing import ArrayLike
from onnx import TensorProto

from scrutable.model.program import (
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
    Pair,
    Points,
    Program,
    Rank,
    Ref,
    Share,
    Short,
    Sum,
    Test,
    Text,
    Words,
    ranks_read,
    size_of,
    sort_of,
    titles,
)
from scrutable_onnx.arithmetic import linear, logistic
from scrutable_onnx.columns import Divided, Source, listed
from scrutable_onnx.forests import Split, leaves_added_up, tree
from scrutable_onnx.graph import Graph
from scrutable_onnx.names import cases, names_of
from scrutable_onnx.rankings import ranked
from scrutable_onnx.sets import Sets
from scrutable_onnx.tables import Tables
from scrutable_onnx.weights import counts, weighed, weights_of

#: Words longer than this name no value.
_LONG = 100


class Rendering:
    """Values of shape (N,) of the nodes of a program, each written once, where somebody asks for it.

    Truths are Booleans, places are integers, numbers are doubles. Of texts it gives the places in their `vocabulary`.
    """

    def __init__(self, program: Program, graph: Graph, sources: Mapping[str, Source]) -> None:
        self._program, self._graph, self._sources = program, graph, sources
        self._tables = Tables.of(program)
        self._sets, self._weights = Sets.of(program, self._tables), weights_of(program, self._tables)
        self._names = names_of(program)
        self._about = {output.of: output.about for output in program.outputs}
        self._known: dict[Ref, str] = {}
        self._divided: dict[Ref, Divided] = {}

    def value(self, ref: Ref, name: str) -> str:
        """What a node gives, by a name that it has unless it is known by another."""
        if ref not in self._known:
            own = self._names.get(ref, name)
            entries = self._tables.entries.get(ref)
            self._known[ref] = self._written(ref, own) if entries is None else self._looked_up(ref, entries, own)
        return self._known[ref]

    def truth(self, ref: Ref, name: str) -> str:
        """A place of size 2 as a Boolean."""
        if sort_of(self._program, ref) == "truth":
            return self.value(ref, name)
        if ref in self._tables.entries:
            return self._looked_up(ref, self._tables.entries[ref] != 0, self._names.get(ref, name))
        return self._graph.node("Cast", [self.value(ref, name)], f"{name}, as a truth", to=TensorProto.BOOL)

    def place(self, ref: Ref, name: str) -> str:
        """A truth or a place as an integer."""
        if sort_of(self._program, ref) != "truth":
            return self.value(ref, name)
        return self._graph.node("Cast", [self.truth(ref, name)], f"{name}, 1 or 0", to=TensorProto.INT64)

    def vocabulary(self, ref: Ref) -> tuple[str | None, ...]:
        """The texts that a node can give."""
        match self._program[ref]:
            case Text(_, texts):
                return texts
            case Choice(_, of):
                whole = tuple(text for own in self._vocabularies(of) for text in own)
                return (*whole, None) if None in of and None not in whole else whole
            case other:
                raise TypeError(f"{other} gives no text of a vocabulary")

    def _written(self, ref: Ref, name: str) -> str:
        graph, node = self._graph, self._program[ref]
        match node:
            case Column() | Bucket() | Rank():
                raise TypeError(f"{node} is no value of its own")
            case Pair(of, sizes):
                return self._pair(of, sizes, name)
            case Points(of, values):
                if size_of(self._program, of) == 2:
                    numbers = [graph.number(value) for value in reversed(values)]
                    return graph.node("Where", [self.truth(of, f"{name} counts"), *numbers], name)
                return self._by_place(of, values, name)
            case Test(of, among):
                return self._among(of, among, name)
            case All(of):
                if not of:
                    return self._filled(True, "always")
                parts = [self.truth(each, f"asked by {name}") for each in of]
                return reduce(lambda a, b: graph.node("And", [a, b], name), parts)
            case First(of, titles):
                return self._first(of, titles, name)
            case Choice(by, of):
                return self._chosen(ref, by, of, name)
            case Sum(start, of):
                return self._sum(ref, start, of, name)
            case Linear(of, slope, intercept):
                return linear(graph, self.value(of, f"{name}: number"), slope, intercept, name)
            case Clamp(of, low, high):
                parts = [self.value(of, f"{name}, free"), graph.number(low), graph.number(high)]
                return graph.node("Clip", parts, name)
            case Logistic(of):
                return logistic(graph, self.value(of, f"{name}: z"), name)
            case AtLeast(of, limit):
                number = self.value(of, f"{name}: number")
                own = self._names.get(ref, f"{number} reaches {limit!r}")
                return graph.node("GreaterOrEqual", [number, graph.number(limit)], own)
            case Share(of, among):
                parts = [self.value(each, f"{name}: part {i}") for i, each in enumerate(among, 1)]
                whole = graph.node("Sum", parts, f"{name}: all parts")
                return graph.node("Div", [self.value(of, f"{name}: part"), whole], name)
            case Largest(of):
                rows = graph.stack([self.value(each, f"number {i}") for i, each in enumerate(of, 1)], f"{name}, among")
                return graph.node("ArgMax", [rows], name, doc="Of equal ones the first.", axis=0, keepdims=0)
            case Code(of, rank):
                return self._ranking(of)[0][rank]
            case Short(of, rank):
                return self._ranking(of)[1][rank]
            case Text(of, _):
                return self.place(of, name)
            case Words(of, _):
                rows = graph.stack(
                    [self.truth(each, f"{name} {i}") for i, each in enumerate(of, 1)], f"{name}, by truth"
                )
                return graph.node("Transpose", [rows], name, perm=[1, 0])
            case _:
                assert_never(node)

    def _filled(self, value: ArrayLike, name: str) -> str:
        return self._graph.filled(value, name, next(iter(self._sources.values())).values)

    def _of(self, value: Ref) -> Divided:
        """A value that is read by its cells."""
        if value not in self._divided:
            node, cells = self._program[value], self._tables.cells[value]
            source = self._sources[node.name] if isinstance(node, Column) else Source(self.value(value, "number"))
            self._divided[value] = Divided(self._graph, cells, source)
        return self._divided[value]

    def _looked_up(self, ref: Ref, table: ArrayLike, name: str) -> str:
        """What depends on one value alone, by its cell."""
        of, node, entries = self._of(self._tables.read[ref]), self._program[ref], np.asarray(table)
        words = zip(self._words(ref, of), entries.tolist(), strict=True)
        doc = listed(f"{self._about.get(ref) or of.cells.feature.title}, by cell", [f"{a}: {b!r}" for a, b in words])
        if ref in self._names:
            return of.look_up(entries, name, doc)
        if isinstance(node, Bucket) and entries.dtype == bool and 0 < len("".join(node.titles)) < _LONG:
            return of.look_up(entries, node.titles[1], doc)
        return of.look_up(entries, f"{of.cells.feature.name}: {name}", doc)

    def _words(self, ref: Ref, of: Divided) -> list[str]:
        """What is in each cell: what the place means that it has, or which values they are."""
        node = self._program[ref]
        place = node.of if isinstance(node, Points) else ref
        told = titles(self._program, place)
        return [told[i] for i in self._tables.entries[place].tolist()] if all(told) else of.words

    def _by_place(self, of: Ref, table: ArrayLike, name: str) -> str:
        constant = self._graph.constant(f"{name} by place", np.asarray(table))
        return self._graph.node("GatherElements", [constant, self.place(of, f"{name}: place")], name, axis=0)

    def _pair(self, of: Sequence[Ref], sizes: Sequence[int], name: str) -> str:
        graph, parts = self._graph, []
        for i, ref in enumerate(of):
            step = math.prod(sizes[i + 1 :])
            if ref in self._tables.entries:
                parts.append(self._looked_up(ref, self._tables.entries[ref] * np.int64(step), f"{name}, part {i + 1}"))
            else:
                place = self.place(ref, f"{name}, place {i + 1}")
                parts.append(graph.node("Mul", [place, graph.number(step)], f"{name}, part {i + 1}"))
        return reduce(lambda a, b: graph.node("Add", [a, b], name), parts)

    def _among(self, of: Ref, among: Sequence[int], name: str) -> str:
        size = size_of(self._program, of)
        if size == 2 and len(among) == 1:
            truth = self.truth(of, f"{name}: truth")
            return truth if among[0] else self._graph.node("Not", [truth], f"not {truth}")
        if len(among) == 1:
            return self._graph.node("Equal", [self.place(of, f"{name}: place"), self._graph.number(among[0])], name)
        return self._by_place(of, [place in among for place in range(size)], name)

    def _first(self, of: Sequence[Ref], titles: Sequence[str], name: str) -> str:
        graph, first = self._graph, self._graph.number(len(of))
        if not of:
            return self._filled(0, name)
        for i, ref in reversed(list(enumerate(of))):
            title = titles[i] if titles else f"{name} {i}"
            truth = self.truth(ref, f"{name}: {title}")
            own = f"{name} from {i}" if i else name
            first = graph.node("Where", [truth, graph.number(i), first], own, doc=title)
        return first

    def _chosen(self, ref: Ref, by: Ref, of: tuple[Ref | None, ...], name: str) -> str:
        names = cases(self._program, Choice(by, of), name)
        branches = [self._branch(ref, each, own) for each, own in zip(of, names, strict=True)]
        chosen = branches[-1]
        for i in reversed(range(len(of) - 1)):
            if branches[i] != chosen:
                last = name if i == 0 else f"{name} from {i}"
                chosen = self._either(
                    ref, self._among(by, [i], f"{self._names.get(by, name)} is {i}"), branches[i], chosen, last
                )
        return chosen

    def _branch(self, ref: Ref, each: Ref | None, name: str) -> str:
        """One of the values that a choice is among; nothing is NaN for numbers, and a text of its own for texts."""
        match sort_of(self._program, ref):
            case "text":
                return self._text(ref, each, name)
            case "number":
                return self._graph.number(math.nan, "nothing") if each is None else self.value(each, name)
            case "truth":
                return self._graph.constant("no", np.array(False)) if each is None else self.truth(each, name)
            case _:
                return self._graph.number(0) if each is None else self.place(each, name)

    def _text(self, ref: Ref, each: Ref | None, name: str) -> str:
        """The place that one of the texts that a choice is among has in the vocabulary of all."""
        choice = self._program[ref]
        assert isinstance(choice, Choice)
        if each is None:
            return self._graph.number(self.vocabulary(ref).index(None))
        place, before = self.value(each, name), self._vocabularies(choice.of)
        step = sum(map(len, before[: before.index(self.vocabulary(each))]))
        return self._graph.node("Add", [place, self._graph.number(step)], f"{name}, among all") if step else place

    def _vocabularies(self, of: Sequence[Ref | None]) -> list[tuple[str | None, ...]]:
        return list(dict.fromkeys(self.vocabulary(each) for each in of if each is not None))

    def _either(self, ref: Ref, truth: str, held: str, other: str, name: str) -> str:
        graph = self._graph
        if sort_of(self._program, ref) != "truth":
            return graph.node("Where", [truth, held, other], name)
        # onnxruntime has no Where of Booleans
        no = graph.node("Not", [truth], f"not {truth}")
        both = [graph.node("And", pair, f"{name}: {pair[0]}") for pair in ([truth, held], [no, other])]
        return graph.node("Or", both, name)

    def _sum(self, ref: Ref, start: float, of: Sequence[Ref], name: str) -> str:
        """The leaves of trees together, truths that count, numbers by sets of truths, and all else one by one."""
        program, graph, tables = self._program, self._graph, self._tables
        trees, numbers, terms = list[Split](), list[tuple[Ref, Sequence[float]]](), list[str]()
        for i, each in enumerate(of, 1):
            node = program[each]
            split = None if each in tables.entries else tree(program, each, tables)
            if isinstance(split, Split):
                trees.append(split)
            elif isinstance(node, Points) and node.of in self._sets.made_of:
                numbers.append((node.of, node.values))
            elif isinstance(node, Points) and counts(program, each, tables):
                start += node.values[0]
            else:
                terms.append(self.value(each, f"{name}, term {i}"))
        if ref in self._weights:
            terms.append(self._weighed(ref, name))
        if trees:
            terms.append(leaves_added_up(graph, trees, tables, self._of, name))
        if numbers:
            terms.append(self._sets.added_up(graph, numbers, self._of, name))
        return graph.node("Sum", [graph.number(start), *terms], name) if terms else self._filled(start, name)

    def _weighed(self, ref: Ref, name: str) -> str:
        asked = dict.fromkeys(truth for own in self._weights.values() for truth in own)
        truths = {truth: self.truth(truth, f"truth {i}") for i, truth in enumerate(asked, 1)}
        sums = [self._names.get(each, f"sum {each}") for each in self._weights]
        matrix = weighed(self._graph, self._weights, truths, sums)
        return self._graph.row(matrix, list(self._weights).index(ref), f"{name}: weights")

    def _ranking(self, ref: Ref) -> tuple[list[str], list[str]]:
        """The code at each rank and its shortfall."""
        rank = self._program[ref]
        assert isinstance(rank, Rank)
        asked = ranks_read(self._program, ref)
        if not rank.of:
            return [self._filled(0, "no code")] * asked, [self._filled(math.nan, "no shortfall")] * asked
        return ranked(self._graph, self._short(rank), rank.titles, asked)

    def _short(self, rank: Rank) -> list[str]:
        """How far each code falls short: the largest of its numbers."""
        short = []
        for i, of in enumerate(rank.of):
            name = f"short for {rank.titles[i]}" if rank.titles else f"short for code {i}"
            numbers = [self.value(ref, name) for ref in of]
            short.append(numbers[0] if len(numbers) == 1 else self._graph.node("Max", numbers, name))
        return short
