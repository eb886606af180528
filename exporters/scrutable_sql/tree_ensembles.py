"""Tree ensembles: one nested CASE a tree."""

from __future__ import annotations

from scrutable.model import Feature, Leaf, Split, TreeEnsemble
from scrutable_sql import common
from scrutable_sql.common import Plan, Result
from scrutable_sql.conditions import clause
from scrutable_sql.dialects import Dialect
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Column, Rung, Step
from scrutable_sql.quoting import comment, number


def plan(model: TreeEnsemble, options: SQLOptions) -> Plan:
    """The steps trees, scores and calibrated."""
    d = options.engine
    features = {feature.name: feature for feature in model.features}
    sums = common.sums([_node(tree, features, d) for tree in model.trees], "trees", d)
    base = f"CAST({number(model.base_score, d)} AS {d.double})"
    steps = (
        Step("trees", "the leaf of every tree", (common.knock_out(model.policy, features, d), *sums)),
        Step("scores", "the score", (Column(common.total(base, sums), "score", note="base score and leaves"),)),
        Step("calibrated", "the linear predictor of the probability", (common.linear(model.calibration, d),)),
    )
    results = (
        Result("score", "score"),
        Result("probability", common.probability(model.calibration)),
        Result("approved", common.decision(model.cutoff, d)),
        Result("knock_out", "knock_out"),
    )
    return Plan(steps, results)


def _node(node: Split | Leaf, features: dict[str, Feature], d: Dialect) -> str | Case:
    if isinstance(node, Leaf):
        return number(node.value, d)
    title = features[node.when.feature].title
    rung = Rung(clause(node.when, features, d), _node(node.then, features, d), comment(node.when.describe(title)))
    note = comment(node.otherwise.label) if isinstance(node.otherwise, Leaf) else ""
    return Case((rung,), _node(node.otherwise, features, d), note)
