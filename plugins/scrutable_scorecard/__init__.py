"""Plugin: learners `scorecard` and `scorecard-regressor`."""

from __future__ import annotations

from scrutable.plugins import Component, hookimpl


@hookimpl
def scrutable_learners() -> list[Component]:
    """The classical scorecard, and the one for a quantity."""
    return [
        Component(
            name="scorecard",
            kind="learner",
            path="scrutable_scorecard.learner:ScorecardClassifier",
            summary="Logistic scorecard on WoE or one attribute each, with monotone trends and PDO scaling",
            reference="Siddiqi (2006), Credit Risk Scorecards, chapter 6",
            produces=("scorecard", "alternatives"),
            enforces=("trend",),
        ),
        Component(
            name="scorecard-regressor",
            kind="learner",
            path="scrutable_scorecard.regressor:ScorecardRegressor",
            summary="Mean-encoded scorecard for a continuous target such as loss given default",
            reference="Optimal Counterfactual Explanations for Scorecard modelling, section 2.2.3",
            produces=("regression-scorecard",),
            enforces=("trend",),
        ),
    ]
