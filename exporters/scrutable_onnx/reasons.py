"""Reasons: how far each code falls short on each row, the largest first, ties in the policy's order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from scrutable.model import ReasonPolicy, Scorecard
from scrutable.model.reasons import number_of_reasons
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import none_applies
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions


def reasons(model: Scorecard, columns: Columns, knocked: str | None, options: ONNXOptions) -> list[Result]:
    """The results reason_1, reason_2 and so on, empty texts where fewer codes fall short.

    Raises
    ------
    UnsupportedModel : more reasons are asked for than the model gives.
    """
    policy = model.reasons
    k = number_of_reasons(model.reasons, options.reasons)
    if policy is None or not k:
        return []
    short = _shortfalls(model, policy, columns)
    places = _places(list(short.values()), k, columns)
    places = _knock_out_first(model, places, len(short), knocked, columns.graph)
    graph = columns.graph
    codes = [*short, "", *(rule.code for rule in model.policy.knock_outs)]
    table = graph.constant("reason codes", codes, "In the order that settles ties; no reason; knock-outs.")
    texts = [graph.node("Gather", [table, place], f"text of reason {i}") for i, place in enumerate(places, 1)]
    return [Result(f"reason_{i}", text, TensorProto.STRING) for i, text in enumerate(texts, 1)]


def _shortfalls(model: Scorecard, policy: ReasonPolicy, columns: Columns) -> dict[str, str]:
    """(N,) points below the baseline by code, in the policy's order, of the codes that can fall short."""
    found: dict[str, str] = {}
    for code, carriers in policy.carriers(model).items():
        own = []
        for position, indices in carriers:
            name = model.characteristics[position].feature
            table = _shortfall_table(model, policy, position, indices, columns)
            if table.any():
                own.append(
                    columns.look_up(name, table, f"{name}: short for {code}", f"Points below the baseline of {name}.")
                )
        if own:
            found[code] = own[0] if len(own) == 1 else columns.graph.node("Max", own, f"short for {code}")
    return found


def _shortfall_table(
    model: Scorecard, policy: ReasonPolicy, position: int, indices: tuple[int, ...], columns: Columns
) -> NDArray[np.float64]:
    """Points below the baseline in each cell, 0 where there are enough or the attribute has another code."""
    item = model.characteristics[position]
    attributes = columns.cells[item.feature].attributes([attribute.condition for attribute in item.attributes])
    points = np.array([attribute.points for attribute in item.attributes])
    short = np.maximum(policy.baselines[item.feature] - points, 0.0)
    short[np.setdiff1d(np.arange(len(points)), indices)] = 0.0
    table: NDArray[np.float64] = short[attributes]
    return table


def _places(short: list[str], k: int, columns: Columns) -> list[str]:
    """k values of shape (N,): positions of the codes that fall short most, their number where there are fewer."""
    graph = columns.graph
    none = np.array(len(short))
    if not short:
        return [columns.filled(none, "no reason")] * k
    kept = min(k, len(short))
    matrix = graph.stack(short, "shortfalls")
    most, which = graph.nodes_of(
        "TopK",
        [matrix, graph.constant(f"the {kept} largest", np.array([kept]))],
        ["largest shortfalls", "their codes"],
        doc="Of equal ones, the first in the policy's order comes first.",
        axis=0,
    )
    any_short = graph.node("Greater", [most, graph.constant("zero", np.array(0.0))], "falls short at all")
    places = graph.node("Where", [any_short, which, graph.constant(f"number {none}", none)], "places of the codes")
    rows = [graph.row(places, i, f"place of reason {i + 1}") for i in range(kept)]
    return rows + [columns.filled(none, "no reason")] * (k - kept)


def _knock_out_first(model: Scorecard, places: list[str], n_codes: int, knocked: str | None, graph: Graph) -> list[str]:
    """A knock-out that applies comes before all other reasons, the last of which it pushes out."""
    if knocked is None:
        return places
    free = graph.node("Equal", [knocked, none_applies(graph, model.policy)], "no knock-out among the reasons")
    first = graph.constant(f"number {n_codes + 1}", np.array(n_codes + 1))
    before = [graph.node("Add", [first, knocked], "place of the knock-out"), *places]
    return [
        graph.node("Where", [free, place, previous], f"place of reason {i}, after the knock-out")
        for i, (place, previous) in enumerate(zip(places, before, strict=False), 1)
    ]
