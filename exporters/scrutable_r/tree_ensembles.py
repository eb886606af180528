"""Tree ensembles: trees of one feature added up as characteristics, the others as nested choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scrutable.model import (
    Leaf,
    LeafEffects,
    Path,
    ReasonPolicy,
    Split,
    StepFunctions,
    TreeEnsemble,
    paths,
    reasoned_trees,
    step_functions,
)
from scrutable.plugins import one_line
from scrutable_r.conditions import Inputs
from scrutable_r.quoting import number, valued
from scrutable_r.reasons import codes, reasoned
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


@dataclass(frozen=True, slots=True)
class Asked:
    """What a path asks of a feature, as R, the feature's position from 1, and literals of the leaf's effects on it."""

    when: str
    feature: int
    effects: str


@dataclass(frozen=True, slots=True)
class Way:
    """A leaf: what the path to it asks of each feature, and the path in words."""

    asks: tuple[Asked, ...]
    note: str


def context(model: TreeEnsemble, inputs: Inputs) -> dict[str, Any]:
    """What the template of tree ensembles writes."""
    steps = step_functions(model)
    return {
        "characteristics": blocks(steps.characteristics, inputs),
        "trees": [_choice(tree, inputs) for tree in steps.trees],
        "base": number(steps.base_score),
        **_context_of_reasons(model.reasons, steps, inputs),
    }


def _context_of_reasons(policy: ReasonPolicy | None, steps: StepFunctions, inputs: Inputs) -> dict[str, Any]:
    """The features that can be reasons, those of the characteristics first, and the ways to the leaves by tree."""
    if policy is None:
        return {"reasoned": [], "ways": [], **codes(policy)}
    trees = reasoned_trees(policy, steps)
    features = list(dict.fromkeys([*(item.feature for item in steps.characteristics), *trees.starts]))
    return {
        "reasoned": reasoned(policy, trees.starts, features, inputs),
        "ways": [
            [_way(path, effect, inputs, features) for (_, path), effect in zip(paths(tree), effects, strict=True)]
            for tree, effects in zip(steps.trees, trees.effects, strict=True)
        ],
        **codes(policy),
    }


def _way(path: Path, effects: LeafEffects, inputs: Inputs, features: Sequence[str]) -> Way:
    asks = []
    for name, points in zip(effects.features, zip(*effects.values, strict=True), strict=True):
        steps = [(inputs.clause(clause), held) for clause, held in path if clause.feature == name]
        when = steps[0][0]
        if steps != [(when, True)]:
            when = " & ".join(f"({text})" if held else f"fails({text})" for text, held in steps)
        asks.append(Asked(when, features.index(name) + 1, ", ".join(map(number, points))))
    words = [(clause.describe(inputs.features[clause.feature].title), held) for clause, held in path]
    return Way(tuple(asks), one_line(" and ".join(f"({text})" if held else f"not ({text})" for text, held in words)))


def _choice(node: Split | Leaf, inputs: Inputs) -> Choice | End:
    if isinstance(node, Leaf):
        return End(number(node.value), valued(node.label, node.value))
    note = one_line(node.when.describe(inputs.features[node.when.feature].title))
    return Choice(inputs.clause(node.when), note, _choice(node.then, inputs), _choice(node.otherwise, inputs))
