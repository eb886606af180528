"""Tree ensembles: trees of one feature added up as characteristics, the others as nested choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrutable.model import Leaf, Split, TreeEnsemble
from scrutable.spelling import one_line
from scrutable.stepwise import step_functions
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number, valued
from scrutable_r.scorecards import blocks


@dataclass(frozen=True, slots=True)
class Choice:
    """A split: its condition as R and in words, and what follows; a leaf is the literal of its value and its label."""

    when: str
    note: str
    then: Choice | End
    otherwise: Choice | End


@dataclass(frozen=True, slots=True)
class End:
    """A leaf."""

    value: str
    note: str


def context(model: TreeEnsemble, inputs: Inputs) -> dict[str, Any]:
    """What the template of tree ensembles writes."""
    found = step_functions(model)
    return {
        "characteristics": blocks(found.characteristics, inputs),
        "trees": [_choice(tree, inputs) for tree in found.trees],
        "base": number(found.base_score),
    }


def _choice(node: Split | Leaf, inputs: Inputs) -> Choice | End:
    if isinstance(node, Leaf):
        return End(number(node.value), valued(node.label, node.value))
    note = one_line(node.when.describe(inputs.features[node.when.feature].title))
    return Choice(inputs.clause(node.when), note, _choice(node.then, inputs), _choice(node.otherwise, inputs))
