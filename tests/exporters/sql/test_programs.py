"""Nodes are written in full generality: two-way tables, grades of a score and overrides, which no model makes yet."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from cards import card, categories, ladder

from scrutable.data.frames import as_table
from scrutable.model.evaluator import OutputFrame, differences
from scrutable.model.evaluator.outputs import kind_of
from scrutable.model.program import (
    AtLeast,
    Bucket,
    Choice,
    Code,
    Column,
    First,
    Ladder,
    Node,
    Pair,
    Points,
    Program,
    Rank,
    Short,
    Sum,
    Text,
    lowered,
    run,
    size_of,
)
from scrutable.model.program import Test as Among
from scrutable.model.program.program import Output
from scrutable_sql import plans

from .conftest import Make

MODEL = card(ladder("age", 25.0, 40.5), categories("job", "cook", "it's"))
GRADES = Ladder(kind="numeric", size=4, rungs=(0, 1, 2), cuts=(515.0, 530.0), named=((556.5, 3),), missing=0)


def extended(program: Program) -> Program:
    """The program with further outputs."""
    nodes, outputs = list(program.nodes), list(program.outputs)

    def add(node: Node, name: str = "") -> int:
        nodes.append(node)
        if name:
            outputs.append(Output(name, len(nodes) - 1, f"what {name} is"))
        return len(nodes) - 1

    buckets = [ref for ref, node in enumerate(program.nodes) if isinstance(node, Bucket)][:2]
    assert all(isinstance(program[ref - 1], Column) for ref in buckets)
    sizes = tuple(size_of(program, ref) for ref in buckets)
    cells = [3.5 * place for place in range(sizes[0] * sizes[1])]
    pair = add(Pair(tuple(buckets), sizes))
    worth = add(Points(pair, tuple(cells)), "points_pair")
    total = add(Sum(1.5, (worth, program.output("score").of)), "total")
    grade = add(Bucket(total, GRADES, ("low", "middle", "high", "odd")), "grade_number")
    add(Text(grade, ("C", "B", None, "X")), "rules")  # whose name says that it is a text
    short = add(Points(pair, tuple(max(14.0 - points, 0.0) for points in cells)))
    other = add(Points(buckets[0], tuple(float(place) for place in range(sizes[0]))))
    third = add(Points(buckets[1], tuple(5.0 * place for place in range(sizes[1]))))
    rank = add(Rank(((short, other), (third,)), ("the pair or the age", "the job")))
    for place in range(3):
        add(Code(rank, place), f"why_{place}")
        add(Short(rank, place), f"far_{place}")
    reached = add(AtLeast(total, 520.0))
    which = add(First((add(Among(grade, (2, 3))), reached, add(Among(reached, (0,)))), ("a", "b", "c")), "which")
    add(Choice(which, (None, worth, total, other)), "chosen")
    add(Choice(which, (buckets[0], grade, grade, buckets[1])), "place")
    return replace(program, nodes=tuple(nodes), outputs=tuple(outputs))


def test_every_node_means_what_the_interpreter_says(make_exporter: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    program = extended(lowered(MODEL))
    monkeypatch.setattr(plans, "lowered", lambda model: program)
    ages, jobs = [10.0, 25.0, 40.5, 41.0, float("nan")], ["cook", "it's", "other", None]
    both = list(zip(*itertools.product(ages, jobs), strict=True))
    rows = {"age": list(both[0]), "job": list(both[1])}
    exporter = make_exporter(ids=("number",))
    export = exporter.export(MODEL)
    got = exporter.run(export, rows)
    table = as_table(rows)
    wanted = run(program, {name: table.column(name) for name in table}, len(rows["age"]))
    assert set(got) == set(program.results)
    assert (len({*wanted["rules"]}), len({*wanted["why_1"]})) == (4, 3)
    same = {name: values.astype(kind_of(name)) for name, values in wanted.items() if name in got}
    assert differences(OutputFrame(same), got) == {}
    assert "-- what total is" in export.text
