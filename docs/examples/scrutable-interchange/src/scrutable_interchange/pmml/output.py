"""The element Output: score, probability, knock-out, decision and reasons."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from scrutable.model import Calibration, ReasonPolicy, Scorecard

from scrutable_interchange.pmml.expressions import apply, field, number
from scrutable_interchange.pmml.knock_outs import knock_out

#: `Calibration` holds the linear predictor within these.
_CLAMP = 36.0


def add_output(parent: Element, scorecard: Scorecard) -> None:
    """Score, probability, decision, and as many reasons as the policy gives."""
    output, policy = SubElement(parent, "Output"), scorecard.policy
    _add(output, "score", "double", feature="predictedValue")
    _add(output, "probability", "double", _probability(scorecard.calibration))
    passed = apply("greaterOrEqual", field("score"), number(scorecard.cutoff))
    if policy.knock_outs:
        features = {feature.name: feature for feature in scorecard.features}
        _add(output, "knock_out", "string", knock_out(policy, features))
        approved = apply("and", apply("isMissing", field("knock_out")), passed)
    else:
        approved = passed
    _add(output, "approved", "double", apply("if", approved, number(1.0), number(0.0)))
    if scorecard.reasons is not None:
        _add_reasons(output, scorecard.reasons, passed if policy.knock_outs else None)


def ranked(rank: int) -> str:
    """Name of a reason before a knock-out comes first.

    >>> ranked(1)
    'ranked_1'
    """
    return f"ranked_{rank}"


def _add_reasons(output: Element, policy: ReasonPolicy, passed: Element | None) -> None:
    """The codes by rank; a knock-out comes before them, and stands alone where the score passed."""
    ranks = range(1, policy.k + 1)
    for rank in ranks:
        name, final = (f"reason_{rank}", "true") if passed is None else (ranked(rank), "false")
        _add(output, name, "string", feature="reasonCode", rank=str(rank), isFinalResult=final)
    if passed is None:
        return
    for rank in ranks:
        instead = field("knock_out") if rank == 1 else apply("if", apply("not", passed), field(ranked(rank - 1)))
        none = apply("isMissing", field("knock_out"))
        _add(output, f"reason_{rank}", "string", apply("if", none, field(ranked(rank)), instead))


def _probability(calibration: Calibration) -> Element:
    """In the order of operations that `Calibration` declares."""
    z = apply("+", number(calibration.intercept), apply("*", number(calibration.slope), field("score")))
    if calibration.link == "identity":
        return apply("min", number(1.0), apply("max", number(0.0), z))
    held = apply("min", number(_CLAMP), apply("max", number(-_CLAMP), z))
    return apply("/", number(1.0), apply("+", number(1.0), apply("exp", apply("-", number(0.0), held))))


def _add(output: Element, name: str, data_type: str, expression: Element | None = None, **more: str) -> None:
    """A result: an expression, or a feature of the model."""
    optype = "continuous" if data_type == "double" else "categorical"
    feature = {"feature": "transformedValue"} if expression is not None else {}
    about = {"name": name, "optype": optype, "dataType": data_type, **feature, **more}
    element = SubElement(output, "OutputField", about)
    if expression is not None:
        element.append(expression)
