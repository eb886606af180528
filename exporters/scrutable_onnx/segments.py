"""Segments: the results of every segment's model, and a choice among them on each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from onnx import TensorProto

from scrutable.model import SegmentedModel, cells_of, results_of_segments
from scrutable_onnx.clauses import Clauses
from scrutable_onnx.columns import Columns, Source
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.rule_sets import FALLBACK, RULES

#: What stands where a segment has no such result.
_NOTHING: dict[int, ArrayLike] = {TensorProto.STRING: "", TensorProto.DOUBLE: np.nan}


def results(
    model: SegmentedModel, parts: Sequence[Sequence[Result]], graph: Graph, sources: Mapping[str, Source]
) -> list[Result]:
    """The outputs of segments: the segment, what all models say alike, and the rules of each rule set.

    Parameters
    ----------
    parts : the results of each segment's model, on every row.
    """
    last = len(model.segments) - 1
    routed = [clause for segment in model.segments for clause in segment.when]
    columns = Columns(graph, cells_of(model.routing, (), routed), sources)
    clauses = Clauses(columns, model.routing)
    belongs = [clauses.all_hold(each.when, f"segment {i} if none before") for i, each in enumerate(model.segments, 1)]
    names = graph.constant("names of segments", [segment.name for segment in model.segments])
    number = columns.filled(last, "number of the last segment")
    for position in reversed(range(last)):
        own = graph.constant(f"number {position}", np.array(position))
        number = graph.node("Where", [belongs[position], own, number], f"segment from {position + 1} on, from 0")
    outputs = [Result("segment", graph.node("Gather", [names, number], "name of the segment"), TensorProto.STRING)]
    by_name = [{result.name: result for result in part} for part in parts]
    shown = results_of_segments([each.name for each in part if each.columns is None and each.shown] for part in parts)
    hidden = [each.name for each in parts[0] if not each.shown]
    for name in (*hidden, *shown[1:]):
        outputs.append(_chosen(name, by_name, belongs, graph, shown=name in shown))
    return [*outputs, *_hits(parts)]


def of_segment(name: str, position: int) -> str:
    """The output of the rules of a segment, by its position from 0.

    >>> of_segment(RULES, 0)
    'rule_hits_1'
    """
    return f"{name}_{position + 1}"


def _chosen(
    name: str, own: Sequence[Mapping[str, Result]], belongs: Sequence[str], graph: Graph, *, shown: bool
) -> Result:
    """One result, on each row that of its segment."""
    kind = next(outputs[name].type for outputs in own if name in outputs)
    values = [
        outputs[name].value if name in outputs else graph.constant("none", np.array(_NOTHING[kind], _dtype(kind)))
        for outputs in own
    ]
    chosen = values[-1]
    for position in reversed(range(len(values) - 1)):
        chosen = graph.node("Where", [belongs[position], values[position], chosen], f"{name} from {position + 1} on")
    # the value itself may be that of another result, and the name of an output belongs to one
    return Result(name, graph.node("Identity", [chosen], f"{name} of the segment"), kind, shown=shown)


def _dtype(kind: int) -> type[object] | type[np.float64]:
    return object if kind == TensorProto.STRING else np.float64


def _hits(parts: Sequence[Sequence[Result]]) -> list[Result]:
    """Which rules of each rule set apply, whether or not a row is of its segment."""
    return [
        Result(of_segment(each.name, position), each.value, each.type, each.columns)
        for position, part in enumerate(parts)
        for each in part
        if each.name in (RULES, FALLBACK)
    ]
