"""Rule sets: which rules apply, their votes, and those of the fallback where none does."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from scrutable.model import Rule, RuleSet
from scrutable_onnx.clauses import Clauses, knock_out
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import decision
from scrutable_onnx.graph import Graph, Result

#: Outputs that say which rules apply, one column a rule.
RULES, FALLBACK = "rule_hits", "fallback_hits"


def results(model: RuleSet, columns: Columns) -> list[Result]:
    """The outputs of a rule set; with two classes the shares of both, too, which are not shown."""
    graph = columns.graph
    clauses = Clauses(columns, model.features)
    hits = [_hits(rules, kind, clauses) for rules, kind in ((model.rules, "rule"), (model.fallback, "fallback rule"))]
    votes = _decisive_votes(model, hits, graph)
    shares = graph.node("Div", [votes, graph.total(votes, "all votes")], "shares of all votes")
    classes = range(len(model.outcome.classes))
    of_class = [graph.row(votes, i, f"votes for class {i}") for i in classes]
    share = [graph.row(shares, i, f"share of class {i}") for i in classes]
    found = [
        Result(f"probability_{i}", its, TensorProto.DOUBLE, shown=model.cutoff is None) for i, its in enumerate(share)
    ]
    if model.cutoff is None:
        doc = "The class of most votes; of equal ones the first."
        most = graph.node("ArgMax", [votes], "class of most votes", doc=doc, axis=0, keepdims=0)
        scores = [Result(f"score_{i}", its, TensorProto.DOUBLE) for i, its in enumerate(of_class)]
        found = [*scores, *found, Result("predicted", most, TensorProto.INT64)]
    else:
        good = model.outcome.favourable_index
        score = graph.node("Sub", [of_class[good], of_class[1 - good]], "votes for less votes against")
        found += [
            Result("score", score, TensorProto.DOUBLE),
            Result("probability", share[good], TensorProto.DOUBLE),
            *decision(model, score, knock_out(model.policy, clauses), graph),
        ]
    return found + [
        Result(name, graph.node("Transpose", [matrix], f"{name} by row", perm=[1, 0]), TensorProto.BOOL, len(rules))
        for name, matrix, rules in ((RULES, hits[0], model.rules), (FALLBACK, hits[1], model.fallback))
        if matrix
    ]


def _hits(rules: tuple[Rule, ...], kind: str, clauses: Clauses) -> str:
    """(rules, N) Booleans; no value where there is no rule."""
    held = []
    for position, rule in enumerate(rules, 1):
        held.append(clauses.all_hold(rule.when, f"{kind} {position} applies"))
    return clauses.columns.graph.stack(held, f"{kind}s that apply") if held else ""


def _decisive_votes(model: RuleSet, hits: list[str], graph: Graph) -> str:
    """(classes, N) votes of the rules, or where none applies of the fallback."""
    fallback = _votes(model, model.fallback, hits[1], "fallback", graph)
    if not model.rules:
        return fallback
    votes = _votes(model, model.rules, hits[0], "rules", graph)
    zero = graph.constant("zero", np.array(0.0))
    covered = graph.node("Greater", [graph.total(votes, "votes of all rules"), zero], "some rule applies")
    return graph.node("Where", [covered, votes, fallback], "decisive votes")


def _votes(model: RuleSet, rules: tuple[Rule, ...], hits: str, kind: str, graph: Graph) -> str:
    """(classes, N) sums of weights: fixed-point numbers, so that no sum is rounded in any order."""
    weights = np.zeros((len(model.outcome.classes), len(rules)))
    for position, rule in enumerate(rules):
        weights[model.outcome.classes.index(rule.outcome), position] = rule.weight
    features = {feature.name: feature for feature in model.features}
    lines = [f"{i}: {rule.describe(features)}, weight {rule.weight!r}" for i, rule in enumerate(rules, 1)]
    doc = "\n".join(
        [f"A row for each class ({', '.join(map(repr, model.outcome.classes))}), a column for each rule.", *lines]
    )
    table = graph.constant(f"weights of the {kind}", weights, doc)
    applies = graph.node("Cast", [hits], f"{kind} that apply, as numbers", to=TensorProto.DOUBLE)
    return graph.node("MatMul", [table, applies], f"votes of the {kind}")
