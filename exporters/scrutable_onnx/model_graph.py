"""From a model to the nodes of a graph, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from scrutable.model import (
    Characteristic,
    Clause,
    Model,
    RegressionScorecard,
    RuleSet,
    Scorecard,
    SegmentedModel,
    SingleModel,
    TreeEnsemble,
    cells_of,
    reasons_by_segment,
    splits,
    step_functions,
)
from scrutable_onnx import rule_sets, scorecards, segments, tree_ensembles
from scrutable_onnx.columns import Columns, Source
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions


def write_model(model: Model, graph: Graph, sources: Mapping[str, Source], options: ONNXOptions) -> list[Result]:
    """Write the nodes of a model, and say which values are its results.

    Those that are shown are in the order of `Evaluation.frame()`. Those that are not are the probabilities of both
    classes, where there are two.
    """

    def columns(characteristics: Iterable[Characteristic], clauses: Iterable[Clause]) -> Columns:
        return Columns(graph, cells_of(model.features, characteristics, clauses), sources)

    match model:
        case Scorecard():
            return scorecards.results(model, columns(model.characteristics, _policy_clauses(model)), options)
        case RegressionScorecard():
            return scorecards.results_of_prediction(model, columns(model.characteristics, ()), options)
        case RuleSet():
            asked = [clause for rule in model.rules + model.fallback for clause in rule.when]
            return rule_sets.results(model, columns((), [*asked, *_policy_clauses(model)]), options)
        case TreeEnsemble():
            steps = step_functions(model)
            asked = [split.when for tree in steps.trees for split in splits(tree)]
            own = columns(steps.characteristics, [*asked, *_policy_clauses(model)])
            return tree_ensembles.results(model, steps, own, options)
        case SegmentedModel():
            parts = []
            counts = reasons_by_segment(model, options.reasons)
            for position, (part, count) in enumerate(zip(model.parts, counts, strict=True), 1):
                with graph.named(f"segment {position}: "):
                    parts.append(write_model(part, graph, sources, replace(options, reasons=count)))
            return segments.results(model, parts, graph, sources)
        case _:
            assert_never(model)


def _policy_clauses(model: SingleModel) -> Iterator[Clause]:
    return (clause for rule in model.policy.knock_outs for clause in rule.when)
