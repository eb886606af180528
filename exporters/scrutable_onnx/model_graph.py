"""From a model to the nodes of a graph, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from scrutable.model import (
    Clause,
    Model,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    cells_of,
    reasons_by_segment,
    splits,
    step_functions,
)
from scrutable_onnx import rule_sets, scorecards, segments, tree_ensembles
from scrutable_onnx.columns import Columns, Source
from scrutable_onnx.common import DecidingModel, SingleModel
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions


def write_model(model: Model, graph: Graph, sources: Mapping[str, Source], options: ONNXOptions) -> list[Result]:
    """Write the nodes of a model, and say which values are its results.

    Those that are shown are in the order of `Evaluation.frame()`. Those that are not are the probabilities of both
    classes, where there are two.
    """
    if not isinstance(model, SegmentedModel):
        return _write_one(model, graph, sources, options)
    parts = []
    counts = reasons_by_segment(model, options.reasons)
    for position, (segment, count) in enumerate(zip(model.segments, counts, strict=True), 1):
        with graph.named(f"segment {position}: "):
            parts.append(_write_one(segment.model, graph, sources, replace(options, reasons=count)))
    return segments.results(model, parts, graph, sources)


def _write_one(model: SingleModel, graph: Graph, sources: Mapping[str, Source], options: ONNXOptions) -> list[Result]:
    if isinstance(model, Scorecard):
        columns = Columns(graph, cells_of(model.features, model.characteristics, _policy_clauses(model)), sources)
        return scorecards.results(model, columns, options)
    if isinstance(model, RegressionScorecard):
        columns = Columns(graph, cells_of(model.features, model.characteristics, ()), sources)
        return scorecards.results_of_prediction(model, columns, options)
    if isinstance(model, RuleSet):
        clauses = [clause for rule in model.rules + model.fallback for clause in rule.when]
        columns = Columns(graph, cells_of(model.features, (), [*clauses, *_policy_clauses(model)]), sources)
        return rule_sets.results(model, columns, options)
    steps = step_functions(model)
    asked = [split.when for tree in steps.trees for split in splits(tree)]
    cells = cells_of(model.features, steps.characteristics, [*asked, *_policy_clauses(model)])
    return tree_ensembles.results(model, steps, Columns(graph, cells, sources), options)


def _policy_clauses(model: DecidingModel) -> Iterator[Clause]:
    return (clause for rule in model.policy.knock_outs for clause in rule.when)
