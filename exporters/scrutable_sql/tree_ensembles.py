"""Tree ensembles: a ladder for each feature that trees ask for alone, and one nested CASE a tree for those left."""

from __future__ import annotations

from scrutable.model import Feature, Leaf, Split, TreeEnsemble, splits, step_functions
from scrutable_sql import common
from scrutable_sql.common import Plan
from scrutable_sql.conditions import clause
from scrutable_sql.dialects import Dialect
from scrutable_sql.effects import TreeReasons
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import Case, Rung, Step
from scrutable_sql.quoting import comment, number

_TREES = "what the trees add; those of several features are numbered in the order that they have here"


def plan(model: TreeEnsemble, options: SQLOptions) -> Plan:
    """The steps splits, trees, sums, scores, calibrated, and those of the reasons."""
    d = options.target
    features = {feature.name: feature for feature in model.features}
    functions = step_functions(model)
    alone = [
        common.points(item, feature, f"alone_{i}", f"{feature.title}: all trees that ask for nothing else, added up", d)
        for i, item in enumerate(functions.characteristics, 1)
        for feature in [features[item.feature]]
    ]
    names = {item.feature: column.name for item, column in zip(functions.characteristics, alone, strict=True)}
    reasons = TreeReasons.of(model, functions, names, options)
    trees = common.sums([_node(tree, features, d) for tree in functions.trees], "trees", d)
    terms = [column.name for column in (*alone, *trees)]
    sums, score = common.score(functions.base_score, terms, "base score, and what trees add", d)
    knock_out = common.knock_out(model.policy, features, d)
    steps = (
        Step("splits", "what trees of several features ask: 1 where it holds, else 0", reasons.splits),
        Step("trees", _TREES, (knock_out, *alone, *trees, *reasons.effects)),
        Step("sums", "all of it added up", tuple(sums)),
        Step("scores", "the score", (score, *reasons.shortfalls)),
        Step("calibrated", common.CALIBRATED, (common.linear(model.calibration, d),)),
        *reasons.falling_short.steps(),
    )
    results = common.decided(model, common.probability(model.calibration), d)
    results += reasons.falling_short.ranking.results()
    asked = {split.when.feature for tree in functions.trees for split in splits(tree)} | model.policy.features
    return Plan(tuple(step for step in steps if step.columns), tuple(results), frozenset(features) - asked)


def _node(node: Split | Leaf, features: dict[str, Feature], d: Dialect) -> str | Case:
    if isinstance(node, Leaf):
        return number(node.value, d)
    title = features[node.when.feature].title
    rung = Rung(clause(node.when, features, d), _node(node.then, features, d), comment(node.when.describe(title)))
    note = comment(node.otherwise.label) if isinstance(node.otherwise, Leaf) else ""
    return Case((rung,), _node(node.otherwise, features, d), note)
