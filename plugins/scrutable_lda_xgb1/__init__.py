"""Plugin: learner `lda-xgb1`."""

from __future__ import annotations

from scrutable.component import Component
from scrutable.hookspecs import hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """Scorecards on bins merged under a bound on what they tell about the group."""
    return [
        Component(
            name="lda-xgb1",
            kind="learner",
            path="scrutable_lda_xgb1.learner:LDAXGB1Classifier",
            summary="Stump-boosted pre-bins, merged for information value under a bound on fairness information value",
            reference="Pangia, Sudjianto, Zhang, Khan: Less Discriminatory Alternative and Interpretable XGBoost "
            "Framework for Binary Classification, Algorithm 1",
            produces=("scorecard",),
            accepts=("divergence",),
            enforces=("divergence", "trend"),
            extra="lda-xgb1",
            requires=("xgboost",),
        )
    ]
