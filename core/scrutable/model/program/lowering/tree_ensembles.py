"""Tree ensembles as programs."""

from __future__ import annotations

from collections.abc import Iterable

from scrutable.model.conditions import Clause
from scrutable.model.effects import LeafEffects
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.lowering.decisions import (
    adjusting,
    decided,
    details_of_adjustments,
    outputs_of_decision,
    probability,
    reasons,
    unfavourable,
)
from scrutable.model.program.nodes import Choice, Pair, Points, Ref, Sum
from scrutable.model.program.program import Output
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.trees import Leaf, Node, Path, TreeEnsemble, features_of, paths


def tree_ensemble(model: TreeEnsemble, asking: Asking) -> list[Output]:
    """The score is the sum of one leaf of each tree; a split is a choice by its clause."""
    trees = tuple(_tree(tree, 1.0, asking) for tree in model.trees)
    score = asking.add(Sum(model.base_score, (*trees, *adjusting(asking, model.policy))))
    decision = decided(asking, score, model.cutoff, model.policy)
    favourable = probability(asking, model.calibration, score)
    outputs = outputs_of_decision(asking, decision, favourable, model.outcome.favourable, model.policy)
    details = [unfavourable(asking, favourable)]
    if model.reasons is not None:
        short = _shortfalls(model, model.reasons, asking)
        by_code = {code: [short[name] for name in names] for code, names in model.reasons.features().items()}
        outputs += reasons(asking, model.reasons, by_code, decision, model.policy.adjustments, "points short")
        titles = {name: f"points short for {feature.title}" for name, feature in asking.features.items()}
        details += [Output(f"shortfall_{name}", ref, titles[name]) for name, ref in short.items()]
    return [*outputs, *details, *details_of_adjustments(asking, model.policy)]


def _tree(node: Node, sign: float, asking: Asking) -> Ref:
    if isinstance(node, Leaf):
        return asking.add(Sum(sign * node.value + 0.0))
    held = asking.clause(node.when)
    if isinstance(node.then, Leaf) and isinstance(node.otherwise, Leaf):
        return asking.add(Points(held, (sign * node.otherwise.value + 0.0, sign * node.then.value + 0.0)))
    return asking.add(Choice(held, (_tree(node.otherwise, sign, asking), _tree(node.then, sign, asking))))


def _shortfalls(model: TreeEnsemble, policy: ReasonPolicy, asking: Asking) -> dict[str, Ref]:
    """By feature: its baseline, minus its own trees, minus what the leaves of the others add for it."""
    terms: dict[str, list[Ref]] = {feature: [] for feature in policy.baselines}
    effects = iter(policy.effects)
    for tree in model.trees:
        names = features_of(tree)
        if len(names) == 1:
            terms[names.pop()].append(_tree(tree, -1.0, asking))
        elif names:
            for of_leaf, (_, path) in zip(next(effects), paths(tree), strict=True):
                _add_effects(of_leaf, path, terms, asking)
    return {feature: asking.add(Sum(baseline, tuple(terms[feature]))) for feature, baseline in policy.baselines.items()}


def _add_effects(effects: LeafEffects, path: Path, terms: dict[str, list[Ref]], asking: Asking) -> None:
    """The points for each feature, by the set of features that have what the path asks; the first is the lowest bit."""
    satisfied = [
        _holds(((clause, wanted) for clause, wanted in path if clause.feature == feature), asking)
        for feature in effects.features
    ]
    which = asking.add(Pair(tuple(reversed(satisfied)), (2,) * len(satisfied)))
    for position, feature in enumerate(effects.features):
        values = tuple(0.0 - row[position] for row in effects.values)
        if any(values):
            terms[feature].append(asking.add(Points(which, values)))


def _holds(path: Iterable[tuple[Clause, bool]], asking: Asking) -> Ref:
    asked = [(asking.clause(clause), wanted) for clause, wanted in path]
    return asking.every([truth if wanted else asking.negated(truth) for truth, wanted in asked])
