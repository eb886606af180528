"""Programs that no model has yet: grades of a score, two-way tables, and choices of every sort."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

from scrutable.data.frames import as_table
from scrutable.model import Feature
from scrutable.model.program import (
    All,
    AtLeast,
    Bucket,
    Choice,
    Code,
    Column,
    First,
    Ladder,
    Node,
    Output,
    Pair,
    Points,
    Program,
    Rank,
    Short,
    Sum,
    Text,
    run,
)
from scrutable.model.program import Test as Asked
from scrutable_onnx.columns import Source
from scrutable_onnx.graph import ML, Graph
from scrutable_onnx.results import write

FEATURES = (Feature(name="x", kind="numeric"), Feature(name="job", kind="categorical"))
NUMBERS = Ladder(kind="numeric", size=3, rungs=(1, 0, 1), cuts=(0.0, 2.0), named=((5.0, 2), (-math.inf, 0)), missing=2)
JOBS = Ladder(kind="categorical", size=3, rungs=(0,), named=(("cook", 1),), missing=2)
LOW = Ladder(kind="numeric", size=2, rungs=(1, 0), cuts=(1.0,), missing=0)
GRADES = Ladder(kind="numeric", size=4, rungs=(0, 1, 2), cuts=(0.5, 10.0), named=((7.0, 3),), missing=3)
#: By place: 0 and 1 columns, 2 to 4 buckets, 5 the cells of a two-way table, 6 to 8 numbers, 9 to 11 what is asked.
START: tuple[Node, ...] = (
    Column("x", "numeric"),
    Column("job", "categorical"),
    Bucket(0, NUMBERS),
    Bucket(1, JOBS),
    Bucket(0, LOW),
    Pair((2, 3), (3, 3)),
    Points(5, (0.5, 1.0, 4.0, -2.0, 7.0, 9.0, 0.0, 3.0, 12.0)),
    Points(2, (0.25, 0.0, -1.0)),
    Sum(-0.0, (6, 7)),
    Bucket(8, GRADES),
    AtLeast(8, 3.0),
    Asked(5, (1, 4, 8)),
)
ROWS: dict[str, Any] = {
    "x": [x for x in (None, -math.inf, -1.0, -0.0, 1.0, 1.5, 2.0, 5.0, math.inf) for _ in range(3)],
    "job": ["cook", "x", None] * 9,
}


def written(program: Program) -> dict[str, Any]:
    """What the engine gives."""
    graph = Graph(["x", "job", "missing"])
    results = write(program, graph, {"x": Source("x"), "job": Source("job", "missing")})
    graph.name_outputs({result.name: result.value for result in results})

    def value(name: str, kind: int) -> Any:
        return helper.make_tensor_value_info(name, kind, ["N"])

    inputs = [value("x", TensorProto.DOUBLE), value("job", TensorProto.STRING), value("missing", TensorProto.BOOL)]
    outputs = [value(result.name, result.type) for result in results]
    whole = helper.make_graph(graph.nodes, "program", inputs, outputs, initializer=graph.constants)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid(ML, 3)]
    content = helper.make_model(whole, ir_version=8, opset_imports=opsets).SerializeToString()
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    feeds = {
        "x": np.array([math.nan if x is None else x for x in ROWS["x"]]),
        "job": np.array([job or "" for job in ROWS["job"]], dtype=object),
        "missing": np.array([job is None for job in ROWS["job"]]),
    }
    names = [output.name for output in outputs]
    return dict(zip(names, session.run(names, feeds), strict=True))


@pytest.mark.parametrize(
    "nodes",
    {
        "two-way table": (),
        "grades": (Text(9, ("A", "B", None, "D")),),
        "points by grade": (Points(9, (1.0, 2.0, 3.0, 4.0)),),
        "set of places": (Asked(9, (0, 3)),),
        "all of nothing": (All(()),),
        "all": (All((4, 10, 11)),),
        "first of several": (First((10, 11, 4), ("a", "b", "c")),),
        "first of nothing": (First(()),),
        "choice of numbers": (Choice(9, (6, None, 7, 8)),),
        "choice of truths": (Choice(3, (4, 10, 11)),),
        "choice of truths, or none": (Choice(3, (10, None, 11)),),
        "choice of places, or none": (Choice(9, (3, None, 2, 4)),),
        "choice by a truth": (Choice(10, (7, 6)),),
        "choice of places": (Choice(10, (3, 2)), Asked(12, (1,))),
        "choice of texts": (Text(9, ("A", "B", "C", "D")), Text(3, ("A", "e", "f")), Choice(2, (12, None, 13))),
        "one choice": (First(()), Choice(12, (8,))),
        "pair of what is asked": (Pair((10, 3, 4), (2, 3, 2)), Points(12, tuple(map(float, range(12))))),
        "points of a truth": (Sum(1.0, ()), Points(11, (2.0, 5.0)), Points(10, (0.0, 4.0)), Sum(1.0, (13, 14, 12))),
        "no codes": (Rank(()), Code(12, 0), Text(13, (None,))),
        "no code short": (Rank(()), Short(12, 1)),
        "codes": (Rank(((6, 7), (8,))), Code(12, 1), Text(13, ("R1", "R2", None))),
        "short": (Rank(((7,), (8, 6))), Short(12, 2)),
    }.items(),
    ids=lambda item: item[0],
)
def test_nodes_give_what_the_interpreter_gives(nodes: tuple[str, tuple[Node, ...]]) -> None:
    every = (*START, *nodes[1])
    program = Program(features=FEATURES, nodes=every, outputs=(Output("result", len(every) - 1), Output("score", 8)))
    table = as_table(ROWS)
    ours = run(program, {name: table.column(name) for name in table}, table.n_rows)
    for name, values in written(program).items():
        wanted = np.where(np.equal(ours[name], None), "", ours[name]) if ours[name].dtype == object else ours[name]
        np.testing.assert_array_equal(values, wanted)
