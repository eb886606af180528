"""Hypothesis strategies for valid, hostile models of every kind; needs hypothesis, which only tests install.

Names, categories and codes are texts that break careless quoting; cuts are huge, tiny, subnormal or neighbours.
"""

from scrutable.testing.strategies.models import (
    features,
    models,
    outcomes,
    regression_scorecards,
    rule_sets,
    scorecards,
    segmented_models,
    tree_ensembles,
)
from scrutable.testing.strategies.values import HOSTILE_NUMBERS, HOSTILE_TEXTS, numbers, texts

__all__ = [
    "HOSTILE_NUMBERS",
    "HOSTILE_TEXTS",
    "features",
    "models",
    "numbers",
    "outcomes",
    "regression_scorecards",
    "rule_sets",
    "scorecards",
    "segmented_models",
    "texts",
    "tree_ensembles",
]
