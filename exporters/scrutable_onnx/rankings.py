"""Codes by how far they fall short."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scrutable_onnx.columns import listed
from scrutable_onnx.graph import Graph


def ranked(graph: Graph, short: Sequence[str], titles: Sequence[str], asked: int) -> tuple[list[str], list[str]]:
    """(N,) the code at each rank, and its shortfall; of equal ones the first.

    Where fewer fall short: how many codes there are, and NaN.

    Parameters
    ----------
    short : (N,) how far each code falls short, one or more codes.
    asked : how many ranks.
    """
    kept = min(asked, len(short))
    none, nothing = graph.number(len(short)), graph.number(math.nan, "nothing")
    most, which = graph.nodes_of(
        "TopK",
        [graph.stack(short, "shortfalls"), graph.constant(f"the {kept} largest", np.array([kept]))],
        ["largest shortfalls", "their codes"],
        doc=listed("Of equal ones the first. Codes", titles),
        axis=0,
    )
    positive = graph.node("Greater", [most, graph.number(0.0)], "falls short at all")
    codes = graph.node("Where", [positive, which, none], "codes by rank")
    amounts = graph.node("Where", [positive, most, nothing], "shortfalls by rank")
    further = asked - kept
    return (
        [graph.row(codes, i, f"code of reason {i + 1}") for i in range(kept)]
        + [graph.filled(len(short), "no code", short[0])] * further,
        [graph.row(amounts, i, f"shortfall of reason {i + 1}") for i in range(kept)]
        + [graph.filled(math.nan, "no shortfall", short[0])] * further,
    )
