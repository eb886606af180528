"""Clauses, conjunctions and knock-outs as Boolean values of the graph."""

from __future__ import annotations

import numpy as np

from scrutable.model import Clause, Conjunction, Feature, Policy, describe_all
from scrutable_onnx.columns import Columns


class Clauses:
    """Rows on which clauses hold; each distinct clause is looked up once."""

    def __init__(self, columns: Columns, features: tuple[Feature, ...]) -> None:
        self.columns = columns
        self.features = {feature.name: feature for feature in features}
        self._known: dict[Clause, str] = {}

    def holds(self, clause: Clause) -> str:
        """(N,) Booleans: whether any condition of the clause holds."""
        if clause not in self._known:
            words = clause.describe(self.features[clause.feature].title)
            table = self.columns.cells[clause.feature].truth(clause)
            name = f"{clause.feature}: clause {len(self._known) + 1}"
            self._known[clause] = self.columns.look_up(clause.feature, table, name, words)
        return self._known[clause]

    def all_hold(self, clauses: Conjunction, name: str) -> str:
        """(N,) Booleans: whether every clause holds."""
        if not clauses:
            return self.columns.filled(True, "always")
        words = describe_all(clauses, self.features)
        held = self.holds(clauses[0])
        for position, clause in enumerate(clauses[1:], 2):
            whole = position == len(clauses)
            part = name if whole else f"{name}, first {position} clauses"
            held = self.columns.graph.node("And", [held, self.holds(clause)], part, doc=words if whole else "")
        return held


def knock_out(policy: Policy, clauses: Clauses) -> str | None:
    """(N,) position of the first knock-out that applies, the number of knock-outs where none does.

    None for a policy without knock-outs.
    """
    if not policy.knock_outs:
        return None
    graph = clauses.columns.graph
    count = len(policy.knock_outs)
    first = graph.constant(f"number {count}", np.array(count))
    for position, rule in reversed(list(enumerate(policy.knock_outs))):
        own = graph.constant(f"number {position}", np.array(position))
        applies = clauses.all_hold(rule.when, f"knock-out {position} applies")
        doc = f"{rule.code}: {rule.reason}"
        first = graph.node("Where", [applies, own, first], f"first knock-out from {position}", doc=doc)
    return first
