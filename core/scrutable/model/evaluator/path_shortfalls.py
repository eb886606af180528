"""How far each feature falls short on each row, for models whose features are read by trees or by rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrutable.model.conditions import Clause
from scrutable.model.evaluator.assign import ClauseMasks
from scrutable.model.evaluator.outputs import Floats
from scrutable.model.reasons import ReasonPolicy
from scrutable.model.rules import Rule, RuleSet
from scrutable.model.trees import Path, TreeEnsemble, features_of, paths


def short_of_trees(model: TreeEnsemble, policy: ReasonPolicy, masks: ClauseMasks, n_rows: int) -> dict[str, Floats]:
    """Per feature, (n,) its baseline minus what its own trees give and what the leaves of the others add for it."""
    short = {feature: np.full(n_rows, baseline) for feature, baseline in policy.baselines.items()}
    effects = iter(policy.effects)
    for tree in model.trees:
        names = features_of(tree)
        if len(names) == 1:
            of_feature = short[names.pop()]
            for leaf, path in paths(tree):
                of_feature -= np.where(_holds(path, masks, n_rows), leaf.value, 0.0)
        elif names:
            for effect, (_, path) in zip(next(effects), paths(tree), strict=True):
                points = np.array(effect.values)[satisfied(path, effect.features, masks, n_rows)]
                for position, feature in enumerate(effect.features):
                    short[feature] -= points[:, position]
    return short


def short_of_rules(
    model: RuleSet, policy: ReasonPolicy, masks: ClauseMasks, uncovered: NDArray[np.bool_]
) -> dict[str, Floats]:
    """Per feature, (n,) the weight of rules that vote against and read it, the fallback's where no rule applies."""
    short = {feature: np.zeros(len(uncovered)) for feature in policy.codes}
    for rules, decide in ((model.rules, ~uncovered), (model.fallback, uncovered)):
        for rule in rules:
            if model.against(rule):
                _add(rule, masks.conjunction(rule.when) & decide, short)
    return short


def satisfied(path: Path, features: Sequence[str], masks: ClauseMasks, n_rows: int) -> NDArray[np.intp]:
    """(n,) a number whose bit i is set where the row has all that the path asks of the feature at position i."""
    numbers = np.zeros(n_rows, dtype=np.intp)
    for position, feature in enumerate(features):
        numbers |= (
            _holds([step for step in path if step[0].feature == feature], masks, n_rows).astype(np.intp) << position
        )
    return numbers


def _holds(path: Sequence[tuple[Clause, bool]], masks: ClauseMasks, n_rows: int) -> NDArray[np.bool_]:
    held = np.ones(n_rows, dtype=bool)
    for clause, wanted in path:
        held &= masks.clause(clause) == wanted
    return held


def _add(rule: Rule, applies: NDArray[np.bool_], short: dict[str, Floats]) -> None:
    for clause in rule.when:
        short[clause.feature] += np.where(applies, rule.weight, 0.0)
