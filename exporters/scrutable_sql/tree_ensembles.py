"""Tree ensembles: a ladder for each feature that trees ask for alone, and one nested CASE a tree for those left."""

from __future__ import annotations

from scrutable.model import Characteristic, Feature, Leaf, Split, TreeEnsemble, splits, step_functions
from scrutable_sql import common
from scrutable_sql.common import Plan
from scrutable_sql.conditions import clause, ladder
from scrutable_sql.dialects import Dialect
from scrutable_sql.effects import TreeReasons
from scrutable_sql.options import SQLOptions
from scrutable_sql.query import CHUNK, Case, Column, Rung, Step, Sum
from scrutable_sql.quoting import comment, number

_TREES = "what the trees add; those of several features are numbered in the order that they have here"


def plan(model: TreeEnsemble, options: SQLOptions) -> Plan:
    """The steps splits, trees, sums, scores, calibrated, and those of the reasons."""
    d = options.target
    features = {feature.name: feature for feature in model.features}
    functions = step_functions(model)
    alone = [_points(i, item, features[item.feature], d) for i, item in enumerate(functions.characteristics, 1)]
    names = {item.feature: column.name for item, column in zip(functions.characteristics, alone, strict=True)}
    reasons = TreeReasons.of(model, functions, names, options)
    trees = common.sums([_node(tree, features, d) for tree in functions.trees], "trees", d)
    base = f"CAST({number(functions.base_score, d)} AS {d.double})"
    terms = tuple(column.name for column in (*alone, *trees))
    sums = common.sums(terms, "sum", d) if len(terms) > CHUNK else []
    score = Column(
        common.total(base, sums) if sums else Sum(base, terms), "score", note="base score, and what trees add"
    )
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


def _points(position: int, item: Characteristic, feature: Feature, d: Dialect) -> Column:
    """What all trees that ask for one feature alone add up to."""
    conditions = [attribute.condition for attribute in item.attributes]
    values = [number(attribute.points, d) for attribute in item.attributes]
    notes = [comment(title) for title in item.titles]
    note = comment(f"{feature.title}: all trees that ask for nothing else, added up")
    return Column(ladder(feature, conditions, values, notes, d), f"alone_{position}", cast=d.double, note=note)


def _node(node: Split | Leaf, features: dict[str, Feature], d: Dialect) -> str | Case:
    if isinstance(node, Leaf):
        return number(node.value, d)
    title = features[node.when.feature].title
    rung = Rung(clause(node.when, features, d), _node(node.then, features, d), comment(node.when.describe(title)))
    note = comment(node.otherwise.label) if isinstance(node.otherwise, Leaf) else ""
    return Case((rung,), _node(node.otherwise, features, d), note)
