"""How far each reason code falls short on each row."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scrutable.model import ReasonPolicy, Scorecard
from scrutable_onnx.columns import Columns
from scrutable_onnx.graph import Graph


def of_scorecard(model: Scorecard, policy: ReasonPolicy, columns: Columns) -> dict[str, str]:
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


def of_features(policy: ReasonPolicy, short: Mapping[str, str], graph: Graph) -> dict[str, str]:
    """(N,) shortfalls by code, in the policy's order, of (N,) shortfalls by feature."""
    carried = {code: [short[name] for name in names] for code, names in policy.features().items() if names}
    return _greatest(carried, graph)


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
