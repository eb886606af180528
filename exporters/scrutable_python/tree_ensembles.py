"""Tree ensembles: trees of one feature added up as tables, the others as nested conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrutable.model import (
    Leaf,
    LeafEffects,
    Path,
    Split,
    StepFunctions,
    TreeEnsemble,
    paths,
    reasoned_trees,
    step_functions,
)
from scrutable.plugins import one_line
from scrutable_python.common import Body, calibration, knock_outs, variables
from scrutable_python.conditions import Variable, Variables, clause
from scrutable_python.reasons import Below, Reasons, belows
from scrutable_python.tables import CharacteristicTable, numbered, table
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


@dataclass(frozen=True, slots=True)
class Step:
    """A table, and the variable of its feature's shortfall; empty without reasons."""

    table: CharacteristicTable
    below: str


@dataclass(frozen=True, slots=True)
class Added:
    """What a leaf adds for each feature on its path.

    Parameters
    ----------
    rows : a literal: for each set of the features that has what the path asks, the points of each of them.
    row : the expression that finds the row.
    below : variables of the features' shortfalls.
    note : the path in words.
    """

    rows: str
    row: str
    below: tuple[str, ...]
    note: str


def body(model: TreeEnsemble, own: str = "") -> Body:
    """Score, probability, decision, knock-out, reasons and shortfalls; `own` as in `Body`."""
    names = variables(model.features)
    steps = step_functions(model)
    reasons = Reasons.of(model.reasons)
    below, added = _reasoned(model, steps, names)
    context = {
        "variables": list(names.values()),
        "knock_outs": knock_outs(model.policy, names),
        "steps": [
            Step(table(item, names[item.feature], numbered(place, own)), below[item.feature].name if below else "")
            for place, item in enumerate(steps.characteristics, 1)
        ],
        "trees": [_node(tree, names) for tree in steps.trees],
        "base": number(steps.base_score),
        "belows": list(below.values()),
        "added": added,
        "reasons": reasons,
        "pairs": [(shortfall.name, shortfall.code) for shortfall in below.values()],
        **calibration(model),
    }
    columns = ("score", "probability", "approved", "knock_out", *reasons.columns)
    return Body(template="tree_ensemble.jinja", context=context, columns=columns, own=own)


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


def _reasoned(
    model: TreeEnsemble, steps: StepFunctions, names: Variables
) -> tuple[Mapping[str, Below], list[list[Added]]]:
    """The features that can be reasons, and what the leaves of each tree add for them."""
    if model.reasons is None:
        return {}, []
    trees = reasoned_trees(model.reasons, steps)
    below = belows(model.reasons, trees.starts, model.features)
    return below, [
        [_added(path, effect, names, below) for (_, path), effect in zip(paths(tree), effects, strict=True)]
        for tree, effects in zip(steps.trees, trees.effects, strict=True)
    ]


def _added(path: Path, effects: LeafEffects, names: Variables, below: Mapping[str, Below]) -> Added:
    asked = {name: tuple(step for step in path if step[0].feature == name) for name in effects.features}
    bits = [_all(steps, names[name]) for name, steps in asked.items()]
    words = [_negated(f"({when.describe(names[when.feature].feature.title)})", held) for when, held in path]
    return Added(
        rows=_tuple([_tuple([number(points) for points in row]) for row in effects.values]),
        row=" + ".join(f"{2**i} * {bit}" for i, bit in enumerate(bits)),
        below=tuple(below[name].name for name in effects.features),
        note=one_line(" and ".join(words)),
    )


def _all(steps: Path, variable: Variable) -> str:
    """What a path asks of one feature, in brackets."""
    clauses = [_negated(f"({clause(when, variable)})", held) for when, held in steps]
    return clauses[0] if len(steps) == 1 and steps[0][1] else f"({' and '.join(clauses)})"


def _negated(words: str, held: bool) -> str:
    return words if held else f"not {words}"


def _tuple(items: Sequence[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
