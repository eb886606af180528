"""What the graphs of all kinds of model share: inputs, decision, probability, and what is refused."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from scrutable.errors import InputError, UnsupportedModel, did_you_mean
from scrutable.model import CLAMP, Calibration, Model, Outcome, Policy, SingleModel
from scrutable_onnx.columns import Columns
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions

#: The double nearest to exp(256). They differ by less than 2^-56, relatively, so that its power z / 256 is exp(z) to
#: a quarter of a unit in the last place, wherever |z| <= 36.
_EXP_256 = float.fromhex("0x1.41c7a8814bebap+369")


def check(model: Model, options: ONNXOptions) -> None:
    """Refuse models without features, and options that do not fit the features."""
    known = [feature.name for feature in model.features]
    for key in options.columns:
        if key not in known:
            fix = did_you_mean(key, known)
            raise InputError("the model reads no such feature", where="option columns", got=key, fix=fix)
    if not known:
        raise UnsupportedModel(
            "a graph without inputs cannot tell how many rows there are",
            where="features",
            got="a model that reads no column",
        )


def decision(model: SingleModel, score: str, knocked: str | None, graph: Graph) -> list[Result]:
    """The results `approved` and, where the policy has knock-outs, `knock_out`."""
    cutoff = graph.constant("cutoff", np.array(model.cutoff))
    enough = graph.node("GreaterOrEqual", [score, cutoff], "score reaches the cutoff")
    if knocked is None:
        return [Result("approved", as_integer(graph, enough, "approved or not"), TensorProto.INT64)]
    free = graph.node("Equal", [knocked, none_applies(graph, model.policy)], "no knock-out applies")
    both = graph.node("And", [enough, free], "approved if true")
    codes = graph.constant("codes of knock-outs", [*(rule.code for rule in model.policy.knock_outs), ""])
    code = graph.node("Gather", [codes, knocked], "code of the knock-out", doc="Empty where none applies.")
    return [
        Result("approved", as_integer(graph, both, "approved or not"), TensorProto.INT64),
        Result("knock_out", code, TensorProto.STRING),
    ]


def probability(calibration: Calibration, score: str, columns: Columns) -> str:
    """(N,) the probability of the favourable class, in the order of operations that `Calibration` declares.

    Slope and intercept are repeated on every row, because onnxruntime leaves out a multiplication by a constant that is
    1, and an addition of one that is 0, when rounded to single precision.
    """
    graph = columns.graph

    def number(value: float, name: str) -> str:
        return graph.constant(name, np.array(value))

    slope = columns.filled(calibration.slope, "slope")
    intercept = columns.filled(calibration.intercept, "intercept")
    scaled = graph.node("Mul", [slope, score], "slope * score")
    z = graph.node("Add", [intercept, scaled], "z", doc="intercept + slope * score")
    if calibration.link == "identity":
        return graph.node("Clip", [z, number(0.0, "least"), number(1.0, "most")], "probability of z")
    held = graph.node("Clip", [z, number(-CLAMP, "least z"), number(CLAMP, "most z")], "z, held in its bounds")
    share = graph.node("Mul", [held, number(-1 / 256, "minus 1/256")], "-z / 256", doc="Exact: a power of two.")
    doc = "exp(256) to the power of -z / 256: Exp errs by up to 1.7 units in the last place, Pow by less than 1."
    power = graph.node("Pow", [number(_EXP_256, "exp(256)"), share], "exp(-z)", doc=doc)
    one = number(1.0, "one")
    return graph.node("Div", [one, graph.node("Add", [one, power], "1 + exp(-z)")], "1 / (1 + exp(-z))")


def both(outcome: Outcome, chance: str, graph: Graph) -> list[Result]:
    """The probabilities of both classes, in the order of the classes; not shown."""
    rest = graph.node("Sub", [graph.constant("one", np.array(1.0)), chance], "1 - probability")
    pair = (rest, chance) if outcome.favourable_index == 1 else (chance, rest)
    return [Result(f"probability_{i}", value, TensorProto.DOUBLE, shown=False) for i, value in enumerate(pair)]


def none_applies(graph: Graph, policy: Policy) -> str:
    """What `knock_out` gives where no knock-out applies."""
    count = len(policy.knock_outs)
    return graph.constant(f"number {count}", np.array(count))


def add_up(columns: Columns, start: float, terms: list[str]) -> str:
    """(N,) a number and these values, added up: fixed-point numbers, so that no sum is rounded in any order."""
    if not terms:
        return columns.filled(start, "score")
    base = columns.graph.constant("base score", np.array(start))
    return columns.graph.node("Sum", [base, *terms], "score added up", doc="Base score and points.")


def as_integer(graph: Graph, value: str, name: str) -> str:
    """Booleans as 0 and 1."""
    return graph.node("Cast", [value], name, to=TensorProto.INT64)
