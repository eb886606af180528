"""A pass: whatever a sum adds for one column alone is one table of points."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scrutable.data.features import Value
from scrutable.model.program.ladders import Ladder, simplest
from scrutable.model.program.nodes import All, Bucket, Choice, Column, First, Points, Ref, Sum, Test, refs, rewired
from scrutable.model.program.passes import kept, needed
from scrutable.model.program.program import Builder, Output, Program


def added_up(program: Program, but: Collection[Ref] = ()) -> Program:
    """The program with one table for all that a sum adds by one column, such as the stumps of an ensemble.

    Sums are exact, so that no bit changes.

    Parameters
    ----------
    but : sums that stay as they are.

    Examples
    --------
    >>> from scrutable.model.program import lowered
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> stumps = lowered(models_named()["stumps"])
    >>> score = next(node for node in added_up(stumps).nodes if isinstance(node, Sum) and node.of)
    >>> len(score.of)  # age and income
    2
    """
    reading = _columns_read(program)
    builder, new = Builder(), dict[Ref, Ref]()
    for ref, node in enumerate(program.nodes):
        written = rewired(node, new.__getitem__)
        if isinstance(node, Sum) and isinstance(written, Sum) and ref not in but:
            written = _with_tables(program, node, written, reading, new, builder)
        new[ref] = builder.add(written)
    outputs = [Output(output.name, new[output.of], output.about) for output in program.outputs]
    return kept(builder.program(program.features, outputs), program.names)


def _with_tables(
    program: Program,
    node: Sum,
    written: Sum,
    reading: Sequence[frozenset[Ref] | None],
    new: dict[Ref, Ref],
    builder: Builder,
) -> Sum:
    """The sum with a table for each column that several terms, or one that is no table, read alone."""
    alone: dict[Ref, list[Ref]] = {}
    left, start = [], written.start
    for ref in node.of:
        columns = reading[ref]
        if columns is not None and len(columns) == 1:
            alone.setdefault(next(iter(columns)), []).append(ref)
        elif columns is not None and not columns:
            start += _OfOneColumn(program, 0).number(ref, None, named=True)
        else:
            left.append(new[ref])
    tables = []
    for column, terms in alone.items():
        if len(terms) == 1 and isinstance(program[terms[0]], Points):
            tables.append(new[terms[0]])
        else:
            ladder, values = _OfOneColumn(program, column).table(terms)
            tables.append(builder.add(Points(builder.add(Bucket(new[column], ladder)), values)))
    return Sum(start, (*tables, *left))


def _columns_read(program: Program) -> list[frozenset[Ref] | None]:
    """The columns that each node depends on; None where it is of a kind that no table can stand for."""
    reading: list[frozenset[Ref] | None] = []
    for ref, node in enumerate(program.nodes):
        match node:
            case Column():
                reading.append(frozenset((ref,)))
            case Bucket(value) if not isinstance(program[value], Column):
                reading.append(None)  # of a number, whose ladder says nothing of the column
            case Bucket() | Points() | Test() | All() | First() | Choice() | Sum():
                of = [reading[each] for each in refs(node)]
                known = [each for each in of if each is not None]
                reading.append(frozenset().union(*known) if len(known) == len(of) else None)
            case _:
                reading.append(None)
    return reading


@dataclass(frozen=True, slots=True)
class _OfOneColumn:
    """Terms that read one column, worked out for one value at a time."""

    program: Program
    column: Ref

    def table(self, terms: Sequence[Ref]) -> tuple[Ladder, tuple[float, ...]]:
        """The ladder of all terms together, and the sum of what they add in each of its buckets."""
        column = self.program[self.column]
        assert isinstance(column, Column)
        ladders = self._ladders(terms)
        starts = sorted({-math.inf, *(cut for ladder in ladders for cut in ladder.cuts)})
        names = dict.fromkeys(name for ladder in ladders for name, _ in ladder.named)
        buckets: dict[float, int] = {}

        def bucket(value: Value | None, *, named: bool) -> int:
            points = sum(self.number(term, value, named=named) for term in terms)
            return buckets.setdefault(points, len(buckets))

        rungs = [(start, bucket(start if column.kind == "numeric" else "", named=False)) for start in starts]
        own = {name: bucket(name, named=True) for name in names}
        missing = bucket(None, named=True)
        return simplest(column.kind, len(buckets), rungs, own, missing), tuple(buckets)

    def number(self, ref: Ref, value: Value | None, *, named: bool) -> float:
        """What a node gives for a value; one that is not `named` stands for all on its rung that have no name."""
        match self.program[ref]:
            case Points(of, values):
                return values[self._place(of, value, named)]
            case Sum(start, of):
                return start + sum(self.number(each, value, named=named) for each in of)
            case Choice(by, of):
                chosen = of[self._place(by, value, named)]
                return math.nan if chosen is None else self.number(chosen, value, named=named)
            case other:
                raise TypeError(f"{other} gives no number of one column")

    def _place(self, ref: Ref, value: Value | None, named: bool) -> int:
        match self.program[ref]:
            case Bucket(_, ladder):
                return ladder.bucket(value) if named or value is None else ladder.rung(value)
            case Test(of, among):
                return int(self._place(of, value, named) in among)
            case All(of):
                return int(all(self._place(each, value, named) for each in of))
            case First(of):
                held = (place for place, each in enumerate(of) if self._place(each, value, named))
                return next(held, len(of))
            case Choice(by, of):
                chosen = of[self._place(by, value, named)]
                assert chosen is not None
                return self._place(chosen, value, named)
            case other:
                raise TypeError(f"{other} gives no place of one column")

    def _ladders(self, terms: Sequence[Ref]) -> list[Ladder]:
        nodes = (self.program[ref] for ref in sorted(needed(self.program, terms)))
        return [node.ladder for node in nodes if isinstance(node, Bucket)]
