"""Tree ensembles: trees of one feature added up as tables, the others as nested conditions."""

from __future__ import annotations

from dataclasses import dataclass

from scrutable.model import Leaf, Split, TreeEnsemble
from scrutable.spelling import one_line
from scrutable.stepwise import step_functions
from scrutable_python.common import Body, calibration, knock_outs, variables
from scrutable_python.conditions import Variables, clause
from scrutable_python.tables import table
from scrutable_python.text import number


@dataclass(frozen=True, slots=True)
class Branch:
    """A split: its condition, the same in words, and where both ways lead."""

    when: str
    note: str
    then: Branch | End
    otherwise: Branch | End


@dataclass(frozen=True, slots=True)
class End:
    """A leaf: the literal of its value, and its label."""

    value: str
    note: str


def body(model: TreeEnsemble) -> Body:
    """Score, probability, decision and knock-out."""
    names = variables(model)
    steps = step_functions(model)
    context = {
        "variables": list(names.values()),
        "knock_outs": knock_outs(model.policy, names),
        "tables": [table(item, names[item.feature], place) for place, item in enumerate(steps.characteristics, 1)],
        "trees": [_node(tree, names) for tree in steps.trees],
        "base": number(steps.base_score),
        **calibration(model),
    }
    columns = ("score", "probability", "approved", "knock_out")
    return Body(kind="Tree ensemble", template="tree_ensemble.jinja", context=context, columns=columns)


def _node(node: Split | Leaf, names: Variables) -> Branch | End:
    if isinstance(node, Leaf):
        return End(number(node.value), one_line(node.label))
    variable = names[node.when.feature]
    return Branch(
        when=clause(node.when, variable),
        note=one_line(node.when.describe(variable.feature.title)),
        then=_node(node.then, names),
        otherwise=_node(node.otherwise, names),
    )
