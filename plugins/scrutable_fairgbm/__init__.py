"""Gradient boosting under fairness constraints, on stock LightGBM and XGBoost."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """Boosted trees, or with trees of depth 1 a scorecard."""
    return [
        Component(
            name="fairgbm",
            kind="learner",
            path="scrutable_fairgbm.learner:FairGBMClassifier",
            summary="Boosted trees under bounds on rates of groups; of depth 1 they are a scorecard",
            reference="Cruz et al. (2023), FairGBM: Gradient Boosting with Fairness Constraints",
            produces=("tree-ensemble", "scorecard", "alternatives"),
            accepts=("rate",),
            extra="fairgbm",
            requires=("lightgbm", "numba"),
            known_failures={
                "every-option-does-something: proxy": "it is for another method, with constraints",
                "codes-may-be-any-numbers": "its trees split a special code off as the number that it is",
                "names-of-categories-mean-nothing": "XGBoost's splits of categories hang on how these are numbered",
                "whole-weights-are-repeated-rows-under-every-option": "LightGBM's histograms count rows",
            },
        )
    ]
