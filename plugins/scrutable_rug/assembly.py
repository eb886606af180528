"""From weighted rules to the model."""

from __future__ import annotations

import numpy as np

from scrutable.data import TrainingData
from scrutable.model import Rule, RuleSet
from scrutable_rug.deciding import Deciding
from scrutable_rug.generation import Generated
from scrutable_rug.rows import Rows


def assemble(generated: Generated, rows: Rows, data: TrainingData, deciding: Deciding) -> RuleSet:
    """The rules that vote, by falling weight; the largest weight becomes 1."""
    votes, classes = deciding.votes(generated.solution.weights), data.outcome.classes
    rules = [
        Rule(when=generated.rules[at].when, outcome=classes[generated.rules[at].label], weight=float(votes[at]))
        for at in np.flatnonzero(votes)
    ]
    rules.sort(key=lambda rule: (-rule.weight, rule.describe()))
    last = deciding.fallback_rules(generated, rows, data.weight)
    fallback = tuple(Rule(when=when, outcome=classes[label]) for when, label in last)
    named = {clause.feature for rule in (*rules, *fallback) for clause in rule.when}
    features = tuple(feature for feature in data.features if feature.name in named)
    return RuleSet(outcome=data.outcome, features=features, rules=tuple(rules), fallback=fallback)
