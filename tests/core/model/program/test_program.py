"""A program gives what its nodes say, row by row; passes change no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from drawn import of_every_kind

from scrutable.data.features import Feature
from scrutable.data.frames import Column as Values
from scrutable.data.frames import as_table
from scrutable.model import Calibration, Clause, Interval, Leaf, Missing, Outcome, Split, TreeEnsemble
from scrutable.model.evaluator import OutputFrame, differences, read_inputs
from scrutable.model.program import (
    AtLeast,
    Bucket,
    Column,
    Ladder,
    Largest,
    Output,
    Pair,
    Points,
    Program,
    Rank,
    Sum,
    Text,
    added_up,
    kept,
    lowered,
    refs,
    run,
    size_of,
    sort_of,
)
from scrutable.model.program.nodes import Code, Short, rewired
from scrutable.proof.edges import edge_rows


def results(program: Program, model: Any, rows: pd.DataFrame) -> OutputFrame:
    return OutputFrame(run(program, *read_inputs(model, rows)))


def test_passes_change_no_bit() -> None:
    for model in of_every_kind(8):
        rows = edge_rows(model, n_random=10)
        program = lowered(model)
        whole = results(program, model, rows)
        assert not differences(whole, results(added_up(program), model, rows), ulp=0)
        some = kept(program, program.names[::2])
        assert some.names == program.names[::2]
        assert not differences(
            OutputFrame({name: whole[name] for name in some.names}), results(some, model, rows), ulp=0
        )


def test_programs_are_in_order_and_every_node_has_a_sort() -> None:
    for model in of_every_kind(8):
        program = lowered(model)
        for place, node in enumerate(program.nodes):
            assert all(ref < place for ref in refs(node))
            assert rewired(node, lambda ref: ref) == node
            if sort_of(program, place) in ("place", "truth"):
                assert size_of(program, place) >= 1
        assert len(set(program.nodes)) == len(program.nodes)


def test_what_is_asked_twice_is_one_node_and_stumps_are_one_table() -> None:
    young = Clause("age", (Interval(upper=30, closed="right"), Missing()))
    trees = (Split(young, Leaf(1), Leaf(-1)), Split(young, Leaf(0.5), Leaf(0)), Leaf(2))
    model = TreeEnsemble(
        outcome=Outcome(classes=(0, 1), favourable=1),
        features=(Feature(name="age", kind="numeric"),),
        trees=trees,
        base_score=1,
        cutoff=0,
        calibration=Calibration(slope=1),
    )
    program = lowered(model)
    assert sum(isinstance(node, Bucket) for node in program.nodes) == 1
    joined = kept(added_up(program), ["score"])
    (table,) = (node for node in joined.nodes if isinstance(node, Points))
    (total,) = (node for node in joined.nodes if isinstance(node, Sum))
    assert (set(table.values), total.start) == ({1.5, -1.0}, 3.0)


def test_pairs_buckets_of_numbers_and_ties() -> None:
    ages = Ladder(kind="numeric", size=3, rungs=(0, 1), cuts=(30.0,), missing=2)
    jobs = Ladder(kind="categorical", size=2, rungs=(0,), named=(("clerk", 1),), missing=0)
    grades = Ladder(kind="numeric", size=2, rungs=(0, 1), cuts=(15.0,), missing=0)
    program = Program(
        features=(),
        nodes=(
            Column("age", "numeric"),
            Column("job", "categorical"),
            Bucket(0, ages),
            Bucket(1, jobs),
            Pair((2, 3), (3, 2)),
            Points(4, (0.0, 10.0, 20.0, 30.0, 40.0, 50.0)),
            Sum(5.0, (5,)),
            Bucket(6, grades),
            Text(7, ("B", "A")),
            AtLeast(6, 35.0),
            Points(2, (1.0, 2.0, 1.0)),
            Points(3, (2.0, 1.0)),
            Largest((10, 11)),
            Rank(((10,), (11,))),
            Code(13, 0),
            Short(13, 1),
            Code(13, 2),
        ),
        outputs=tuple(
            Output(name, ref)
            for name, ref in {"sum": 6, "grade": 8, "high": 9, "most": 12, "code": 14, "short": 15, "none": 16}.items()
        ),
    )
    table = as_table({"age": [20.0, 30.0, None], "job": ["clerk", "cook", None]})
    got = run(program, {name: table.column(name) for name in table}, 3)
    assert got["sum"].tolist() == [15, 25, 45]
    assert got["grade"].tolist() == ["A", "A", "A"]
    assert got["high"].tolist() == [False, False, True]
    assert got["most"].tolist() == [0, 0, 1]
    assert got["code"].tolist() == [0, 0, 1]
    assert got["short"].tolist() == [1, 2, 1]
    assert got["none"].tolist() == [2, 2, 2]


def test_a_bucket_of_a_number_is_no_bucket_of_the_column_behind_it() -> None:
    ages = Ladder(kind="numeric", size=2, rungs=(0, 1), cuts=(30.0,), missing=0)
    grades = Ladder(kind="numeric", size=2, rungs=(0, 1), cuts=(7.0,), missing=0)
    nodes = (Column("age", "numeric"), Bucket(0, ages), Points(1, (5.0, 10.0)), Sum(1.0, (2,)), Bucket(3, grades))
    program = Program(
        features=(), nodes=(*nodes, Points(4, (0.5, 2.0)), Sum(0.0, (5, 2))), outputs=(Output("total", 6),)
    )
    table = as_table({"age": [20.0, 30.0, 8.0, None]})
    for each in (program, added_up(program)):
        assert run(each, {"age": table.column("age")}, 4)["total"].tolist() == [5.5, 12, 5.5, 5.5]


def test_sizes_are_of_places_alone() -> None:
    program = Program(features=(), nodes=(Sum(1.0),), outputs=())
    with pytest.raises(TypeError, match="gives no place"):
        size_of(program, 0)


def test_no_rows_and_many_blocks() -> None:
    program = Program(
        features=(),
        nodes=(
            Column("x", "numeric"),
            Bucket(0, Ladder(kind="numeric", size=2, rungs=(0, 1), cuts=(0.5,), missing=0)),
            Points(1, (0.0, 1.0)),
        ),
        outputs=(Output("high", 2),),
    )
    for n_rows in (0, 1, 16_384, 40_000):
        x = np.random.default_rng(0).random(n_rows)
        got = run(program, {"x": Values("x", "numeric", x)}, n_rows)["high"]
        assert got.tolist() == (x >= 0.5).tolist()
