"""The outputs of a graph: which of a model's are asked for, and their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from onnx import TensorProto

from scrutable.errors import InputError, UnsupportedModel, did_you_mean
from scrutable.model import Model, SegmentedModel, number_of_reasons, reasons_by_segment
from scrutable.model.program import Choice, Output, Program, Ref, Words, added_up, kept, lowered, sort_of
from scrutable_onnx.columns import Source
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions
from scrutable_onnx.rendering import Rendering

#: Outputs that say which rules apply, one column a rule.
RULES, FALLBACK = "rule_hits", "fallback_hits"
_TYPES = {"number": TensorProto.DOUBLE, "text": TensorProto.STRING}


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


def asked(model: Model, options: ONNXOptions) -> Program:
    """The program of what the options ask for.

    Raises
    ------
    UnsupportedModel : more reasons are asked for than the model gives.
    """
    if isinstance(model, SegmentedModel):
        count = max(reasons_by_segment(model, options.reasons))
    else:
        count = number_of_reasons(getattr(model, "reasons", None), options.reasons)
    why = {f"{name}_{i}" for name in ("reason", "short") for i in range(1, count + 1)}
    unwanted = ("reason_", "short_") if options.points else ("reason_", "short_", "points_")
    program = lowered(model)
    usual = (name for name in program.results if name in why or not name.startswith(unwanted))
    return added_up(kept(program, options.names(program, usual)))


def write(program: Program, graph: Graph, sources: Mapping[str, Source]) -> list[Result]:
    """Write the outputs of a program; for which rules apply, an output of Booleans for each list of rules."""
    rendering = Rendering(program, graph, sources)
    results: list[Result] = []
    for output in program.outputs:
        if output.name == "rules":
            results += _hits(program, output.of, rendering)
        elif output.name != "knock_out" or any(rendering.vocabulary(output.of)):
            results.append(_result(program, output, rendering, graph))
    values: list[str] = []
    for result in results:
        value = result.value
        while value in values:  # an output is a value of its own
            value = graph.node("Identity", [value], result.name)
        values.append(value)
    return [replace(result, value=value) for result, value in zip(results, values, strict=True)]


def _result(program: Program, output: Output, rendering: Rendering, graph: Graph) -> Result:
    sort = sort_of(program, output.of)
    value = rendering.value(output.of, output.name)
    if sort == "text":
        vocabulary = [text or "" for text in rendering.vocabulary(output.of)]
        texts = graph.constant(f"texts of {output.name}", vocabulary)
        value = graph.node("Gather", [texts, value], output.name)
    if sort == "truth" or output.is_count:
        value = graph.node("Cast", [value], output.name, to=TensorProto.INT64)
    kind = TensorProto.INT64 if output.is_count else _TYPES.get(sort, TensorProto.INT64)
    return Result(output.name, value, kind, output.about)


def _hits(program: Program, rules: Ref, rendering: Rendering) -> Iterator[Result]:
    """Which rules of each rule set apply, whether or not a row is of its segment."""
    top, in_segments = program[rules], "segment" in program.names
    parts = top.of if isinstance(top, Choice) and in_segments else (rules,)
    for position, part in enumerate(parts, 1):
        for ref in () if part is None else _lists(program, part):
            words = program[ref]
            assert isinstance(words, Words)
            name = FALLBACK if words.words[0].startswith("F") else RULES
            lines = [f"{word}: {title}" for word, title in zip(words.words, words.titles, strict=True)]
            doc = "\n".join(["A column for each rule.", *lines])
            name = f"{name}_{position}" if in_segments else name
            yield Result(name, rendering.value(ref, name), TensorProto.BOOL, doc, len(words.words))


def _lists(program: Program, ref: Ref) -> Iterator[Ref]:
    """The lists of rules that a choice is among, what decides first before what does where that says nothing."""
    node = program[ref]
    if isinstance(node, Choice):
        for each in reversed(node.of):
            if each is not None:
                yield from _lists(program, each)
    elif isinstance(node, Words) and node.words:
        yield ref
