"""Truths that count in sums, such as rules in votes: all sums at once, as a product of weights and truths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from onnx import TensorProto

from scrutable.model.program import Column, Points, Program, Ref, Sum, size_of
from scrutable_onnx.columns import listed
from scrutable_onnx.graph import Graph
from scrutable_onnx.tables import Tables


def counts(program: Program, ref: Ref, tables: Tables) -> bool:
    """Whether a node is the points of a truth about several columns."""
    node = program[ref]
    if not isinstance(node, Points) or ref in tables.entries or size_of(program, node.of) != 2:
        return False
    return all(isinstance(program[value], Column) for value in tables.values[node.of] or (ref,))


def weights_of(program: Program, tables: Tables) -> dict[Ref, dict[Ref, float]]:
    """By sum, how much more it is where each such truth holds."""
    weights: dict[Ref, dict[Ref, float]] = {}
    for ref, node in enumerate(program.nodes):
        for each in node.of if isinstance(node, Sum) else ():
            points = program[each]
            if isinstance(points, Points) and counts(program, each, tables):
                own = weights.setdefault(ref, {})
                own[points.of] = own.get(points.of, 0.0) + points.values[1] - points.values[0]
    return weights


def weighed(
    graph: Graph, weights: Mapping[Ref, Mapping[Ref, float]], truths: Mapping[Ref, str], sums: Sequence[str]
) -> str:
    """(sums, N) the weights of truths that hold, added up: fixed-point numbers, so that no sum is rounded.

    Parameters
    ----------
    truths : (N,) by node.
    sums : what they are called.
    """
    held = graph.node("Cast", [graph.stack(list(truths.values()), "truths")], "1 for each", to=TensorProto.DOUBLE)
    table = np.array([[own.get(ref, 0.0) for ref in truths] for own in weights.values()])
    doc = listed("A row each", sums) + "\n" + listed("A column each", list(truths.values()))
    return graph.node("MatMul", [graph.constant("weights", table, doc), held], "weights of truths that hold")
