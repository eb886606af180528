"""Arithmetic that onnxruntime does exactly, or to two units in the last place."""

from __future__ import annotations

from scrutable_onnx.graph import Graph

#: The double nearest to exp(256). They differ by less than 2^-56, relatively, so that its power z / 256 is exp(z) to
#: a quarter of a unit in the last place, wherever |z| <= 36.
_EXP_256 = float.fromhex("0x1.41c7a8814bebap+369")


def linear(graph: Graph, number: str, slope: float, intercept: float, name: str) -> str:
    """(N,) intercept + slope * number.

    Slope and intercept are repeated on every row, because onnxruntime leaves out a multiplication by a constant that is
    1, and an addition of one that is 0, when rounded to single precision.
    """
    slopes, intercepts = (
        graph.filled(value, f"{name}: {what}", number) for value, what in ((slope, "slope"), (intercept, "intercept"))
    )
    scaled = graph.node("Mul", [slopes, number], f"{name}: slope * number")
    return graph.node("Add", [intercepts, scaled], name, doc="intercept + slope * number")


def logistic(graph: Graph, z: str, name: str) -> str:
    """(N,) 1 / (1 + exp(-z))."""
    one = graph.number(1.0)
    share = graph.node("Mul", [z, graph.number(-1 / 256)], f"{name}: -z / 256", doc="Exact: a power of two.")
    doc = "exp(256) to the power of -z / 256: Exp errs by up to 1.7 units in the last place, Pow by less than 1."
    power = graph.node("Pow", [graph.number(_EXP_256, "exp(256)"), share], f"{name}: exp(-z)", doc=doc)
    whole = graph.node("Add", [one, power], f"{name}: 1 + exp(-z)")
    return graph.node("Div", [one, whole], name, doc="1 / (1 + exp(-z))")
