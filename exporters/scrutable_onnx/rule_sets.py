"""Rule sets: which rules apply, their votes, and those of the fallback where none does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from onnx import TensorProto

from scrutable.model import ClassLabel, ReasonPolicy, Rule, RuleSet, number_of_reasons
from scrutable_onnx.clauses import Clauses, knock_out
from scrutable_onnx.columns import Columns
from scrutable_onnx.common import decision
from scrutable_onnx.graph import Graph, Result
from scrutable_onnx.options import ONNXOptions
from scrutable_onnx.reasons import reasons, shortfalls_of_features

#: Outputs that say which rules apply, one column a rule.
RULES, FALLBACK = "rule_hits", "fallback_hits"
#: Whether a rule's weight counts in a row of votes.
_Counts = Callable[[Rule], bool]


def results(model: RuleSet, columns: Columns, options: ONNXOptions) -> list[Result]:
    """The outputs of a rule set; with two classes the shares of both, too, which are not shown."""
    graph = columns.graph
    clauses = Clauses(columns, model.features)
    hits = [_hits(rules, kind, clauses) for rules, kind in ((model.rules, "rule"), (model.fallback, "fallback rule"))]
    ballot = _Ballot(model, hits, graph)
    votes = ballot.votes()
    shares = graph.node("Div", [votes, graph.total(votes, "all votes")], "shares of all votes")
    classes = range(len(model.outcome.classes))
    of_class = [graph.row(votes, i, f"votes for class {i}") for i in classes]
    share = [graph.row(shares, i, f"share of class {i}") for i in classes]
    outputs = [
        Result(f"probability_{i}", value, TensorProto.DOUBLE, shown=model.cutoff is None)
        for i, value in enumerate(share)
    ]
    if model.cutoff is None:
        number_of_reasons(model.reasons, options.reasons)
        doc = "The class of most votes; of equal ones the first."
        most = graph.node("ArgMax", [votes], "class of most votes", doc=doc, axis=0, keepdims=0)
        scores = [Result(f"score_{i}", value, TensorProto.DOUBLE) for i, value in enumerate(of_class)]
        outputs = [*scores, *outputs, Result("predicted", most, TensorProto.INT64)]
    else:
        good = model.outcome.favourable_index
        score = graph.node("Sub", [of_class[good], of_class[1 - good]], "votes for less votes against")
        knocked = knock_out(model.policy, clauses)
        outputs += [
            Result("score", score, TensorProto.DOUBLE),
            Result("probability", share[good], TensorProto.DOUBLE),
            *decision(model, score, knocked, graph),
        ]

        def shortfalls(policy: ReasonPolicy) -> dict[str, str]:
            return shortfalls_of_features(policy, ballot.against(policy), graph)

        outputs += reasons(model, columns, score, knocked, options, shortfalls)
    return outputs + [
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


class _Ballot:
    """Sums of weights: fixed-point numbers, so that no sum is rounded in any order.

    Parameters
    ----------
    hits : (rules, N) Booleans, of the rules and of the fallback; no value where there is no rule.
    """

    def __init__(self, model: RuleSet, hits: Sequence[str], graph: Graph) -> None:
        self._model, self._graph = model, graph
        kinds = ("rules", "fallback")
        self._applies = {
            kind: graph.node("Cast", [matrix], f"{kind} that apply, as numbers", to=TensorProto.DOUBLE)
            for kind, matrix in zip(kinds, hits, strict=True)
            if matrix
        }
        if model.rules:
            count = graph.total(self._applies["rules"], "number of rules that apply")
            self._some_rule = graph.node("Greater", [count, graph.constant("zero", np.array(0.0))], "some rule applies")

    def votes(self) -> str:
        """(classes, N) decisive votes for each class."""
        classes = self._model.outcome.classes
        doc = f"A row for each class ({', '.join(map(repr, classes))})"
        return self._decisive([_votes_for(label) for label in classes], "", doc)

    def against(self, policy: ReasonPolicy) -> dict[str, str]:
        """(N,) decisive votes against the applicant by feature, of the rules that read it."""
        names = list(policy.codes)
        if not names:
            return {}
        doc = f"Votes against alone; a row for each feature that they read ({', '.join(map(repr, names))})"
        matrix = self._decisive([self._votes_against_by(name) for name in names], " against, by feature", doc)
        return {name: self._graph.row(matrix, i, f"{name}: votes against") for i, name in enumerate(names)}

    def _votes_against_by(self, name: str) -> _Counts:
        return lambda rule: self._model.against(rule) and any(clause.feature == name for clause in rule.when)

    def _decisive(self, rows: Sequence[_Counts], what: str, doc: str) -> str:
        """(rows, N) sums over the rules that apply, or where none does over the fallback."""
        fallback = self._added_up("fallback", self._model.fallback, rows, what, doc)
        if not self._model.rules:
            return fallback
        votes = self._added_up("rules", self._model.rules, rows, what, doc)
        return self._graph.node("Where", [self._some_rule, votes, fallback], f"decisive votes{what}")

    def _added_up(self, kind: str, rules: tuple[Rule, ...], rows: Sequence[_Counts], what: str, doc: str) -> str:
        weights = np.array([[rule.weight if counts(rule) else 0.0 for rule in rules] for counts in rows])
        features = {feature.name: feature for feature in self._model.features}
        lines = [f"{i}: {rule.describe(features)}, weight {rule.weight!r}" for i, rule in enumerate(rules, 1)]
        doc = "\n".join([f"{doc}, a column for each rule.", *lines])
        table = self._graph.constant(f"weights of the {kind}{what}", weights, doc)
        return self._graph.node("MatMul", [table, self._applies[kind]], f"votes of the {kind}{what}")


def _votes_for(label: ClassLabel) -> _Counts:
    return lambda rule: rule.outcome == label
