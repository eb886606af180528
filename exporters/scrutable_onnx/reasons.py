"""Reasons: the codes that fall short most on each row, ties in the policy's order, and by how much they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from scrutable.model import ReasonPolicy, Scorecard, SingleModel, number_of_reasons
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import none_applies
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions


def reasons(
    model: SingleModel,
    columns: Columns,
    score: str,
    knocked: str | None,
    options: ONNXOptions,
    shortfalls: Callable[[ReasonPolicy], Mapping[str, str]],
) -> list[Result]:
    """The results reason_1, reason_2 and so on, then short_1, short_2 and so on.

    A text is empty where fewer codes fall short. A shortfall is NaN there, and where the reason is a knock-out. A
    knock-out comes first, and stands alone where the score reaches the cutoff.

    Parameters
    ----------
    score : (N,) the score.
    knocked : (N,) position of the knock-out that applies, see `clauses.knock_out`.
    shortfalls : writes how far each code falls short, (N,), in the policy's order; called if there are reasons at all.

    Raises
    ------
    UnsupportedModel : more reasons are asked for than the model gives.
    """
    k = number_of_reasons(model.reasons, options.reasons)
    if model.reasons is None or not k:
        return []
    graph = columns.graph
    short = shortfalls(model.reasons)
    if knocked is None:
        places, points = _largest(list(short.values()), k, columns)
    else:
        free = graph.node("Equal", [knocked, none_applies(graph, model.policy)], "no knock-out among the reasons")
        fails = graph.node("Less", [score, graph.constant("cutoff", np.array(model.cutoff))], "score misses the cutoff")
        heard = graph.node("Or", [free, fails], "shortfalls are reasons", doc="Else a knock-out is the only one.")
        places, points = _largest(list(short.values()), k, columns, heard)
        first = graph.constant(f"number {len(short) + 1}", np.array(len(short) + 1))
        place = graph.node("Add", [first, knocked], "place of the knock-out")
        places = _after(place, places, free, "place of reason", graph)
        points = _after(graph.constant("not a number", np.array(np.nan)), points, free, "shortfall of reason", graph)
    codes = [*short, "", *(rule.code for rule in model.policy.knock_outs)]
    table = graph.constant("reason codes", codes, "In the order that settles ties; no reason; knock-outs.")
    texts = [graph.node("Gather", [table, place], f"text of reason {i}") for i, place in enumerate(places, 1)]
    return [
        *(Result(f"reason_{i}", text, TensorProto.STRING) for i, text in enumerate(texts, 1)),
        *(Result(f"short_{i}", value, TensorProto.DOUBLE) for i, value in enumerate(points, 1)),
    ]


def shortfalls_of_scorecard(model: Scorecard, policy: ReasonPolicy, columns: Columns) -> dict[str, str]:
    """(N,) points below the baseline by code, in the policy's order, of the codes that can fall short."""
    by_code: dict[str, list[str]] = {}
    for code, carriers in policy.carriers(model).items():
        for position, indices in carriers:
            name = model.characteristics[position].feature
            table = _shortfall_table(model, policy, position, indices, columns)
            if table.any():
                doc = f"Points below the baseline of {name}."
                by_code.setdefault(code, []).append(columns.look_up(name, table, f"{name}: short for {code}", doc))
    return _greatest(by_code, columns.graph)


def shortfalls_of_features(policy: ReasonPolicy, short: Mapping[str, str], graph: Graph) -> dict[str, str]:
    """(N,) shortfalls by code, in the policy's order, of (N,) shortfalls by feature."""
    carried = {code: [short[name] for name in names] for code, names in policy.features().items() if names}
    return _greatest(carried, graph)


def _largest(short: list[str], k: int, columns: Columns, heard: str | None = None) -> tuple[list[str], list[str]]:
    """k values of shape (N,) each: positions of the codes that fall short most, and by how much these do.

    Where there are fewer: the number of codes, and NaN. Each is a value of its own, as outputs must be.

    Parameters
    ----------
    heard : (N,) Booleans, whether any code is a reason at all; None if it is on every row.
    """
    graph, none, nothing = columns.graph, np.array(len(short)), np.array(np.nan)
    kept = min(k, len(short))
    places = [columns.filled(none, "no reason") for _ in range(k)]
    points = [columns.filled(nothing, "no shortfall") for _ in range(k)]
    if not kept:
        return places, points
    most, which = graph.nodes_of(
        "TopK",
        [graph.stack(short, "shortfalls"), graph.constant(f"the {kept} largest", np.array([kept]))],
        ["largest shortfalls", "their codes"],
        doc="Of equal ones, the first in the policy's order comes first.",
        axis=0,
    )
    any_short = graph.node("Greater", [most, graph.constant("zero", np.array(0.0))], "falls short at all")
    if heard is not None:
        any_short = graph.node("And", [any_short, heard], "falls short, and is a reason")
    numbers = graph.node("Where", [any_short, which, graph.constant(f"number {none}", none)], "places of the codes")
    missing = graph.constant("not a number", nothing)
    amounts = graph.node("Where", [any_short, most, missing], "shortfalls of the codes")
    places[:kept] = [graph.row(numbers, i, f"place of reason {i + 1}") for i in range(kept)]
    points[:kept] = [graph.row(amounts, i, f"shortfall of reason {i + 1}") for i in range(kept)]
    return places, points


def _after(knock_out: str, values: list[str], free: str, name: str, graph: Graph) -> list[str]:
    """What a knock-out that applies gives, before all other reasons, the last of which it pushes out."""
    return [
        graph.node("Where", [free, own, previous], f"{name} {i}, after the knock-out")
        for i, (own, previous) in enumerate(zip(values, [knock_out, *values], strict=False), 1)
    ]


def _greatest(carried: Mapping[str, list[str]], graph: Graph) -> dict[str, str]:
    return {
        code: values[0] if len(values) == 1 else graph.node("Max", values, f"short for {code}")
        for code, values in carried.items()
    }


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
